"""Which bot is the better one, and by how much? Schedules, games and standings of a bot league."""
