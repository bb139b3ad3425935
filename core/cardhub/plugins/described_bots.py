"""Bots of a plugin as plain data, which a process sends instead of running the plugin's code.

The receiver builds entries with the same names and options. Their functions ask the process of the
plugin, and their bots can only be created where the plugin is imported.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import partial
from random import Random
from typing import Any, Literal, NoReturn

from msgspec import Struct, ValidationError, convert
from pluggy import PluginManager
from typing_extensions import override

from cardhub.base.errors import PluginError
from cardhub.bots import AnyBot, BotEntry, Command, File, Seconds, Workers
from cardhub.bots.bot import always_playable, ignores_clock
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
from cardhub.plugins.discovery import Declaration
from cardhub.plugins.hookspecs import PROJECT
from cardhub.plugins.loading import Plugin
from cardhub.plugins.registrations import GameCollection

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
        return str(self.ask(_changed(self.question, topic="describe", seats=seats)))

    @override
    def read(self, value: Value, seats: int) -> Value | None:
        return self.ask(_changed(self.question, value=value, seats=seats))


def _changed(question: EntryQuestion, **changes: Any) -> EntryQuestion:
    given = {name: getattr(question, name) for name in question.__struct_fields__}
    return EntryQuestion(**given | changes)


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
