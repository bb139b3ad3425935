"""Verification of a match: all files in its folder must follow from the bots' actions."""

import json
from collections import deque
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from cardhub.base.errors import BotTimeoutError, MatchError
from cardhub.lab.match.blocks import Games
from cardhub.lab.match.log.log_reader import (
    GAMES,
    RESULT,
    game_lines,
    read_header,
    read_json,
    read_result,
)
from cardhub.lab.match.log.log_writer import log_line
from cardhub.lab.match.log.lookup import match_in
from cardhub.lab.match.log.result_file import result_of, result_text
from cardhub.lab.match.match_json import identity_digest
from cardhub.lab.match.match_spec import Match
from cardhub.lab.match.provenance import clocked, versions_of
from cardhub.lab.match.run.deferred_signals import HeldSignals, interruptible
from cardhub.lab.match.run.dispatcher import Dispatcher
from cardhub.lab.match.run.match_state import MatchState
from cardhub.lab.match.run.preflight import confined
from cardhub.lab.match.run.runner import SERIAL, RunOptions
from cardhub.lab.match.secret import revealed_in
from cardhub.lab.match.task import GameResult, GameTask
from cardhub.lab.match.verify.match_checks import differences, disagreements, self_play_audit
from cardhub.plugins.registry import PluginRegistry

MOST_PROBLEMS = 100
LONGEST = 400
WHOLE = 1 << 32
UNKNOWN = (
    "the secret of the match is not known here before the match is over: until then it cannot be "
    "checked that deals follow from it, nor can games be played again"
)


