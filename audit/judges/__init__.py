"""Tasks to prompts, replies to verdicts."""
