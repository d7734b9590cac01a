"""Policy items proposed, reviewed and carried over to a new version of their document."""
