"""Seeds of games at a table: drawn or chosen, and what may be told of them."""

import re
import secrets
from hashlib import sha256
from hmac import digest

from cardhub.game.opening import Seed

BYTES = 16
"""Of a seed that is drawn: 128 bits, so that nobody can try them all."""
DRAWN = re.compile(f"[0-9a-f]{{{2 * BYTES}}}")
SHORT = 12
"""How many digits of a commitment people are shown."""


def draw_seed() -> str:
    """Return a new seed that nobody can guess.

    It is text, as many readers of JSON lose whole numbers from 2^53 on.
    """
    return secrets.token_hex(BYTES)


def read_seed(text: str) -> Seed:
    """Return the seed that is written: 32 hexadecimal digits as they are, or a whole number.

    Raises ValueError.
    """
    return text if DRAWN.fullmatch(text) else int(text)


def is_drawn(seed: Seed) -> bool:
    """Return whether a seed is one of those that nobody can guess."""
    return isinstance(seed, str)


def commitment_to(seed: Seed) -> str | None:
    """Return the SHA-256 by which a seed is committed to; None for one that was chosen.

    It would be found by trying small numbers, and the deal with it.
    """
    text = f"cardhub deal commitment 1: {seed}"
    return sha256(text.encode()).hexdigest() if is_drawn(seed) else None


def seed_in_words(seed: Seed, *, is_over: bool) -> str:
    """Return what people at the table are told of a seed.

    Of one that was drawn it is the beginning of the commitment until the game is over: whoever
    knows the seed knows all cards.
    """
    commitment = commitment_to(seed)
    if commitment is None or is_over:
        return f"seed {seed}"
    return f"commitment {commitment[:SHORT]}"


def bot_seed(seed: Seed, seat: int) -> str:
    """Return what seeds the generator of the bot at a seat.

    Nobody finds the game's own seed by it, unless that is a small number that can be tried.
    """
    if is_drawn(seed):
        return digest(str(seed).encode(), f"cardhub bot {seat}".encode(), "sha256").hex()[:32]
    return sha256(f"{seed} bot {seat}".encode()).hexdigest()[:16]
