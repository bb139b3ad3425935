"""What one person sees of a table, as data, as plain text and as cells of a terminal."""
