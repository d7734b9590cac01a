"""Whether a benchmark may be released: findings and scores held against the user's own settings."""
