"""Replays of recorded games: any step, any viewer who may see it, notes, bots' choices, results."""
