"""The common base of all screens with a table: the widget, details, help and the log."""

from collections.abc import Sequence
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from typing_extensions import override

from cardhub.play.host.opening import NewGame
from cardhub.play.host.saved.preferences import CARD_SIZES, CardSize
from cardhub.play.host.table_host import Host
from cardhub.play.table_messages import HintMessage
from cardhub.play.table_model import TableModel, TableReader
from cardhub.tui.dialogs.dialog import MessageDialog, SingleResultScreen
from cardhub.tui.dialogs.help_screen import (
    HelpScreen,
    Page,
    cards_page,
    keys_page,
    now_page,
    phase_line,
    rules_page,
    words_page,
)
from cardhub.tui.dialogs.log_screen import LogScreen
from cardhub.tui.keys import CURSOR_KEYS, GAME_KEY_IDS, Key
from cardhub.tui.table.hint_panel import HintPanel, hinted_spots
from cardhub.tui.table.table_widget import (
    DetailReader,
    KeyIgnored,
    SpotPointed,
    StepChosen,
    TableWidget,
    TextWanted,
)
from cardhub.view.explain.card_texts import sentences
from cardhub.view.layout.canvas import TableGlyphs
from cardhub.view.layout.plan import PlanOptions
from cardhub.view.view import LogLine, Spot, View

# Actions of the table whose keys also work in the log, and close it.
FROM_LOG = ("hint", "help")

# The log shows them until the person acts.
HELP = "Press ? for the rules and the keys."
LESSON = "New to {title}? Your first hand with comments: cardhub learn {name}"

# After a change of the size of cards that changes nothing.
SAME_SIZE = "In this terminal they look the same."

# Seconds of a step of the pace, and the slowest pace.
PACE_STEP, MAX_PACE = 0.3, 3.0


def has_effect(key: Key, model: TableModel, hints: HintPanel) -> bool:
    """Return whether a key has an effect at a game in play now."""
    # Asked for each key of the footer, so only what matters for this key is looked up.
    view = model.view()
    is_bots_turn = view.to_act >= 0 and view.to_act != view.viewer
    match key.id:
        case "table.type" | "table.hint" | "table.why":
            return bool(view.choices)
        case "table.numbers":
            return hints.is_open and not hints.is_thinking
        case "table.undo":
            return view.can_undo
        case "table.skip":
            return is_bots_turn or hints.is_thinking or model.status().fault is not None
        case "table.pause":
            return bool(view.choices) or is_bots_turn or model.status().is_paused
        case "table.result":
            return view.is_over
        case "table.replay":
            return bool(model.log())
    return not (view.is_over and key.id in GAME_KEY_IDS)


def changed_pace(pace: float, sign: int, least: float = 0.0) -> float:
    """Return a pace in seconds, one step slower for `sign` 1, faster for -1."""
    # Rounded, because sums of 0.3 would be shown as 0.8999999999999999.
    return round(min(max(pace + sign * PACE_STEP, least), MAX_PACE), 1)


def greeting_of(host: Host) -> Sequence[str]:
    """Return the lines that greet a person at a table."""
    lesson = LESSON.format(title=host.title, name=host.game)
    return (sentences(host.aim, HELP), *([lesson] if host.has_lesson else []))


def with_greeting(log: Sequence[LogLine], greeting: Sequence[str], view: View) -> Sequence[LogLine]:
    """Return a log after the lines of a greeting, or the log alone once the viewer has acted."""
    if any(line.seat == view.viewer for line in log):
        return log
    return [*(LogLine(step=0, seat=-1, kind="seating", text=text) for text in greeting), *log]


def news_text(log: Sequence[LogLine], columns: int) -> str:
    """Return the new lines of a log in one line; if they are too long, without the oldest ones."""
    texts: list[str] = []
    for line in reversed(log):
        if not line.is_new or len(" · ".join((line.text, *texts))) > columns:
            break
        texts.insert(0, line.text)
    return " · ".join(texts) or (log[-1].text if log and log[-1].is_new else "")


