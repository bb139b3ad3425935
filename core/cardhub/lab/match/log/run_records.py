"""The runs of a match: where each began, how its bots ran, and the secret of its deals.

`runs.json` is in the folder of a match that has a secret, or bots that do not come with cardhub.
"""

from itertools import pairwise
from pathlib import Path

import msgspec
from msgspec import Struct

from cardhub.base.errors import MatchError
from cardhub.lab.match.log.log_reader import explained
from cardhub.lab.match.log.log_writer import replace_file

RUNS, FORMAT = "runs.json", 1


class RunRecord(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A run of a match.

    `block`: the number of the first block that it may play. `sandbox`: whether bots that do not
    come with cardhub had one, or None if there are none. `sha256`: the hash of the secret from
    which its deals follow, or empty. `number`: the random number from which the secret follows,
    together with the operator's key, or empty. `revealed`: the secret, once no further deal
    follows from it, else empty.
    """

    block: int
    sandbox: bool | None = None
    sha256: str = ""
    number: str = ""
    revealed: str = ""


class RunRecords(Struct, frozen=True, forbid_unknown_fields=True):
    """The content of `runs.json`, in the order of the runs."""

    cardhub_runs: int
    runs: tuple[RunRecord, ...]


def read_runs(folder: Path) -> tuple[RunRecord, ...]:
    """Return the runs of a match, none if it has no such file; raises MatchError."""
    path = folder / RUNS
    if not path.exists():
        return ()
    try:
        with explained(path):
            return msgspec.json.decode(path.read_bytes(), type=RunRecords).runs
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise MatchError(f"{path}: {error}\nfix: restore this file") from error


def write_runs(folder: Path, runs: tuple[RunRecord, ...]) -> None:
    """Replace `runs.json`; raises MatchError."""
    data = msgspec.json.encode(RunRecords(FORMAT, runs))
    replace_file(folder / RUNS, f"{msgspec.json.format(data).decode()}\n")


def had_sandbox(folder: Path) -> bool | None:
    """Return whether bots that do not come with cardhub had a sandbox in all games of a match.

    None if it has no such bots, or if it was not recorded; raises MatchError.
    """
    runs = read_runs(folder)
    # A run that ended before its first block played nothing.
    played = [run for run, after in pairwise(runs) if run.block < after.block]
    sandboxes = [run.sandbox for run in (*played, *runs[-1:])]
    return None if not sandboxes or None in sandboxes else all(sandboxes)
