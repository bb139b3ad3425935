"""A ladder in a folder: choose meetings by what they add, play them, and rate all versions."""

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from filelock import FileLock, Timeout

from cardhub.base.errors import MatchError, OptionError, PluginError
from cardhub.lab.estimate import PointEstimate
from cardhub.lab.ladder.ladder_file import (
    FORMAT,
    BotVersion,
    LadderFile,
    LadderHeader,
    Line,
    Meeting,
    MeetingScores,
    WorkerStatus,
)
from cardhub.lab.match.log.log_reader import read_games
from cardhub.lab.match.match_spec import Contest, Match, digest
from cardhub.lab.match.matchfile.reader import parse_match
from cardhub.lab.match.matchfile.short_forms import derived_ids
from cardhub.lab.match.provenance import sources_of
from cardhub.lab.match.run.runner import RunOptions, run
from cardhub.lab.match.seat_scores import PairScore
from cardhub.lab.stats.ratings.anytime import AnytimeRatings, PairCounts
from cardhub.lab.stats.types import Pair
from cardhub.model.game.initial_state import resolve_options
from cardhub.plugins.bot_files import anchored
from cardhub.plugins.registry import PluginRegistry

MEETINGS = "meetings"
# The claim of the program that plays a meeting, within the meeting's folder.
CLAIM = ".claim"
# More numbers of meetings than a ladder can need.
SEEDS = 10**9
BLOCKS = 10
FEWEST = 2
# Results of a worker that are less likely than this, for all workers together, do not fit.
UNLIKELY = 0.01

# Plays the match of a meeting in a folder, and returns when it is over; raises MatchError.
PlayMatch = Callable[[Match, Path], object]


class LadderRow(NamedTuple):
    """A version in the list of ratings; `elo` is above the first version of the ladder."""

    name: str
    use: str
    elo: PointEstimate
    blocks: int
    is_playable: bool


class WorkerRow(NamedTuple):
    """A machine that played meetings, and whether its results fit the others' results.

    `fit`: the p-value of its results, given the ratings by all other machines, or None if one of
    them has played too little. `fits`: whether it is above the limit for all machines together.
    """

    name: str
    meetings: int
    games: int
    fit: float | None
    fits: bool
    is_excluded: bool


