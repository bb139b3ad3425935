"""Hosts of games: the referee, bots, pace and record of a table, and sessions of its people."""
