"""Measurements of speed, whose results are of this machine."""
