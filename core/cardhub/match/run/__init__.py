"""Playing a match: schedule, workers, bots within their time, and signals."""
