"""What an assistant can do, in words: tables, actions and their reasons, with bounded texts."""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from cardhub.base.errors import CardhubError
from cardhub.base.errors.quoting import folded, printable
from cardhub.base.writing import clipped
from cardhub.bots.language.prompt import WIDTH, choice_lines
from cardhub.model.game.initial_state import resolve_options
from cardhub.online.assistant.assistant_seat import NO_GAME, AssistantSeat, open_seat
from cardhub.play.table_commands import LONGEST_SUBJECT
from cardhub.play.table_model import TableModel
from cardhub.plugins.registry import PluginRegistry
from cardhub.view.explain.explanations import rules_with_options
from cardhub.view.text import UNICODE, summary_lines, table_lines
from cardhub.view.text.result_sheet import result_lines
from cardhub.view.text.table_text import prompt_text
from cardhub.view.view import ChoiceView, LogLine, View

# The most characters of a text, the most lines of a log, and the longest wait in seconds.
MOST_TEXT, MOST_LINES, LONGEST_WAIT = 20_000, 200, 300.0
NO_TABLE = "You are not at a table. Use new_table, or use sit with the link to a table."
NOT_YOURS = "It is not your turn. Use wait."
WATCHING = "You have no seat. You are watching."
WAITING = "It is not your turn yet. Use wait."
LEFT = "You have left the table."


class AssistantError(CardhubError):
    """An assistant's request cannot be carried out; the message has the reason."""


class TableSession:
    """One assistant at a table; all methods are called in one thread.

    They return texts for the assistant, and raise CardhubError with the reason of a refusal.
    """

    def __init__(self) -> None:
        self._seat: AssistantSeat | None = None
        # The lines of the log that the assistant has read, and the game that they belong to.
        self._read: Sequence[LogLine] = ()
        self._model: TableModel | None = None

    def take(self, seat: AssistantSeat) -> None:
        """Leave the present table, and take a seat at another one."""
        self.close()
        self._seat, self._read = seat, ()

    def table_rules(self) -> str:
        """Return the rules of the game at the table, with its options."""
        return bounded(self._playing().rules())

    def table(self) -> str:
        """Return the whole log, the table and the legal actions."""
        self._read = ()
        return self._news()

    def act(self, name: str) -> str:
        """Take the action with a whole name; return what has happened since, and the table."""
        seat, view = self._require(), self._playing().view()
        if not view.choices:
            raise AssistantError(NOT_YOURS)
        action = read_whole_name(view, name)
        refusal = self.why(name) if action is None else seat.act(action)
        if refusal:
            raise AssistantError(refusal)
        seat.wait_for_turn(seat.turn_patience)
        return self._news()

    def why(self, name: str) -> str:
        """Return why an action is not legal now."""
        self._playing()
        if len(name) > LONGEST_SUBJECT:
            raise AssistantError("The name is too long. Use the whole name of an action.")
        return bounded(self._require().why_not(name))

    def wait(self, seconds: float) -> str:
        """Wait for the assistant's turn, but not for longer; return the news and the table."""
        self._require().wait_for_turn(min(max(seconds, 0.0), LONGEST_WAIT))
        return self._news()

    def leave(self) -> str:
        """Leave the table; a seat at a server's table can be taken again with the same name."""
        seat, self._seat = self._require(), None
        seat.close()
        return LEFT

    def close(self) -> None:
        """Leave the table, if there is one."""
        if self._seat is not None:
            self.leave()

    def _require(self) -> AssistantSeat:
        if self._seat is None:
            raise AssistantError(NO_TABLE)
        self._seat.refresh()
        return self._seat

    def _playing(self) -> TableModel:
        seat = self._require()
        if seat.model is None:
            raise AssistantError("\n".join([NO_GAME, *seat.room]))
        return seat.model

    def _news(self) -> str:
        seat = self._require()
        model = seat.model
        if model is not self._model:
            self._model, self._read = model, ()
        if model is None:
            return bounded("\n".join([*seat.room, *filter(None, [seat.trouble]), WAITING]))
        log = model.log()
        lines, self._read = unread_lines(self._read, log), log
        parts = [
            *_log_lines(lines[-MOST_LINES:]),
            *_table_lines(model),
            *filter(None, [seat.trouble]),
        ]
        if seat.is_watching:
            parts += [WATCHING]
        return bounded("\n".join(parts))


