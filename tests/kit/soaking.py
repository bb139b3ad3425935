"""The number of random games that a test plays: some for each change, many in `make soak`."""

import os

# How many times as many games are played.
FACTOR = int(os.environ.get("CARDHUB_SOAK", "1"))


def count_examples(usual: int) -> int:
    """Return the number of examples of Hypothesis, each of which is a whole game."""
    return usual * FACTOR
