"""cardhub games in the interfaces of other libraries, which must be installed."""
