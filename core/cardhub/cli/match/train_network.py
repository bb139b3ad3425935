"""`cardhub train GAME`: train an opponent, and measure how strong it is."""

import shlex
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cardhub.base.errors import OptionError
from cardhub.base.writing import amount, number, signed
from cardhub.cli.console import echo
from cardhub.cli.params import (
    GAME,
    SETTINGS,
    new_file_option,
    number_option,
    players_option,
    seed_option,
    workers_option,
)
from cardhub.cli.root import registry_of
from cardhub.lab.analysis.schema import GameStatistics
from cardhub.lab.estimate import OpenEstimate
from cardhub.lab.report import number_format as fmt
from cardhub.model.game.initial_state import game_scoring, resolve_options
from cardhub.model.table.goal import Goal
from cardhub.model.table.scoring import Scoring
from cardhub.plugins.bot_files import files_of
from cardhub.plugins.registry import PluginRegistry

if TYPE_CHECKING:  # they load PyTorch
    from cardhub.learning.train.training import Training
    from cardhub.learning.train.training_run import Report

SUFFIX = ".net"
MINUTES = 30.0


@click.command(
    epilog="The same command continues an interrupted training; more minutes train further."
)
@click.argument("game", metavar="GAME", type=GAME, help="A game.")
@players_option()
@SETTINGS
@click.option(
    "--minutes",
    type=click.FloatRange(min=0, min_open=True),
    metavar="N",
    help=f"Minutes of training in all. Default: {MINUTES:g}.",
)
@number_option("--updates", "Updates in all, instead of minutes: equal seeds give equal files.")
@new_file_option("--out", "File for the opponent. Default: GAME.net.")
@click.option(
    "--continue",
    "source",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Continue the training of this file.",
)
@click.option(
    "--from",
    "teacher",
    metavar="BOT",
    help="Bot that the first quarter of the training imitates, for example ismcts:200.",
)
@workers_option("Number of processes that play the games; the result does not depend on it.")
@seed_option("Seed of the training.")
@click.pass_context
def train(
    ctx: click.Context,
    game: str,
    players: int | None,
    settings: tuple[tuple[str, str], ...],
    minutes: float | None,
    updates: int | None,
    out: Path | None,
    source: Path | None,
    teacher: str | None,
    workers: int | None,
    seed: int,
) -> None:
    """Train an opponent by self-play, and measure how strong it is.

    It begins with random play, or imitates another bot, and learns from games against
    itself. The result is a file for the bot net:FILE, which plays everywhere without PyTorch.
    """
    if minutes and updates:
        raise click.UsageError("--minutes and --updates are mutually exclusive", ctx)
    # Imported late, because PyTorch takes seconds to load. Without it the error has the remedy.
    from cardhub.learning.train.plan import TrainingPlan
    from cardhub.learning.train.training import Training
    from cardhub.learning.train.training_run import Limits, run_training

    registry = registry_of(ctx)
    rules = registry.game(game)
    seats = players or rules.seats.default
    options = dict(resolve_options(rules, dict(settings), seats))
    plan = TrainingPlan(game, seats, seed, options, teacher or "")
    path = out or source or Path(f"{game}{SUFFIX}")
    _check_teacher(teacher, path, game, registry)
    limits = Limits(None if updates else 60 * (minutes or MINUTES), updates)
    notes = {"command": _command(ctx)}
    with closing(Training(registry, plan, workers or 1)) as training:
        _restore(training, path, source)
        with _saved(path):
            run_training(training, path, limits, notes, registry, _print_report)
            _measure(training, path, notes, registry)


def _check_teacher(teacher: str | None, path: Path, game: str, registry: PluginRegistry) -> None:
    """Raise OptionError if the training would change its teacher's network."""
    if teacher and path.resolve() in {p.resolve() for p in files_of(registry, teacher, game)}:
        raise OptionError(
            f"{path} is the network of the teacher, which the training would change. "
            "fix: --out FILE, another file for the new network"
        )


