"""Events of a game: its entries as text, for each viewer what this viewer may know."""
