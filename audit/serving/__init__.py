"""A folder of runs, studies and pages as one local site."""
