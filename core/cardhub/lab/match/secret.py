"""Secret of a match (commit and reveal): drawn at the start, revealed in the result.

The first line of the log has its SHA-256, which proves later that it was not replaced. All seeds of
games and bots are derived from it, so the match file alone does not reveal the deals.
"""

import json
import os
import re
import secrets
from contextlib import suppress
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

from cardhub.base.errors import MatchError
from cardhub.base.yamlfile import StringType
from cardhub.lab.match.log.log_reader import RESULT, begun_match
from cardhub.lab.match.match_spec import Match, Salt
from cardhub.plugins.registry import PluginRegistry

BYTES = 32
# Placeholder in a match whose secret is drawn at the start.
DRAWN = Salt("")
# File in a match's folder with the secret, until the match is over.
SECRET = "secret.hex"  # a file name
FOR_OWNER = 0o600
_DIGITS = re.compile(f"[0-9a-f]{{{2 * BYTES}}}")


NO_SALT = "none"
DRAW = "drawn"
# Valid values of the salt in a match file and on the command line.
SALT = StringType(
    f"{NO_SALT!r}, {DRAW!r} or {2 * BYTES} hexadecimal digits",
    lambda text: text in (NO_SALT, DRAW) or _DIGITS.fullmatch(text) is not None,
)


def read_salt(text: str) -> Salt | None:
    """Parse a value that SALT accepts."""
    if text == NO_SALT:
        return None
    return DRAWN if text == DRAW else salt_of(text)


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


def with_secret(match: Match, folder: Path) -> Match:
    """Return the match with its secret.

    The secret is the one given with the match, else the one the match in `folder` was started
    with, else a new one, which is saved there. Raises MatchError if a started match has lost it.
    """
    if match.salt != DRAWN:
        return match
    begun = begun_match(folder)
    commitment = None if begun is None else str(begun.get("salt") or "")
    if commitment is None:
        # A secret file is reused even if the header is unreadable: it may only be damaged.
        drawn = _saved_secret(folder) or salt_of(secrets.token_hex(BYTES))
        keep_secret(folder, drawn)  # before its hash is logged, so that a crash cannot lose it
        return replace(match, salt=drawn)
    salt = known_secret(folder, commitment)
    if commitment and not salt.secret:
        raise MatchError(
            f"{folder}: the secret of this match is lost: there is no {SECRET}\n"
            "fix: pass it with --salt HEX, or choose another folder with --out"
        )
    return replace(match, salt=salt if commitment else salt_of(secrets.token_hex(BYTES)))


def known_secret(folder: Path, commitment: str) -> Salt:
    """Return the Salt of a commitment; its secret is empty unless the folder has it."""
    revealed = None
    with suppress(ValueError):
        revealed = salt_of(revealed_in(folder) or "")
    salts = (_saved_secret(folder), revealed)
    return next((s for s in salts if s and s.sha256 == commitment), Salt(commitment))


def revealed_in(folder: Path) -> str | None:
    """Return the secret in `result.json` without a check of its hash.

    It is empty if it is missing or the file is damaged, None if the match is not over.
    """
    try:
        result = json.loads((folder / RESULT).read_bytes())
        return str(result["salt"]["revealed"] or "") if result["is_finished"] else None
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return ""


def keep_secret(folder: Path, salt: Salt) -> None:
    """Write the secret of an unfinished match, readable by the owner only; raises MatchError."""
    path, new = folder / SECRET, folder / f"{SECRET}.new"
    try:
        # O_EXCL with the mode from the start: the file is never readable by others, and a link that
        # another user placed there is not followed.
        new.unlink(missing_ok=True)
        file = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FOR_OWNER)
        try:
            os.write(file, f"{salt.secret}\n".encode())
            os.fsync(file)
        finally:
            os.close(file)
        new.replace(path)
    except OSError as error:
        raise MatchError(f"{path}: {error.strerror or error}") from error


def forget_secret(folder: Path) -> None:
    """Remove the secret file once the secret is revealed; raises MatchError."""
    try:
        for name in (SECRET, f"{SECRET}.new"):
            (folder / name).unlink(missing_ok=True)
    except OSError as error:
        raise MatchError(f"{folder / SECRET}: {error.strerror or error}") from error


def _saved_secret(folder: Path) -> Salt | None:
    with suppress(OSError, ValueError):  # no permission, or not text
        text = (folder / SECRET).read_text("utf-8").strip()
        return salt_of(text) if _DIGITS.fullmatch(text) else None
    return None
