"""`cardhub match`: its commands, the live table and the summary."""
