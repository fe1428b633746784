"""The HTTP API of contract, section 5: bytes in, bytes out, and between them the values that the log is made of.

Read in this order: wire, problems, access, local, operation, games, creation, moves, history, about, app.
"""
