"""Tests of the local site."""