class TableView(SingleResultScreen[NewGame | Host]):
    """Shows the view of a table; subclasses play a game or replay one."""

    AUTO_FOCUS = "TableWidget"
    CSS = "TableView { layers: base front; }"
    KEYS: ClassVar[Sequence[Key]] = ()

    def __init__(self, glyphs: TableGlyphs, card_size: CardSize = "auto") -> None:
        super().__init__()
        self.glyphs = glyphs
        self._reader = DetailReader()
        self._card_size = card_size
        self._text = ""  # the whole detail
        self.notice = ""  # the detail until the person moves the cursor
        self.greeting: Sequence[str] = ()  # lines before the log until the person acts

    @override
    def compose(self) -> ComposeResult:
        yield self.make_table()
        yield HintPanel(self.glyphs.texts, lambda: self.table.plan, id="hint")

    def make_table(self) -> TableWidget:
        """Create the widget of the table."""
        return TableWidget(self.glyphs, id="table")

    @property
    def table(self) -> TableWidget:
        """The widget of the table."""
        return self.query_one(TableWidget)

    @property
    def hint_panel(self) -> HintPanel:
        """The panel of hints."""
        return self.query_one(HintPanel)

    @property
    def session(self) -> TableReader:
        """The table that is shown."""
        raise NotImplementedError

    @property
    def why_no_undo(self) -> str:
        """Why the person cannot undo an action; empty if they can."""
        raise NotImplementedError

    @property
    def shown_view(self) -> View:
        """The view that is shown, by default the current view."""
        return self.session.view()

    @property
    def keys(self) -> Sequence[Key]:
        """All keys of the screen and its widget, for footer, palette and help."""
        return (*self.KEYS, *CURSOR_KEYS)

    def on_mount(self) -> None:
        """Set up the widget."""
        self.table.set_keys(self.KEYS, self.works)
        self.table.set_options(PlanOptions(cards=self._card_size))

    def on_resize(self, _: events.Resize) -> None:
        """Place the hint again after the table is planned for the new size."""
        self.call_after_refresh(self.hint_panel.lay_out)

    def works(self, key: Key) -> bool:
        """Return whether a key has an effect now; by default all keys have."""
        return True

    async def run_key(self, key: Key) -> None:
        """Run the action of a key, for the palette of commands."""
        of_widget = key in CURSOR_KEYS
        await (self.table if of_widget else self).run_action(key.action)

    @on(SpotPointed)
    def describe(self, message: SpotPointed) -> None:
        """Show the detail of the spot under the cursor or the mouse."""
        if message.is_kept and self.notice:
            self.say(self._text)  # a cursor that moves by itself has cleared it
            return
        self.read_detail(message.spot, None if message.is_hovered else self.table.picked)

    def read_detail(self, spot: Spot, picked: int | None) -> None:
        """Show the detail of a spot, as its parts arrive."""
        self._reader.ask(self.session, self.shown_view, spot, picked, self.say_about)

    def say(self, text: str) -> None:
        """Show a text as the detail; `e` opens a text that is cut."""
        self._text = text
        if not text:
            # A beat and the table after it have the same revision.
            self.table.clear_detail()
            return
        self._reader.drop()  # a late description would replace the text
        if self.hint_panel.hides_detail and not self.hint_panel.is_thinking:
            self.hide_hint()
        self.table.change(title="", detail=text)

    def say_about(self, text: str) -> None:
        """Show a text as the detail; if it has several lines, the first one is the title."""
        title, line_break, detail = text.partition("\n")
        if not line_break:
            title, detail = "", text
        self._text = text
        self.table.change(title=title, detail=detail)

    def show_hint(self, hint: HintMessage) -> None:
        """Show a hint, and the numbers of its actions at their cards."""
        self.hint_panel.show_hint(hint)
        self.table.change(hinted=hinted_spots(hint, self.shown_view))

    def action_hint_numbers(self) -> None:
        """Show the numbers behind the hint, or its words again."""
        self.hint_panel.toggle_numbers()

    def hide_hint(self) -> None:
        """Hide the hint with its numbers."""
        self.hint_panel.close()
        self.table.change(hinted=())

    @on(KeyIgnored)
    def explain_ignored_key(self, message: KeyIgnored) -> None:
        """Explain why a key did not act, in case the person pressed it on purpose."""
        self.say(message.reason)

    @on(TextWanted)
    def open_text(self) -> None:
        """Show the whole detail in a box."""
        if self._text:
            self.show_text(self._text)

    def show_text(self, text: str, title: str = "") -> None:
        """Show a text in a box."""
        shown = self.glyphs.texts.text
        lines = "\n".join(shown(line) for line in text.splitlines())
        self.app.push_screen(MessageDialog(shown(title), lines, {"close": "Back"}))

    def action_leave(self) -> None:
        """Leave the table."""
        self.dismiss(None)

    def action_help(self) -> None:
        """Show the help, opened at the current decision."""
        session, view = self.session, self.session.view()
        rules = rules_page(session)
        pages: dict[str, Page] = {
            "Now": lambda _: now_page(session, view, self.why_no_undo),
            "Rules": lambda _: rules,
            "Cards": lambda _: cards_page(session.catalogue),
            "Keys": lambda _: keys_page(self.keys),
            "Words": lambda _: words_page(self.glyphs.texts, rules),
        }
        start = {"Rules": phase_line(rules, view.phase)}
        self.app.push_screen(HelpScreen(pages, self.glyphs.texts, first="Now", start=start))

    def action_whole_log(self) -> None:
        """Show the whole log; choosing a line leads to its step."""
        further = {key.keys: key.action for key in self.KEYS if key.action in FROM_LOG}
        screen = LogScreen(self.session.log(), self.session.seed(), self.glyphs, further)
        self.app.push_screen(screen, self._to_step)

    def action_card_size(self) -> None:
        """Change the size of cards: automatic, small, large."""
        at = CARD_SIZES.index(self._card_size)
        self._card_size = CARD_SIZES[(at + 1) % len(CARD_SIZES)]
        before = self.table.plan
        self.table.set_options(PlanOptions(cards=self._card_size))
        self.hint_panel.lay_out()
        text = f"The size of the cards is now {self._card_size}."
        self.say(text if self.table.plan != before else sentences(text, SAME_SIZE))

    @on(StepChosen)
    def show_chosen_step(self, message: StepChosen) -> None:
        """Show the table after a step of the log."""
        self.show_step(message.step)

    def show_step(self, step: int) -> None:
        """Show the table after a step."""
        raise NotImplementedError

    async def _to_step(self, chosen: int | str | None) -> None:
        if isinstance(chosen, int):
            self.show_step(chosen)
        elif chosen is not None:
            await self.run_action(chosen)
