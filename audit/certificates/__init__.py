"""Certificates of judges: a fixed suite of questions whose answers are known, put to a judge and kept."""
