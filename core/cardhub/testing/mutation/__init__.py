"""Rules that are broken one by one, to find the changes that checks and tests miss."""
