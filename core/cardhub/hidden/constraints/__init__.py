"""Which faces unseen tokens can bear, and sampling among the assignments this leaves."""
