"""Search in several processes, which exchange the growth of their trees."""
