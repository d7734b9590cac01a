"""Designs: several studies planned together, asked in one run, and told on one page."""