class Ladder:
    """A ladder in a folder; several programs may use it at the same time, and go on with it."""

    def __init__(self, folder: Path, registry: PluginRegistry) -> None:
        self.folder = folder
        self._file = LadderFile(folder)
        self._registry = registry

    @property
    def header(self) -> LadderHeader:
        """What is rated; raises MatchError if there is no ladder."""
        return _header(self._file.read(), self.folder)

    def begin(
        self, game: str, players: int, rules: dict[str, str], *, blocks: int, seed: int
    ) -> None:
        """Begin a ladder, or check that it is about the same; raises MatchError or OptionError."""
        entry = self._registry.game(game)
        values = dict(resolve_options(entry, rules, players).items())
        header = LadderHeader(FORMAT, game, entry.version, players, values, blocks, seed)
        with self._file.locked() as lines:
            if not lines:
                self._file.append([header])
            elif _header(lines, self.folder) != header:
                raise MatchError(
                    f"{self.folder} has another ladder\n"
                    "fix: leave out the game and its options, or choose a new folder"
                )

    def add(self, use: str) -> BotVersion:
        """Add the present version of a bot, unless the ladder has it, and return it.

        Raises PluginError, OptionError or MatchFileError.
        """
        use = anchored(self._registry, use, self.header.game)
        sha256 = _version_digest(self._registry, self.header.game, use)
        with self._file.locked() as lines:
            versions = _versions(lines)
            for version in versions:
                if version.sha256 == sha256:
                    return version
            (name,) = derived_ids([use], [version.name for version in versions])
            version = BotVersion(name, use, sha256)
            self._file.append([version])
            return version

    def versions(self) -> list[BotVersion]:
        """Return the versions in the order in which they joined; raises MatchError."""
        return _versions(self._file.read())

    def play_meeting(self, options: RunOptions, worker: str = "") -> Meeting | None:
        """Choose a meeting, play it and record its scores; None if nobody can play.

        A meeting that another program left is played to its end first. `worker`: the name of this
        machine. Raises MatchError.
        """
        return self.meet(lambda match, folder: run(match, self._registry, folder, options), worker)

    def meet(
        self, play: PlayMatch, worker: str = "", among: Collection[str] | None = None
    ) -> Meeting | None:
        """Choose a meeting as `play_meeting` does, but have this function play the match.

        `among`: the versions that can play, or None for all that can play here.
        """
        with self._claimed(among) as meeting:
            if meeting is None:
                return None
            folder = self._folder_of(meeting)
            match = self._match(meeting)
            play(match, folder)
            scores, games = _scores_in(folder, match.contests[0], meeting)
            with self._file.locked():
                self._file.append([MeetingScores(meeting.number, scores, games, worker)])
        return meeting

    def rows(self, level: float) -> list[LadderRow]:
        """Return the list of ratings, the best version first; raises MatchError."""
        lines = self._file.read()
        versions = _versions(lines)
        game = _header(lines, self.folder).game
        ratings = _ratings(lines)
        rows = [
            LadderRow(
                version.name,
                version.use,
                ratings.elo(number, level),
                ratings.blocks_of(number),
                can_play(version, game, self._registry),
            )
            for number, version in enumerate(versions)
        ]
        return sorted(rows, key=lambda row: -row.elo.value)

    def set_excluded(self, worker: str, *, is_excluded: bool) -> None:
        """Count or exclude the scores of a worker; raises MatchError for an unknown name."""
        with self._file.locked() as lines:
            names = {line.worker for line in lines if isinstance(line, MeetingScores)}
            if worker not in names:
                raise MatchError(f"no worker {worker!r} has played in {self.folder}")
            self._file.append([WorkerStatus(worker, is_excluded)])

    def workers(self) -> list[WorkerRow]:
        """Return the machines that played, each with the fit of its results; raises MatchError."""
        lines = self._file.read()
        played = [line for line in lines if isinstance(line, MeetingScores)]
        names = list(dict.fromkeys(line.worker for line in played))
        excluded = _excluded(lines)
        rows = []
        for name in names:
            own = [line for line in played if line.worker == name]
            ratings = _ratings(lines, {*excluded, name})
            fit = ratings.fit_of(_counts(lines, name.__eq__))
            games = sum(line.games for line in own)
            fits = fit is None or fit * len(names) > UNLIKELY
            rows.append(WorkerRow(name, len(own), games, fit, fits, name in excluded))
        return rows

    def counts(self) -> tuple[int, int]:
        """Return the numbers of meetings and of games that have been played."""
        played = [line for line in self._file.read() if isinstance(line, MeetingScores)]
        return len(played), sum(line.games for line in played)

    @contextmanager
    def _claimed(self, among: Collection[str] | None) -> Iterator[Meeting | None]:
        """Yield a meeting that no other program plays; None if fewer than two bots can play."""
        self._require_same_game()
        with self._file.locked() as lines:
            meeting, claim = self._claim(lines, among)
        try:
            yield meeting
        finally:
            if claim is not None:
                claim.release()

    def _require_same_game(self) -> None:
        header = self.header
        version = self._registry.game(header.game).version
        if version != header.version:
            raise MatchError(
                f"{self.folder} rates version {header.version} of {header.game}, and this is "
                f"version {version}\nfix: begin a new ladder in another folder"
            )

    def _claim(
        self, lines: list[Line], among: Collection[str] | None
    ) -> tuple[Meeting | None, FileLock | None]:
        versions = _versions(lines)
        game = _header(lines, self.folder).game
        playable = {v.name for v in versions if can_play(v, game, self._registry)}
        playable &= playable if among is None else {*among}
        pending = _pending(lines)
        for meeting in pending:
            if playable.issuperset(meeting.bots) and (claim := self._claim_of(meeting)):
                return meeting, claim
        names = [version.name for version in versions]
        numbers = [number for number, name in enumerate(names) if name in playable]
        meetings = [line for line in lines if isinstance(line, Meeting)]
        busy = [_pair(meeting, names) for meeting in pending]
        blocks = _header(lines, self.folder).blocks
        pair = _ratings(lines).next_pair(numbers, blocks, busy) if len(numbers) >= FEWEST else None
        if pair is None:
            return None, None
        meeting = Meeting(len(meetings), (names[pair[0]], names[pair[1]]))
        self._file.append([meeting])
        return meeting, self._claim_of(meeting)

    def _claim_of(self, meeting: Meeting) -> FileLock | None:
        """Return the lock of a meeting, None if another program plays it."""
        folder = self._folder_of(meeting)
        folder.mkdir(parents=True, exist_ok=True)
        claim = FileLock(folder / CLAIM, blocking=False)
        try:
            claim.acquire()
        except Timeout:
            return None
        return claim

    def _folder_of(self, meeting: Meeting) -> Path:
        return self.folder / MEETINGS / f"{meeting.number:06}"

    def _match(self, meeting: Meeting) -> Match:
        lines = self._file.read()
        content = meeting_content(_header(lines, self.folder), meeting, _versions(lines))
        return parse_match(content, self._registry)


