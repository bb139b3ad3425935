"""Volunteers of a ladder: machines that ask over HTTP for meetings and return their logs.

A log counts if it is the match of the meeting, follows from its deals and rules, and the bots play
a share of its games again with the same result.
"""

import re
import secrets
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Lock, Thread

from msgspec import Struct

from cardhub.base.errors import CardhubError, MatchError, RemoteError
from cardhub.lab.ladder.ladder import Ladder, can_play, meeting_content
from cardhub.lab.ladder.ladder_file import BotVersion, LadderHeader, Meeting
from cardhub.lab.match.log.log_reader import GAMES, RESULT
from cardhub.lab.match.match_spec import Match
from cardhub.lab.match.matchfile.reader import parse_match
from cardhub.lab.match.run.runner import SERIAL, RunOptions, run
from cardhub.lab.match.verifier import verify
from cardhub.plugins.registry import PluginRegistry

# Seconds that a volunteer may take for a meeting; then another program may play it.
PATIENCE = 3600.0
# The share of games that the bots play again here.
RERUN = 0.05
NAME = re.compile(r"[\w.-]{1,60}")
NAME_TEXT = "1 to 60 letters, digits, dots and hyphens"
# The largest request, in bytes: the log of a meeting.
MOST_BYTES = 1 << 26


class Request(Struct, frozen=True, forbid_unknown_fields=True):
    """What a volunteer sends: its name, the versions that it can play, and the last log.

    `playable` is None in the first request, before it knows the versions.
    """

    worker: str
    playable: tuple[str, ...] | None = None
    log: str | None = None


class Reply(Struct, frozen=True, forbid_unknown_fields=True):
    """What the ladder answers: its header, and its versions or the next meeting with its secret.

    `problem`: why the last log does not count, or why the volunteer gets no meeting; else empty.
    """

    header: LadderHeader
    versions: tuple[BotVersion, ...] = ()
    meeting: Meeting | None = None
    salt: str = "none"
    problem: str = ""


class _Volunteer:
    """A volunteer that holds at most one meeting, in a thread that waits for its log."""

    def __init__(self, desk: "VolunteerDesk", name: str, playable: Collection[str]) -> None:
        self._desk, self._name, self._playable = desk, name, playable
        self._inbox: SimpleQueue[str | None] = SimpleQueue()
        self._outbox: SimpleQueue[Reply] = SimpleQueue()
        Thread(target=self._run, daemon=True).start()

    def next(self) -> Reply:
        """Return the next meeting to play, or why there is none."""
        return self._outbox.get()

    def post(self, log: str | None) -> None:
        """Hand in the log of the meeting, or give the meeting up."""
        self._inbox.put(log)

    def _run(self) -> None:
        ladder = self._desk.ladder
        try:
            while ladder.meet(self._play, self._name, self._playable) is not None:
                pass
            problem = "the ladder has no two versions that both machines can play"
        except CardhubError as error:
            problem = str(error)
        self._outbox.put(Reply(ladder.header, problem=problem))

    def _play(self, match: Match, folder: Path) -> None:
        first, second = (entrant.id for entrant in match.entrants)
        meeting = Meeting(int(folder.name), (first, second))
        salt = secrets.token_hex(32) if match.salt else "none"
        self._outbox.put(Reply(self._desk.ladder.header, meeting=meeting, salt=salt))
        try:
            log = self._inbox.get(timeout=self._desk.patience)
        except Empty:
            raise MatchError(f"{self._name} did not return its meeting in time") from None
        if log is None:
            raise MatchError(f"{self._name} gave its meeting up")
        self._desk.accept(meeting, salt, log, folder)


class VolunteerDesk:
    """Gives meetings of a ladder to volunteers, and checks and counts what they return."""

    def __init__(
        self,
        ladder: Ladder,
        registry: PluginRegistry,
        options: RunOptions = SERIAL,
        *,
        patience: float = PATIENCE,
        rerun: float = RERUN,
    ) -> None:
        self.ladder = ladder
        self.patience = patience
        self._registry, self._options, self._rerun = registry, options, rerun
        self._volunteers: dict[str, _Volunteer] = {}
        self._lock = Lock()
        self._checking = Lock()

    def answer(self, request: Request) -> Reply:
        """Answer a request; returns once the last log is checked and the next meeting chosen."""
        if not NAME.fullmatch(request.worker):
            return Reply(self.ladder.header, problem=f"a name has {NAME_TEXT}")
        with self._lock:
            volunteer = self._volunteers.pop(request.worker, None)
        if request.playable is None or volunteer is None or request.log is None:
            if volunteer is not None:
                volunteer.post(None)
            if request.playable is None:
                return Reply(self.ladder.header, versions=tuple(self.ladder.versions()))
            volunteer = _Volunteer(self, request.worker, request.playable)
        else:
            volunteer.post(request.log)
        reply = volunteer.next()
        if reply.meeting is not None:
            with self._lock:
                self._volunteers[request.worker] = volunteer
        return reply

    def accept(self, meeting: Meeting, salt: str, log: str, folder: Path) -> None:
        """Write the log of a meeting into its folder and check it; raises MatchError."""
        path = folder / GAMES
        with self._checking:
            try:
                path.write_text(log, "utf-8")
                # Checks the first line. A whole log leaves no game to play.
                content = meeting_content(self.ladder.header, meeting, self.ladder.versions())
                match = parse_match(content | {"salt": salt}, self._registry)
                run(match, self._registry, folder, self._options)
                outcome = verify(folder, self._registry, self._rerun, self._options)
                if not outcome.is_fine:
                    raise MatchError(f"the log does not verify: {outcome.problems[0]}")
            except CardhubError as error:
                # Another program plays the meeting from its beginning.
                for file in (path, folder / RESULT):
                    file.unlink(missing_ok=True)
                # Volunteers need not know where the ladder is.
                raise MatchError(str(error).replace(f"{folder}/", "")) from error


# Sends a request to a ladder and returns its reply; raises RemoteError.
Send = Callable[[Request], Reply]


def play_for(
    send: Send,
    registry: PluginRegistry,
    worker: str,
    folder: Path,
    options: RunOptions = SERIAL,
    on_meeting: Callable[[Sequence[str]], object] = lambda bots: None,
) -> str:
    """Play meetings of a ladder until there are none, and return why.

    `folder` is empty, and gets a folder for each meeting. `on_meeting` is called with the names of
    the bots before a meeting. Bots that are programs or files do not play, because a
    ladder must not choose what this machine runs. Raises RemoteError for other bots.
    """
    first = send(Request(worker))
    if first.problem:
        return first.problem
    header = first.header
    versions = [v for v in first.versions if _is_safe(v, header.game, registry)]
    playable = tuple(version.name for version in versions)
    log: str | None = None
    while True:
        reply = send(Request(worker, playable, log))
        if reply.meeting is None:
            return reply.problem
        if not {*playable}.issuperset(reply.meeting.bots):
            raise RemoteError("the ladder has chosen a bot that this machine does not play")
        on_meeting(reply.meeting.bots)
        content = meeting_content(header, reply.meeting, versions) | {"salt": reply.salt}
        match = parse_match(content, registry)
        run(match, registry, folder / match.name, options)
        log = (folder / match.name / GAMES).read_text("utf-8")


def _is_safe(version: BotVersion, game: str, registry: PluginRegistry) -> bool:
    """Return whether a version is installed here and loads neither a program nor a file."""
    if not can_play(version, game, registry):
        return False
    return not any(part.loads for part in registry.parts(version.use, game))
