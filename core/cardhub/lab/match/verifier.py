"""Verification of a match: all files in its folder must follow from the bots' actions."""

import json
from collections import deque
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache
from math import isclose
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import structs

from cardhub.base.errors import BotTimeoutError, MatchError, OptionError, PluginError
from cardhub.bots import LLM, parse_spec
from cardhub.bots.language.exchanges import Answers
from cardhub.bots.team_bot import TEAM
from cardhub.lab.match.blocks import Block, Games, audited, groups, seeds_of
from cardhub.lab.match.log.log_reader import (
    ANSWERS,
    GAMES,
    RESULT,
    game_lines,
    read_header,
    read_json,
    read_result,
)
from cardhub.lab.match.log.log_writer import log_line
from cardhub.lab.match.log.lookup import match_in
from cardhub.lab.match.log.result_file import (
    has_no_statistics,
    no_statistics,
    result_of,
    result_text,
)
from cardhub.lab.match.log.transcript import disagreements
from cardhub.lab.match.match_spec import (
    Contest,
    Match,
    could_remember,
    identity_digest,
    identity_of,
    is_team,
)
from cardhub.lab.match.provenance import clock_dependent_bots, versions_of
from cardhub.lab.match.run.deferred_signals import DeferredSignals, interruptible
from cardhub.lab.match.run.dispatcher import Dispatcher
from cardhub.lab.match.run.match_state import MatchState
from cardhub.lab.match.run.playing import play
from cardhub.lab.match.run.preflight import find_isolation
from cardhub.lab.match.run.runner import SERIAL, RunOptions
from cardhub.lab.match.seat_scores import seat_scores
from cardhub.lab.match.secret import revealed_in
from cardhub.lab.match.task import GameResult, GameTask, Isolation
from cardhub.lab.match.variance.corrections import Corrector
from cardhub.plugins.registry import PluginRegistry, for_referee

# Tolerances of `is_rounding`: other machines and library versions sum in another order.
RELATIVE = 1e-6
ABSOLUTE = 1e-9
# Bot of the audit; its seed depends on the seat only, so all seatings play the same game.
PROBE = "random"
FAIR = Fraction(1, 2)


class Difference(NamedTuple):
    """Path in a result, such as `statistics.games[0].blocks`, with actual and expected value."""

    place: str
    actual: Any
    expected: Any

    @property
    def is_rounding(self) -> bool:
        """Whether the values are floats within the tolerance."""
        values = self.actual, self.expected
        if not all(isinstance(value, float) for value in values):
            return False
        return isclose(*values, rel_tol=RELATIVE, abs_tol=ABSOLUTE)


def differences(actual: Any, expected: Any, place: str = "") -> Iterator[Difference]:
    """Yield the differences between two JSON values, in order of their paths."""
    if isinstance(actual, Mapping) and isinstance(expected, Mapping):
        for key in sorted({*actual, *expected}):
            where = f"{place}.{key}" if place else key
            if key in actual and key in expected:
                yield from differences(actual[key], expected[key], where)
            else:
                yield Difference(where, actual.get(key, "missing"), expected.get(key, "nothing"))
    elif isinstance(actual, list) and isinstance(expected, list) and len(actual) == len(expected):
        for number, pair in enumerate(zip(actual, expected, strict=True)):
            yield from differences(*pair, f"{place}[{number}]")
    # 1, 1.0 and True are equal in Python, but have different bytes in JSON.
    elif actual != expected or type(actual) is not type(expected):
        yield Difference(place, actual, expected)


def self_play_audit(match: Match, registry: PluginRegistry, blocks: int = 1) -> dict[str, str]:
    """Return a message for each contest, empty if its blocks pass the audit.

    The same bot plays some blocks in all seats under the names of the entrants. Each name must
    score exactly 1/2 in each block.
    """
    if match.has_unknown_secret:
        match = replace(match, salt=None)  # any deal serves the audit
    games = Games(match, registry.directories, Isolation(is_complete=True))
    return {contest.id: _audit_problem(match, contest, games, blocks) for contest in match.contests}


def _audit_problem(match: Match, contest: Contest, games: Games, blocks: int) -> str:
    # One group of each size: whole teams, and mixed partners.
    by_size = {len(bots): bots for bots in reversed(groups(match, contest))}
    blocks_of = (
        Block(contest.id, deal, bots) for bots in by_size.values() for deal in range(blocks)
    )
    problems = (_block_problem(match, contest, games, block) for block in blocks_of)
    return next(filter(None, problems), "")


