"""Third-party plugins in processes of their own, which describe their bots as plain data.

The process of a referee must not import a plugin that brings only bots: its code could change the
rules. Each such plugin is imported by one child process, in the sandbox if there is one, which
describes its bots and answers questions on their settings. The receiver builds entries with the
same names and options; the bots can only be created where the plugin is imported.
"""

import os
import weakref
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue
from random import Random
from threading import Lock
from typing import Any, Literal, NoReturn, TypeAlias

from msgspec import Struct, ValidationError, convert, msgpack
from msgspec.structs import replace
from pluggy import PluginManager
from typing_extensions import override

from cardhub.base.errors import PluginError
from cardhub.base.errors.quoting import describe_exception
from cardhub.bots import AnyBot, BotEntry, Command, File, Seconds, Workers
from cardhub.bots.bot import always_playable, ignores_clock
from cardhub.bots.deadline import get_within
from cardhub.bots.processes.child_process import ChildProcess, FrameError
from cardhub.bots.processes.launch import Confinement, processors
from cardhub.bots.processes.python_process import (
    Channel,
    Failed,
    build_failed,
    frame_codec,
    start_python,
)
from cardhub.bots.processes.sandbox import Sandbox, python_files
from cardhub.bots.spec import FileName, Variables
from cardhub.model.game.game import Game
from cardhub.model.table.settings import (
    Flag,
    Number,
    OneOf,
    Option,
    SeatNumber,
    Settings,
    Value,
)
from cardhub.plugins.discovery import Declaration, declare_plugins
from cardhub.plugins.groups import PLUGINS
from cardhub.plugins.hookspecs import PROJECT
from cardhub.plugins.loading import Plugin, load
from cardhub.plugins.registrations import GameCollection
from cardhub.plugins.validation import validate_plugin

# The options of cardhub by name: plain data, which is checked when it is received.
KINDS: dict[str, type[Option]] = {
    kind.__name__: kind
    for kind in (
        *(AnyBot, Command, File, FileName, Flag, Number, OneOf, SeatNumber, Seconds, Variables),
        Workers,
    )
}
# Options that cardhub treats in a special way, also if a plugin derives its own from them.
SPECIAL = (AnyBot, Command, File, Workers)


class DescribedOption(Struct, frozen=True):
    """An option: its class in KINDS with its fields; for a plugin's own class, no `kind`."""

    kind: str
    fields: dict[str, Any]


class DescribedBot(Struct, frozen=True):
    """The entry of a bot, without its functions; the flags say which of them have to be asked."""

    name: str
    summary: str
    games: tuple[str, ...] | None
    options: dict[str, DescribedOption]
    has_clock: bool
    has_refusal: bool
    needs_determinizations: bool
    needs_networks: bool
    has_warm_up: bool


class DescribedPlugin(Struct, frozen=True, tag=True):
    """The bots of a plugin, and its collections of games with their summaries."""

    bots: tuple[DescribedBot, ...]
    collections: dict[str, str]


class EntryQuestion(Struct, frozen=True, tag=True):
    """A question to a function of a bot's entry, or of one of its options.

    `clock` and `refusal` depend on the settings, `refusal` also on the game; `read` and `describe`
    are methods of an option of a plugin's own class.
    """

    bot: int
    topic: Literal["clock", "refusal", "read", "describe"]
    game: str = ""
    settings: dict[str, Value] = {}
    option: str = ""
    value: Value = ""
    seats: int = 0


class EntryAnswer(Struct, frozen=True, tag=True):
    """The answer to an EntryQuestion."""

    value: Value | None


AskEntry = Callable[[EntryQuestion], Value | None]


def describe_plugin(plugin: Plugin) -> DescribedPlugin:
    """Return the bots and collections of an imported plugin as data."""
    return DescribedPlugin(
        tuple(map(_described_bot, plugin.bots)),
        {collection.name: collection.summary for collection in plugin.collections},
    )


def answer_question(plugin: Plugin, question: EntryQuestion) -> EntryAnswer:
    """Return the answer of an imported plugin; raises any exception of its code."""
    entry, settings = plugin.bots[question.bot], Settings(question.settings)
    if question.topic == "clock":
        return EntryAnswer(bool(entry.uses_clock(settings)))
    if question.topic == "refusal":
        return EntryAnswer(str(entry.refusal(question.game, settings)))
    option = entry.options[question.option]
    if question.topic == "describe":
        return EntryAnswer(str(option.describe(question.seats)))
    return EntryAnswer(option.read(question.value, question.seats))


def stand_in(declared: Declaration, described: DescribedPlugin, ask: AskEntry) -> Plugin:
    """Return a plugin that is not imported, built from its description; raises PluginError.

    `ask`: a function that asks the process of the plugin.
    """
    try:
        bots = tuple(
            _entry(declared, number, bot, ask) for number, bot in enumerate(described.bots)
        )
        collections = tuple(
            GameCollection(name, summary, partial(_refuse_game, declared))
            for name, summary in described.collections.items()
        )
    except (ValidationError, ValueError) as error:
        raise PluginError(f"{declared} describes its bots in an invalid way: {error}") from error
    return Plugin(declared, (), PluginManager(PROJECT), (), collections, bots, (), ())


