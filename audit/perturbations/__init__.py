"""Benchmarks with defects planted in them, or in another form, to see whether a judge notices."""
