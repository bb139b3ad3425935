"""The speed goals of cardhub, measured in one run and printed as a table for docs/benchmarks.md.

Every row compares two sides that take turns in each round, by CPU time; a ratio is cardhub's rate
divided by the other side's in the same round, as median and range. With `--against`, play and
search of some games are compared with another checkout of cardhub, given by its Python. Run it
interpreted and compiled (docs/compiling.md); the output shows which. Where Pgx or PyTorch is not
installed, the rows that need it say so. `--only TEXT` measures the rows with this text.
"""

import argparse
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from importlib.machinery import ExtensionFileLoader
from pathlib import Path
from random import Random
from time import process_time
from typing import NamedTuple
from unittest.mock import patch

import contenders as c
from cardhub.bots.search.simulation import Playout  # its place in older checkouts as well
from cardhub.model.table.settings import Value
from cardhub.plugins.registry import find_plugins
from learning_speed import SHARED, TABLES, tables_play, tensor_play
from peers import SAME, Make, Rate, Run, compared, measure, present, take_turns, versions
from rules_in_c import COUNT, IN_C, play_out
from searching import position
from speed import surroundings
from subjects import Installed, ReferenceGame, Subject, read_reference

GARGON_SEATS = 4
# Games with the least ratio of their tables in C to those in Python, and of their playouts.
TABLES_IN_C = {"gamon": "2.0", "gargon": "3.0", "garner": "3.0", "hearts": "3.0"}
PLAYOUTS_IN_C = {"gamon": "5.0", "gargon": "5.0", "garner": "5.0"}
GROUPS_IN_C = "cardhub.learning.adapters.vector.native_group.rules_in_c"
TRAINED, TRAINING_RATE = "gamon", 25_000
# The games that are compared with another checkout.
COMPARED = ("gamon", "gargon", "garner", "kuhn", "leduc", "hearts")
ITERATIONS = 300
ROLLOUTS = 200


class Goal(NamedTuple):
    """A row: what is compared, with the least ratio interpreted and compiled, "" for none.

    `theirs` is the other side, or a rate that it need not measure.
    """

    work: str
    against: str
    interpreted: str
    compiled: str
    ours: Make
    theirs: Make | int


def main() -> None:
    """Run the benchmark and print its table."""
    arguments = read_arguments()
    if arguments.side:
        serve_side(*arguments.side)
        return
    print(surroundings(), versions(), sep="\n")
    print(f"{mode()}; {arguments.rounds} rounds of {arguments.seconds} s for each side\n")
    print("| work | against | ratio | goal interpreted | goal compiled |")
    print("|---|---|---|---|---|")
    with ExitStack() as stack:
        for goal in goals(arguments.trial, arguments.against, stack):
            if arguments.only not in goal.work:
                continue
            ratio = measured(goal, arguments.rounds, arguments.seconds)
            cells = (goal.work, goal.against, ratio, goal.interpreted, goal.compiled)
            print(f"| {' | '.join(cells)} |", flush=True)
            stack.close()  # ends the process of another checkout


def read_arguments() -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--seconds", type=float, default=0.3)
    parser.add_argument("--trial", type=Path, metavar="FILE", help="a file with a class Gargon")
    parser.add_argument("--against", metavar="PYTHON", help="the Python of another checkout")
    parser.add_argument("--only", default="", metavar="TEXT", help="rows of works with this text")
    parser.add_argument("--side", nargs=2, metavar=("WORK", "GAME"), help=argparse.SUPPRESS)
    return parser.parse_args()


def mode() -> str:
    """Return how the code under test runs."""
    loader = sys.modules["cardhub.model.table.state"].__loader__
    return "compiled" if isinstance(loader, ExtensionFileLoader) else "interpreted"


