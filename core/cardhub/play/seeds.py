"""Seeds of games: drawn or chosen, commitments, and seeds of bots."""

import re
import secrets
from functools import lru_cache
from hashlib import sha256
from hmac import digest

from cardhub.model.game.initial_state import Seed

# Size of a drawn seed: 128 bits, which cannot be enumerated.
BYTES = 16
DRAWN = re.compile(f"[0-9a-f]{{{2 * BYTES}}}")
# Number of digits of a commitment that are shown.
SHORT = 12


def draw_seed() -> str:
    """Return a new unpredictable seed."""
    # Text, since many JSON parsers lose precision of integers from 2^53 on.
    return secrets.token_hex(BYTES)


def read_seed(text: str) -> Seed:
    """Parse a seed: 32 hexadecimal digits, or else a whole number; raises ValueError."""
    return text if DRAWN.fullmatch(text) else int(text)


def is_drawn(seed: Seed) -> bool:
    """Return whether a seed was drawn, and so is unpredictable."""
    return isinstance(seed, str)


# The views of a running game show it, after every action.
@lru_cache(maxsize=1024)
def commitment_to(seed: Seed) -> str | None:
    """Return the SHA-256 commitment to a drawn seed; None for a chosen one."""
    # A chosen seed could be found by trying small numbers, and the deal with it. The text before
    # the seed separates this hash from any other use of the same seed.
    text = f"cardhub deal commitment 1: {seed}"
    return sha256(text.encode()).hexdigest() if is_drawn(seed) else None


def seed_in_words(seed: Seed, *, is_open: bool) -> str:
    """Return a seed as text: of a drawn one, the commitment until all cards may be seen."""
    commitment = commitment_to(seed)
    if commitment is None or is_open:
        return f"seed {seed}"
    return f"commitment {commitment[:SHORT]}"


def bot_seed(seed: Seed, seat: int) -> str:
    """Return the seed of the generator of the bot at a seat."""
    # Bots get their generator: the seed of the game, and the deal, must not be derivable from it.
    # With a keyed hash they are not; for a small number that a person chose, no hash prevents it.
    if is_drawn(seed):
        return digest(str(seed).encode(), f"cardhub bot {seat}".encode(), "sha256").hex()[:32]
    return sha256(f"{seed} bot {seat}".encode()).hexdigest()[:16]
