"""What changed between two runs, or between two versions of a benchmark."""
