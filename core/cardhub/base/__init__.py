"""The wing `base` of cardhub."""
