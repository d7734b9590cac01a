"""A benchmark's sound tasks: which they are, and the benchmark with them alone."""
