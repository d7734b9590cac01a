"""Several benchmarks side by side: which they are, and that they can be compared."""
