"""Files to benchmarks and policies."""
