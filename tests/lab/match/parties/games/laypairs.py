"""Plugin: the game in teams."""

from tests.lab.match.parties.lay import Pairs

from cardhub import hookimpl


@hookimpl
def register_games() -> list[Pairs]:
    """Offer it."""
    return [Pairs()]
