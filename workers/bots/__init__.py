"""Who plays? One file a bot, and a registry. A bot is a function of its seat's view and dice, and returns a move text.

Bots know cards, rules, moves, views and legality of `events.game`; what is hidden they cannot even name.
"""