def _described_bot(entry: BotEntry) -> DescribedBot:
    return DescribedBot(
        name=entry.name,
        summary=entry.summary,
        games=entry.games,
        options={name: _described_option(option) for name, option in entry.options.items()},
        has_clock=entry.uses_clock is not ignores_clock,
        has_refusal=entry.refusal is not always_playable,
        needs_determinizations=bool(entry.needs_determinizations),
        needs_networks=bool(entry.needs_networks),
        has_warm_up=entry.warm_up is not None,
    )


def _described_option(option: Option) -> DescribedOption:
    kind = type(option)
    if kind.__name__ not in KINDS or KINDS[kind.__name__] is not kind:
        special = [base for base in SPECIAL if isinstance(option, base)]
        if not special:
            return DescribedOption("", {"default": option.default, "help": option.help})
        kind = special[0]
    # `fields` accepts any dataclass, as all classes in KINDS are.
    names = [field.name for field in fields(kind)]  # type: ignore[arg-type]
    return DescribedOption(kind.__name__, {name: getattr(option, name) for name in names})


def _entry(declared: Declaration, number: int, bot: DescribedBot, ask: AskEntry) -> BotEntry:
    options = {
        name: _option(option, EntryQuestion(number, "read", option=name), ask)
        for name, option in bot.options.items()
    }
    uses_clock = partial(_ask_clock, ask, number) if bot.has_clock else ignores_clock
    refusal = partial(_ask_refusal, ask, number) if bot.has_refusal else always_playable
    return BotEntry(
        bot.name,
        bot.summary,
        partial(_refuse_bot, declared),
        bot.games,
        options,
        uses_clock,
        refusal,
        bot.needs_determinizations,
        bot.needs_networks,
        partial(_refuse_warm_up, declared) if bot.has_warm_up else None,
    )


def _option(described: DescribedOption, question: EntryQuestion, ask: AskEntry) -> Option:
    if described.kind:
        if described.kind not in KINDS:
            raise ValueError(f"there is no kind of option {described.kind!r}")
        return convert(described.fields, KINDS[described.kind])
    common = convert(described.fields, _CommonFields)
    return AskedOption(common.default, common.help, question, ask)


class _CommonFields(Struct):
    default: Value
    help: str


@dataclass(frozen=True, slots=True)
class AskedOption(Option):
    """An option of a plugin's own class, whose methods are asked in the plugin's process."""

    default: Value
    help: str
    question: EntryQuestion
    ask: AskEntry

    @override
    def describe(self, seats: int) -> str:
        return str(self.ask(replace(self.question, topic="describe", seats=seats)))

    @override
    def read(self, value: Value, seats: int) -> Value | None:
        return self.ask(replace(self.question, value=value, seats=seats))


def _ask_clock(ask: AskEntry, bot: int, settings: Settings) -> bool:
    return bool(ask(EntryQuestion(bot, "clock", settings=dict(settings))))


def _ask_refusal(ask: AskEntry, bot: int, game: str, settings: Mapping[str, Value]) -> str:
    return str(ask(EntryQuestion(bot, "refusal", game, dict(settings))) or "")


def _refuse_bot(declared: Declaration, _rng: Random, **_options: object) -> NoReturn:
    raise PluginError(f"{declared} is not imported here: its bots play in processes of their own")


def _refuse_warm_up(declared: Declaration, _game: Game[Any], _settings: Settings) -> NoReturn:
    raise PluginError(f"{declared} is not imported here: its bots load in processes of their own")


def _refuse_game(declared: Declaration, _name: str, _rest: str) -> NoReturn:
    raise PluginError(f"{declared} is not imported here: it cannot make a game")


Reply = DescribedPlugin | EntryAnswer | Failed
PluginChild: TypeAlias = ChildProcess[EntryQuestion, Reply]

# Maximum size of a message from a plugin's process, in bytes.
LONGEST = 1 << 20
# Time limits in seconds: for an import together with the start of its process, and for an answer.
IMPORT_SECONDS = 60.0
ANSWER_SECONDS = 15.0
# Hooks whose objects are described.
DESCRIBED_HOOKS = ("register_bots", "register_collections")

REPLY_CODEC = frame_codec(msgpack.Decoder(Reply), LONGEST)
QUESTION_DECODER = msgpack.Decoder(EntryQuestion)


def serve(directories: Sequence[str], name: str, value: str) -> NoReturn:
    """Import one plugin, describe it, and answer questions until the end of the input."""
    channel = Channel(QUESTION_DECODER)
    try:
        plugin = _import_plugin(declare_plugins(map(Path, directories)), name, value)
        channel.send(describe_plugin(plugin))
    except BaseException as error:  # noqa: BLE001  # a plugin may raise anything
        channel.send(_failed(error))
        os._exit(0)
    while (question := channel.receive()) is not None:
        try:
            channel.send(answer_question(plugin, question))
        except BaseException as error:  # noqa: BLE001  # a plugin may raise anything
            channel.send(_failed(error))
    os._exit(0)


