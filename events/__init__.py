"""What happened, and what it means: the pure game, and the log that keeps it."""