@dataclass(slots=True)
class VerifyResult:
    """Result of a verification: numbers of games, and problems.

    `played_again` counts games replayed by the bots, `left_out` games that are not reproducible,
    `unverified` games from the first invalid line on, since the next game is not known after it.
    `notes` are circumstances that are no problems, such as another version.
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
        """Whether there are no problems."""
        return not self.problems


def verify(
    folder: Path, registry: PluginRegistry, rerun: float = 0.0, how: RunOptions = SERIAL
) -> VerifyResult:
    """Verify a match: each game of its log, the order of the games, and `result.json`.

    The bots play a share `rerun` of the games again, by the options `how`; the results must be
    equal byte for byte. Raises MatchError if the folder has no match.
    """
    match = match_in(folder)
    check = _Verifier(match, registry, folder, how)
    # Nothing is written: signals are held only so that they are not reported as faults of bots.
    with HeldSignals(), interruptible():
        check.header(read_header(folder))
        check.secret()
        with Dispatcher(how.make, how.watcher.wait) as dispatcher:
            check.games(dispatcher, rerun)
        check.result()
        for contest, wrong in self_play_audit(match, registry).items():
            if wrong:
                check.found.problems.append(f"self-play audit of {contest}: {wrong}")
    return check.found


class _Verifier:
    """State of the verification of one match."""

    def __init__(
        self, match: Match, registry: PluginRegistry, folder: Path, how: RunOptions
    ) -> None:
        self._match = match
        self._registry = registry
        self._folder = folder
        self._how = how
        games = Games(match, registry.directories, confined(match, registry, folder))
        self._state = MatchState(match, games)
        self._clocked = clocked(match, registry)
        self._game = cache(registry.game)
        self._again: deque[tuple[int, GameTask, GameResult]] = deque()
        self.found = VerifyResult()

    def header(self, header: dict[str, Any]) -> None:
        """Verify the header."""
        if header.get("sha256") != identity_digest(self._match):
            self._wrong(1, f"the first line is not that of the match in {RESULT}")
        if header.get("versions") != versions_of(self._match, self._registry):
            note = "games or bots are not of the same version here as when the match was played"
            self.found.notes.append(note)
            self.found.is_other_version = True

    def secret(self) -> None:
        """Verify that the secret, from which the seeds follow, has the hash in the header."""
        if not self._match.has_unknown_secret:
            return
        # `match_in` takes the secret only if it has the hash: an unknown one is missing or wrong.
        revealed = revealed_in(self._folder)
        if revealed is None:
            self.found.notes.append(UNKNOWN)
        else:
            why = f"the secret in {RESULT} has not the SHA-256 of this line"
            self._wrong(1, why if revealed else f"the match is over, but {RESULT} has no secret")

    def games(self, dispatcher: Dispatcher, rerun: float) -> None:
        """Verify the actions and scores of all games; the bots play a share of them again."""
        for number, line in game_lines(self._folder):
            if taken := self._taken(number, line):
                task, result = taken
                self._check(number, task, result)
                # The id is a hash, so that its first digits select a share of the games evenly, and
                # the same games in every verification.
                if int(task.id[:8], 16) < rerun * WHOLE:
                    self._queue(number, task, result)
            while len(self._again) >= max(self._how.ahead, 1):
                self._play_again(dispatcher)
        while self._again:
            self._play_again(dispatcher)
        if number := self.found.unverified:
            games = "1 game was" if number == 1 else f"{number} games were"
            what = f"{games} not verified, from the first line that"
            why = "is no game of this match: which game comes next follows from all before it"
            self.found.problems.append(f"{self._folder / GAMES}: {what} {why}")

    def result(self) -> None:
        """Verify `result.json`."""
        path = self._folder / RESULT
        if not path.exists():
            self.found.notes.append(f"{RESULT} is not there: the match was broken off")
            return
        how, state = self._how, self._state
        try:
            true = result_of(self._match, state, self._folder, self._clocked, how.analyse)
        except MatchError as error:
            self.found.problems.append(f"{path} cannot be derived again: {error}")
            return
        self._compare(path, path.read_bytes(), result_text(true))

    def _compare(self, path: Path, found: bytes, true: str) -> None:
        if found == true.encode():
            return
        places = list(differences(read_json(path), json.loads(true)))
        wrong = next((place for place in places if not place.is_rounding), None)
        if places and wrong is None:
            more = f" and {len(places) - 1} more" if len(places) > 1 else ""
            note = f"{path}: differs by rounding, as on other machines: {places[0].place}{more}"
            self.found.notes.append(note)
            return
        first = f": {wrong.place} should be {wrong.true!r}, not {wrong.found!r}" if wrong else ""
        problem = f"{path}: does not follow from {GAMES}{first}"
        self.found.problems.append(problem[:LONGEST])

    def _taken(self, number: int, line: bytes) -> tuple[GameTask, GameResult] | None:
        try:
            result = read_result(line)
            if self.found.unverified:
                self.found.unverified += 1
                return None
            # Withdrawals, stops and races depend on results: after a wrong game the next one is not
            # known, so that all later games stay unverified.
            tasks = self._state.upcoming(1)
            self._state.take(result)
        except MatchError as error:
            self._wrong(number, str(error))
            self.found.unverified += 1
            return None
        if log_line(result).encode() != line:
            self._wrong(number, f"game {result.id}: not written as cardhub writes it")
        return tasks[0], result

    def _check(self, number: int, task: GameTask, result: GameResult) -> None:
        self.found.games += 1
        if self._match.has_unknown_secret:
            task = replace(task, seed=result.seed)  # the deal can still be checked against it
        for wrong in disagreements(task, result, self._game(task.game)):
            self._wrong(number, f"game {result.id}: {wrong}")

    def _queue(self, number: int, task: GameTask, result: GameResult) -> None:
        if self._match.has_unknown_secret:
            return
        bots = {seat.bot for seat in task.seats if not seat.is_absent}
        # A timeout depends on the machine, as do bots that look at the clock.
        timed_out = any(note.fault == BotTimeoutError.fault for note in result.faults)
        if timed_out or bots.intersection(self._clocked):
            self.found.left_out += 1
        else:
            self._again.append((number, task, result))

    def _play_again(self, dispatcher: Dispatcher) -> None:
        dispatcher.want([task for _, task, _ in self._again])
        number, task, result = self._again.popleft()
        self.found.played_again += 1
        if log_line(dispatcher.result(task).result) != log_line(result):
            self._wrong(number, f"game {result.id}: played again, its result is another")

    def _wrong(self, number: int, what: str) -> None:
        if len(self.found.problems) < MOST_PROBLEMS:
            self.found.problems.append(f"{self._folder / GAMES}:{number}: {what}")