def _import_plugin(declared: Sequence[Declaration], name: str, value: str) -> Plugin:
    wanted = (PLUGINS, name, value)
    declaration = next(d for d in declared if (d.group, d.name, d.value) == wanted)
    plugin = load(declaration)
    validate_plugin(plugin, declared)
    return plugin


def _failed(error: BaseException) -> Failed:
    text = str(error) if isinstance(error, PluginError) else describe_exception(error)
    return build_failed(0, "", text, "")


class PluginProcesses:
    """The processes of third-party plugins, started when they are needed.

    `directories`: the folders of plugins. A plugin that ends its process, or that does not answer
    in time, is broken; the others are not affected.
    """

    def __init__(self, directories: Iterable[Path], sandbox: Sandbox | None = None) -> None:
        self._directories = tuple(directories)
        self._sandbox = sandbox
        self._running: dict[Declaration, _PluginProcess] = {}
        self._lock = Lock()  # several plugins are imported at a time
        weakref.finalize(self, _end_all, self._running, os.getpid())

    def describe(self, declared: Sequence[Declaration]) -> list[Plugin | PluginError]:
        """Return the plugins built from what their processes describe, or their errors."""
        number = max(1, min(processors(), len(declared)))
        with ThreadPoolExecutor(number) as threads:
            return list(threads.map(self._describe, declared))

    def close(self) -> None:
        """End all processes; they start again when they are needed."""
        _end_all(self._running, os.getpid())

    def _describe(self, declared: Declaration) -> Plugin | PluginError:
        if not any(map(declared.may_have, DESCRIBED_HOOKS)):
            return stand_in(declared, DescribedPlugin((), {}), lambda question: None)
        try:
            described = self._process(declared).described
            return stand_in(
                declared, described, lambda question: self._process(declared).ask(question)
            )
        except PluginError as error:
            return error

    def _process(self, declared: Declaration) -> "_PluginProcess":
        with self._lock:
            process = self._running.get(declared)
        if process is None:
            process = _PluginProcess(declared, self._directories, self._sandbox)
            with self._lock:
                self._running[declared] = process
        return process


class _PluginProcess:
    """A child process that has imported one plugin; raises PluginError."""

    def __init__(
        self, declared: Declaration, directories: Sequence[Path], sandbox: Sandbox | None
    ) -> None:
        self._declared = declared
        self._replies: SimpleQueue[Reply | str] = SimpleQueue()
        source = declared.source()
        files = (*directories, *([source] if source else []))
        readable = (*python_files(), *files) if sandbox else ()
        try:
            self._child: PluginChild = start_python(
                f"{__name__}:{serve.__name__}",
                [[os.fspath(path) for path in directories], declared.name, declared.value],
                REPLY_CODEC,
                lambda _, reply: self._replies.put(reply),
                self._on_exit,
                Confinement(sandbox=sandbox, readable=readable),
            )
        except OSError as error:
            reason = f"no process can be started for it: {error.strerror}"
            raise PluginError(f"{declared} cannot be asked: {reason}") from error
        try:
            described = self._reply("cannot be imported", IMPORT_SECONDS)
            if not isinstance(described, DescribedPlugin):
                raise self._broken("cannot be imported", "its process sent an unexpected message")
        except PluginError:
            self._child.kill()
            self._child.reap()
            raise
        self.described = described

    def ask(self, question: EntryQuestion) -> Value | None:
        """Return the answer to a question; raises PluginError."""
        self._child.send(question)
        answer = self._reply("cannot be asked for a bot", ANSWER_SECONDS)
        if not isinstance(answer, EntryAnswer):
            reason = "its process sent an unexpected message"
            raise self._broken("cannot be asked for a bot", reason)
        return answer.value

    def end(self) -> None:
        """End the process."""
        self._child.end()

    def close_input(self) -> None:
        """Close the input of the process, which then ends."""
        self._child.close_input()

    def _reply(self, failure: str, limit: float) -> DescribedPlugin | EntryAnswer:
        try:
            reply = get_within(self._replies, limit)
        except Empty:
            raise self._broken(failure, f"no answer within {limit:g} seconds") from None
        if isinstance(reply, str):
            raise self._broken(failure, reply)
        if isinstance(reply, Failed):
            # The message of a PluginError names the plugin already.
            text = reply.message
            is_whole = text.startswith(str(self._declared))
            raise PluginError(text if is_whole else f"{self._declared} {failure}: {text}")
        return reply

    def _broken(self, failure: str, reason: str) -> PluginError:
        self._child.kill()
        return PluginError(f"{self._declared} {failure}: {reason}")

    def _on_exit(self, _child: PluginChild, code: int, error: FrameError | None) -> None:
        reason = f"its process sent {error}" if error else f"its process ended with code {code}"
        self._replies.put(reason)


def _end_all(running: dict[Declaration, _PluginProcess], owner: int) -> None:
    # A fork also has the finalizer, but the processes belong to their starter.
    if os.getpid() != owner:
        return
    ending = list(running.values())
    running.clear()
    for process in ending:
        process.close_input()  # first all inputs: the processes then end in parallel
    for process in ending:
        process.end()
