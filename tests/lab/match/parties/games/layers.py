"""Plugin: bots that know the values of cards."""

from collections.abc import Iterator

from tests.lab.match.parties.lay import Failing, High

from cardhub import BotEntry, hookimpl


@hookimpl
def register_bots() -> Iterator[BotEntry]:
    """Offer both."""
    yield BotEntry("high", "lays its highest card", High)
    yield BotEntry("failing", "fails as the third seat", Failing)
