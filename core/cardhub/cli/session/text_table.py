"""A game in plain text: for pipes, screen readers and simple terminals."""

import os
import shlex
import sys
from collections.abc import Callable, Sequence
from shutil import get_terminal_size
from typing import NamedTuple

from cardhub.base.errors import IllegalActionError
from cardhub.cli.console import ask, control, echo
from cardhub.cli.session.painter import Painter
from cardhub.play.advice import advice_lines, number_lines
from cardhub.play.host.scheduler import BlockingScheduler
from cardhub.play.host.table_host import Host
from cardhub.play.host.terminal import SharedTerminal
from cardhub.play.table_commands import LONGEST_SUBJECT, SetPace
from cardhub.play.table_messages import HintMessage, TableStatus
from cardhub.play.table_model import TableModel
from cardhub.play.view_matching import explain_amounts, read_amount, read_choice
from cardhub.view.explain.card_texts import as_sentence, describe_cards_in_sight, explain_card
from cardhub.view.view import View, numbered_choices

COMMANDS = {
    "undo": "take your last action back, if nobody has learned anything from it",
    "hint": "ask a bot what it would do; the record says that you did",
    "numbers": "show the numbers behind the last hint",
    "why TEXT": "explain why an action or a card is not possible now",
    "if TEXT": "say what a legal action would do",
    "table": "show the table again",
    "log": "list all events so far",
    "card": "explain the cards you see, or one by its name: `card NAME`",
    "unseen": "list the cards that you have not seen yet",
    "pace SECONDS": "set the least time for each action of a bot",
    "rules": "show the rules of the game",
    "help": "show this help",
    "quit": "leave; the game is saved",
}
# Commands by their first word; these have text after it.
WORDS = {name.partition(" ")[0] for name in COMMANDS}
WITH_TEXT = ("why", "if", "card", "pace")
SHORT = {"u": "undo", "?": "help", "q": "quit", "exit": "quit", "says": "if"}


class Typed(NamedTuple):
    """A typed line: a command, its text, and the action that it means.

    `command` is one of the first words of COMMANDS, `act` for an action, or `refused` with the
    reason as text.
    """

    command: str
    text: str = ""
    action: int = -1


def read_line(text: str, view: View) -> Typed:
    """Parse a line: the number of a choice, a command, or the words of an action.

    Text without a meaning becomes the question why it is not legal, which the table answers.
    """
    word = text.strip().casefold()
    numbers = numbered_choices(view.choices)
    # Numbers first, then commands unless an action has that name, then words of actions.
    if word.isdecimal() and int(word) in numbers:
        choice = numbers[int(word)]
        if choice.amounts is not None:
            return Typed("refused", explain_amounts(choice))
        return Typed("act", action=choice.action)
    is_action = word in (choice.name.casefold() for choice in view.choices)
    if word in WORDS and not is_action:
        return _command(word, "", view)
    read = read_choice(view, text)
    if isinstance(read, int):
        return Typed("act", action=read)
    if isinstance(read_amount(view, text), str):
        return Typed("refused", read)
    # Only now: an abbreviation must not hide an action, such as `u` for `up`.
    first, _, rest = word.partition(" ")
    command = SHORT.get(first, first)
    if command in (WITH_TEXT if rest else WORDS):
        return _command(command, text.strip().partition(" ")[2].strip(), view)
    return Typed("why", text) if len(text) <= LONGEST_SUBJECT else Typed("refused", read)


def explain_input() -> list[str]:
    """Return the lines of the help as strings."""
    width = max(map(len, COMMANDS))
    return [
        "Type the number of an action, or enough of its words to be unambiguous.",
        *(f"  {name:{width}}  {text}" for name, text in COMMANDS.items()),
    ]


def _command(command: str, text: str, view: View) -> Typed:
    if command in ("why", "if") and not text:
        return Typed("refused", f"`{command}` is about an action: `{command} TEXT`")
    if command == "why" and text.isdecimal():
        choice = numbered_choices(view.choices).get(int(text))
        return Typed("why", choice.name if choice else text)
    if command != "if":
        return Typed(command, text)
    meant = read_line(text, view) if text not in WORDS else Typed("refused", text)
    if meant.command == "act":
        return Typed("if", text, meant.action)
    return meant if meant.command == "why" else Typed("refused", meant.text)


NO_HINT = "No hint has been given yet. Type `hint` first."
NO_CONSEQUENCE = "The game does not describe its consequence."
ALL_SEEN = "All cards have been seen."
# Clears a terminal including the lines that can be scrolled back to.
CLEAR = "\x1b[H\x1b[2J\x1b[3J"


