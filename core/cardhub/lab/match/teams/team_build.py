"""Builds of teams: each once for its files, in the sandbox of the match, within a time limit."""

import os
import shlex
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from threading import Event
from time import monotonic

from cardhub.base.errors import BotError, OptionError
from cardhub.bots.external.program import check_command
from cardhub.bots.processes.child_process import ChildProcess, Codec, Read
from cardhub.bots.processes.launch import Confinement
from cardhub.bots.processes.sandbox import Place, Sandbox
from cardhub.lab.match.match_spec import Match, Team, digest
from cardhub.lab.match.teams.team_files import (
    bot_file,
    copy_files,
    files_digest,
    files_in,
    read_commands,
)
from cardhub.play.host.saved.saves import home

# The folder of all builds, within cardhub's own folder.
BUILDS = "builds"
# Number of bytes from the end of a build's output that are kept.
MOST_OUTPUT = 1 << 16
CHUNK = 1 << 14
# Seconds for an answer of a team's program in a match without a limit for answers.
ANSWER = 86400.0
# Seconds between two looks whether the builds are given up.
CHECK_INTERVAL = 0.2


class TeamError(BotError):
    """A team cannot play; the message is for everybody, `details` for the team."""

    def __init__(self, message: str, details: str = "") -> None:
        super().__init__(message)
        self.details = details or message


@dataclass(frozen=True, slots=True)
class Builder:
    """Builds teams; `answer_seconds`: the limit for each answer of their programs.

    Any thread can call it. `stop` ends the running builds.
    """

    sandbox: Sandbox | None
    answer_seconds: float
    stop: Event = field(default_factory=Event)

    def built(self, team: Team) -> Team:
        """Return a team with its program and digest; raises TeamError if it cannot play."""
        try:
            return self._built(team)
        except TeamError:
            raise
        except BotError as error:
            raise TeamError(str(error)) from error

    def _built(self, team: Team) -> Team:
        files = files_in(team.folder)
        sha256 = files_digest(files)
        commands = read_commands(team.folder) if team.folder.is_dir() else None
        build = _words(commands.build) if commands else []
        place = self._place(sha256, build)
        if not place.is_dir():
            self._build(team, build, place)
        if commands is None:
            return team._replace(program=f"file:{bot_file(place)}", sha256=sha256)
        run = shlex.join(_words(commands.run))
        _check_run(run, place)
        program = f"cmd:seconds={self.answer_seconds:g} folder={place} {run}"
        return team._replace(program=program, sha256=sha256)

    def _place(self, sha256: str, build: list[str]) -> Path:
        # What a build makes can depend on what it sees, and so on the sandbox.
        key = digest([sha256, build, self.sandbox is not None])
        place = (home() / BUILDS / key).absolute()
        if any(mark in str(place) for mark in " ,"):
            raise TeamError(
                f"the folder of builds {place.parent} has a space or comma in its path\n"
                "fix: set CARDHUB_HOME to another folder"
            )
        return place

    def _build(self, team: Team, build: list[str], place: Path) -> None:
        place.parent.mkdir(parents=True, exist_ok=True)
        new = Path(mkdtemp(prefix="new-", dir=place.parent))
        try:
            copy_files(files_in(team.folder), new)
            if build:
                self._run(team, build, new)
            new.chmod(0o755)
            with suppress(OSError):  # another match has built the same files meanwhile
                new.rename(place)
        finally:
            rmtree(new, ignore_errors=True)

    def _run(self, team: Team, build: list[str], folder: Path) -> None:
        output = bytearray()

        def on_message(_: object, chunk: bytes) -> None:
            output.extend(chunk)
            del output[:-MOST_OUTPUT]

        confinement = Confinement(sandbox=self.sandbox, place=Place(folder, is_writable=True))
        try:
            process = ChildProcess(
                build, CHUNKS, on_message, _ignore_end, confinement, stderr=subprocess.STDOUT
            )
        except (OSError, ValueError) as error:
            raise TeamError(f"its build cannot be started: {error}") from error
        code = self._wait(process, team.build_seconds)
        text = output.decode("utf-8", "replace")
        if code is None:
            raise TeamError(f"its build took longer than {team.build_seconds:g} seconds", text)
        if code:
            raise TeamError(f"its build failed with exit code {code}", text)

    def _wait(self, process: ChildProcess[bytes, bytes], seconds: float) -> int | None:
        """Return the exit code of a build, or None after it is killed at the end of its time."""
        end = monotonic() + seconds
        code = None
        while code is None and monotonic() < end and not self.stop.is_set():
            code = process.wait(CHECK_INTERVAL)
        if code is None:
            process.kill()
            process.reap()
        process.close_input()
        return code


def builder_of(match: Match, sandbox: Sandbox | None) -> Builder:
    """Return the builder of a match's teams."""
    return Builder(sandbox, match.budget.guard_seconds or ANSWER)


def _words(command: str | tuple[str, ...]) -> list[str]:
    try:
        return shlex.split(command) if isinstance(command, str) else list(command)
    except ValueError as error:
        raise TeamError(f"a command cannot be read: {error}") from error


def _check_run(run: str, place: Path) -> None:
    if not run:
        raise TeamError("it has no command `run`")
    try:
        check_command(run, str(place))
    except OptionError as error:
        name = shlex.split(run)[0]
        where = "its folder" if os.sep in name else "this machine"
        raise TeamError(f"there is no program {name!r} in {where}", str(error)) from error


def _chunks(read: Read) -> Iterator[bytes]:
    while chunk := read(CHUNK):
        yield chunk


def _ignore_end(_: object, _error: object) -> None:
    """Ignore the end of the output, because the exit code says how a build ended."""


CHUNKS: Codec[bytes, bytes] = Codec(bytes, _chunks)
