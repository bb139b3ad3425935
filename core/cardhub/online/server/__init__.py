"""The server of tables: `cardhub serve`, its lobby, connections, credentials and limits."""
