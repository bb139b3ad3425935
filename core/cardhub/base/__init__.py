"""What every room may import: errors, YAML files with positions, files on disk, compiled modules."""
