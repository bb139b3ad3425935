"""One game from its setup to its record and replay, at one computer."""
