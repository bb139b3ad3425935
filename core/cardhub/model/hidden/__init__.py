"""Hidden information, derived for every game: observations, determinizations and chance."""
