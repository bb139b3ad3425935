"""Chapters of a replay: the parts that a game names, or else the rounds that end with a summary."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from cardhub.model.game.display_values import as_text
from cardhub.model.game.game import Game
from cardhub.model.hidden.observation import Observation
from cardhub.play.announcing.events import Event, standing_summaries


class Chapter(NamedTuple):
    """A part of a game: its name ("round 6", or a number) and its first step."""

    title: str
    first: int

    @property
    def mark(self) -> str:
        """The number in its name, or else the name, for a timeline."""
        numbers = [word for word in self.title.split() if word.isdigit()]
        return numbers[0] if numbers else self.title


def has_chapters(game: Game[Any]) -> bool:
    """Return whether a game names its chapters."""
    return type(game).chapter is not Game.chapter


def named_chapters(positions: Iterable[tuple[int, Observation[Any]]]) -> Iterator[Chapter]:
    """Yield the chapters that a game names; `positions` are steps and one viewer's knowledge."""
    title = ""
    for number, seen in positions:
        with seen.named_step():
            now = as_text(seen.game, "chapter", seen.game.chapter(seen.state))
        if now and now != title:
            title = now
            yield Chapter(title, number)


def round_chapters(events: Iterable[Event], stops: Sequence[int]) -> Iterator[Chapter]:
    """Yield a chapter for each round with a summary, and one for an unfinished round."""
    first, number = 0, 0
    for number, event in enumerate(standing_summaries(events), 1):
        yield Chapter(str(number), first)
        # The summary belongs to the last step of its round, with the shuffles of that step.
        ends = [stop for stop in stops if stop > event.number]
        first = ends[1] if len(ends) > 1 else stops[-1] + 1
    # The scores alone are no round.
    if number and first < stops[-1]:
        yield Chapter(str(number + 1), first)
