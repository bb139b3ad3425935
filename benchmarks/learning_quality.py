"""Results of MaskablePPO after a small budget of training: results/learning-quality.md.

In each game one learner is trained against bots, with several seeds, and then plays other games
against the same bots, without exploration. Results are from 0 to 1, as at places: 1 for the first,
0 for the last, 0.5 for a game among equals; where chips count, they are the mean of the utility. A
policy that plays uniformly at random is the first row of each game. Needs sb3-contrib.

With `--log`, finished runs are kept in a file, and skipped when the program is started again.
"""

import argparse
import json
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from statistics import fmean, stdev
from time import process_time
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from cardhub.learning.adapters.gymnasium import LearnerEnv, LearnerVectorEnv
from cardhub.learning.adapters.gymnasium.factory import learner_spec
from cardhub.learning.adapters.vector.factory import tables_of
from cardhub.learning.adapters.vector.table_spec import TableSpec
from speed import surroundings

TABLES = 32
"""Games that are played at once in training."""
SETTINGS: dict[str, Any] = {"n_steps": 64, "batch_size": 256, "learning_rate": 1e-3, "gamma": 1.0}
"""Of MaskablePPO, besides its default ones: few and large batches, as games are short."""
EVALUATION_TABLES = 50
CONFIDENCE = 0.95
RANDOM = "uniformly random"


class Contest(NamedTuple):
    """A game, the bots at the other seats, and the kinds of utilities, actions and arrays."""

    game: str
    rival: str
    returns: str = "places"
    actions: str = "faces"
    tokens: bool | None = None

    @property
    def names(self) -> tuple[str, str, str]:
        """The game, the rivals, and the form of actions and arrays."""
        cards = "each card" if self.tokens else "kinds of cards"
        return self.game, self.rival, f"{self.actions}, {cards}"


CONTESTS = (
    Contest("leduc", "random", "goal"),
    Contest("goofspiel", "random"),
    Contest("gamon", "random"),
    Contest("hearts", "random"),
    Contest("leduc", "rule", "goal"),
    Contest("goofspiel", "rule"),
    Contest("gamon", "rule"),
    Contest("hearts", "rule"),
    Contest("leduc", "ismcts:10", "goal"),
    Contest("goofspiel", "ismcts:10"),
    Contest("hearts", "random", tokens=True),
    Contest("goofspiel", "random", actions="tokens", tokens=True),
    Contest("hearts", "random", actions="tokens", tokens=True),
)
"""Against random play, `rule` and a short search; then forms that learn less."""


class Result(NamedTuple):
    """The mean utility over the evaluation games, the share of wins, and seconds of training."""

    utility: float
    wins: float
    seconds: float


Policy = Callable[[NDArray[np.float32], NDArray[np.int8]], NDArray[np.int64]]
"""Returns actions for observations and masks."""


def main() -> None:
    """Run the benchmark and print its table."""
    arguments = read_arguments()
    print(surroundings())
    print(f"MaskablePPO, {arguments.steps} steps; {arguments.games} games of each seed afterwards")
    print("", "| game | against | actions, arrays | policy | result | wins | CPU s |", sep="\n")
    print("|---|---|---|---|---|---|---|")
    done = Done(arguments.log)
    for contest in CONTESTS:
        if not fits(contest, arguments.only):
            continue
        spec = learner_spec(**choices(contest))
        for name, train in (
            (RANDOM, untrained),
            ("MaskablePPO", partial(trained, spec, arguments.steps)),
        ):
            results = []
            for seed in range(1, arguments.seeds + 1):
                run = partial(measured, spec, train, seed, arguments.games)
                results.append(done.result(f"{contest} {name} {seed} {arguments.steps}", run))
            print(row(contest, name, results), flush=True)


def read_arguments() -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=30_000)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--games", type=int, default=1_000)
    parser.add_argument("--only", nargs="*", default=(), help="names of games, or game:bot")
    parser.add_argument("--log", type=Path, help="a file of finished runs")
    return parser.parse_args()


def fits(contest: Contest, only: Sequence[str]) -> bool:
    """Return whether a contest was asked for."""
    return not only or contest.game in only or f"{contest.game}:{contest.rival}" in only


