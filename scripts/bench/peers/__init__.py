"""What others do with the same questions on the same server."""
