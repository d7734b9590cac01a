"""Benchmarks written back in their own formats."""