def meeting_content(
    header: LadderHeader, meeting: Meeting, versions: Sequence[BotVersion]
) -> dict[str, Any]:
    """Return the keys of the match file of a meeting between two of these versions."""
    uses = {version.name: version.use for version in versions}
    game = {"game": header.game, "players": header.players, "rules": header.rules}
    return {
        "cardhub_match": 1,
        "name": f"meeting-{meeting.number}",
        "seed": SEEDS * header.seed + meeting.number,
        "bots": [{"id": name, "use": uses[name]} for name in meeting.bots],
        "games": [game | {"score": "rank"}],
        "blocks": header.blocks,
        # A version that fails loses, but it stays on the ladder.
        "faults": {"share": 1},
    }


def _version_digest(registry: PluginRegistry, game: str, use: str) -> str:
    """Return the SHA-256 of what plays a game as this bot.

    Raises PluginError, OptionError or MatchError.
    """
    sources = sources_of(registry.parts(use, game))
    # cardhub itself counts by its release: with each change of its code all bots would be new.
    return digest([use, sorted({_release(source) for source in sources})])


def can_play(version: BotVersion, game: str, registry: PluginRegistry) -> bool:
    """Return whether what would play here is this version."""
    try:
        return _version_digest(registry, game, version.use) == version.sha256
    except (PluginError, OptionError, MatchError):
        return False


def _release(source: str) -> str:
    return source.rpartition(" sha256:")[0] if source.startswith("cardhub ") else source


def _header(lines: list[Line], folder: Path) -> LadderHeader:
    if lines and isinstance(lines[0], LadderHeader):
        return lines[0]
    raise MatchError(f"{folder} has no ladder\nfix: begin it with --game GAME")


def _versions(lines: list[Line]) -> list[BotVersion]:
    return [line for line in lines if isinstance(line, BotVersion)]


def _pending(lines: list[Line]) -> list[Meeting]:
    played = {line.number for line in lines if isinstance(line, MeetingScores)}
    return [line for line in lines if isinstance(line, Meeting) and line.number not in played]


def _pair(meeting: Meeting, names: list[str]) -> tuple[int, int]:
    first, second = (names.index(bot) for bot in meeting.bots)
    return first, second


def _excluded(lines: list[Line]) -> set[str]:
    status = {line.worker: line.is_excluded for line in lines if isinstance(line, WorkerStatus)}
    return {worker for worker, is_excluded in status.items() if is_excluded}


def _counts(lines: list[Line], is_wanted: Callable[[str], bool]) -> dict[Pair, PairCounts]:
    """Return the blocks of pairs that were played by these workers."""
    names = [version.name for version in _versions(lines)]
    meetings = {line.number: line for line in lines if isinstance(line, Meeting)}
    counts: dict[Pair, PairCounts] = {}
    for line in lines:
        if isinstance(line, MeetingScores) and is_wanted(line.worker):
            pair = _pair(meetings[line.number], names)
            counts[pair] = counts.get(pair, PairCounts()).plus(line.scores)
    return counts


def _ratings(lines: list[Line], without: Collection[str] | None = None) -> AnytimeRatings:
    """Return the ratings by all workers but these, by default the excluded ones."""
    left_out = _excluded(lines) if without is None else without
    counts = _counts(lines, lambda worker: worker not in left_out)
    return AnytimeRatings(len(_versions(lines)), counts)


def _scores_in(folder: Path, contest: Contest, meeting: Meeting) -> tuple[tuple[float, ...], int]:
    """Return the scores of the first bot by deal, and the number of games."""
    by_deal: dict[int, PairScore] = {}
    games = 0
    for _, result in read_games(folder):
        games += 1
        by_deal.setdefault(result.deal, PairScore(*meeting.bots, contest)).add(result)
    scores = [score.value for score in by_deal.values()]
    return tuple(score for score in scores if score is not None), games
