"""Prompts to replies: the only code on the network."""
