"""The command line: parse flags, call the pipeline, choose the exit code."""
