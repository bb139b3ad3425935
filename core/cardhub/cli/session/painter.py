"""Observations as text for the terminal."""

import sys
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from shutil import get_terminal_size
from typing import Any

from cardhub.cli.console import echo
from cardhub.hidden.observation import Observation
from cardhub.play.referee import Referee
from cardhub.text import ASCII, UNICODE, Glyphs, lay_out, render
from cardhub.text.glyphs import cells, pad
from cardhub.text.plain_text import prompt_line


@dataclass(frozen=True, slots=True)
class Painter:
    """Prints tables and sentences about a game whose players have these names."""

    names: Sequence[str]
    glyphs: Glyphs

    def say(self, *lines: str) -> None:
        """Print sentences."""
        for line in lines:
            echo(self.glyphs.text(line))

    def show(self, observation: Observation[Any], changed: Collection[int] = ()) -> list[int]:
        """Print the table as one seat sees it; what changed is marked.

        Returns the legal actions in the order of the numbers printed.
        """
        names, width = self.names, get_terminal_size().columns
        sheet = lay_out(observation, names, width=width, glyphs=self.glyphs, changed=changed)
        echo("\n" + render(sheet, numbered=True, width=width))
        echo(prompt_line(observation, names, sheet.prompt))
        return list(sheet.notations.values())

    def show_result(self, referee: Referee[Any]) -> None:
        """Print places and scores, the best first."""
        ranked = zip(referee.places(), referee.players, referee.scores(), strict=True)
        rows = sorted(((place, str(player), score) for place, player, score in ranked), key=_place)
        width = max(cells(name) for _, name, _ in rows)
        self.say("", "Result:")
        self.say(*(f"  {place}. {pad(name, width)}  {score}" for place, name, score in rows))


def choose_glyphs(ascii_only: bool) -> Glyphs:
    """Return the characters to draw with: plain ones if asked for, or if stdout has no others."""
    encoding = (sys.stdout.encoding or "").lower().replace("-", "")
    return ASCII if ascii_only or not encoding.startswith("utf") else UNICODE


def _place(row: tuple[int, str, int]) -> int:
    return row[0]
