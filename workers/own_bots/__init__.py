"""How does anybody's bot play here? In processes of its own, which a worker starts, asks, times and ends.

Law kept: a worker never imports such a bot; what it knows of one is a name, an import path, and the answers. This is
no sandbox: the bot runs as the worker's own user, and can do what that user can.
"""
