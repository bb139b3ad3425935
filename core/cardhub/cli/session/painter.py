"""Print observations and results as plain text."""

import sys
from collections.abc import Iterable
from dataclasses import dataclass
from shutil import get_terminal_size

from cardhub.cli.console import echo
from cardhub.model.game.scene import Summary
from cardhub.view.text import Glyphs, prompt_text, summary_lines, table_lines
from cardhub.view.text.glyphs import GLYPHS, GlyphChoice, wrapped
from cardhub.view.text.result_sheet import result_lines
from cardhub.view.view import CardCatalogue, LogLine, ResultView, View


@dataclass(frozen=True, slots=True)
class Painter:
    """Prints the table of a game and texts about it."""

    glyphs: Glyphs

    def for_game(self, catalogue: CardCatalogue) -> "Painter":
        """Return a painter that prints the suits of a game as the game has them in ASCII."""
        return Painter(self.glyphs.with_suits(catalogue.ascii))

    def say(self, *lines: str) -> None:
        """Print sentences; on a terminal they are wrapped between words."""
        # Programs that read a pipe get a whole sentence on each line.
        width = get_terminal_size().columns if sys.stdout.isatty() else 0
        for line in lines:
            text = self.glyphs.text(line)
            echo("\n".join(wrapped(text, width, breaks_words=False)) if width else text)

    def print_log(self, lines: Iterable[LogLine]) -> None:
        """Print lines of a log, and summaries of rounds between blank lines."""
        for line in lines:
            self.say(*filter(None, [line.text]))
            if line.summary is not None:
                self.say("", *self.summarize(line.summary), "")

    def show_view(self, view: View, catalogue: CardCatalogue, *, is_beat: bool = False) -> None:
        """Print the table as its viewer sees it, with its choices; at a beat nobody acts."""
        lines = table_lines(view, catalogue, get_terminal_size().columns, self.glyphs)
        echo("\n" + "\n".join(lines))
        self.say(view.prompt if is_beat else prompt_text(view))

    def show_result_view(self, result: ResultView, catalogue: CardCatalogue) -> None:
        """Print the result with points by cause and the hands at the end."""
        width = get_terminal_size().columns
        self.say("", *result_lines(result, catalogue, width, self.glyphs))

    def summarize(self, summary: Summary) -> list[str]:
        """Return the lines of a summary."""
        return summary_lines(summary, get_terminal_size().columns, self.glyphs)


def check_glyphs(choice: GlyphChoice) -> GlyphChoice:
    """Return a choice of characters, or `ascii` if stdout is not in a Unicode encoding."""
    encoding = (sys.stdout.encoding or "").lower().replace("-", "")
    return choice if encoding.startswith("utf") else "ascii"


def choose_glyphs(choice: GlyphChoice) -> Glyphs:
    """Return the characters of plain text for a choice.

    `auto` is Unicode: plain text has no frames that wide characters could break, and it is also
    read by programs, to which a question for the terminal would be noise.
    """
    checked = check_glyphs(choice)
    return GLYPHS["unicode" if checked == "auto" else checked]
