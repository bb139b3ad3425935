"""The game for a common cause, as a plugin."""

from tests.lab.match.parties.lay import Together

from cardhub import hookimpl


@hookimpl
def register_games() -> list[Together]:
    """Offer it."""
    return [Together()]
