"""The workbench of `cardhub dev`: a game at a position, for all seats, while its files change.

A process of its own imports the game, so each change of a file gets a new process. A position is
the record of a game, so it can be kept, repeated by other rules, and opened by other commands.
"""
