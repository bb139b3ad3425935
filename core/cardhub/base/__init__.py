"""What every room may import: errors, YAML with positions, files on disk, compiled modules."""
