"""Who plays? One file a bot, and a registry. A bot is a function of its seat's sight and of dice, and returns a number.

Bots know cards, rules, moves, views and legality of `events.game`; what is hidden they cannot even name.
"""
