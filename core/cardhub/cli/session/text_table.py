"""A game in plain text: for pipes, screen readers and simple terminals."""

import os
import sys
from collections.abc import Sequence
from shutil import get_terminal_size

from cardhub.base.errors import IllegalActionError
from cardhub.cli.console import ask, control, echo
from cardhub.cli.session.painter import Painter
from cardhub.cli.session.plain_commands import Typed, explain_input, read_line
from cardhub.play.advice import advice_lines
from cardhub.play.host.scheduler import BlockingScheduler
from cardhub.play.host.terminal import SharedTerminal
from cardhub.play.session import Hint, Session, TableAccess
from cardhub.view.explain.card_texts import describe_cards_in_sight, explain_card

NO_CONSEQUENCE = "The game does not describe its consequence."
ALL_SEEN = "All cards have been seen."
# Clears a terminal including the lines that can be scrolled back to.
CLEAR = "\x1b[H\x1b[2J\x1b[3J"


def can_clear() -> bool:
    """Return whether stdout is a terminal that can be cleared."""
    return sys.stdout.isatty() and os.environ.get("TERM") not in (None, "dumb")


class PlainTextTable:
    """A terminal shared by all people at a table.

    A single person, or a spectator if there is none, sees events as they happen. Several people
    take turns at the terminal, and each sees at their turn the events since their last one.
    """

    def __init__(self, host: TableAccess, scheduler: BlockingScheduler, painter: Painter) -> None:
        # All lines stay readable, so bots do not wait until a summary is read.
        host.stops_at_summaries = False
        self._host = host
        self._scheduler = scheduler
        self._terminal = SharedTerminal(host)
        self._painter = painter.for_game(self._session.catalogue)
        # By viewer, the last step that was printed; steps of a resumed game count as printed.
        self._shown_steps: dict[int, int] = {}
        for session in (*map(host.session, host.people), self._session):
            self._shown_steps.setdefault(session.viewer, host.step)

    def play(self) -> bool:
        """Play until the end; return False if a person left, or the table cannot go on."""
        host, players = self._host, ", ".join(map(str, self._host.players))
        self._painter.say(f"{host.title}, {self._session.seed()}", f"At the table: {players}", "")
        self._terminal.subscribe(self._print_news_at_pace)
        host.begin()
        while True:
            self._scheduler.run_until(lambda: host.is_waiting_for_people)
            if self._stands_still():
                return False
            seat = self._terminal.next_holder
            if seat is not None:
                if not self._hand_over(seat):
                    return False
                continue
            self._print_news()
            if host.is_over:
                self._show_end()
                return True
            if not self._let_person_act():
                return False

    @property
    def _session(self) -> Session:
        return self._terminal.session

    def _print_news_at_pace(self) -> None:
        # Without a pace, equal steps of a player are joined in one sentence at the person's turn.
        if self._host.is_paced and self._terminal.next_holder is None:
            self._print_news()

    def _print_news(self) -> None:
        """Print the new lines in the log of the session that is shown."""
        session = self._session
        lines = session.log(since=self._shown_steps.setdefault(session.viewer, 0))
        self._shown_steps[session.viewer] = self._host.step
        self._painter.print_log(lines)

    def _show_end(self) -> None:
        session = self._session
        self._painter.show_view(session.view(), session.catalogue)
        result = session.result()
        if result is not None:
            self._painter.show_result_view(result, session.catalogue)

    def _let_person_act(self) -> bool:
        """Read lines until the state has changed; return False if the person leaves."""
        session, revision = self._session, self._host.revision
        self._painter.show_view(session.view(), session.catalogue)
        self._comment()
        name = self._host.players[session.viewer].name
        while self._host.revision == revision:
            text = self._ask(f"{name}> ")
            if text is None:
                return False
            # Enter alone prints the help: it must never carry out an action.
            typed = read_line(text or "help", session)
            if typed.command == "quit":
                return False
            self._carry_out(typed, session)
            self._wait_for_answer()
            if self._stands_still():
                return False
        return True

    def _stands_still(self) -> bool:
        """Return whether the table waits for a decision on a bot's fault, or cannot go on."""
        status = self._session.status()
        return status.fault is not None or status.failure is not None

    def _wait_for_answer(self) -> None:
        if self._host.is_answering:
            self._scheduler.run_until(lambda: not self._host.is_answering)

    def _comment(self) -> None:
        """Print a comment on the decision of the person to act; a lesson has some."""

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

    def _carry_out(self, typed: Typed, session: Session) -> None:
        say, view = self._painter.say, session.view()
        match typed.command:
            case "act":
                session.act(typed.action, view.revision, say)
            case "undo":
                session.undo(say)
            case "hint":
                self._give_hint(session)
            case "pace":
                self._set_pace(typed.text, session)
            case "table":
                self._painter.show_view(view, session.catalogue)
            case "log":
                self._painter.print_log(session.log())
            case _:
                self._explain(typed, session)

    def _explain(self, typed: Typed, session: Session) -> None:
        say = self._painter.say
        match typed.command:
            case "why":
                session.why_not(typed.text, say)
            case "if":
                session.consequence(typed.action, lambda text: say(text or NO_CONSEQUENCE))
            case "card":
                say(*_card_texts(typed.text, session))
            case "unseen":
                say(*(session.unseen() or [ALL_SEEN]))
            case "rules":
                say(*session.rules().splitlines())
            case "refused":
                say(typed.text)
            case _:
                say(*explain_input())

    def _set_pace(self, text: str, session: Session) -> None:
        try:
            session.set_pace(float(text or session.status().pace))
        except ValueError:
            self._painter.say(f"invalid pace {text!r}: a number of seconds")
            return
        self._painter.say(f"Bots take at least {session.status().pace} s for each action.")

    def _give_hint(self, session: Session) -> None:
        answers: list[Hint | str] = []
        session.hint(answers.append)
        self._scheduler.run_until(lambda: bool(answers) or self._stands_still())
        for answer in answers:
            if isinstance(answer, str):
                self._painter.say(answer)
            else:
                self._print_news()  # the log notes that a hint was asked for
                self._painter.say(
                    *advice_lines(answer.bot, answer.rows, get_terminal_size().columns)
                )
                self._painter.say(*filter(None, [answer.why]))


def _card_texts(text: str, session: Session) -> Sequence[str]:
    if not text:
        return describe_cards_in_sight(session.view(), session.catalogue)
    try:
        return [explain_card(session.catalogue, text)]
    except IllegalActionError as error:
        return [str(error)]
