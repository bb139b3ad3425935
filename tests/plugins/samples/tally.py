"""A format: how often each player acted."""

from collections import Counter
from collections.abc import Iterator

from cardhub import Exporter, Playthrough, hookimpl


def as_tally(game: Playthrough) -> Iterator[str]:
    """Yield a line for each player."""
    counts = Counter(moment.seat for moment in game.moments if moment.kind == "action")
    for seat, (name, _) in enumerate(game.players):
        yield f"{name} {counts[seat]}\n"


@hookimpl
def register_exporters() -> list[Exporter]:
    """Return the exporter."""
    return [Exporter("tally", "how often each player acted", as_tally)]
