"""Schema and codec of `result.json`; docs/results.md explains the fields.

`Result` is generic in its `statistics`, because `cardhub.lab.analysis` is above this package.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Generic, TypeVar

from msgspec import Struct, ValidationError, convert, to_builtins

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
from cardhub.lab.match.match_json import digest, spec_of
from cardhub.lab.match.match_spec import Match
from cardhub.lab.match.run.counts import BotCounts
from cardhub.lab.match.run.match_state import MatchState
from cardhub.lab.match.run.stop_rule import SprtState

S = TypeVar("S")

# The version of `result.json`.
FORMAT = 5

# Returns the statistics of a match, given the folder with its log, as a struct or plain data.
# It is called whenever `result.json` is written. It must depend on nothing but the match and the
# log.
Analyse = Callable[[Match, Path], Any]


class RevealedSalt(Struct, frozen=True):
    """Commitment to the secret of a match; `revealed` is the secret once the match is over."""

    sha256: str
    revealed: str | None


class Result(Struct, Generic[S], frozen=True):
    """Results of a match; the schema of `result.json`."""

    cardhub_match: int
    name: str
    spec: dict[str, Any]
    spec_sha256: str
    games_sha256: str
    versions: dict[str, Any]
    salt: RevealedSalt | None
    is_finished: bool
    is_reproducible: bool
    not_reproducible: tuple[str, ...]
    blocks: int
    games: int
    steps: int
    counts: dict[str, dict[str, BotCounts]]
    withdrawn: dict[str, int]
    test: SprtState | None
    stop: str | None
    statistics: S


def no_statistics(match: Match, folder: Path) -> dict[str, Any]:
    """Return no statistics: the default Analyse, for matches that are only counted."""
    return {}


def result_of(
    match: Match, state: MatchState, folder: Path, unsure: list[str], analyse: Analyse
) -> Result[Any]:
    """Return the results of a match: the same for the same match and log.

    `unsure` are the bots that may play differently the next time.
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
        is_reproducible=not unsure,
        not_reproducible=tuple(unsure),
        blocks=state.blocks,
        games=state.counts.games,
        steps=state.counts.steps,
        counts=state.counts.rows(),
        withdrawn=dict(state.counts.withdrawn),
        test=state.test.state() if state.test else None,
        stop=state.stop or None,
        statistics=analyse(match, folder),
    )


def _salt(match: Match, *, is_over: bool) -> RevealedSalt | None:
    if match.salt is None:
        return None
    # Revealing it earlier would reveal the deals of games that are still to be played.
    return RevealedSalt(match.salt.sha256, match.salt.secret or None if is_over else None)


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
    """Decode `result.json`; raises MatchError if it is damaged or of another version."""
    path = folder / RESULT
    try:
        return convert(read_json(path), kind)
    except ValidationError as error:
        problem = f"{path} was written by another version of cardhub ({error})"
        raise MatchError(f"{problem}; {DERIVED}") from error
