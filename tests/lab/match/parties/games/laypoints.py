"""Plugin: the game for points."""

from tests.lab.match.parties.lay import Points

from cardhub import hookimpl


@hookimpl
def register_games() -> list[Points]:
    """Offer it."""
    return [Points()]
