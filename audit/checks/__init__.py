"""Checks that need no judge: benchmarks to findings."""