def can_clear() -> bool:
    """Return whether stdout is a terminal that can be cleared."""
    return sys.stdout.isatty() and os.environ.get("TERM") not in (None, "dumb")


class TextTable:
    """A table in plain text: prints its news and its end, and carries out typed commands.

    `is_stopped`: whether no answer will come, because the table waits for a decision or has ended.
    """

    def __init__(
        self, scheduler: BlockingScheduler, painter: Painter, is_stopped: Callable[[], bool]
    ) -> None:
        self._scheduler = scheduler
        self._painter = painter
        self._is_stopped = is_stopped
        # By viewer, the last step that was printed, and the number of printed lines after it.
        self._shown_steps: dict[int, int] = {}
        self._shown_lines: dict[int, int] = {}
        # By viewer, the last hint.
        self._hints: dict[int, HintMessage] = {}

    def skip_news(self, model: TableModel) -> None:
        """Treat all lines of a resumed game as printed, unless some were printed before.

        A new game has at most lines of chance, such as the deal, which nobody has read.
        """
        if any(line.seat >= 0 for line in model.log()):
            self._shown_steps.setdefault(model.viewer, last_step(model))

    def print_from_start(self, model: TableModel) -> None:
        """Print the log from its beginning with the next news."""
        self._shown_steps[model.viewer] = 0

    def print_news(self, model: TableModel) -> None:
        """Print the new lines in the log of a viewer."""
        lines = model.log(since=self._shown_steps.get(model.viewer, 0))
        self._shown_steps[model.viewer] = last_step(model)
        self._painter.print_log(lines[self._shown_lines.pop(model.viewer, 0) :])

    def print_settled_news(self, model: TableModel) -> None:
        """Print the new lines of a viewer except the last one, which further steps may extend."""
        lines = model.log(since=self._shown_steps.get(model.viewer, 0))
        shown = self._shown_lines.get(model.viewer, 0)
        self._painter.print_log(lines[shown:-1])
        self._shown_lines[model.viewer] = max(shown, len(lines) - 1)

    def show_view(self, model: TableModel) -> None:
        """Print the table."""
        self._painter.show_view(model.view(), model.catalogue)

    def show_end(self, model: TableModel) -> None:
        """Print the table and the result at the end of the game."""
        self.show_view(model)
        result = model.result()
        if result is not None:
            self._painter.show_result_view(result, model.catalogue)

    def carry_out(self, typed: Typed, model: TableModel) -> None:
        """Carry out a typed command, and wait for its answer."""
        say = self._painter.say
        match typed.command:
            case "act":
                model.act(typed.action, model.view().revision, say)
            case "undo":
                model.undo(say)
            case "hint":
                model.hint(lambda hint: self._show_hint(hint, model))
            case "numbers":
                hint = self._hints.get(model.viewer)
                width = get_terminal_size().columns
                say(*(number_lines(hint.bot, hint.ratings, width) if hint else [NO_HINT]))
            case "pace":
                self._set_pace(typed.text, model)
            case "table":
                self.show_view(model)
            case "log":
                self._painter.print_log(model.log())
            case _:
                self._explain(typed, model)
        if model.is_answering:
            self._scheduler.run_until(lambda: self._is_stopped() or not model.is_answering)

    def _explain(self, typed: Typed, model: TableModel) -> None:
        say = self._painter.say
        match typed.command:
            case "why":
                model.why_not(typed.text, say)
            case "if":
                model.consequence(typed.action, lambda text: say(text or NO_CONSEQUENCE))
            case "card":
                say(*_card_texts(typed.text, model))
            case "unseen":
                say(*(model.table.unseen or [ALL_SEEN]))
            case "rules":
                say(*model.rules().splitlines())
            case "refused":
                say(typed.text)
            case _:
                say(*explain_input())

    def _set_pace(self, text: str, model: TableModel) -> None:
        try:
            seconds = float(text or model.status().pace)
        except ValueError:
            self._painter.say(f"{text!r} is not a pace: type a number of seconds, such as 0.5.")
            return
        model.send(SetPace(seconds=seconds))
        self._painter.say(f"Bots take at least {model.status().pace} s for each action.")

    def _show_hint(self, hint: HintMessage, model: TableModel) -> None:
        if hint.why_none:
            self._painter.say(hint.why_none)
            return
        self._hints[model.viewer] = hint
        self.print_news(model)  # the log notes that a hint was asked for
        self._painter.say(*advice_lines(hint.bot, hint.actions, get_terminal_size().columns))
        self._painter.say(*filter(None, [hint.why]))


