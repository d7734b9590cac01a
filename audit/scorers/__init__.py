"""Whole-benchmark scorers that need no provider."""