def _restore(training: "Training", path: Path, source: Path | None) -> None:
    """Go on from a file: the result of the same command, or else the source that it names."""
    from cardhub.learning.train.training import is_branch

    if source is not None and not is_branch(path, source):
        training.branch_from(source)
    elif path.exists():
        training.restore(path)


def _command(ctx: click.Context) -> str:
    """Return the command as it can be typed again."""
    words = [*ctx.command_path.split(), str(ctx.params["game"])]
    for option in ctx.command.params:
        value = ctx.params[option.name or ""]
        if isinstance(option, click.Option) and value not in (None, (), option.default):
            rows = [f"{key}={setting}" for key, setting in value] if option.multiple else [value]
            words += [word for row in rows for word in (option.opts[0], str(row))]
    return shlex.join(words)


@contextmanager
def _saved(path: Path) -> Iterator[None]:
    """Say how an interrupted training goes on."""
    try:
        yield
    except (KeyboardInterrupt, SystemExit):
        message = f"\nInterrupted: {path} has the training so far. The same command continues."
        with suppress(OSError):  # the terminal may be closed
            echo(message, err=True)
        raise


def _print_report(report: "Report") -> None:
    training = report.training
    scoring = _scoring(training)
    scores = (f"{name} {_score(value, scoring)}" for name, value in report.scores.items())
    columns = [
        f"{training.seconds / 60:.1f} min",
        _games(training) if report.is_taught else f"{training.games:,} games",
        f"{report.speed:,.0f} a second",
        *([f"score against {', '.join(scores)}"] if report.scores else []),
        *([] if training.gain is None else [_gain(training.gain, training)]),
        f"{report.seconds_left / 60:.1f} min left",
    ]
    echo(" · ".join(columns), err=True)


def _games(training: "Training") -> str:
    """Return how many games of the teacher there were."""
    return f"{amount(training.teacher_games, 'game')} of {training.plan.teacher}"


def _gain(gain: float, training: "Training") -> str:
    """Return what a best response gains, in a sentence without its full stop."""
    scoring = _scoring(training)
    unit = scoring.unit_of_scores if scoring.goal is Goal.SCORE else "return"
    return f"A best response gains {gain:.3f} {unit} a game"


def _scoring(training: "Training") -> Scoring:
    layout = training.layout
    return game_scoring(layout.game, layout.settings, layout.seats)


def _score(value: float, scoring: Scoring) -> str:
    """Return a mean utility as points, or as a score of which one half is even."""
    if scoring.goal in (Goal.SCORE, Goal.COMMON):
        return signed(value, 2)
    return number((value + 1) / 2, 2)


def _interval(score: OpenEstimate | None, stats: GameStatistics) -> str:
    """Return a score with its interval: in points, or from 0 to 1 with one half as even."""
    if stats.scoring == fmt.POINTS:
        return fmt.points(score, stats.unit)
    return f"{fmt.value(score, 2)} {fmt.bracketed(fmt.span(score, 2))}"


def _measure(
    training: "Training", path: Path, notes: Mapping[str, object], registry: PluginRegistry
) -> None:
    """Play a match, print its result and how to go on, and add the figures to the file."""
    from cardhub.learning.train.measuring import play_final_match, rivals_of

    game = training.plan.game
    stats = play_final_match(registry, training.plan, path, rivals_of(registry, game))
    scores = {pair.b: [*(pair.score_fixed or ())] for pair in stats.pairs}
    parts = [
        amount(training.updates, "update"),
        *([_games(training)] if training.teacher_games else []),
        f"{amount(training.games, 'game')} of self-play",
    ]
    echo(f"{path}: {', '.join(parts)}")
    for pair in stats.pairs:
        played = f"{amount(pair.games, 'game')} on equal deals"
        echo(f"against {pair.b}: {_interval(pair.score_fixed, stats)} ({played}, interval at 95 %)")
    figures: dict[str, Any] = {"scores": scores}
    gain = training.gain_in_file(path)
    if gain is not None:
        figures["exploitability"] = gain
        echo(f"{_gain(gain, training)}.")
    training.save(path, {**notes, **figures})
    echo(f"Play against it: cardhub play {game} --seat Anna=human --seat Bob=net:{path}")
