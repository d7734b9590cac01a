"""Prompt texts and their rendering."""
