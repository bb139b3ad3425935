"""A game in plain text: for pipes, screen readers and simple terminals."""

import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from shutil import get_terminal_size
from typing import Any, NamedTuple

from cardhub.bots import Bot, Rated
from cardhub.cli.console import ask, control, echo
from cardhub.cli.session.painter import Painter
from cardhub.errors import BotError, IllegalActionError, OptionError, PluginError
from cardhub.hidden.labels import Labels
from cardhub.hidden.observation import Observation
from cardhub.play.advice import advice_lines, tell
from cardhub.play.events import Event, follow, past_events
from cardhub.play.referee import Referee
from cardhub.play.seeds import seed_in_words
from cardhub.play.setup import let_bot_act
from cardhub.text import rules_with_options
from cardhub.view.building import build_view
from cardhub.view.card_catalogue import catalogue_of
from cardhub.view.card_texts import describe_cards_in_sight, explain_card
from cardhub.view.reasons import Reasons

# Clears a terminal including the lines that can be scrolled back to.
CLEAR = "\x1b[H\x1b[2J\x1b[3J"
COMMANDS = {
    "undo": "take your last action back, if nobody has learned anything by it",
    "hint": "ask a bot what it would do; the record says that you did",
    "table": "show the table again",
    "log": "list all events so far",
    "card": "explain the cards you see, or one by its name: `card NAME`",
    "rules": "show the rules of the game",
    "help": "show this help",
    "quit": "leave; the game is saved",
}
ONE_CARD = "card "
SHORT = {"u": "undo", "?": "help", "q": "quit", "exit": "quit"}


def can_clear() -> bool:
    """Return whether stdout is a terminal that can be cleared."""
    return sys.stdout.isatty() and os.environ.get("TERM") not in (None, "dumb")


class Hint(NamedTuple):
    """The spec of a bot that gives hints, and the callback that asks it."""

    bot: str
    ask: Callable[[Observation[Any]], list[Rated]]


