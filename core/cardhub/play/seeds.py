"""Seeds of games: drawn or chosen, commitments, and seeds of bots."""

import re
import secrets
from hashlib import sha256
from hmac import digest

from cardhub.game.initial_state import Seed

# Size of a drawn seed: 128 bits, which cannot be enumerated.
BYTES = 16
DRAWN = re.compile(f"[0-9a-f]{{{2 * BYTES}}}")
# Number of digits of a commitment that are shown.
SHORT = 12


def draw_seed() -> str:
    """Return a new unpredictable seed.

    It is text, since many JSON parsers lose precision of integers from 2^53 on.
    """
    return secrets.token_hex(BYTES)


def read_seed(text: str) -> Seed:
    """Parse a seed: 32 hexadecimal digits stay text, anything else is a whole number.

    Raises ValueError.
    """
    return text if DRAWN.fullmatch(text) else int(text)


def is_drawn(seed: Seed) -> bool:
    """Return whether a seed was drawn, and so is unpredictable."""
    return isinstance(seed, str)


def commitment_to(seed: Seed) -> str | None:
    """Return the SHA-256 commitment to a drawn seed; None for a chosen one.

    A chosen seed could be found by trying small numbers, and the deal with it.
    """
    text = f"cardhub deal commitment 1: {seed}"
    return sha256(text.encode()).hexdigest() if is_drawn(seed) else None


def seed_in_words(seed: Seed, *, is_over: bool) -> str:
    """Return the text about a seed for the players.

    For a drawn seed it is the start of the commitment until the game is over, since the seed
    determines all cards.
    """
    commitment = commitment_to(seed)
    if commitment is None or is_over:
        return f"seed {seed}"
    return f"commitment {commitment[:SHORT]}"


def bot_seed(seed: Seed, seat: int) -> str:
    """Return the seed of the generator of the bot at a seat.

    The game's own seed cannot be derived from it, unless that is a small number.
    """
    if is_drawn(seed):
        return digest(str(seed).encode(), f"cardhub bot {seat}".encode(), "sha256").hex()[:32]
    return sha256(f"{seed} bot {seat}".encode()).hexdigest()[:16]
