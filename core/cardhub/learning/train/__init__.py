"""Training by self-play (`cardhub train`), and the bot `net:FILE` that plays the result."""
