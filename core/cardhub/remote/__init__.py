"""Clients of a table on a server: `cardhub join`, by the same session as at a local one."""
