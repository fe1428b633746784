"""How are very many games played? The table in numbers: one second representation, for one reason, which is speed.

The rulebook stays `legality` and `decide`; what is here is proved equal to them, move by move, over perft trees and
random walks (`tests/game/in_numbers.py`). Cards and moves are whole numbers inside and texts at the edge; a table
changes in place. These files use plain classes and typed numbers only, so that mypyc can compile them as they stand.
"""
