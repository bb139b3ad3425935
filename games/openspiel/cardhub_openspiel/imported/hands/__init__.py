"""Games whose public actions depend on hidden cards, for example by following suit."""
