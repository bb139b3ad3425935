"""Secrets of a match (commit and reveal): drawn at the start, revealed in the result.

The first line of the log has its SHA-256, which proves later that it was not replaced. All seeds of
games and bots are derived from it, so the match file alone does not reveal the deals.

While games are played, no file has the secret, because a bot could read it. So a match that was
interrupted goes on with a new secret from the block that comes next (`RunSecrets`), unless the
secret follows from the operator's key.
"""

import json
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

from cardhub.base.yamlfile import StringType
from cardhub.lab.match.log.log_reader import RESULT
from cardhub.lab.match.log.run_records import RunRecord, read_runs
from cardhub.lab.match.match_spec import Match, Salt
from cardhub.plugins.registry import PluginRegistry

BYTES = 32
# Placeholder in a match whose secret is drawn at the start.
DRAWN = Salt("")
# File in which older versions of cardhub kept the secret of a match that was not over.
OLD_SECRET = "secret.hex"  # a file name
_DIGITS = re.compile(f"[0-9a-f]{{{2 * BYTES}}}")
_LATER = re.compile(f"([0-9]{{1,18}}):([0-9a-f]{{{2 * BYTES}}})")


NO_SALT = "none"
DRAW = "drawn"


def _is_salt(text: str) -> bool:
    if text in (NO_SALT, DRAW):
        return True
    first, *others = text.split(",")
    later = [_LATER.fullmatch(other) for other in others]
    blocks = [int(match[1]) for match in later if match]
    is_ordered = all(low <= high for low, high in pairwise(blocks))
    return bool(_DIGITS.fullmatch(first)) and None not in later and is_ordered


# Valid values of the salt in a match file and on the command line.
SALT = StringType(f"{NO_SALT!r}, {DRAW!r} or {2 * BYTES} hexadecimal digits", _is_salt)


def read_salt(text: str) -> Salt | None:
    """Parse a value that SALT accepts: `none`, `drawn`, or secrets as `salt_text` writes them."""
    if text == NO_SALT:
        return None
    if text == DRAW:
        return DRAWN
    first, *others = text.split(",")
    later = (other.partition(":") for other in others)
    return replace(
        salt_of(first), later=tuple((int(block), salt_of(secret)) for block, _, secret in later)
    )


def has_third_party_bots(match: Match, registry: PluginRegistry) -> bool:
    """Return whether the match has third-party bots; raises PluginError."""
    parts = (
        part
        for entrant in match.entrants
        for game in dict.fromkeys(match.contest(contest).game for contest in entrant.plays)
        for spec in (entrant.use, match.faults.substitute)
        for part in registry.parts(spec, game)
    )
    return not all(part.is_shipped for part in parts)


def salt_of(secret: str) -> Salt:
    """Return the Salt of a secret in hexadecimal digits."""
    return Salt(sha256(bytes.fromhex(secret)).hexdigest(), secret)


def salt_text(salt: Salt) -> str:
    """Return known secrets as a value that `read_salt` parses: `HEX,BLOCK:HEX`."""
    return ",".join([salt.secret, *(f"{block}:{later.secret}" for block, later in salt.later)])


def salt_of_runs(runs: Sequence[RunRecord]) -> Salt | None:
    """Return the secrets of runs, as far as they are revealed; None for runs without secrets."""
    salts = [(run.block, _checked(run.sha256, run.revealed)) for run in runs if run.sha256]
    if not salts:
        return None
    # A run that goes on with the secret of the last one has no secret of its own.
    changes = [new for old, new in pairwise(salts) if old[1] != new[1]]
    return replace(salts[0][1], later=tuple(changes))


def known_salt(folder: Path, commitment: str) -> Salt:
    """Return the secrets of a match as far as its folder has them; `commitment`: the first hash.

    Raises MatchError if the record of its runs is damaged.
    """
    salt = salt_of_runs(read_runs(folder))
    if salt is None or salt.sha256 != commitment:
        salt = _salt_in_result(folder)
    if salt is None or salt.sha256 != commitment:
        salt = Salt(commitment)
    return salt if salt.secret else replace(salt, secret=_checked(commitment, _old(folder)).secret)


def revealed_in(folder: Path) -> str | None:
    """Return the first secret in `result.json` without a check of its hash.

    It is empty if it is missing or the file is damaged, None if the match is not over.
    """
    try:
        result = json.loads((folder / RESULT).read_bytes())
        return str(result["salt"]["revealed"] or "") if result["is_finished"] else None
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return ""


def _salt_in_result(folder: Path) -> Salt | None:
    try:
        salt = json.loads((folder / RESULT).read_bytes())["salt"]
        rows: list[dict[str, Any]] = [{"block": 0, **salt}, *salt.get("later", ())]
        runs = [RunRecord(int(r["block"]), None, r["sha256"], "", r["revealed"]) for r in rows]
        return salt_of_runs(runs)
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None


def _checked(commitment: str, secret: str | None) -> Salt:
    """Return the Salt with this hash, without the secret if that has another one."""
    with suppress(ValueError):
        if secret and salt_of(secret).sha256 == commitment:
            return Salt(commitment, secret)
    return Salt(commitment)


def _old(folder: Path) -> str:
    with suppress(OSError, ValueError):  # no permission, or not text
        return (folder / OLD_SECRET).read_text("utf-8").strip()
    return ""
