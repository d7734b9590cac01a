"""Blind sheets for people: drawn, written, read back, and brought together."""
