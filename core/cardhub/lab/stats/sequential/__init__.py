"""Sequential tests of block scores, and estimates that are valid under optional stopping."""
