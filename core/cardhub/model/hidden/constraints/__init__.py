"""Distribution of faces among tokens that cannot have all of them."""
