"""Reading match files."""
