"""The contents of a report, independent of its format."""
