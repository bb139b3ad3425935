"""Language models as players: what a model reads, and how its answer becomes an action."""
