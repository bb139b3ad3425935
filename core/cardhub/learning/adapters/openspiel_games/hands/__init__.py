"""Games whose public actions depend on hidden cards, such as following suit."""
