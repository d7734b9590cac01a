"""Tool semantics of domains over their databases: replay gold actions, compare states."""