def _block_problem(match: Match, contest: Contest, games: Games, block: Block) -> str:
    # Bots are seeded by seat: all seatings play the same game under permuted names, so a score
    # other than 1/2 is a bug of the engine, the seeds or the seatings.
    seeds = seeds_of(match, block)
    results = [play(audited(task, seeds, PROBE)).result for task in games.of(block)]
    if len({result.cards for result in results}) > 1:
        return f"deal {block.deal} is not the same in all games of its block"
    for bot, score in _scores(results).items():
        if score != FAIR:
            return f"{bot} scores {score} against itself in block {block.deal}"
    return ""


def _scores(results: list[GameResult]) -> dict[str, Fraction]:
    by_bot: dict[str, list[Fraction]] = {}
    for result in results:
        scores = seat_scores(result.places, "rank", result.teams)
        for bot, score in zip(result.seats, scores, strict=True):
            by_bot.setdefault(bot, []).append(score)
    return {bot: sum(scores, Fraction(0)) / len(scores) for bot, scores in by_bot.items()}


MOST_PROBLEMS = 100
LONGEST = 400
WHOLE = 1 << 32
UNKNOWN = (
    "the secret of the match is unknown here until the match is over: until then deals cannot be "
    "checked against it, and games cannot be played again"
)
LOST = (
    "a run of the match was killed, and its secret is lost: its deals cannot be checked against "
    "it, and its games cannot be played again"
)
NO_ANSWERS = (
    "the answers of language models are not here: the terms against luck of their games are not "
    "verified"
)
LIVED_ON = (
    "programs, and Python bots on systems without forks or with `isolate: no`, lived on from game "
    "to game: the results rest on trust that no bot used what it knew of a deal from earlier games"
)


@dataclass(slots=True)
class VerifyResult:
    """Result of a verification: numbers of games, and problems.

    `played_again` counts games replayed by the bots, `left_out` games that are not reproducible,
    `unverified` games from the first invalid line on, because the next game is unknown after it.
    `notes` are harmless circumstances, for example another version.
    """

    games: int = 0
    played_again: int = 0
    left_out: int = 0
    unverified: int = 0
    is_other_version: bool = False
    problems: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def is_fine(self) -> bool:
        """Whether all checks have passed."""
        return not self.problems


def verify(
    folder: Path, registry: PluginRegistry, rerun: float = 0.0, options: RunOptions = SERIAL
) -> VerifyResult:
    """Verify a match: each game of its log, the order of the games, and `result.json`.

    The rules are loaded without third-party plugins that bring only bots.
    The bots play a share `rerun` of the games again, with `options`; the results must be equal
    byte for byte. Raises MatchError if the folder has no match.
    """
    match = match_in(folder)
    registry = for_referee(registry)
    check = _Verifier(match, registry, folder, options)
    # Signals are deferred only because they must not be reported as faults of bots.
    with DeferredSignals(), interruptible():
        check.header(read_header(folder))
        check.missing()
        check.secret()
        check.memory()
        with Dispatcher(options.make, options.watcher.wait) as dispatcher:
            check.games(dispatcher, rerun)
        check.result()
        for contest, problem in self_play_audit(match, registry).items():
            if problem:
                check.outcome.problems.append(f"self-play audit of {contest}: {problem}")
    return check.outcome


def _missing_bots(match: Match, registry: PluginRegistry) -> Iterator[tuple[str, str]]:
    """Yield the bots whose files or packages are not here, each with the reason."""
    for entrant in match.entrants:
        try:
            for contest in entrant.plays:
                list(registry.parts(entrant.spec, match.contest(contest).game))
        except (OptionError, PluginError) as error:
            yield entrant.id, str(error)


def _with_placeholders(match: Match, missing: Collection[str]) -> Match:
    """Return the match with a team of the same name, which needs no file, for each missing bot."""
    entrants = (
        replace(entrant, use=f"{TEAM.name}:{entrant.id}") if entrant.id in missing else entrant
        for entrant in match.entrants
    )
    return replace(match, entrants=tuple(entrants))


