"""Hidden information, derived once for every game: observations, determinizations, chance."""
