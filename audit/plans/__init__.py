"""Plans of tool calls that an agent has to repair: what an instance says, without judging it."""
