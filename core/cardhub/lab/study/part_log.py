"""The log of one part of a study, as far as it has whole deals."""

from collections.abc import Sequence
from hashlib import sha256
from itertools import groupby, islice, takewhile
from pathlib import Path
from typing import NamedTuple

from cardhub.lab.match.blocks import Games, count_games
from cardhub.lab.match.log.log_reader import GAMES, explained, game_lines, read_games, read_result
from cardhub.lab.match.match_spec import Match
from cardhub.lab.match.run.runner import Watcher, replay_log
from cardhub.lab.match.task import GameResult


class StudyPart(NamedTuple):
    """One match of a study: its folder, and the number of deals that count for the figures.

    The match may have more deals, which an earlier run has begun.
    """

    folder: Path
    match: Match
    deals: int


class PartGames(NamedTuple):
    """The games of a part on its whole deals, in the order of the log, by block.

    `deals`: the number of these deals, at most the number that the part asks for. `digest`: the
    SHA-256 of the log up to them, or None without a log.
    """

    deals: int
    blocks: tuple[tuple[GameResult, ...], ...]
    digest: str | None


def read_part(part: StudyPart) -> PartGames:
    """Return the games of a part on whole deals; raises MatchError."""
    if not (part.folder / GAMES).exists():
        return PartGames(0, (), None)
    logged = [result for _, result in read_games(part.folder)]
    deals = min(part.deals, _whole_deals(part, logged))
    games = list(takewhile(lambda result: result.deal < deals, logged))
    sizes = Games(part.match)
    blocks = []
    for (contest, _, bots), block in groupby(games, lambda r: (r.contest, r.deal, r.bots)):
        results = tuple(block)
        # A block without a withdrawn bot compares nothing.
        if len(results) == sizes.size(contest, bots):
            blocks.append(results)
    return PartGames(deals, tuple(blocks), _digest(part.folder, len(games)))


def begun_deals(folder: Path) -> int:
    """Return the number of deals of which the log in a folder has games; raises MatchError."""
    if not (folder / GAMES).exists():
        return 0
    last = None
    for _, line in game_lines(folder):
        last = line
    return 0 if last is None else read_result(last).deal + 1


def _whole_deals(part: StudyPart, logged: Sequence[GameResult]) -> int:
    """Return the number of deals all of whose games are in the log."""
    if not logged:
        return 0
    last = logged[-1].deal
    games = sum(1 for result in logged if result.deal == last)
    if games == count_games(part.match) // part.match.order.blocks:
        return last + 1
    # The deal has begun, or has fewer games since a bot was withdrawn.
    state = replay_log(part.match, Games(part.match), part.folder, Watcher())
    upcoming = state.upcoming(1)
    return upcoming[0].deal if upcoming else last + 1


def _digest(folder: Path, games: int) -> str:
    digest = sha256()
    with explained(folder), (folder / GAMES).open("rb") as file:
        for line in islice(file, 1 + games):  # the first line is the header
            digest.update(line)
    return digest.hexdigest()
