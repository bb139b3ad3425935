"""The contract of a game: cards, what lies where, who sees it, rules and determinizations."""
