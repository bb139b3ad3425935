"""Search in several processes, which exchange what they have found between their trees."""
