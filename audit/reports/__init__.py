"""Run results to bytes."""
