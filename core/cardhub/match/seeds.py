"""The tree of seeds: each purpose has its own, so that nobody's draws shift anybody else's."""

import hmac
from functools import lru_cache
from typing import NamedTuple

from cardhub.match.canonical import canonical, digest
from cardhub.match.spec import Contest, Match, Salt

DIGITS = 32
"""Hexadecimal digits of a seed: 128 bits."""
STATISTICS_DIGITS = 12
"""Those of a seed of statistics, which is a number, and no secret."""


class Seeds(NamedTuple):
    """The seeds of one block: of one deal under some rules.

    Where the secret of the match is not known all of them are empty.
    """

    match: int
    game: str
    rules: str
    deal: int
    salt: Salt | None = None

    def cards(self) -> str:
        """Return the seed of the game itself: of its deal, and of what chance does later."""
        return self._of("deal")

    def bot(self, entrant: str, copy: int) -> str:
        """Return what seeds a bot's generator.

        `copy` counts those of the same bot at one table; where it sits does not matter.
        """
        return self._of("bot", entrant, copy)

    def substitute(self, entrant: str, copy: int) -> str:
        """Return what seeds the generator of whoever plays a faulty bot's seat on."""
        return self._of("substitute", entrant, copy)

    def seat(self, seat: int) -> str:
        """Return what seeds a bot's generator in an audit, where only the seat matters."""
        return self._of("audit", seat)

    def _of(self, *purpose: str | int) -> str:
        return _seed(self, purpose)


@lru_cache(maxsize=32)  # all games of a block have the same
def _seed(seeds: Seeds, purpose: tuple[str | int, ...]) -> str:
    *public, salt = seeds
    if not isinstance(salt, Salt):
        return digest([*public, *purpose])[:DIGITS]
    if not salt.secret:
        return ""
    text = canonical([*public, *purpose])
    return hmac.digest(bytes.fromhex(salt.secret), text.encode(), "sha256").hex()[:DIGITS]


def seeds_of(match: Match, contest: Contest, deal: int) -> Seeds:
    """Return the seeds of a block; those of mirrored options are the same."""
    return Seeds(match.seed, contest.game, rules_digest(contest), deal, match.salt)


def rules_digest(contest: Contest) -> str:
    """Return the SHA-256 of the rules that a contest is played by, without mirrored options."""
    rules = {name: value for name, value in contest.rules.items() if name not in contest.mirror}
    return digest([contest.game, contest.version, contest.players, rules])


def statistics_seed(match_seed: int, *purpose: str) -> int:
    """Return the seed of what statistics draw by lot, which no game depends on."""
    return int(digest([match_seed, "statistics", *purpose])[:STATISTICS_DIGITS], 16)
