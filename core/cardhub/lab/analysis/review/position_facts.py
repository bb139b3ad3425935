"""A position in words: the table as the seat to act saw it."""

from cardhub.play.host.replays.replay import Replay
from cardhub.view.building import build_view
from cardhub.view.card_catalogue import catalogue_of
from cardhub.view.text import board_lines, seat_lines, table_lines
from cardhub.view.view import View

# Number of sentences of the log before a decision, and the maximum length of a line of facts.
NEWS, LONGEST = 2, 200
# The place of the heading in the lines of a table.
HEADING = 0


def table_facts(replay: Replay, step: int, seat: int) -> tuple[list[str], list[str]]:
    """Return a few lines on a position as a seat saw it after a step, and the whole table as lines.

    The facts are the heading of the table, its board if it has one, the other players, the seat
    with its cards, and the last sentences of its log.
    """
    view = _view(replay, step, seat)
    catalogue = catalogue_of(replay.game)
    table = table_lines(view, catalogue)
    others = [n for n in range(len(view.players)) if n != seat]
    rivals = "; ".join(seat_lines(view, catalogue, n)[0] for n in others)
    own = seat_lines(view, catalogue, seat)
    facts = [table[HEADING], *board_lines(view, catalogue), *filter(None, [rivals]), *own]
    return [_shortened(line) for line in (*facts, *_news(replay, step, seat))], table


def _view(replay: Replay, step: int, seat: int) -> View:
    players = [player.name for player in replay.players]
    return build_view(replay.observe(step, seat), players)


def _news(replay: Replay, step: int, seat: int) -> list[str]:
    told = [line.text for line in replay.log(seat, step) if line.text]
    return [f"before: {'; '.join(told[-NEWS:])}"] if told else []


def _shortened(line: str) -> str:
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"
