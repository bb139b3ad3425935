"""The game in teams, as a plugin."""

from tests.lab.match.parties.lay import Pairs

from cardhub import hookimpl


@hookimpl
def register_games() -> list[Pairs]:
    """Offer it."""
    return [Pairs()]