def goals(trial: Path | None, against: str | None, stack: ExitStack) -> Iterator[Goal]:
    """Yield the rows that can be measured with what is given."""
    yield from spiel_goals()
    yield from learner_goals()
    yield from goals_in_c()
    if trial is not None:
        yield Goal(
            f"gargon, {GARGON_SEATS} seats, random play",
            trial.name,
            "1.0",
            "2.5",
            lambda: stepping(Installed(find_plugins().game("gargon"), GARGON_SEATS)),
            lambda: stepping(ReferenceGame(read_reference(trial, "Gargon"), GARGON_SEATS)),
        )
    for game in COMPARED if against else ():
        for work, make in WORKS.items():
            ours = partial(make, game, {})
            theirs = partial(other_side, str(against), work, game, stack)
            yield Goal(f"{game} {work}", "the other checkout", "0.97", "0.97", ours, theirs)


def spiel_goals() -> Iterator[Goal]:
    """Yield the rows against OpenSpiel."""
    for same in SAME:
        game, theirs = (same.ours, same.options), (same.theirs, same.opening)
        play, search = partial(c.cardhub_play, *game), partial(c.cardhub_search, *game, ITERATIONS)
        rest = f"{same.caption} random play", "OpenSpiel's game in C++, driven from Python"
        yield Goal(*rest, "0.85", "2.0", play, partial(c.spiel_play, *theirs))
        rest = f"{same.caption} rollouts", "OpenSpiel inside C++"
        ours = partial(rollout, *game)
        yield Goal(*rest, "", "2.0", ours, partial(spiel_rollout, *theirs))
        rest = f"{same.caption} search", "OpenSpiel's ISMCTSBot in C++"
        yield Goal(*rest, "", "1.0", search, partial(c.compiled_search, *theirs, ITERATIONS))
    least = SAME[1]
    search = partial(c.cardhub_search, least.ours, least.options, ITERATIONS)
    other = partial(c.python_search, least.theirs, least.opening, ITERATIONS)
    yield Goal(f"{least.caption} search", "OpenSpiel's ismcts in Python", "4.0", "", search, other)


def learner_goals() -> Iterator[Goal]:
    """Yield the rows of environments with arrays and masks."""
    for shared in SHARED[:2]:
        work = f"{shared.ours} learners, {TABLES} tables"
        play, tensors = partial(tables_play, shared.ours), partial(tensor_play, shared.spiel)
        yield Goal(work, "OpenSpiel in C++ with tensors", "", "1.5", play, tensors)
        play = partial(tables_play, shared.ours, seeding="fast")
        pgx = partial(c.pgx_play, shared.pgx, TABLES)
        yield Goal(f"{work}, fast seeding", "Pgx, compiled by XLA", "", "1.0", play, pgx)


def goals_in_c() -> Iterator[Goal]:
    """Yield the rows of what rules in C are for."""
    for game, least in TABLES_IN_C.items():
        sides = partial(tables_play, game), partial(tables_in_python, game)
        yield Goal(f"{game}, {TABLES} tables", "the same in Python", "", least, *sides)
    for game, least in PLAYOUTS_IN_C.items():
        ours, theirs = partial(playouts, game), partial(playouts_in_python, game)
        yield Goal(f"{game} playouts", "the same without rules in C", "", least, ours, theirs)
    rest = f"{TRAINED} training, decisions", f"{TRAINING_RATE:,} a second"
    yield Goal(*rest, "", "1.0", partial(training, TRAINED), TRAINING_RATE)


def measured(goal: Goal, rounds: int, seconds: float) -> str:
    """Return the ratio of a row, or which side is not installed."""
    makes, fixed = {"ours": goal.ours}, list[Rate]()
    if isinstance(goal.theirs, int):
        fixed = [Rate(0, goal.theirs)] * rounds
    else:
        makes["theirs"] = goal.theirs
    sides, missing = present(makes)
    if missing:
        return "not installed"
    rates = take_turns(sides, rounds, seconds)
    return compared(rates["ours"], rates.get("theirs", fixed))


