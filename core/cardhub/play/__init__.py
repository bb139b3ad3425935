"""Playing a game: players, the referee, events, bot processes and records."""
