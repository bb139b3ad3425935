"""Schema and codec of `result.json`; docs/results.md has an example.

`Result` is generic in its `statistics`, because `cardhub.lab.analysis` is above this package.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Generic, TypeVar

from msgspec import UNSET, Struct, UnsetType, ValidationError, convert, to_builtins

from cardhub.base.errors import MatchError
from cardhub.lab.match.log.log_reader import (
    DERIVED,
    GAMES,
    RESULT,
    file_digest,
    read_header,
    read_json,
)
from cardhub.lab.match.log.log_writer import replace_file
from cardhub.lab.match.match_spec import Match, digest, spec_of
from cardhub.lab.match.run.match_state import BotCounts, MatchState
from cardhub.lab.match.run.rounds import RoundsRow
from cardhub.lab.match.run.schedule import SprtState

S = TypeVar("S")

# The version of `result.json`.
FORMAT = 7

# Returns the statistics of a match, given the folder with its log, as a struct or plain data.
# It is called each time `result.json` is written. It must depend on the match and the log only.
Analyse = Callable[[Match, Path], Any]


class LaterSalt(Struct, frozen=True):
    """A secret of a match from a `block` on, which counts from 0 in the schedule.

    `sha256` and `revealed` are as in `RevealedSalt`.
    """

    block: int
    sha256: str
    revealed: str | None


class RevealedSalt(Struct, frozen=True, omit_defaults=True):
    """The `sha256` of the secret of a match; `revealed` is the secret once the match is over.

    `later`: the secrets that replaced it after interruptions.
    """

    sha256: str
    revealed: str | None
    later: tuple[LaterSalt, ...] = ()


class Result(Struct, Generic[S], frozen=True):
    """Results of a match; the schema of `result.json`."""

    cardhub_match: int
    """The version of the format, 7. Remove an older file: `cardhub match report` writes it
    again."""
    name: str
    """The name of the match."""
    spec: dict[str, Any]
    """The content of the match file; `spec_sha256` is its SHA-256."""
    spec_sha256: str
    games_sha256: str
    """SHA-256 of `games.jsonl`."""
    versions: dict[str, Any]
    """Versions of cardhub, Python, numpy, games and bots."""
    salt: RevealedSalt | None
    """The secret on which the deals depend besides the seed; None for a match without one. The
    same match file with `--salt` and `revealed` plays this match again."""
    is_finished: bool
    """Whether all games have been played."""
    is_reproducible: bool
    """Whether everything follows from the `seed` of the match file: there is no secret, and all
    bots would play the same again."""
    not_reproducible: tuple[str, ...]
    """The bots that might play differently, also with the same secret."""
    blocks: int
    """The number of finished blocks; `games` and `steps` count all finished games and actions."""
    games: int
    steps: int
    counts: dict[str, dict[str, BotCounts]]
    """By game and bot, over all games, also of blocks that statistics leave out: the number of
    seats that it took (`games`), the sum and mean of its scores (`score`, `mean_score`), `faults`
    by class, `seats`, and seats of a substitute since the bot was withdrawn (`absent`)."""
    withdrawn: dict[str, int]
    """By withdrawn bot, the number of games before that."""
    test: SprtState | None
    """The sequential test of bots `a` and `b`, or None: `elo` are the hypotheses in the unit of
    `model` (`normalized`, `logistic` or `points`); the test ends when `llr` reaches `bounds`."""
    stop: str | None
    """Why the match ended before its schedule did."""
    statistics: S
    """The statistics, with the default `Analyse` a `cardhub.lab.analysis.schema.Statistics`."""
    rounds: tuple[RoundsRow, ...] | UnsetType = UNSET
    """With a Swiss or knock-out schedule only: by game, who met in each round with which mean
    score, who went on and by what that was decided (`ruling`), and the places."""

    def rounds_of(self, game: str) -> RoundsRow | None:
        """Return the rounds of a game, None if its schedule has none."""
        rows = () if self.rounds is UNSET else self.rounds
        return next((row for row in rows if row.game == game), None)


def no_statistics(match: Match, folder: Path) -> dict[str, Any]:
    """Return an empty dict: the default Analyse, for matches without statistics."""
    return {}


def has_no_statistics(path: Path) -> bool:
    """Return whether a `result.json` is the result of a run without statistics."""
    try:
        return read_json(path).get("statistics") == {}
    except MatchError:
        return False  # the comparison says what is wrong with it


def result_of(
    match: Match, state: MatchState, folder: Path, clock_dependent: list[str], analyse: Analyse
) -> Result[Any]:
    """Return the results of a match, which depend on the match and its log only.

    `clock_dependent` are the bots that may play differently the next time.
    """
    spec = spec_of(match)
    return Result(
        cardhub_match=FORMAT,
        name=match.name,
        spec=spec,
        spec_sha256=digest(spec),
        games_sha256=file_digest(folder / GAMES),
        versions=read_header(folder)["versions"],
        salt=_salt(match, is_over=state.is_over),
        is_finished=state.is_over,
        is_reproducible=match.salt is None and not clock_dependent,
        not_reproducible=tuple(clock_dependent),
        blocks=state.blocks,
        games=state.counts.games,
        steps=state.counts.steps,
        counts=state.counts.rows(),
        withdrawn=dict(state.counts.withdrawn),
        test=state.test.state() if state.test else None,
        stop=state.stop or None,
        statistics=analyse(match, folder),
        rounds=state.rounds() or UNSET,
    )


def _salt(match: Match, *, is_over: bool) -> RevealedSalt | None:
    if match.salt is None:
        return None
    # Revealing it earlier would reveal the deals of games that are still to be played.
    salts = [(0, match.salt), *match.salt.later]
    (first, *later) = [
        LaterSalt(block, salt.sha256, salt.secret or None if is_over else None)
        for block, salt in salts
    ]
    return RevealedSalt(first.sha256, first.revealed, tuple(later))


def write_result(folder: Path, result: Result[Any]) -> None:
    """Encode the results and replace `result.json`; raises MatchError if that fails."""
    replace_file(folder / RESULT, result_text(result))


def forget_result(folder: Path) -> None:
    """Remove `result.json` if it exists."""
    (folder / RESULT).unlink(missing_ok=True)


def result_text(result: Result[Any]) -> str:
    """Encode a result as JSON; raises ValueError if a number is not finite."""
    # The standard encoder refuses NaN, which msgspec would write as null.
    data = to_builtins(result)
    return json.dumps(data, ensure_ascii=False, indent=2, sort_keys=True, allow_nan=False) + "\n"


def load_result(folder: Path, kind: type[Result[S]]) -> Result[S]:
    """Decode `result.json`; raises MatchError if it is damaged or has another version."""
    path = folder / RESULT
    try:
        return convert(read_json(path), kind)
    except ValidationError as error:
        problem = f"{path} was written by another version of cardhub ({error})"
        raise MatchError(f"{problem}; {DERIVED}") from error
