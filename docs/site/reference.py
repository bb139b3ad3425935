"""The reference: which docstrings stand on which page."""

import importlib
import inspect
from types import ModuleType

from cardhub import errors, stats
from cardhub.plugins.hookspecs import HOOKS

PAGES: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "games": (
        "Games",
        "What a game declares and writes. All of it comes from the package `cardhub`.",
        (
            "cardhub.Game",
            "cardhub.game.game.Rules",
            "cardhub.game.game.SearchHints",
            "cardhub.game.game.Display",
            "cardhub.Seats",
            "cardhub.Goal",
            "cardhub.State",
            "cardhub.table.state.CHANCE",
            "cardhub.table.state.OVER",
            "cardhub.shared",
            "cardhub.per_seat",
            "cardhub.piles",
            "cardhub.per_token",
            "cardhub.Actions",
            "cardhub.Tokens",
            "cardhub.Sites",
            "cardhub.Choice",
            "cardhub.Players",
            "cardhub.load_cards",
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
        "How a game describes the table, and the words it has for what happened.",
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
            "cardhub.PlayedStep",
            "cardhub.Frequency",
            "cardhub.Names",
        ),
    ),
    "options": (
        "Options",
        "What can be set in a game or a bot.",
        (
            "cardhub.Settings",
            "cardhub.table.settings.Option",
            "cardhub.Flag",
            "cardhub.Number",
            "cardhub.OneOf",
            "cardhub.SeatNumber",
            "cardhub.AnyBot",
            "cardhub.File",
            "cardhub.OptionError",
        ),
    ),
    "bots": (
        "Bots",
        "What a bot is asked, what it is shown, and how it is offered.",
        (
            "cardhub.Bot",
            "cardhub.BotEntry",
            "cardhub.Observation",
            "cardhub.Adviser",
            "cardhub.Comparer",
            "cardhub.Rated",
            "cardhub.Interruptible",
            "cardhub.Playout",
            "cardhub.MixedBot",
            "cardhub.hidden.chance.advance",
            "cardhub.hidden.chance.pass_chance",
            "cardhub.table.scoring.returns",
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
        "A table without a screen: seats, the referee, records.",
        (
            "cardhub.play.seating.Player",
            "cardhub.play.setup.set_up",
            "cardhub.play.setup.seated",
            "cardhub.play.setup.play_out",
            "cardhub.play.referee.Referee",
            "cardhub.play.announcing.events.Event",
            "cardhub.play.records.recording.record_to",
            "cardhub.play.records.reading.read_record",
            "cardhub.play.records.reading.Record",
            "cardhub.play.records.replaying.open_record",
            "cardhub.play.records.replaying.replay",
            "cardhub.play.records.redaction.redact",
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
        "A match from a program: read, played, and what comes of it.",
        (
            "cardhub.match.matchfile.reader.read_match",
            "cardhub.match.match_spec.Match",
            "cardhub.match.run.runner.run",
            "cardhub.match.run.runner.RunOptions",
            "cardhub.match.run.runner.Watcher",
            "cardhub.match.run.match_state.MatchState",
            "cardhub.match.log.log_reader.read_games",
            "cardhub.match.task.GameResult",
            "cardhub.match.log.lookup.find_game",
            "cardhub.match.log.transcript.record_text",
            "cardhub.match.verify.verifier.verify",
            "cardhub.analysis.analyse",
            "cardhub.report.report_files.write_reports",
        ),
    ),
    "statistics": (
        "Statistics",
        "All of it comes from `cardhub.stats`, which imports numpy and scipy.",
        tuple(f"cardhub.stats.{name}" for name in stats.__all__ if name != "NOBODY"),
    ),
    "learning": (
        "Learning",
        "Games as arrays, in PettingZoo and in OpenSpiel.",
        (
            "cardhub.arrays.Layout",
            "cardhub.arrays.Part",
            "cardhub.adapters.vector.vector_env",
            "cardhub.adapters.vector.table_spec",
            "cardhub.adapters.vector.VectorEnv",
            "cardhub.adapters.vector.BatchArrays",
            "cardhub.adapters.pettingzoo.env",
            "cardhub.adapters.pettingzoo.raw_env",
            "cardhub.adapters.openspiel.load",
            "cardhub.adapters.openspiel.register",
            "cardhub.adapters.openspiel.tabular",
        ),
    ),
    "errors": ("Errors", "The exceptions of cardhub, as a tree.", ("cardhub.errors",)),
}
"""By name of the page: its title, a sentence, and what it explains, as one imports it."""

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
    """Import what a dotted name stands for."""
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
