"""The wing `model` of cardhub."""
