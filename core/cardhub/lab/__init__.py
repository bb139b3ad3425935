"""The wing `lab` of cardhub."""
