"""A replay in plain text at a terminal: commands to step forward and back."""

from collections.abc import Callable
from typing import Any

from cardhub.cli.console import ask
from cardhub.cli.session.painter import Painter
from cardhub.play.advice import advice_lines
from cardhub.play.host.replays.results.replay_adviser import ReplayAdviser
from cardhub.play.host.replays.stepping.replay_session import ReplaySession
from cardhub.play.host.scheduler import BlockingScheduler
from cardhub.play.host.turns.hint_requests import hint_of
from cardhub.plugins.registry import PluginRegistry

COMMANDS = {
    "forward": "one step forward, or the next moment of a step, as Enter alone",
    "back": "one step or moment back",
    "round": "the next round; `round 3`: round 3",
    "end": "the end; `start`: the beginning",
    "step": "`step 78`: step 78",
    "view": "the viewers; `view NAME`: the table as they saw it",
    "why": "a bot's choice here; `why BOT`: the choice of BOT",
    "find": "`find TEXT`: the next step whose log contains TEXT",
    "log": "the log up to here",
    "help": "show this help",
    "quit": "leave the replay",
}
SHORT = {"": "forward", "f": "forward", "b": "back", "r": "round", "q": "quit", "?": "help"}
SHORT |= {"exit": "quit", "e": "end", "v": "view", "w": "why"}
# Columns of the ratings of a bot.
ADVICE_WIDTH = 80


class PlainReplay:
    """Prints the steps of a replay that a person asks for by commands."""

    def __init__(self, session: ReplaySession, registry: PluginRegistry, painter: Painter) -> None:
        self._session = session
        self._replay = session.replay
        self._painter = painter
        self._scheduler = BlockingScheduler()
        self._adviser = ReplayAdviser(session.replay, registry, self._scheduler)
        # The step and the viewer whose lines were printed last.
        self._shown_lines: tuple[int, int] | None = None
        self._do: dict[str, Callable[[str], object]] = {
            "forward": lambda _: session.move(1),
            "back": lambda _: session.move(-1),
            "round": self._go_to_round,
            "end": lambda _: session.go(self._replay.last),
            "start": lambda _: session.go(0),
            "step": self._go_to_step,
            "view": self._look,
            "why": self._ask_bot,
            "find": self._find,
            "log": lambda _: self._painter.print_log(session.log()),
            "help": self._help,
        }

    def run(self) -> None:
        """Read commands until the person leaves."""
        self._show()
        try:
            while (typed := self._read()) is not None:
                command, _, argument = typed.partition(" ")
                shown = self._position()
                self._carry_out(SHORT.get(command, command), argument.strip())
                if self._position() != shown:
                    self._show()
        finally:
            self._adviser.close()

    def _position(self) -> tuple[int, int | None, int]:
        return self._session.step, self._session.beat, self._session.viewer

    def _read(self) -> str | None:
        """Return a line of input, None to leave."""
        session = self._session
        try:
            typed = ask(f"step {session.step} of {self._replay.last}> ").strip()
        except EOFError:
            return None
        return None if SHORT.get(typed, typed) == "quit" else typed

    def _carry_out(self, command: str, argument: str) -> None:
        action = self._do.get(command)
        if action is None:
            self._painter.say(f"Unknown command {command!r}: {', '.join(COMMANDS)}.")
        else:
            action(argument)

    def _show(self) -> None:
        """Print the new log lines, the table, and the next action."""
        session, painter = self._session, self._painter
        before = self._replay.stop_near(session.step - 1) if session.step else 0
        shown = session.step, session.viewer
        # The beats of a step and the table after it share the lines.
        if self._shown_lines != shown:
            painter.print_log(line for line in session.log() if line.step > before)
        self._shown_lines = shown
        painter.show_view(session.view(), session.catalogue, is_beat=session.beat is not None)
        coming, result = session.coming(), session.result()
        if coming is not None:
            painter.say(f"Next: {coming.text}. {coming.consequence}".strip())
        elif session.is_at_end and result is not None:
            painter.show_result_view(result, session.catalogue)

    def _go_to_round(self, number: str) -> None:
        if not number:
            self._session.move_chapter(1)
            return
        chapters = self._session.chapters
        if not number.isdecimal() or not 1 <= int(number) <= len(chapters):
            self._painter.say(f"There is no round {number}: the last one is {len(chapters)}.")
        else:
            self._session.go(chapters[int(number) - 1].first)

    def _go_to_step(self, number: str) -> None:
        if number.isdecimal() and int(number) <= self._replay.last:
            self._session.go(int(number))
        else:
            self._painter.say(f"There is no step {number}: the last one is {self._replay.last}.")

    def _look(self, name: str) -> None:
        names = {self._replay.viewer_name(viewer): viewer for viewer in self._replay.viewers}
        known = {key.casefold(): viewer for key, viewer in names.items()}
        if name.casefold() in known:
            self._session.look(known[name.casefold()])
        else:
            shown = self._replay.viewer_name(self._session.viewer)
            self._painter.say(f"Shown: {shown}. Views: {', '.join(names)}.")

    def _ask_bot(self, bot: str) -> None:
        done: list[bool] = []
        bot = bot or self._adviser.default_bot

        def show(seen: Any, rated: Any) -> None:
            players = [player.name for player in self._replay.players]
            hint = hint_of(bot, rated, seen, players, says_you=False)
            self._painter.say(
                *advice_lines(bot, hint.actions, ADVICE_WIDTH), *filter(None, [hint.why])
            )
            done.append(True)

        def refuse(reason: str) -> None:
            self._painter.say(reason)
            done.append(False)

        session = self._session
        self._adviser.ask(session.step, session.viewer, bot, show, refuse)
        self._scheduler.run_until(lambda: bool(done))

    def _find(self, text: str) -> None:
        if not text or not self._session.find(text):
            self._painter.say(f"The log does not contain {text!r}.")

    def _help(self, _: str) -> None:
        for command, text in COMMANDS.items():
            self._painter.say(f"  {command:<8} {text}")
