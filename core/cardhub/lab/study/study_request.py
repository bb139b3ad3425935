"""The request for a study, its match files, and its folder with their logs and the result."""

import json
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import groupby, islice, takewhile
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from cardhub.base.errors import MatchError
from cardhub.base.files import LimitError, read_within
from cardhub.bots import parse_spec
from cardhub.lab.match.blocks import Games, count_games
from cardhub.lab.match.log.log_reader import GAMES, explained, game_lines, read_games, read_result
from cardhub.lab.match.log.log_writer import replace_file
from cardhub.lab.match.match_spec import Match
from cardhub.lab.match.matchfile.reader import FORMAT as MATCH_FORMAT
from cardhub.lab.match.matchfile.reader import read_match
from cardhub.lab.match.run.runner import Watcher, replay_log
from cardhub.lab.match.task import GameResult
from cardhub.lab.study.study_schema import FORMAT, STUDY, StudyResult
from cardhub.model.game.game import Game
from cardhub.model.game.initial_state import game_scoring, resolve_options
from cardhub.model.table.goal import Goal
from cardhub.model.table.settings import Value, format_value
from cardhub.plugins.registry import PluginRegistry


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


RANDOM, RULE = "random", "rule"
SEARCHES = ("ismcts:25", "ismcts:50", "ismcts:100")
# The option of bots that search; its value is their strength.
ITERATIONS = "iterations"
# The parts of a study, each a match in a folder of this name.
PLAIN, SEARCH, LADDER = "plain", "search", "ladder"
# The options of the command line with the numbers of deals.
DEALS_FLAGS = {PLAIN: "--deals", SEARCH: "--search-deals", LADDER: "--ladder-deals"}
# Two groups of copies play each deal: what their games have in common is due to the deal.
REPLICATES = ("a", "b")


@dataclass(frozen=True, slots=True)
class StudyRequest:
    """The settings of a study; `bots` are specs from the weakest to the strongest.

    `deals`: the number of deals on which bots play copies of themselves; `search_deals`: the same
    for bots that search. On `ladder_deals` deals bots that search play one another.
    """

    game: str
    players: int
    options: Mapping[str, Value]
    bots: tuple[str, ...]
    deals: int = 100
    search_deals: int = 10
    ladder_deals: int = 20
    seed: int = 1

    @property
    def deals_by_part(self) -> dict[str, int]:
        """The numbers of deals by the name of the part that plays them."""
        return {PLAIN: self.deals, SEARCH: self.search_deals, LADDER: self.ladder_deals}

    def with_deals(self, by_part: Mapping[str, int]) -> "StudyRequest":
        """Return the request with other numbers of deals, 0 for a part that has none here."""
        plain, search, ladder = (by_part.get(part, 0) for part in (PLAIN, SEARCH, LADDER))
        return replace(self, deals=plain, search_deals=search, ladder_deals=ladder)


def default_bots(registry: PluginRegistry, game: str) -> tuple[str, ...]:
    """Return the specs of `random`, of the game's `rule` bot if it has one, and of searches.

    A game without determinizations has no searches.
    """
    rule_bot = (RULE,) if registry.has_bot(RULE, game) else ()
    searches = () if registry.game(game).no_determinizations else SEARCHES
    return (RANDOM, *rule_bot, *searches)


def iterations_of(registry: PluginRegistry, spec: str, game: str) -> int | None:
    """Return the number of determinizations of a bot, or None if it does not search.

    Raises PluginError or OptionError.
    """
    iterations = registry.settings_of(spec, game).get(ITERATIONS)
    return iterations if isinstance(iterations, int) and iterations > 0 else None


def study_files(request: StudyRequest, registry: PluginRegistry) -> dict[str, str]:
    """Return the match files of a study by part, fast bots first; raises CardhubError.

    They lack the last line: the number of deals in the log, which may be more than requested.
    In `plain` and `search` bots play copies of themselves. In `ladder` bots that search play one
    another and the strongest bot that does not search; that bot plays the weaker ones in `plain`.
    """
    parties = _parties(registry.game(request.game), request)
    searching = [
        bot for bot in request.bots if iterations_of(registry, bot, request.game) is not None
    ]
    plain = [bot for bot in request.bots if bot not in searching]
    rungs = [*plain[-1:], *searching] if searching else []
    deals = request.deals_by_part
    drafts = (
        (PLAIN, plain, _rungs(plain, parties)),
        (SEARCH, searching, ()),
        (LADDER, (), _rungs(rungs, parties)),
    )
    return {
        name: _match_text(request, name, bots, rungs, parties)
        for name, bots, rungs in drafts
        if deals[name] and (bots or rungs)
    }


def study_command(request: StudyRequest, registry: PluginRegistry) -> str:
    """Return the command line that plays a study with exactly the deals of a request."""
    words = ["cardhub", "study", request.game, "--players", str(request.players)]
    for name, value in request.options.items():
        words += ["--set", f"{name}={format_value(value)}"]
    for bot in request.bots:
        words += ["--bot", bot]
    every_part = request.with_deals(dict.fromkeys(request.deals_by_part, 1))
    for part in study_files(every_part, registry):
        words += [DEALS_FLAGS[part], str(request.deals_by_part[part])]
    return shlex.join([*words, "--seed", str(request.seed)])


def _rungs(bots: Sequence[str], parties: int) -> Sequence[str]:
    # In a common cause bots do not meet.
    return bots if len(bots) > 1 and parties > 1 else ()