class AssistantSession(TableSession):
    """An assistant with tables of its own: it opens them, or sits down at the table of a link."""

    def __init__(self, registry: PluginRegistry) -> None:
        super().__init__()
        self._registry = registry

    def games(self) -> str:
        """Return the names of the installed games with their summaries."""
        games = self._registry.games().items()
        lines = [f"- {name}: {declared.summarize()}" for name, declared in games]
        return bounded("\n".join(lines) or "No game is installed.")

    def rules(self, game: str) -> str:
        """Return the rules of a game, or of the table without its name."""
        if not game:
            return self.table_rules()
        rules = self._registry.game(game)
        seats = rules.seats.default
        return bounded(rules_with_options(rules, resolve_options(rules, {}, seats), seats))

    def new_table(
        self,
        game: str,
        players: int | None,
        opponents: Sequence[str],
        options: Mapping[str, str],
        name: str,
    ) -> str:
        """Open a table with bots, leave the present one, and return the new table."""
        rules = self._registry.game(game)
        seat = open_seat(self._registry, name, rules, players, opponents, dict(options))
        self.take(seat)
        seat.wait_for_turn(LONGEST_WAIT)
        return self.table()

    def sit(self, link: str, name: str) -> str:
        """Take a seat at the table of a link, leave the present one, and return the new table."""
        # Tables of this process need no library for networks.
        from cardhub.online.assistant.served_seat import join_seat

        self.take(join_seat(link, name))
        return self.table()


def unread_lines(read: Sequence[LogLine], log: Sequence[LogLine]) -> Sequence[LogLine]:
    """Return the lines from the first one that has changed since the assistant read the log.

    Further steps can extend the last line, and a takeback ends lines.
    """
    pairs = enumerate(zip(read, log, strict=False))
    first = (n for n, (old, new) in pairs if (old.step, old.text) != (new.step, new.text))
    return log[next(first, len(read)) :]


def _log_lines(lines: Sequence[LogLine]) -> list[str]:
    if not lines:
        return []
    texts = ["# The log", ""]
    for line in lines:
        texts += [f"- {line.text}"] if line.text else []
        texts += summary_lines(line.summary, WIDTH) if line.summary is not None else []
    return [*texts, ""]


def _table_lines(model: TableModel) -> list[str]:
    view, result = model.view(), model.result()
    if view.is_over and result is not None:
        return ["# The result", "", *result_lines(result, model.catalogue, WIDTH, UNICODE)]
    bare = replace(view, choices=())  # the choices are listed by their whole names
    lines = ["# The table", "", *table_lines(bare, model.catalogue, WIDTH), prompt_text(view)]
    if not view.choices:
        return [*lines, WAITING]
    return [*lines, "", "Your legal actions:", *choice_lines(view.choices)]


def read_whole_name(view: View, text: str) -> int | None:
    """Return the legal action with a whole name or notation, or None if there is not exactly one.

    Case and spacing do not matter. An amount is a part of the name.
    """
    name = folded(text)
    actions = {action for choice in view.choices for action in _actions(choice, name)}
    return actions.pop() if len(actions) == 1 else None


def _actions(choice: ChoiceView, name: str) -> list[int]:
    if choice.amounts is None:
        is_meant = name in (folded(choice.name), folded(choice.notation))
        return [choice.action] if is_meant else []
    numbers = [int(word) for word in name.split() if word.isdecimal() and len(word) < 10]
    exact = [choice.with_amount(n) for n in numbers if n in choice.amounts.amounts]
    return [single.action for single in exact if folded(single.name) == name]


def bounded(text: str) -> str:
    """Return a text without control characters and of bounded length."""
    return clipped(printable(text, lines=True), MOST_TEXT)