class _Verifier:
    """State of the verification of one match."""

    def __init__(
        self, match: Match, registry: PluginRegistry, folder: Path, options: RunOptions
    ) -> None:
        self._match = match
        self._registry = registry
        self._folder = folder
        self._options = options
        answers = Answers(folder.absolute() / ANSWERS, is_complete=True)
        self._missing = dict(_missing_bots(match, registry))
        self._present = _with_placeholders(match, self._missing)
        isolation = find_isolation(self._present, registry, folder)
        games = Games(match, registry.directories, isolation, answers=answers)
        self._state = MatchState(match, games)
        self._clock_dependent = self._find_clock_dependent()
        # Language models play again from their stored answers.
        models = {e.id for e in match.entrants if parse_spec(e.use).name == LLM.name}
        self._models = {bot for bot in models if answers.has(bot)}
        self._silent = models - self._models
        self._game = cache(registry.game)
        self._corrector = Corrector(registry)
        self._queued: deque[tuple[int, GameTask, GameResult]] = deque()
        self.outcome = VerifyResult()

    def _find_clock_dependent(self) -> list[str]:
        """Return the bots that look at the clock; of bots that are not here, as the result says."""
        here = clock_dependent_bots(self._present, self._registry)
        path = self._folder / RESULT
        if not self._missing or not path.exists():
            return here
        stated = read_json(path).get("not_reproducible", ())
        names = [entrant.id for entrant in self._match.entrants]
        return [name for name in names if name in (stated if name in self._missing else here)]

    def missing(self) -> None:
        """Note which bots are not here."""
        for bot, error in self._missing.items():
            self.outcome.notes.append(
                f"{bot} is not here, so its games cannot be played again: {error}"
            )

    def header(self, header: dict[str, Any]) -> None:
        """Verify the header."""
        if header.get("sha256") != identity_digest(self._match):
            self._report(1, f"the first line belongs to another match than {RESULT}")
        if header.get("absent", {}) != self._match.absent:
            self._report(1, f"the first line has other absent bots than {RESULT}")
        here = self._without_teams(versions_of(self._present, self._registry))
        if self._without_teams(header.get("versions", {})) != here:
            note = "games or bots have other versions here than when the match was played"
            self.outcome.notes.append(note)
            self.outcome.is_other_version = True

    def _without_teams(self, versions: Mapping[str, Any]) -> dict[str, Any]:
        """Return versions without the bots whose programs are only where the match was played."""
        teams = {entrant.id for entrant in self._present.entrants if is_team(entrant.use)}
        bots = versions.get("bots", {})
        return {**versions, "bots": {bot: bots[bot] for bot in bots if bot not in teams}}

    def memory(self) -> None:
        """Note that bots could remember a deal from one game to the next."""
        if could_remember(identity_of(self._match)):
            rule = self._match.fresh
            since = "an older cardhub began this match" if rule is None else "it has `fresh: no`"
            self.outcome.notes.append(f"{since}: {LIVED_ON}")

    def secret(self) -> None:
        """Verify that the secret, from which the seeds follow, has the hash in the header."""
        salt = self._match.salt
        if salt is None or salt.is_known:
            return
        last = salt.later[-1][1] if salt.later else salt
        # `match_in` checks the hash: an unknown secret is missing or wrong.
        revealed = revealed_in(self._folder)
        if last.secret or (revealed is not None and salt.later):
            self.outcome.notes.append(LOST)
            return
        if revealed is None:
            self.outcome.notes.append(UNKNOWN)
        else:
            problem = f"the secret in {RESULT} does not have the SHA-256 in this line"
            missing = f"the match is over, but {RESULT} has no secret"
            self._report(1, problem if revealed else missing)

    def games(self, dispatcher: Dispatcher, rerun: float) -> None:
        """Verify the actions and scores of all games; the bots play a share of them again."""
        for number, line in game_lines(self._folder):
            if pair := self._record(number, line):
                task, result = pair
                self._check(number, task, result)
                # The id is a hash, so its first digits select a share of the games evenly, and the
                # same games in every verification.
                if int(task.id[:8], 16) < rerun * WHOLE:
                    self._queue(number, task, result)
            while len(self._queued) >= max(self._options.ahead, 1):
                self._play_again(dispatcher)
        while self._queued:
            self._play_again(dispatcher)
        if number := self.outcome.unverified:
            games = "1 game was" if number == 1 else f"{number} games were"
            reason = "verification stops at the first line that is not the next game of this match"
            self.outcome.problems.append(f"{self._folder / GAMES}: {games} not verified: {reason}")

    def result(self) -> None:
        """Verify `result.json`."""
        path = self._folder / RESULT
        if not path.exists():
            self.outcome.notes.append(f"there is no {RESULT}: the match was interrupted")
            return
        analyse = self._options.analyse
        if analyse is not no_statistics and has_no_statistics(path):
            self.outcome.notes.append(f"{path} has no statistics, like the parts of a study")
            analyse = no_statistics
        try:
            result = result_of(
                self._match, self._state, self._folder, self._clock_dependent, analyse
            )
        except MatchError as error:
            self.outcome.problems.append(f"{path} cannot be derived again: {error}")
            return
        self._compare(path, path.read_bytes(), result_text(result))

    def _compare(self, path: Path, actual: bytes, expected: str) -> None:
        if actual == expected.encode():
            return
        places = list(differences(read_json(path), json.loads(expected)))
        wrong = next((place for place in places if not place.is_rounding), None)
        if places and wrong is None:
            more = f" and {len(places) - 1} more" if len(places) > 1 else ""
            usual = "differs by rounding, as is usual on other machines"
            self.outcome.notes.append(f"{path}: {usual}: {places[0].place}{more}")
            return
        first = (
            f": {wrong.place} should be {wrong.expected!r}, not {wrong.actual!r}" if wrong else ""
        )
        problem = f"{path}: does not follow from {GAMES}{first}"
        self.outcome.problems.append(problem[:LONGEST])

    def _record(self, number: int, line: bytes) -> tuple[GameTask, GameResult] | None:
        try:
            result = read_result(line)
            if self.outcome.unverified:
                self.outcome.unverified += 1
                return None
            # Withdrawals, stops and races depend on results: after a wrong game the next one is
            # unknown, and all later games stay unverified.
            tasks = self._state.upcoming(1)
            self._state.record(result)
        except MatchError as error:
            self._report(number, str(error))
            self.outcome.unverified += 1
            return None
        if log_line(result).encode() != line:
            self._report(
                number, f"game {result.id}: the line is not in the format that cardhub writes"
            )
        return tasks[0], result

    def _check(self, number: int, task: GameTask, result: GameResult) -> None:
        self.outcome.games += 1
        if not task.seed:
            task = replace(task, seed=result.seed)  # the deal can still be checked against it
        terms = result.corrections
        if terms and terms.policies and self._silent.intersection(result.seats):
            # The answers of models can be left out when the rest of a match is published.
            task = replace(task, corrections=None)
            result = structs.replace(result, corrections=None)
            if NO_ANSWERS not in self.outcome.notes:
                self.outcome.notes.append(NO_ANSWERS)
        for problem in disagreements(task, result, self._game(task.game), self._corrector):
            self._report(number, f"game {result.id}: {problem}")

    def _queue(self, number: int, task: GameTask, result: GameResult) -> None:
        if not task.seed:  # it follows from a secret that is unknown here
            return
        bots = {seat.bot for seat in task.seats if not seat.is_absent}
        # Timeouts depend on the machine, like bots that look at the clock.
        timed_out = any(note.fault == BotTimeoutError.fault for note in result.faults)
        is_missing = bool(bots & self._missing.keys())
        if is_missing or timed_out or bots.intersection(self._clock_dependent) - self._models:
            self.outcome.left_out += 1
        else:
            self._queued.append((number, task, result))

    def _play_again(self, dispatcher: Dispatcher) -> None:
        dispatcher.want([task for _, task, _ in self._queued])
        number, task, result = self._queued.popleft()
        self.outcome.played_again += 1
        try:
            is_equal = log_line(dispatcher.result(task).result) == log_line(result)
        except MatchError as error:
            if not self._models:
                raise
            self._report(number, f"game {result.id}: {error}")
            return
        if not is_equal:
            self._report(
                number, f"game {result.id}: the result differs when the game is played again"
            )

    def _report(self, number: int, problem: str) -> None:
        if len(self.outcome.problems) < MOST_PROBLEMS:
            self.outcome.problems.append(f"{self._folder / GAMES}:{number}: {problem}")