def _parties(game: Game[Any], request: StudyRequest) -> int:
    """Return the number of teams at a table, 1 in a common cause."""
    if game.goal is Goal.COMMON:
        return 1
    settings = resolve_options(game, request.options, request.players)
    return len(set(game_scoring(game, settings, request.players).teams))


def _match_text(
    request: StudyRequest, name: str, bots: Sequence[str], rungs: Sequence[str], parties: int
) -> str:
    """Return a match of a study: `bots` play copies of themselves, `rungs` play one another."""
    entrants = [_entrant(bot_id(bot), bot, [LADDER]) for bot in rungs]
    entrants += [line for bot in bots for line in _copies(bot, parties)]
    table = {"game": request.game, "players": request.players, "seating": "rotation"}
    # Options of any type stand in a match file in the syntax of the command line.
    rules = {"rules": dict(request.options)} if request.options else {}
    contests = [contest for bot in bots for contest in _self_play(bot, parties)]
    contests += [LADDER] if rungs else []
    lines = [
        f"cardhub_match: {MATCH_FORMAT}",
        f"name: study-{bot_id(request.game)}-{name}",
        f"seed: {request.seed}",
        # Without a salt the same seed gives the same study; no bot gains by knowing the deals.
        "salt: none",
        "bots:",
        *entrants,
        "games:",
        *(f"  - {_flow({**table, 'id': contest, **rules})}" for contest in contests),
    ]
    return "".join(f"{line}\n" for line in lines)


def _copies(bot: str, parties: int) -> Iterator[str]:
    contests = _self_play(bot, parties)
    for number, replicate in enumerate(REPLICATES):
        # In a common cause each copy plays at a separate table of the same contest.
        contest = contests[min(number, len(contests) - 1)]
        for copy in range(parties):
            yield _entrant(f"{bot_id(bot)}-{replicate}{copy + 1}", bot, [contest])


def _self_play(bot: str, parties: int) -> list[str]:
    replicates = REPLICATES if parties > 1 else REPLICATES[:1]
    return [f"{bot_id(bot)}-{replicate}" for replicate in replicates]


def _entrant(name: str, spec: str, plays: Sequence[str]) -> str:
    return f"  - {_flow({'id': name, 'use': spec, 'plays': list(plays)})}"


def _flow(data: Any) -> str:
    """Return data in the flow style of YAML."""
    if isinstance(data, Mapping):
        return f"{{{', '.join(f'{key}: {_flow(value)}' for key, value in data.items())}}}"
    if isinstance(data, list):
        return f"[{', '.join(map(_flow, data))}]"
    return json.dumps(data, ensure_ascii=False)


def bot_id(spec: str) -> str:
    """Return a spec as an id for a match file: `ismcts-25`."""
    return re.sub(r"\W+", "-", spec).strip("-")


def is_random(spec: str) -> bool:
    """Return whether a bot chooses a legal action at random."""
    return parse_spec(spec).name == RANDOM


MATCH_FILE, PAGE = "match.yaml", "study.html"
# Maximum size of a result in bytes.
MOST_BYTES = 50_000_000
ELSEWHERE = "choose another folder with --out"


def prepare(folder: Path, request: StudyRequest, registry: PluginRegistry) -> list[StudyPart]:
    """Write the match files of a study and return its parts.

    A match file never asks for fewer deals than its log has. Raises CardhubError; MatchError if the
    folder has another study.
    """
    files, deals = study_files(request, registry), request.deals_by_part
    for name, text in files.items():
        _check_same(folder / name, text)
    return [_prepared(folder / name, files[name], deals[name], registry) for name in files]


def _prepared(folder: Path, text: str, wanted: int, registry: PluginRegistry) -> StudyPart:
    with explained(folder):
        folder.mkdir(parents=True, exist_ok=True)
    deals = max(wanted, begun_deals(folder))
    replace_file(folder / MATCH_FILE, f"{text}schedule: {{blocks: {deals}}}\n")
    return StudyPart(folder, read_match(folder / MATCH_FILE, registry), wanted)


def _check_same(folder: Path, text: str) -> None:
    with explained(folder), suppress(FileNotFoundError):
        before = (folder / MATCH_FILE).read_text("utf-8")
        # The last line has the number of deals, which may grow.
        if (folder / GAMES).exists() and before.splitlines()[:-1] != text.splitlines():
            problem = "has a study with other bots, options, players or another seed"
            raise MatchError(f"{folder.parent} {problem}\nfix: {ELSEWHERE}")


def write_study(folder: Path, result: StudyResult) -> Path:
    """Write `study.json`, and return its path; raises MatchError."""
    text = msgspec.json.format(msgspec.json.encode(result), indent=1).decode()
    replace_file(folder / STUDY, text + "\n")
    return folder / STUDY


def read_study(folder: Path) -> StudyResult:
    """Decode the result in the folder of a study; raises MatchError."""
    path = folder / STUDY
    fix = f"fix: cardhub study GAME --out {folder}"
    try:
        result = msgspec.json.decode(read_within(path, MOST_BYTES), type=StudyResult)
    except FileNotFoundError as error:
        raise MatchError(f"{path}: there is no study in this folder\n{fix}") from error
    except (OSError, LimitError, msgspec.MsgspecError) as error:
        raise MatchError(f"{path}: this is not the result of a study: {error}\n{fix}") from error
    if result.cardhub_study != FORMAT:
        problem = f"the file has version {result.cardhub_study}, not {FORMAT}"
        raise MatchError(f"{path}: {problem}\n{fix}")
    return result
