"""Many games and what they prove: matches, statistics, reviews, reports and studies."""
