"""Taint tracking: the rules run on faces that note which lines read hidden ones."""
