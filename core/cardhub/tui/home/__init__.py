"""The screens around the table: home, new game, settings, statistics and lists of games."""
