"""Batches, through the real SDKs, against a server that speaks the three batch APIs."""
