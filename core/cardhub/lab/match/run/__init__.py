"""Playing a match: schedule, worker processes, time limits of bots, and signal handlers."""
