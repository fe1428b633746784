"""Bots and arenas."""
