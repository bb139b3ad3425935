"""Tuning of a bot's options by games between two of its variants, and the file that keeps them.

Each iteration is a small match on equal deals. `tuning.jsonl` has a line for each, so that a tuning
continues after an interruption; all follows from its request, on any number of workers.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from math import floor, fsum, sqrt
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
from msgspec import Struct
from typing_extensions import override

from cardhub.base.errors import MatchError, OptionError
from cardhub.bots.spec import parse_spec
from cardhub.lab.match.blocks import Block, count_games
from cardhub.lab.match.log.log_reader import explained
from cardhub.lab.match.log.log_writer import Lines, drop_incomplete_line, locked
from cardhub.lab.match.match_spec import Contest, Match
from cardhub.lab.match.matchfile.reader import parse_match
from cardhub.lab.match.run.runner import RunOptions, Watcher, run, shared_workers
from cardhub.lab.match.seat_scores import float_scores
from cardhub.lab.match.task import GameResult, Timing
from cardhub.lab.tune.spsa import Spsa
from cardhub.model.table.settings import Number, Value
from cardhub.plugins.registry import PluginRegistry

FILE, FORMAT = "tuning.jsonl", 1
# Blocks of an iteration: few, because many small steps find an optimum sooner than few large ones.
BLOCKS = 10
UP, DOWN = "up", "down"
# More seeds of matches than a tuning can need.
SEEDS = 10**9
ELSEWHERE = "fix: choose another folder with --out"
BUSY = f"another program is tuning in this folder\n{ELSEWHERE}"


class TunedOption(Struct, frozen=True):
    """An option to tune, with its range and the value at which it starts."""

    name: str
    low: int
    high: int
    start: int


class TuneRequest(Struct, frozen=True):
    """What is tuned: a bot at a table of a game, and the number of games.

    `bot`: its spec, whose tuned options are where it starts. `rules`: the options of the game.
    """

    game: str
    players: int
    rules: dict[str, Value]
    bot: str
    options: tuple[TunedOption, ...]
    games: int
    seed: int

    def spec(self, values: Mapping[str, int]) -> str:
        """Return the spec of the bot with these values, which replace values in `bot`."""
        name, rest = parse_spec(self.bot)
        kept = [part for part in rest.split(",") if part and part.partition("=")[0] not in values]
        return f"{name}:" + ",".join([*kept, *(f"{key}={value}" for key, value in values.items())])

    def values(self, point: list[float]) -> dict[str, int]:
        """Return the values of the options at a point of the cube, rounded."""
        return {o.name: round(_on_scale(o, x)) for o, x in zip(self.options, point, strict=True)}


class TuneHeader(Struct, frozen=True, forbid_unknown_fields=True):
    """The first line of the file."""

    cardhub_tuning: int
    request: TuneRequest


class Comparison(Struct, frozen=True, forbid_unknown_fields=True):
    """An iteration: the direction, the two bots, and by block the score of `up` minus `down`."""

    signs: tuple[int, ...]
    up: str
    down: str
    differences: tuple[float, ...]
    games: int


def read_option(registry: PluginRegistry, game: str, bot: str, text: str) -> TunedOption:
    """Return the option that a text such as `margin` or `margin=0..20` names.

    Raises PluginError or OptionError; only options that are whole numbers can be tuned.
    """
    name, _, span = text.partition("=")
    settings = registry.settings_of(bot, game)
    option = registry.bot(parse_spec(bot).name, game).options.get(name)
    if not isinstance(option, Number):
        known = "an unknown option" if option is None else "not a whole number"
        raise OptionError(f"{bot}: {name!r} is {known}\nfix: cardhub bot list {game}")
    low, high = option.low, option.high
    if span:
        ends = span.partition("..")
        try:
            low, high = int(ends[0]), int(ends[2])
        except ValueError:
            raise OptionError(f"{span!r} is not a range\nfix: {name}=LOW..HIGH") from None
    if not option.low <= low < high <= option.high:
        raise OptionError(
            f"{name} goes from {option.low} to {option.high}\nfix: {name}=LOW..HIGH within that"
        )
    return TunedOption(name, low, high, min(high, max(low, settings.number(name))))


class Tuning:
    """A tuning in a folder: the comparisons so far, and the point that follows from them."""

    def __init__(self, request: TuneRequest, folder: Path, registry: PluginRegistry) -> None:
        self.request = request
        self.games = 0
        self._folder = folder
        self._registry = registry
        spec = request.spec(self._start())
        self._planned = max(1, request.games // count_games(self._match(spec, spec, 0)))
        start = [(o.start - o.low) / (o.high - o.low) for o in request.options]
        self._spsa = Spsa(start, self._planned)
        self._squares: list[float] = []
        self._done = 0

    @property
    def values(self) -> dict[str, int]:
        """The best values so far."""
        return self.request.values(self._spsa.mean)

    def play(self, workers: int, on_progress: Callable[[], object]) -> None:
        """Play the comparisons that are missing; raises MatchError or BotError.

        `on_progress` is called after each comparison, when `games` and `values` have changed.
        """
        path = self._folder / FILE
        with explained(path):
            self._folder.mkdir(parents=True, exist_ok=True)
            path.open("ab").close()
            with locked(path, BUSY), shared_workers(workers) as options:
                self._read(path)
                with closing(Lines(path)) as lines:
                    if not path.stat().st_size:
                        lines.append(_line(TuneHeader(FORMAT, self.request)))
                    while self._done < self._planned:
                        comparison = self._compare(options)
                        lines.append(_line(comparison))
                        self._learn(comparison)
                        on_progress()

    def test(self, blocks: int) -> dict[str, Any]:
        """Return a match of the best values against the first ones, on deals of its own."""
        tuned, before = self.request.spec(self.values), self.request.spec(self._start())
        content = _content(self.request, {"tuned": tuned, "before": before}, 0, blocks)
        return content | {"name": f"test-of-{parse_spec(self.request.bot).name}"}

    def _start(self) -> dict[str, int]:
        return {option.name: option.start for option in self.request.options}

    def _compare(self, options: RunOptions) -> Comparison:
        rng = Random(f"{self.request.seed} {self._done}")
        signs = self._spsa.draw_signs(rng)
        up, down = (self._drawn(point, rng) for point in self._spsa.pair(signs))
        match = self._match(up, down, self._done + 1)
        watcher = _Differences(match.contests[0])
        with TemporaryDirectory(prefix="cardhub-") as folder:
            run(match, self._registry, Path(folder), replace(options, watcher=watcher))
        return Comparison(tuple(signs), up, down, tuple(watcher.differences), watcher.games)

    def _drawn(self, point: list[float], rng: Random) -> str:
        """Return the spec at a point: between two whole numbers, chance decides."""
        values = {}
        for option, share in zip(self.request.options, point, strict=True):
            value = _on_scale(option, share)
            values[option.name] = floor(value) + (rng.random() < value % 1)
        return self.request.spec(values)

    def _match(self, up: str, down: str, number: int) -> Match:
        content = _content(self.request, {UP: up, DOWN: down}, number, BLOCKS)
        return parse_match(content, self._registry)

    def _learn(self, comparison: Comparison) -> None:
        self._squares += [difference**2 for difference in comparison.differences]
        deviation = sqrt(fsum(self._squares) / len(self._squares))
        mean = fsum(comparison.differences) / len(comparison.differences)
        self._spsa.learn(comparison.signs, mean / deviation if deviation else 0.0)
        self.games += comparison.games
        self._done += 1

    def _read(self, path: Path) -> None:
        """Learn from the comparisons of an earlier run; an unfinished last line is removed."""
        drop_incomplete_line(path)
        lines = path.read_bytes().splitlines()
        header = TuneHeader(FORMAT, self.request)
        try:
            if lines and msgspec.json.decode(lines[0], type=TuneHeader) != header:
                raise MatchError(f"{path}: the folder has another tuning\n{ELSEWHERE}")
            for line in lines[1:]:
                self._learn(msgspec.json.decode(line, type=Comparison))
        except msgspec.MsgspecError as error:
            raise MatchError(f"{path}: {error}\n{ELSEWHERE}") from error


class _Differences(Watcher):
    """Adds up by block the mean score of one bot minus that of the other."""

    def __init__(self, contest: Contest) -> None:
        self._contest = contest
        self.differences: list[float] = []
        self.games = 0

    @override
    def block(self, block: Block, results: Sequence[GameResult]) -> None:
        scores: dict[str, list[float]] = {UP: [], DOWN: []}
        for result in results:
            for bot, score in zip(result.seats, float_scores(result, self._contest), strict=True):
                scores[bot].append(score)
        up, down = (fsum(scores[bot]) / len(scores[bot]) for bot in (UP, DOWN))
        self.differences.append(up - down)

    @override
    def game(self, result: GameResult, timing: Timing | None) -> None:
        self.games += 1
        for note in result.faults:
            raise MatchError(
                f"the bot was at fault in {result.id}: {note.fault}\nfix: cardhub bot check BOT"
            )


def _content(
    request: TuneRequest, bots: Mapping[str, str], number: int, blocks: int
) -> dict[str, Any]:
    """Return a match between two bots as a match file has it; each number has other deals."""
    return {
        "cardhub_match": 1,
        "name": "tuning",
        "seed": SEEDS * request.seed + number,
        "salt": "none",
        "isolate": "no",
        "bots": [{"id": name, "use": spec} for name, spec in bots.items()],
        "games": [{"game": request.game, "players": request.players, "rules": request.rules}],
        "schedule": {"blocks": blocks},
    }


def _on_scale(option: TunedOption, share: float) -> float:
    return option.low + share * (option.high - option.low)


def _line(record: Struct) -> str:
    return msgspec.json.encode(record).decode()
