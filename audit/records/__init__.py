"""Frozen records that the stages exchange."""
