"""Determinizations of a game whose players mix their hands, which has the most past shuffles."""

import traceback
from collections.abc import Iterator

from tests.attack.cases import Finding, Share
from tests.model.hidden.probing import probe

DOOR = "mixed hands"
POSITIONS = 20
# Distance of seeds between two cases, to give them different games.
GAMES_APART = 10


def attack(share: Share) -> Iterator[list[Finding]]:
    """Check the determinizations of twenty positions for each case."""
    for number in share.numbers:
        first = 100_000 * share.seed + GAMES_APART * number
        try:
            probe(POSITIONS, first)
        except Exception as error:  # noqa: BLE001  # every error is a finding
            how = "".join(traceback.format_exception(error)[-3:])
            yield [Finding(DOOR, number, f"{type(error).__name__}: {error}", how)]
        else:
            yield []
