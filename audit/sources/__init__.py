"""A benchmark's name to files on disk."""
