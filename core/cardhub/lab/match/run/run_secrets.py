"""The secrets of a running match, which stay in memory, and the record of its runs."""

import hmac
import secrets
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from msgspec.structs import replace as with_fields

from cardhub.base.errors import MatchError
from cardhub.lab.match.log.log_reader import explained, has_header, read_header
from cardhub.lab.match.log.run_records import RunRecord, read_runs, write_runs
from cardhub.lab.match.match_spec import Match, Salt
from cardhub.lab.match.secret import BYTES, DRAWN, OLD_SECRET, known_salt, salt_of, salt_of_runs

NO_KEY = (
    f"the file has no key of {2 * BYTES} hexadecimal digits\nfix: openssl rand -hex {BYTES} > FILE"
)


def read_key(text: str) -> bytes:
    """Parse the operator's key; raises MatchError."""
    try:
        key = bytes.fromhex(text)
    except ValueError:
        key = b""
    if len(key) != BYTES:
        raise MatchError(NO_KEY)
    return key


class RunSecrets:
    """The secrets of a match in one of its runs, and the record of its runs.

    Nothing changes for a match without a secret, or with one that is given. `key`: the operator's
    key, or None. `sandbox`: as in its `RunRecord`.
    """

    def __init__(self, match: Match, folder: Path, key: bytes | None, sandbox: bool | None) -> None:
        self._is_drawn = match.salt == DRAWN
        self._folder = folder
        self._key = key
        self._sandbox = sandbox
        # With all secrets, also those that the file does not have yet.
        self._runs: tuple[RunRecord, ...] = ()

    def open_match(self, match: Match) -> Match:
        """Return the match with the secret that the header of its log commits to.

        A new match gets one. Raises MatchError.
        """
        if not has_header(self._folder):
            return self._begun(match, 0, ())
        commitment = read_header(self._folder)["match"].get("salt")
        if not self._is_drawn or not commitment:
            return match
        return replace(match, salt=known_salt(self._folder, str(commitment)))

    def play_on(self, match: Match, block: int) -> Match:
        """Begin a run that plays on from a block, and return the match with all its secrets.

        A drawn secret is drawn anew, unless the last one follows from the operator's key. Raises
        MatchError.
        """
        # Also in the first block, because the log is committed to the first secret.
        return self._begun(match, block, self._earlier_runs(match))

    def _begun(self, match: Match, block: int, earlier: tuple[RunRecord, ...]) -> Match:
        run = RunRecord(block, self._sandbox)
        if self._is_drawn:
            number = self._number(earlier)
            salt = self._salt(number)
            run = with_fields(run, sha256=salt.sha256, number=number, revealed=salt.secret)
        goes_on = bool(earlier) and run == with_fields(earlier[-1], block=block)
        self._runs = earlier if goes_on else (*earlier, run)
        return replace(match, salt=salt_of_runs(self._runs)) if self._is_drawn else match

    def record(self) -> None:
        """Write the record of a run that has begun, without its secret; raises MatchError."""
        if any(run.sha256 or run.sandbox is not None for run in self._runs):
            present = self._runs[-1].sha256
            write_runs(self._folder, tuple(_closed(run, present) for run in self._runs))

    def end(self, *, is_over: bool) -> None:
        """Reveal the secret, unless another run will deal further games from it."""
        if self._is_drawn and self._runs and (is_over or not self._runs[-1].number):
            write_runs(self._folder, self._runs)
        with explained(self._folder / OLD_SECRET):
            (self._folder / OLD_SECRET).unlink(missing_ok=True)

    def _earlier_runs(self, match: Match) -> tuple[RunRecord, ...]:
        runs = read_runs(self._folder)
        if match.salt is not None and self._is_drawn and not salt_of_runs(runs):
            # An older cardhub has begun the match.
            salts = [(0, match.salt), *match.salt.later]
            runs = tuple(RunRecord(n, None, s.sha256, "", s.secret) for n, s in salts)
        return tuple(map(self._opened, runs or (RunRecord(0),)))

    def _opened(self, run: RunRecord) -> RunRecord:
        """Return the record with its secret, if that follows from the operator's key."""
        if run.revealed or not run.number or self._key is None:
            return run
        salt = self._salt(run.number)
        return with_fields(run, revealed=salt.secret) if salt.sha256 == run.sha256 else run

    def _number(self, earlier: Sequence[RunRecord]) -> str:
        """Return the number from which the secret of this run follows; empty without a key."""
        if self._key is None:
            return ""
        last = earlier[-1] if earlier else RunRecord(0)
        is_own = bool(last.number) and self._salt(last.number).sha256 == last.sha256
        return last.number if is_own else secrets.token_hex(BYTES)

    def _salt(self, number: str) -> Salt:
        if self._key is None or not number:
            return salt_of(secrets.token_hex(BYTES))
        return salt_of(hmac.digest(self._key, number.encode(), "sha256").hex())


def _closed(run: RunRecord, present: str) -> RunRecord:
    """Return the record without its secret if games are still to be dealt from it."""
    return with_fields(run, revealed="") if run.sha256 == present else run
