"""Turns at a table: bots and their pace, hints, and the clocks of people."""
