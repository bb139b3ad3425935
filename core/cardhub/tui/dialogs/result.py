"""The result of a game, in words."""

from pathlib import Path
from typing import Any

from cardhub.play.events import winner_sentence
from cardhub.play.referee import Referee
from cardhub.text.glyphs import cells, pad


def winners(referee: Referee[Any]) -> str:
    """Return who won, or that the game is a draw."""
    return winner_sentence([player.name for player in referee.players], referee.places())


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