class PlainTable:
    """A terminal shared by all people at a table.

    A single person, or a spectator if there is none, sees events as they happen. Several people
    take turns at the terminal, and each sees at their turn the events since their last one.
    """

    def __init__(
        self,
        referee: Referee[Any],
        bots: Mapping[int, Bot],
        hint: Hint,
        painter: Painter,
        pace: float = 0,
    ) -> None:
        self._referee = referee
        self._bots = bots
        self._hint = hint
        self._painter = painter
        self._pace = pace
        humans = [seat for seat, player in enumerate(referee.players) if player.is_human]
        self._spectator = len(referee.players)
        self._viewers = humans or [self._spectator]
        # The seat whose view is shown; None until one of several people has taken the terminal.
        self._holder = self._viewers[0] if len(self._viewers) == 1 else None
        self._legal: list[int] = []
        self._pending: dict[int, list[Event]] = {viewer: [] for viewer in self._viewers}
        self._changed: dict[int, set[int]] = {viewer: set() for viewer in self._viewers}
        for viewer in self._viewers:
            follow(referee, viewer, partial(self._on_event, viewer))

    def play(self) -> bool:
        """Play until the end; return False if a person left before."""
        referee = self._referee
        seed = seed_in_words(referee.seed, is_over=False)
        players = ", ".join(map(str, referee.players))
        self._painter.say(f"{referee.game.title}, {seed}", f"At the table: {players}", "")
        while not referee.is_over:
            if referee.seat in self._bots:
                time.sleep(self._pace)
                let_bot_act(referee, self._bots[referee.seat])
            elif not self._let_person_act(referee.seat):
                return False
        # Several people read the final table together: it shows what a spectator sees.
        viewer = self._viewers[0] if len(self._viewers) == 1 else self._spectator
        self._painter.show(referee.observe(viewer))
        self._painter.show_result(referee)
        return True

    def _on_event(self, viewer: int, event: Event) -> None:
        self._changed[viewer] |= event.changed
        if viewer == self._holder:
            self._painter.tell([event])
        else:
            self._pending[viewer].append(event)

    def _let_person_act(self, seat: int) -> bool:
        """Read lines until an action or undo is carried out; return False if the person leaves."""
        if self._holder != seat and not self._hand_over(seat):
            return False
        self._show_turn(seat)
        while (text := self._ask(f"{self._referee.players[seat].name}> ")) is not None:
            try:
                # Enter alone prints the help: it must never carry out an action.
                choice = self._read(seat, text) if text.strip() else "help"
                if choice == "quit":
                    return False
                if self._carry_out(seat, choice):
                    return True
            except IllegalActionError as error:
                self._painter.say(str(error))
        return False

    def _hand_over(self, seat: int) -> bool:
        """Blank the screen until the next person holds it; return False at the end of input."""
        name = self._referee.players[seat].name
        # Also where a terminal cannot be cleared, the last player's cards leave the screen. An
        # unknown size counts as 24 lines: 50 clear most terminals.
        echo("\n" * max(get_terminal_size().lines, 50))
        if can_clear():
            control(CLEAR)
        if self._ask(f"Pass the terminal to {name}. {name}, press Enter. ") is None:
            return False
        self._holder = seat
        self._painter.tell(self._pending[seat])
        self._pending[seat].clear()
        return True

    def _show_turn(self, seat: int) -> None:
        self._legal = self._painter.show(self._referee.observe(seat), self._changed[seat])
        self._changed[seat].clear()

    def _ask(self, prompt: str) -> str | None:
        """Return a line of input as a string, None at end of input."""
        try:
            text = ask(self._painter.glyphs.text(prompt))
        except EOFError:
            echo()
            return None
        if not sys.stdin.isatty():
            echo(text)  # a terminal shows what is typed, a pipe does not
        return text

    def _read(self, seat: int, text: str) -> int | str:
        observation, names = self._referee.observe(seat), self._painter.names
        try:
            return read_choice(text, observation.labels(names), self._legal)
        except IllegalActionError as error:
            if reason := Reasons(observation, names).typed(text):
                raise IllegalActionError(reason) from error
            raise

    def _carry_out(self, seat: int, choice: int | str) -> bool:
        """Carry out an action or a command; return whether it changed the state."""
        referee, say = self._referee, self._painter.say
        if isinstance(choice, int):
            referee.apply(choice)
            return True
        match choice:
            case "undo":
                referee.undo(seat)
                return True
            case "hint":
                self._give_hint(seat)
            case "table":
                self._show_turn(seat)
            case "log":
                self._painter.tell(past_events(referee, seat))
            case "card":
                view = build_view(referee.observe(seat), self._painter.names)
                say(*describe_cards_in_sight(view, catalogue_of(referee.game)))
            case _ if choice.startswith(ONE_CARD):
                say(explain_card(catalogue_of(referee.game), choice.removeprefix(ONE_CARD)))
            case "rules":
                seats = len(referee.players)
                say(*rules_with_options(referee.game, referee.settings, seats).splitlines())
            case _:
                say(*explain_input())
        return False

    def _give_hint(self, seat: int) -> None:
        observation = self._referee.observe(seat)
        try:
            rated = self._hint.ask(observation)
        except (BotError, OptionError, PluginError) as error:
            self._painter.say(f"No hint: {error}")
            return
        # Recorded only now: a hint that failed did not help.
        self._referee.note_hint(self._hint.bot)
        width = get_terminal_size().columns
        self._painter.say(
            *advice_lines(self._hint.bot, tell(rated, observation, self._painter.names), width)
        )


def read_choice(text: str, labels: Labels, legal: Sequence[int]) -> int | str:
    """Parse a line: the number of an action, a command, or the words of an action.

    Raises IllegalActionError, whose message lists the legal actions.
    """
    word = text.strip().casefold()
    names = labels.choices(legal)
    # Numbers first, then commands unless an action has that name, then words of actions.
    if word.isdecimal() and 1 <= int(word) <= len(legal):
        return list(names.values())[int(word) - 1]
    if word in COMMANDS and word not in map(str.casefold, names):
        return word
    try:
        return labels.parse(text, legal)
    except IllegalActionError:
        # Only now: an abbreviation must not hide an action, such as `u` for `up`.
        if word in SHORT:
            return SHORT[word]
        if word.startswith(ONE_CARD):
            return word
        raise


def explain_input() -> list[str]:
    """Return the lines of the help as strings."""
    width = max(map(len, COMMANDS))
    return [
        "Type the number of an action, or its words; enough of them to be unambiguous.",
        *(f"  {name:{width}}  {text}" for name, text in COMMANDS.items()),
    ]
