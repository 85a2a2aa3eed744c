"""What every table shares, declared by a kind of game and copied by none: rows, log, sessions, sockets, forgetting.

The kernel imports no game; a law in the build says so. Each game's app hands its ``Kind`` to ``kinds.register``.
"""
