"""The reference: which docstrings stand on which page."""

import importlib
import inspect
from types import ModuleType

from cardhub import lab
from cardhub.base import errors
from cardhub.lab.analysis import schema
from cardhub.plugins.hookspecs import HOOKS

SCHEMA = [
    name
    for name, thing in reversed(vars(schema).items())
    if inspect.isclass(thing) and thing.__module__ == schema.__name__
]
"""The structs of the statistics; a struct comes before its parts."""

STATISTICS = [
    name for name in lab.__all__ if getattr(lab, name).__module__.startswith("cardhub.lab.stats")
]
"""The functions and classes of statistics among the names of `cardhub.lab`."""

PAGES: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "games": (
        "Games",
        "What a game declares and writes. All of it comes from the package `cardhub`.",
        (
            "cardhub.Game",
            "cardhub.Heuristics",
            "cardhub.Display",
            "cardhub.Seats",
            "cardhub.Goal",
            "cardhub.State",
            "cardhub.model.table.state.CHANCE",
            "cardhub.model.table.state.OVER",
            "cardhub.model.table.actions.UNSEEN_ACTION",
            "cardhub.model.table.beats.WATCHED",
            "cardhub.shared",
            "cardhub.per_seat",
            "cardhub.piles",
            "cardhub.per_token",
            "cardhub.Range",
            "cardhub.Usual",
            "cardhub.IndexOf",
            "cardhub.BitsOf",
            "cardhub.Omitted",
            "cardhub.simultaneous",
            "cardhub.private",
            "cardhub.view_history",
            "cardhub.Actions",
            "cardhub.Amount",
            "cardhub.Tokens",
            "cardhub.Sites",
            "cardhub.Choice",
            "cardhub.Players",
            "cardhub.load_cards",
            "cardhub.french_deck",
            "cardhub.Cards",
            "cardhub.Card",
            "cardhub.clockwise",
            "cardhub.first_seat",
            "cardhub.left_of",
            "cardhub.connected",
            "cardhub.numbers",
            "cardhub.site_label",
            "cardhub.orthogonal",
        ),
    ),
    "scenes": (
        "Scenes",
        "How a game describes the table, and its sentences about actions.",
        (
            "cardhub.Scene",
            "cardhub.Area",
            "cardhub.Grid",
            "cardhub.SeatLine",
            "cardhub.Counter",
            "cardhub.Tally",
            "cardhub.TallyRow",
            "cardhub.Target",
            "cardhub.Summary",
            "cardhub.BreakdownSection",
            "cardhub.BreakdownRow",
            "cardhub.listed",
            "cardhub.amount",
            "cardhub.signed",
            "cardhub.PlayedStep",
            "cardhub.Frequency",
            "cardhub.Names",
            "cardhub.Opponent",
        ),
    ),
    "options": (
        "Options",
        "What can be set in a game or a bot.",
        (
            "cardhub.Settings",
            "cardhub.model.table.settings.Option",
            "cardhub.Flag",
            "cardhub.Number",
            "cardhub.OneOf",
            "cardhub.SeatNumber",
            "cardhub.AnyBot",
            "cardhub.File",
            "cardhub.model.table.settings.Value",
            "cardhub.OptionError",
        ),
    ),
    "bots": (
        "Bots",
        "The interface of a bot, its observation, and its registration.",
        (
            "cardhub.Bot",
            "cardhub.BotEntry",
            "cardhub.Observation",
            "cardhub.Adviser",
            "cardhub.Comparer",
            "cardhub.Searcher",
            "cardhub.Rated",
            "cardhub.Interruptible",
            "cardhub.Playout",
            "cardhub.MixedBot",
            "cardhub.Evaluator",
            "cardhub.advance",
            "cardhub.pass_chance",
            "cardhub.game_scoring",
            "cardhub.model.hidden.observation.EVERYTHING",
        ),
    ),
    "plugins": (
        "Plugins",
        "The hooks, each marked with `hookimpl`, and what they register.",
        (
            *(f"cardhub.plugins.hookspecs.{hook}" for hook in HOOKS),
            "cardhub.GameCollection",
            "cardhub.Theme",
            "cardhub.Exporter",
            "cardhub.Playthrough",
            "cardhub.Moment",
            "cardhub.plugins.registry.find_plugins",
            "cardhub.plugins.registry.PluginRegistry",
        ),
    ),
    "playing": (
        "Playing from Python",
        "Whole games and single steps. All of it comes from `cardhub.play`.",
        (
            "cardhub.play.play_game",
            "cardhub.play.Table",
            "cardhub.play.read_game",
            "cardhub.play.Player",
        ),
    ),
    "testing": (
        "Tests",
        "What every game and every bot is tested for, and examples set up by hand.",
        (
            "cardhub.testing.checks",
            "cardhub.testing.check_game",
            "cardhub.testing.check_bot",
            "cardhub.testing.ByHand",
            "cardhub.testing.inspect_game",
            "cardhub.testing.check_spec",
            "cardhub.testing.BotReport",
            "cardhub.testing.Finding",
            "cardhub.testing.GameReport",
            "cardhub.testing.GameFinding",
            "cardhub.testing.ConformanceError",
        ),
    ),
    "matches": (
        "Matches",
        "A match from a program. All of it comes from `cardhub.lab`.",
        (
            "cardhub.lab.run_match",
            "cardhub.lab.read_match",
            "cardhub.lab.Match",
            "cardhub.lab.Watcher",
            "cardhub.lab.MatchState",
            "cardhub.lab.Block",
            "cardhub.lab.GameResult",
            "cardhub.lab.Timing",
        ),
    ),
    "results": (
        "Results",
        "The fields of `result.json`, from the whole file to its parts.",
        (
            "cardhub.lab.match.log.result_file.Result",
            "cardhub.lab.match.log.result_file.RevealedSalt",
            *(f"cardhub.lab.analysis.schema.{name}" for name in SCHEMA),
        ),
    ),
    "statistics": (
        "Statistics",
        "All of it comes from `cardhub.lab`; it imports numpy and scipy.",
        tuple(f"cardhub.lab.{name}" for name in STATISTICS),
    ),
    "learning": (
        "Learning",
        "Games as arrays, in Gymnasium, in PettingZoo and in OpenSpiel; models and leagues.",
        (
            "cardhub.learning.Layout",
            "cardhub.learning.Part",
            "cardhub.learning.vector_env",
            "cardhub.learning.table_spec",
            "cardhub.learning.VectorEnv",
            "cardhub.learning.BatchArrays",
            "cardhub.learning.save",
            "cardhub.learning.Policy",
            "cardhub.learning.League",
            "cardhub.learning.LeagueResult",
            "cardhub.learning.LeagueRating",
            "cardhub.learning.maskable_ppo",
            "cardhub.gymnasium.env",
            "cardhub.gymnasium.vector_env",
            "cardhub.pettingzoo.env",
            "cardhub.pettingzoo.raw_env",
            "cardhub.textarena.env",
            "cardhub.textarena.register",
            "cardhub_openspiel.load",
            "cardhub_openspiel.register",
            "cardhub_openspiel.tabular",
        ),
    ),
    "errors": ("Errors", "The exceptions of cardhub, as a tree.", ("cardhub.base.errors",)),
}
"""By name of the page: its title, a sentence, and the names that it documents."""

_NAMES = [name.rpartition(".")[2] for _, _, names in PAGES.values() for name in names]
LINKED = {name for name in [*_NAMES, *vars(errors)] if _NAMES.count(name) < 2}
"""The names that lead to one place only."""


def reference_page(name: str) -> str:
    """Return a page for Sphinx, which fills it from the docstrings."""
    title, sentence, things = PAGES[name]
    parts = [f"{title}\n{'=' * len(title)}\n\n{sentence.replace('`', '``')}\n"]
    parts += [f".. {_directive(thing)}:: {thing}\n" for thing in things]
    return "\n".join(parts)


def thing_called(name: str) -> object:
    """Import the module or attribute of a dotted name."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError:
        module, _, attribute = name.rpartition(".")
        return getattr(importlib.import_module(module), attribute)


def _directive(name: str) -> str:
    thing = thing_called(name)
    if isinstance(thing, ModuleType):
        return "automodule"
    if inspect.isclass(thing):
        return "autoclass"
    return "autofunction" if inspect.isroutine(thing) else "autodata"
