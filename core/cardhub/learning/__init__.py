"""The wing `learning` of cardhub."""
