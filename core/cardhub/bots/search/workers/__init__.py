"""Search in several processes: each searches a tree of its own, and the ratings are merged."""
