"""The pure game of `rules.md`: no clock, no dice, no I/O. Time, shuffles and ids are arguments.

Read in this order: cards, rules, presets, moves, events, state, evolve, views, legality, commands, shuffle, deal,
decide, position, match. The folder `fast` holds the table a second time, in numbers.
"""
