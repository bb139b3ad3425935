"""The bot `team`: the name of a team, whose program a match builds from the team's folder.

A match has this name in its log instead of a command, so the log can be checked without programs.
"""

from random import Random
from typing import NoReturn

from typing_extensions import override

from cardhub.base.errors import BotError
from cardhub.bots.bot import BotEntry, always_uses_clock
from cardhub.bots.spec import TextOption


class TeamName(TextOption):
    """An option that is the name of a team."""

    __slots__ = ()
    description = "the name of a team"

    @override
    def accepts(self, text: str) -> bool:
        return bool(text)


def _refuse(_rng: Random, name: str) -> NoReturn:
    raise BotError(f"the team {name} plays only in the match that has its folder")


TEAM = BotEntry(
    "team",
    "a team in the folder of a match; plays nowhere else",
    _refuse,
    options={"name": TeamName("Its name in the match.")},
    uses_clock=always_uses_clock,  # its program is not known here
)
