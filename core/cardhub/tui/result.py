"""The result of a game, in words."""

from pathlib import Path
from typing import Any

from cardhub.play.referee import Referee
from cardhub.text.glyphs import cells, pad


def winners(referee: Referee[Any]) -> str:
    """Return who won: `Anna wins`, `Anna and Bob share the win`, or `draw` if all are equal."""
    places = referee.places()
    first = [p.name for p, place in zip(referee.players, places, strict=True) if place == 1]
    if len(first) == 1:
        return f"{first[0]} wins"
    verb = "share the win" if max(places) > 1 else "draw"
    return f"{', '.join(first[:-1])} and {first[-1]} {verb}"


def result_text(referee: Referee[Any], record: Path | None) -> list[str]:
    """Return places, players and scores, the best first; then the seed and where the record is."""
    rows = sorted(
        zip(referee.places(), map(str, referee.players), referee.scores(), strict=True),
        key=lambda row: row[0],
    )
    width = max(cells(name) for _, name, _ in rows)
    lines = [f"{place}. {pad(name, width)}  {score:>4}" for place, name, score in rows]
    lines += ["", f"Seed: {referee.seed}"]
    if record:
        lines.append(f"Record: {record}")
    return lines
