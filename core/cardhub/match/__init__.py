"""Matches: any bots in any games, game by game, with the same bytes on one worker or many."""
