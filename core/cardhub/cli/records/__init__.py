"""Commands about records: `replay`, `export`, `verify`."""
