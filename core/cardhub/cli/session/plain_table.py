"""A game in plain text: for pipes, screen readers and terminals that can do no more."""

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

FORGET = "\x1b[H\x1b[2J\x1b[3J"
"""Clears a terminal, and what one could scroll back to."""


def can_forget() -> bool:
    """Return whether stdout is a terminal that can be cleared."""
    return sys.stdout.isatty() and os.environ.get("TERM") not in (None, "dumb")


class Hint(NamedTuple):
    """Whom people can ask for a hint, as text, and how that is done."""

    bot: str
    ask: Callable[[Observation[Any]], list[Rated]]


class PlainTable:
    """One terminal for everybody at a table.

    A single person, or a spectator if there is none, is told events as they happen. Several people
    pass the terminal on, and each is told at their turn what happened while others held it.
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
        self._holder = self._viewers[0] if len(self._viewers) == 1 else None
        self._legal: list[int] = []
        self._untold: dict[int, list[str]] = {viewer: [] for viewer in self._viewers}
        self._changed: dict[int, set[int]] = {viewer: set() for viewer in self._viewers}
        for viewer in self._viewers:
            follow(referee, viewer, partial(self._hear, viewer))

    def play(self) -> bool:
        """Play until the end; return False if somebody left before."""
        referee = self._referee
        seed = seed_in_words(referee.seed, is_over=False)
        self._painter.say(f"{referee.game.title}, {seed}", self._seating(), "")
        while not referee.is_over:
            if referee.seat in self._bots:
                time.sleep(self._pace)
                let_bot_act(referee, self._bots[referee.seat])
            elif not self._let_person_act(referee.seat):
                return False
        self._end()
        return True

    def _seating(self) -> str:
        return "At the table: " + ", ".join(map(str, self._referee.players))

    def _hear(self, viewer: int, event: Event) -> None:
        """Tell an event at once to whoever holds the terminal, to others when it is theirs."""
        self._changed[viewer] |= event.changed
        if viewer == self._holder:
            self._painter.say(*event.lines)
        else:
            self._untold[viewer] += event.lines

    def _let_person_act(self, seat: int) -> bool:
        """Let a person type until something is done; return False if they leave."""
        if self._holder != seat and not self._hand_over(seat):
            return False
        self._show_turn(seat)
        while (text := self._ask(f"{self._referee.players[seat].name}> ")) is not None:
            try:
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
        echo("\n" * max(get_terminal_size().lines, 50))
        if can_forget():
            control(FORGET)
        if self._ask(f"Pass the terminal to {name}. {name}, press Enter. ") is None:
            return False
        self._holder = seat
        self._painter.say(*self._untold[seat])
        self._untold[seat].clear()
        return True

    def _show_turn(self, seat: int) -> None:
        self._legal = self._painter.show(self._referee.observe(seat), self._changed[seat])
        self._changed[seat].clear()

    def _ask(self, prompt: str) -> str | None:
        """Return a line of input, or None where it ends."""
        try:
            text = ask(self._painter.glyphs.text(prompt))
        except EOFError:
            echo()
            return None
        if not sys.stdin.isatty():
            echo(text)  # a terminal has shown it already
        return text

    def _read(self, seat: int, text: str) -> int | str:
        labels = self._referee.observe(seat).labels(self._painter.names)
        return read_choice(text, labels, self._legal)

    def _carry_out(self, seat: int, choice: int | str) -> bool:
        """Do what was typed; return whether the table has changed by it."""
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
                say(*(line for event in past_events(referee, seat) for line in event.lines))
            case "rules":
                say(*rules_with_options(referee.game, referee.settings).splitlines())
            case _:
                say(*explain_typing())
        return False

    def _give_hint(self, seat: int) -> None:
        observation = self._referee.observe(seat)
        try:
            rated = self._hint.ask(observation)
        except (BotError, OptionError, PluginError) as error:
            self._painter.say(f"No hint: {error}")
            return
        self._referee.note_hint(self._hint.bot)
        width = get_terminal_size().columns
        self._painter.say(*advice_lines(self._hint.bot, tell(rated, observation), width))

    def _end(self) -> None:
        """Show the table to whoever is there, then the result."""
        viewer = self._viewers[0] if len(self._viewers) == 1 else self._spectator
        self._painter.show(self._referee.observe(viewer))
        self._painter.show_result(self._referee)


COMMANDS = {
    "undo": "take your last action back, if nobody has learned anything by it",
    "hint": "ask a bot what it would do; the record says that you did",
    "table": "show the table again",
    "log": "tell all that has happened",
    "rules": "show the rules of the game",
    "help": "show this help",
    "quit": "leave; the game is saved",
}
SHORT = {"u": "undo", "?": "help", "q": "quit", "exit": "quit"}


def read_choice(text: str, labels: Labels, legal: Sequence[int]) -> int | str:
    """Return the action or command meant: a number from the list, a command, or typed words.

    Raises IllegalActionError saying what is possible.
    """
    word = text.strip().casefold()
    names = labels.notations(legal)
    if word.isdecimal() and 1 <= int(word) <= len(legal):
        return list(names.values())[int(word) - 1]
    if word in COMMANDS and word not in map(str.casefold, names):
        return word
    try:
        return labels.parse(text, legal)
    except IllegalActionError:
        if word in SHORT:
            return SHORT[word]
        raise


def explain_typing() -> list[str]:
    """Return the lines of the help."""
    width = max(map(len, COMMANDS))
    return [
        "Type the number of an action, or its words; enough of them to be plain will do.",
        *(f"  {name:{width}}  {text}" for name, text in COMMANDS.items()),
    ]
