"""Empirical game theory: pairwise payoffs, equilibria, alpha-rank and cycles."""
