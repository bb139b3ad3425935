"""Distribution of faces among tokens that cannot have every face."""
