"""Databases as tables of rows, and what rows say of one another."""
