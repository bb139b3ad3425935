"""Sitting down and playing: seating, the referee, events and records."""