def rollout(name: str, options: Mapping[str, Value]) -> Run:
    """Return rollouts from first decisions by the search's playouts; a run is one position's."""
    game = find_plugins().game(name)
    positions = [c.first_decision(game, options, Random(seed)) for seed in range(c.POSITIONS)]
    states = [position.determinize(Random(0)) for position in positions]

    def play(rng: Random) -> int:
        Playout(game, rng).mean_values(rng.choice(states), ROLLOUTS)
        return ROLLOUTS

    return play


def spiel_rollout(name: str, opening: Sequence[int]) -> Run:
    """Return rollouts from first decisions inside OpenSpiel; a run is a single simulation."""
    game = c.spiel_game(name)
    import pyspiel

    positions = c.spiel_decisions(game, opening)
    # A search of one simulation is its evaluator's rollouts and little else.
    evaluator = pyspiel.RandomRolloutEvaluator(ROLLOUTS, 0)
    bot = pyspiel.MCTSBot(game, evaluator, c.UCT, 1, 100, False, 0, False)

    def play(rng: Random) -> int:
        bot.step(rng.choice(positions))
        return ROLLOUTS

    return play


def tables_in_python(name: str) -> Run:
    """Return random play at many tables of a game in Python."""
    with patch(GROUPS_IN_C, return_value=None):
        return tables_play(name)


def playouts(name: str) -> Run:
    """Return playouts of a game from positions in its first half."""
    game = find_plugins().game(name)
    observations = [position(game, seed) for seed in range(c.POSITIONS)]

    def play(rng: Random) -> int:
        play_out(game, rng.choice(observations), COUNT)
        return COUNT

    return play


def playouts_in_python(name: str) -> Run:
    """Return the same playouts without rules in C."""
    run = playouts(name)

    def play(rng: Random) -> int:
        with patch(IN_C, return_value=None):
            return run(rng)

    return play


def training(name: str) -> Run:
    """Return updates of a training by self-play; a run is one update."""
    from cardhub.learning.train.plan import TrainingPlan
    from cardhub.learning.train.training import STEPS, TABLES, Training

    registry = find_plugins()
    players = registry.game(name).seats.default
    trained = Training(registry, TrainingPlan(name, players, seed=1))

    def update(_rng: Random) -> int:
        trained.advance()
        return TABLES * STEPS

    return update


def searching(name: str, options: Mapping[str, Value]) -> Run:
    """Return search in a game."""
    return c.cardhub_search(name, options, ITERATIONS)


# What is compared with another checkout.
WORKS: Mapping[str, Callable[[str, Mapping[str, Value]], Run]] = {
    "random play": c.cardhub_play,
    "rollouts": rollout,
    "search": searching,
}


def stepping(subject: Subject) -> Run:
    """Return random play of a subject."""
    return lambda rng: subject.play(rng).steps


def other_side(python: str, work: str, game: str, stack: ExitStack) -> Run:
    """Return a work in a game by another checkout, in a process that stays.

    Its CPU time is measured there: a run waits until this process has spent as much.
    """
    command = [python, __file__, "--side", work, game]
    side = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    stack.enter_context(side)  # at the end closes its input, which ends it
    return _Remote(side).run


class _Remote:
    """A run of another process, as if this process had taken its CPU time."""

    def __init__(self, side: "subprocess.Popen[str]") -> None:
        self._side = side

    def run(self, rng: Random) -> int:
        """Ask for one run, and spend its CPU time here as well."""
        assert self._side.stdin
        assert self._side.stdout
        self._side.stdin.write(f"{rng.randrange(1 << 30)}\n")
        self._side.stdin.flush()
        spent, steps = self._side.stdout.readline().split()
        _spend(float(spent))
        return int(steps)


def _spend(seconds: float) -> None:
    end = process_time() + seconds
    while process_time() < end:
        pass


def serve_side(work: str, game: str) -> None:
    """Run a work once for each seed on standard input; print the CPU seconds and the steps."""
    run = WORKS[work](game, {})
    measure(run, 0.1, Random(0))  # warm up
    for line in sys.stdin:
        started = process_time()
        steps = run(Random(int(line)))
        print(process_time() - started, steps, flush=True)


if __name__ == "__main__":
    main()
