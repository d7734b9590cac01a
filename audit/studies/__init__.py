"""Many runs or ratings → one answer about judges or benchmarks."""