def last_step(model: TableModel) -> int:
    """Return the step of the last line of a log, 0 for an empty log."""
    log = model.log()
    return log[-1].step if log else 0


def is_stopped(status: TableStatus) -> bool:
    """Return whether a table waits for a decision on a bot's fault, or cannot go on."""
    return status.fault is not None or status.failure is not None


class PlainTextTable:
    """A terminal shared by all people at a table.

    A single person, or a spectator if there is none, sees events as they happen. Several people
    take turns at the terminal, and each sees at their turn the events since their last one.
    """

    def __init__(self, host: Host, scheduler: BlockingScheduler, painter: Painter) -> None:
        # All lines stay readable, so bots do not wait until a summary is read.
        host.stops_at_summaries = False
        self._host = host
        self._scheduler = scheduler
        self._terminal = SharedTerminal(host)
        self._painter = painter.for_game(self._model.catalogue)
        self._text = TextTable(scheduler, self._painter, lambda: is_stopped(host.status()))
        # Steps of a resumed game count as printed.
        for model in (*map(host.model, host.people), self._model):
            self._text.skip_news(model)

    def play(self) -> bool:
        """Play until the end; return False if a person left, or the table cannot go on."""
        host, players = self._host, ", ".join(map(str, self._host.players))
        self._painter.say(f"{host.title}, {self._model.seed()}", f"At the table: {players}", "")
        host.subscribe(self._print_news_at_pace)
        host.begin()
        while True:
            self._scheduler.run_until(lambda: host.is_waiting_for_people)
            if is_stopped(host.status()):
                return False
            seat = self._terminal.next_holder
            if seat is not None:
                if not self._hand_over(seat):
                    return False
                continue
            self._text.print_news(self._model)
            if host.is_over:
                self._text.show_end(self._model)
                self._say_how_to_review()
                return True
            if not self._let_person_act():
                return False

    @property
    def _model(self) -> TableModel:
        return self._terminal.model

    def _print_news_at_pace(self) -> None:
        # Without a pace, equal steps of a player are joined in one sentence at the person's turn.
        if self._host.is_paced and self._terminal.next_holder is None:
            self._text.print_news(self._model)
        elif not self._host.people:
            self._text.print_settled_news(self._model)

    def _let_person_act(self) -> bool:
        """Read lines until the state has changed; return False if the person leaves."""
        model = self._model
        revision = model.view().revision
        self._text.show_view(model)
        self._comment()
        name = self._host.players[model.viewer].name
        while model.view().revision == revision:
            text = self._ask(f"{name}> ")
            if text is None:
                return False
            # Enter alone prints the help: it must never carry out an action.
            typed = read_line(text or "help", model.view())
            if typed.command == "quit":
                return False
            self._text.carry_out(typed, model)
            if is_stopped(self._host.status()):
                return False
        return True

    def _comment(self) -> None:
        """Print a comment on the decision of the person to act; a lesson has some."""

    def _say_how_to_review(self) -> None:
        """Name the command that finds the costliest moves of the only person."""
        host = self._host
        if host.path is not None and host.registry is not None and len(host.people) == 1:
            (name,) = (host.players[seat].name for seat in host.people)
            words = ["cardhub", "replay", str(host.path), "--as", name]
            words += ["--analyse", host.registry.default_hint(host.game)]
            # Not wrapped, so that it can be copied.
            echo(f"\nYour costliest moves: {shlex.join(words)}")

    def _hand_over(self, seat: int) -> bool:
        """Blank the screen until the next person holds it; return False at the end of input."""
        name = self._host.players[seat].name
        # Also where a terminal cannot be cleared, the last player's cards leave the screen. An
        # unknown size counts as 24 lines: 50 clear most terminals.
        echo("\n" * max(get_terminal_size().lines, 50))
        if can_clear():
            control(CLEAR)
        if self._ask(f"Pass the terminal to {name}. {name}, press Enter. ") is None:
            return False
        self._terminal.take(seat)
        return True

    def _ask(self, prompt: str) -> str | None:
        """Return a line of input as a string, None at end of input."""
        try:
            text = ask(self._painter.glyphs.text(prompt))
        except EOFError:
            echo()
            return None
        if not sys.stdin.isatty():
            echo(text)  # a terminal shows what is typed, a pipe does not
        return text.strip()


def _card_texts(text: str, model: TableModel) -> Sequence[str]:
    if not text:
        return describe_cards_in_sight(model.view(), model.catalogue)
    try:
        return [explain_card(model.catalogue, text)]
    except IllegalActionError as error:
        return [as_sentence(str(error))]
