"""Results of several games together: mean Elo, Nash averaging and Kemeny's ranking."""
