"""Plugin: the game in three teams."""

from tests.lab.match.parties.lay import Triples

from cardhub import hookimpl


@hookimpl
def register_games() -> list[Triples]:
    """Offer it."""
    return [Triples()]
