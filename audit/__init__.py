"""bench-audit: tells people whether an agent benchmark can be trusted."""

__version__ = "0.1.0"

__all__ = ["__version__"]
