"""Compilation of the core's hot modules and of games' rules by mypyc, from the same sources."""
