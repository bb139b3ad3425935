"""Commands about games: `games`, `rules`, `check`, `new`."""
