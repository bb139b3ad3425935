"""Plugin: bots that know the values of cards."""

import sys
from collections.abc import Iterator
from pathlib import Path

from cardhub import BotEntry, hookimpl

# The process that describes a plugin does not have the root of the repository on its path.
sys.path.insert(0, str(Path(__file__).parents[5]))
from tests.lab.match.parties.lay import Failing, High


@hookimpl
def register_bots() -> Iterator[BotEntry]:
    """Offer both."""
    yield BotEntry("high", "lays its highest card", High)
    yield BotEntry("failing", "fails as the third seat", Failing)
