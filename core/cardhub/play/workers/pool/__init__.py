"""A pool of worker processes, shared by the bots of many tables."""
