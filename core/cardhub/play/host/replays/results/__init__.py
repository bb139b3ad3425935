"""The result of a replayed game, its turning points, and bots' ratings of its decisions."""
