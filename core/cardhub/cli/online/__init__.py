"""Commands to play over the network: `cardhub join` and `cardhub serve`."""
