"""Plugin: the game for a common cause."""

from tests.lab.match.parties.lay import Together

from cardhub import hookimpl


@hookimpl
def register_games() -> list[Together]:
    """Offer it."""
    return [Together()]
