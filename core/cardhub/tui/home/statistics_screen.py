"""The screen of a person's results over time."""

from pathlib import Path
from time import time
from typing import ClassVar

from textual.binding import Binding, BindingType
from typing_extensions import override

from cardhub.base.files import numbered_paths, write_unused
from cardhub.base.writing import amount
from cardhub.play.host.saved.personal_results import (
    PersonalResult,
    StatisticsRow,
    count_frequencies,
    share_text,
    statistics_csv,
    tabulate,
)
from cardhub.play.host.saved.saved_list import day_of
from cardhub.tui.home.menu.menu_drawing import MenuPage, MenuRow, MenuSection
from cardhub.tui.home.menu.menu_screen import MenuScreen
from cardhub.tui.home.navigator import Navigator
from cardhub.view.text.glyphs import UNICODE, Glyphs

FOOTER = (("tab", "next part"), ("enter", "open game"), ("e", "export csv"), ("esc", "back"))
# Cells of the bar of won games, the number of last games in the list, and the most games that are
# replayed to count events.
BAR, LAST, MOST_COUNTED = 10, 8, 100


class StatisticsScreen(MenuScreen):
    """Results by game and bot, the last games, and the counted events of a game."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("e", "export", show=False, id="statistics.export"),
    ]

    def __init__(self, navigator: Navigator, glyphs: Glyphs = UNICODE) -> None:
        super().__init__(glyphs)
        self._navigator = navigator
        self._facts = navigator.facts
        self._results: list[PersonalResult] = []
        self._game = ""

    @override
    def build(self) -> MenuPage:
        self._results = self._facts.results()
        table = tabulate(self._results)
        width = max((len(row.against) for row in table), default=0)
        parts = {"you against bots": False, "with hints or undo": True}
        sections = [
            MenuSection(title, [self._row(row, width) for row in table if row.is_helped is helped])
            for title, helped in parts.items()
        ]
        sections = [section for section in sections if section.rows]
        last = [self._last(result) for result in self._results[:LAST]]
        sections.append(MenuSection("last games", last))
        if self._game:
            sections.append(self._counted())
        if not table:
            # In the text, because a label of this length would be cut.
            text = "You have not finished a game against bots yet."
            none = MenuRow("none", "none yet", text, is_stop=False)
            sections = [MenuSection("you against bots", [none])]
        return MenuPage("cardhub  Statistics", self._since(), sections, FOOTER)

    @override
    def open_row(self, row: MenuRow) -> None:
        kind, _, name = row.id.partition(":")
        if kind == "replay":
            self._navigator.replay(Path(name))
        elif kind == "row":
            self._game = name.partition(":")[0]
            self.rebuild()
            self.action_end(0)
            self.point(row.id)

    def action_export(self) -> None:
        """Write all results as CSV into the current folder."""
        folder = Path.cwd()
        paths = numbered_paths(folder, "cardhub-results", ".csv", "-")
        try:
            path = write_unused(paths, statistics_csv(self._results))
        except OSError as error:
            self.say(f"The results cannot be saved in {folder}: {error.strerror}.")
        else:
            self.say(f"The results are saved as {path.name} in the current folder.")

    def _since(self) -> str:
        if not self._results:
            return ""
        oldest = min(result.saved.changed for result in self._results)
        count = len(self._results)
        return f"{amount(count, 'game')} since {day_of(oldest, time())}"

    def _row(self, row: StatisticsRow, width: int) -> MenuRow:
        game = self._facts.game(row.game)
        unit = game.game.unit if game.game else ""
        bar = ""
        if row.share is not None:
            full = round(row.share * BAR)
            marks = ("█", "─") if self.glyphs.has_frames else ("#", "-")
            bar = marks[0] * full + marks[1] * (BAR - full)
        value = f"{row.against:<{width}} {row.games:>3}  {bar}"
        text = f"{share_text(row):<15} {row.average:.1f} {unit}"
        detail = f"Enter shows what decided your games of {game.title}."
        key = f"row:{row.game}:{row.against}:{row.is_helped}"
        return MenuRow(key, game.title, text, "", value, detail)

    def _last(self, result: PersonalResult) -> MenuRow:
        saved = result.saved
        line = self._facts.line(saved, replays=True)
        helped = ", with hints or undo" if saved.is_helped else ""
        label = f"{day_of(saved.changed, time()):<10} {line.title}"
        text = f"{line.state}{helped}"
        detail = "Enter opens the replay."
        return MenuRow(f"replay:{saved.path}", label, text, "", line.players, detail)

    def _counted(self) -> MenuSection:
        game = self._facts.game(self._game)
        games = [result for result in self._results if result.saved.game == self._game]
        counts = count_frequencies(game.game, games[:MOST_COUNTED]) if game.game else {}
        rows = [
            MenuRow(f"counted:{name}", name, "", "", text, f"{name}: {text}.")
            for name, text in counts.items()
        ]
        if not rows:
            rows = [MenuRow("counted", f"{game.title} keeps no statistics", is_stop=False)]
        return MenuSection(f"what decided your games of {game.title}", rows)
