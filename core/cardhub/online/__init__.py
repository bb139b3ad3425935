"""The wing `online` of cardhub."""
