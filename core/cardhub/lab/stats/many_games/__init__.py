"""Rankings over several games: mean Elo, Nash averaging and Kemeny's ranking."""