def choices(contest: Contest) -> dict[str, Any]:
    """Return the arguments of `learner_spec`."""
    return {
        "game": contest.game,
        "players": None,
        "options": None,
        "rivals": [contest.rival],
        "returns": contest.returns,
        "actions": contest.actions,
        "tokens": contest.tokens,
        "final_observations": True,
    }


class Done:
    """Results of finished runs, kept in a file if there is one."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        lines = path.read_text("utf-8").splitlines() if path and path.exists() else []
        self._results = {run: Result(*values) for run, values in map(json.loads, lines)}

    def result(self, run: str, measure: Callable[[], Result]) -> Result:
        """Return the result of a run, measured now if it is not known."""
        if run not in self._results:
            self._results[run] = measure()
            if self._path:
                with self._path.open("a", encoding="utf-8") as file:
                    file.write(json.dumps([run, self._results[run]]) + "\n")
        return self._results[run]


def measured(spec: TableSpec, train: Callable[[int], Policy], seed: int, games: int) -> Result:
    """Train with a seed, and play games with other seeds."""
    started = process_time()
    policy = train(seed)
    seconds = process_time() - started
    returns = played(spec, policy, games, 1_000_000 + seed)
    wins = returns > 0 if spec.returns == "goal" else returns == 1
    return Result(float(returns.mean()), float(wins.mean()), seconds)


def untrained(seed: int) -> Policy:
    """Return the policy that chooses uniformly among the legal actions."""
    rng = np.random.default_rng(seed)
    return lambda _, masks: (rng.random(masks.shape) * masks).argmax(axis=1)


def trained(spec: TableSpec, steps: int, seed: int) -> Policy:
    """Return a policy trained by MaskablePPO."""
    import torch  # type: ignore[import-not-found,unused-ignore]  # not one of our dependencies
    from sb3_contrib import MaskablePPO  # type: ignore[import-not-found,unused-ignore]  # likewise
    from stable_baselines3.common import vec_env  # type: ignore[import-not-found,unused-ignore]  # likewise

    torch.set_num_threads(1)
    tables = vec_env.DummyVecEnv([partial(LearnerEnv, spec)] * TABLES)
    model = MaskablePPO("MlpPolicy", tables, seed=seed, device="cpu", **SETTINGS)
    model.learn(steps)

    def choose(seen: NDArray[np.float32], masks: NDArray[np.int8]) -> NDArray[np.int64]:
        actions: NDArray[np.int64] = model.predict(seen, action_masks=masks, deterministic=True)[0]
        return actions

    return choose


def played(spec: TableSpec, policy: Policy, games: int, seed: int) -> NDArray[np.float64]:
    """Return the learner's utilities; every table plays the same number of games."""
    most = -(-games // EVALUATION_TABLES)
    returns: dict[int, list[float]] = defaultdict(list)
    with tables_of(spec, EVALUATION_TABLES, 0) as tables:
        env = LearnerVectorEnv(tables, copy=False)
        seen, infos = env.reset(seed=seed)
        while min(len(returns[table]) for table in range(EVALUATION_TABLES)) < most:
            seen, rewards, terminated, _, infos = env.step(policy(seen, infos["action_mask"]))
            for table in np.flatnonzero(terminated).tolist():
                returns[table].append(float(rewards[table]))
    # Longer lists have more of the short games.
    return np.array([value for values in returns.values() for value in values[:most]])


def row(contest: Contest, name: str, results: Sequence[Result]) -> str:
    """Return the row of a policy: means over the seeds with their intervals."""
    utilities = [result.utility for result in results]
    if contest.returns == "places":
        utilities = [(1 + utility) / 2 for utility in utilities]
    wins, seconds = ([*values] for values in zip(*(result[1:] for result in results), strict=True))
    cells = (*contest.names, name, interval(utilities), interval(wins), f"{fmean(seconds):.0f}")
    return f"| {' | '.join(cells)} |"


def interval(values: Sequence[float]) -> str:
    """Return the mean and, by Student's t over the seeds, half the width of its interval."""
    if len(values) < 2:
        return f"{fmean(values):.2f}"
    quantile = float(stdtrit(len(values) - 1, (1 + CONFIDENCE) / 2))
    return f"{fmean(values):.2f} ± {quantile * stdev(values) / len(values) ** 0.5:.2f}"


if __name__ == "__main__":
    main()
