"""The tree of seeds: each purpose has its own, so that nobody's draws shift anybody else's."""

from functools import lru_cache
from typing import NamedTuple

from cardhub.match.canonical import digest
from cardhub.match.spec import Contest

DIGITS = 32
"""Hexadecimal digits of a seed: 128 bits."""
STATISTICS_DIGITS = 12
"""Those of a seed of statistics, which is a number, and no secret."""


class Seeds(NamedTuple):
    """The seeds of one block: of one deal under some rules."""

    match: int
    game: str
    rules: str
    deal: int

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
    return digest([*seeds, *purpose])[:DIGITS]


def seeds_of(match_seed: int, contest: Contest, deal: int) -> Seeds:
    """Return the seeds of a block; those of mirrored options are the same."""
    return Seeds(match_seed, contest.game, rules_digest(contest), deal)


def rules_digest(contest: Contest) -> str:
    """Return the SHA-256 of the rules that a contest is played by, without mirrored options."""
    rules = {name: value for name, value in contest.rules.items() if name not in contest.mirror}
    return digest([contest.game, contest.version, contest.players, rules])


def statistics_seed(match_seed: int, *purpose: str) -> int:
    """Return the seed of what statistics draw by lot, which no game depends on."""
    return int(digest([match_seed, "statistics", *purpose])[:STATISTICS_DIGITS], 16)
