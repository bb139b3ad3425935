"""Seed derivation: one seed per purpose, because samples of one rng must not shift another's."""

import hmac
from functools import lru_cache
from hashlib import sha256
from typing import NamedTuple

from cardhub.lab.match.match_spec import Contest, Match, Salt, digest, plain_json

# Hexadecimal digits of a seed: 128 bits.
DIGITS = 32
# Hexadecimal digits of the seed of statistics, which is an int and not secret.
STATISTICS_DIGITS = 12


class BlockSeeds(NamedTuple):
    """Seeds of one block: one deal under given rules.

    They are empty strings if the secret of the match is unknown.
    """

    match: int
    game: str
    rules: str
    deal: int
    salt: Salt | None = None

    def cards(self) -> str:
        """Return the seed of the game, for its deal and its later chance nodes."""
        return self._of("deal")

    def bot(self, entrant: str, copy: int, game: str = "") -> str:
        """Return the seed of a bot's rng.

        `copy` numbers the copies of the same bot in one game. `game`: the id of the game, if the
        seed depends on it, or empty: then it is the same in all games of the block.
        """
        return self._of("bot", entrant, copy, *([game] if game else []))

    def substitute(self, entrant: str, copy: int) -> str:
        """Return the seed of the rng of a faulty bot's substitute."""
        return self._of("substitute", entrant, copy)

    def seat(self, seat: int) -> str:
        """Return the seed of a bot's rng in the self-play audit, which depends on the seat only."""
        return self._of("audit", seat)

    def _of(self, *purpose: str | int) -> str:
        return _seed(self, purpose)


@lru_cache(maxsize=32)  # all games of a block share their seeds
def _seed(seeds: BlockSeeds, purpose: tuple[str | int, ...]) -> str:
    # Without the secret, HMAC outputs are indistinguishable from random: a seed in a fault file
    # reveals no other seed. Without a salt, seeds are hashes of public data.
    *public, salt = seeds
    if not isinstance(salt, Salt):
        return sha256(plain_json([*public, *purpose])).hexdigest()[:DIGITS]
    if not salt.secret:
        return ""
    text = plain_json([*public, *purpose])
    return hmac.digest(bytes.fromhex(salt.secret), text, "sha256").hex()[:DIGITS]


def seeds_of(match: Match, contest: Contest, deal: int) -> BlockSeeds:
    """Return the seeds of a block, which are shared by all values of mirrored options."""
    return BlockSeeds(match.seed, contest.game, rules_digest(contest), deal, match.salt)


def rules_digest(contest: Contest) -> str:
    """Return the SHA-256 of a contest's rules without mirrored options."""
    # Without mirrored options, because all variations of a block must have the same deal.
    rules = {name: value for name, value in contest.rules.items() if name not in contest.mirror}
    return digest([contest.game, contest.version, contest.players, rules])


def statistics_seed(match_seed: int, *purpose: str) -> int:
    """Return the seed of a statistics rng; no game depends on it."""
    return int(digest([match_seed, "statistics", *purpose])[:STATISTICS_DIGITS], 16)
