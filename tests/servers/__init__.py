"""Loopback servers that speak the vendors' protocols."""
