"""Parser of the section `games` of a match file: its nodes become contests."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from pathlib import Path
from typing import Any, get_args

from cardhub.base.errors import MatchError, OptionError, PluginError
from cardhub.base.writing import amount, listed
from cardhub.base.yamlfile import (
    NAME,
    NON_EMPTY,
    Diagnostics,
    Entries,
    NameList,
    Node,
    ScalarNode,
    Schema,
    Section,
    SequenceNode,
    quote,
    read_value,
)
from cardhub.lab.match.blocks import MOST_FULL
from cardhub.lab.match.match_spec import Contest, Fill, Match, Partners, Score, Seating
from cardhub.lab.match.matchfile.short_forms import expand_text
from cardhub.lab.match.suites import Suite, check_suite, read_suite
from cardhub.model.game.game import Game
from cardhub.model.game.initial_state import game_scoring, resolve_options
from cardhub.model.table.goal import Goal
from cardhub.model.table.scoring import Scoring
from cardhub.model.table.settings import Settings, Value, read_settings
from cardhub.plugins.registry import PluginRegistry


def read_game(section: Section, registry: PluginRegistry) -> Game[Any] | None:
    """Return the game that a section names, or report why it cannot be played and return None."""
    name = section.values.get("game")
    if not name:
        return None
    if not registry.is_game(name):
        section.report("game", registry.unknown_game(name))
        return None
    try:
        return registry.game(name)
    except PluginError as error:
        section.report("game", str(error))
        return None


def read_players(section: Section, game: Game[Any]) -> int:
    """Return the number of players of a section; the default after reporting an invalid one."""
    players: int = section.values.get("players", game.seats.default)
    if players not in game.seats:
        section.report("players", f"{game.title} is for {game.seats} players, not for {players}")
        return game.seats.default
    return players


def read_rules(section: Section, game: Game[Any], players: int) -> dict[str, Value]:
    """Parse the mapping `rules` of a section; return the valid options that it sets."""
    given = {}
    for name, (key, node) in section.values.get("rules", {}).items():
        # An unknown option is reported at its name, an invalid value at the value.
        place = node if name in game.options else key
        value = read_option(game, name, node, place, players, section.problems)
        if value is not None:
            given[name] = value
    return given


def read_option(
    game: Game[Any], name: str, node: Node, place: Node, players: int, problems: Diagnostics
) -> Value | None:
    """Return the value of an option, or None after reporting at `place` why it is invalid."""
    if not isinstance(node, ScalarNode):
        problems.expected(node, f"a value for option {name}")
        return None
    owner = f"Options of {game.name}"
    try:
        return read_settings(game.options, {name: node.value}, players, owner)[name]
    except OptionError as error:
        problems.add(place, str(error))
        return None


OPTIONS = Entries("a mapping of options")
SCORES_BY_GOAL: dict[Goal, Score] = {
    Goal.SCORE: "points",
    Goal.COMMON: "points",
    Goal.WIN: "win",
    Goal.RANK: "rank",
}
# Each variation multiplies the games of every block.
MOST_VARIATIONS = 64
MOST_PLAYERS = 100
GAME = Schema(
    {
        "game": NON_EMPTY,
        "id": NAME,
        "players": range(1, MOST_PLAYERS),
        "rules": OPTIONS,
        "mirror": OPTIONS,
        "seating": get_args(Seating),
        "fill": None,  # a word or a list
        "partners": get_args(Partners),
        "score": get_args(Score),
        "deals": NON_EMPTY,
    },
    needed={"game"},
)


@dataclass(slots=True)
class ReadGame:
    """Node of a game, parsed; `contest` is None if it is invalid."""

    name: str
    section: Section
    game: Game[Any] | None
    contest: Contest | None = None


def read_games(top: Section, bots: Sequence[str], registry: PluginRegistry) -> list[ReadGame]:
    """Parse the nodes of the games of a match, given the ids of its bots."""
    nodes = top.values.get("games", ())
    games = [_read_game(node, registry, top.problems) for node in nodes]
    # Names first, because a problem in a game's rules must not hide a duplicate.
    _reject_duplicates(games)
    for read in games:
        if read.game is not None:
            read.contest = _GameReader(read, read.game, bots).contest()
    return games


def check_deals(match: Match, contest: Contest, section: Section) -> None:
    """Report what a suite of deals in the section of a contest does not fit."""
    number = len(contest.openings)
    if not number:
        return
    if match.order.is_adaptive:
        section.report("deals", f"deals: not supported with `mode: {match.order.mode}`")
    elif match.corrects(contest):
        section.report("deals", "deals: not supported with `variance`, which needs dealt cards")
    elif match.order.blocks > number:
        section.report(
            "deals",
            f"the suite has {amount(number, 'position')}, one for each block, and the match has "
            f"{match.order.blocks} blocks: write blocks: {number}",
        )


def refuse_open_deals(contests: Sequence[Contest], top: Section) -> None:
    """Report suites of deals, because bots that do not come with cardhub could read them."""
    if names := [contest.id for contest in contests if contest.openings]:
        top.report(
            "games",
            f"the deals of {listed(names)} are in a file, and bots that do not come with cardhub "
            "could read it: write sandbox: yes",
        )


def _read_game(node: Node, registry: PluginRegistry, problems: Diagnostics) -> ReadGame:
    section = Section(expand_text(node, "game"), GAME, problems, "{game: gargon}")
    name = section.values.get("id", section.values.get("game", ""))
    return ReadGame(name, section, read_game(section, registry))


def _reject_duplicates(games: Sequence[ReadGame]) -> None:
    counts = Counter(read.name for read in games if read.name)
    for read in games:
        if counts[read.name] > 1:
            key = "id" if "id" in read.section else "game"
            message = f"{counts[read.name]} games here are called {quote(read.name)}: "
            read.section.report(key, message + "give each one a different id")


class _GameReader:
    """Parser of the node of one game, given an instance of its rules."""

    def __init__(self, read: ReadGame, game: Game[Any], bots: Sequence[str]) -> None:
        self._name = read.name
        self._section = read.section
        self._values = read.section.values
        self._game = game
        self._bots = bots
        self._problems = read.section.problems
        self._scoring: Scoring | None = None

    def contest(self) -> Contest | None:
        """Return the contest, or None if the number of players is invalid."""
        suite = self._suite()
        chosen = self._values.get("players", self._game.seats.default)
        players = suite.header.players if suite else chosen
        # A single player has no opponents, but may have a common goal to reach.
        least = 1 if self._game.goal is Goal.COMMON else 2
        if players not in self._game.seats or players < least:
            problem = f"{self._game.title} is for {self._game.seats} players, not for {players}"
            if players < least:
                problem = "a match needs games for two or more players"
            self._section.report("players", problem)
            return None
        given = read_rules(self._section, self._game, players) | (suite.options if suite else {})
        mirror = self._mirror(players, given)
        score, rules = self._score(), self._resolve_rules(given, mirror, players)
        scoring = self._scoring
        teams = scoring.shared_teams if scoring else ()
        parties = len(set(teams)) or players
        fill, fillers = self._fill(parties)
        partners = self._partners(teams)
        return Contest(
            id=self._name,
            game=self._game.name,
            version=self._game.version,
            players=players,
            rules=rules,
            mirror=mirror,
            seating=self._seating(
                parties if partners == "same" else max(parties, players // parties)
            ),
            fill=fill,
            fillers=fillers,
            score=score,
            **self._points_of(score, scoring),
            teams=teams,
            target=scoring.target if scoring and parties == 1 else None,
            partners=partners,
            openings=suite.openings if suite else (),
        )

    def _suite(self) -> Suite | None:
        """Return the suite of deals that the section names, None without a valid one."""
        if "deals" not in self._section:
            return None
        self._section.reject("follows from `deals`", "players", "rules", "mirror")
        path = Path(self._values.get("deals", ""))
        try:
            suite = read_suite(path)
            if suite.header.game != self._game.name:
                raise MatchError(f"{path} has positions of {suite.header.game}")
            check_suite(suite, self._game, path)
        except MatchError as error:
            self._section.report("deals", str(error))
            return None
        return suite

    def _score(self) -> Score:
        score: Score = self._values.get("score", SCORES_BY_GOAL[self._game.goal])
        if self._game.goal is Goal.COMMON and score != "points":
            problem = f"all players of {self._game.title} share one score: use points"
            self._section.report("score", problem)
        return score

    def _points_of(self, score: Score, scoring: Scoring | None) -> dict[str, Any]:
        # The other scores depend on places only.
        if score != "points":
            return {}
        unit = scoring.unit_of_scores if scoring else self._game.unit
        return {"lowest_wins": self._game.lowest_wins, "unit": unit}

    def _seating(self, players: int) -> Seating:
        seating: Seating = self._values.get("seating", "balanced")
        if seating == "full" and players > MOST_FULL:
            self._section.report(
                "seating",
                f"seating full is not supported with {players} players: the block would be too "
                "large; use balanced",
            )
        return seating

    def _fill(self, players: int) -> tuple[Fill, tuple[str, ...]]:
        if "fill" not in self._section:
            return "none", ()
        if players <= 2:
            self._section.report("fill", "fill is for games with more than two players or teams")
            return "none", ()
        node = self._section.node("fill")
        if isinstance(node, SequenceNode):
            return "bots", NameList(self._bots, "a list of bots").read("fill", node, self._problems)
        read_value("fill", node, ("mirror",), self._problems)
        return "mirror", ()

    def _partners(self, teams: Sequence[int]) -> Partners:
        if "partners" not in self._section:
            return "same"
        partners: Partners = self._values.get("partners", "same")
        sizes = Counter(teams).values()
        # With invalid rules the teams are unknown, and the rules are reported already.
        if self._scoring is not None and not teams:
            self._section.report(
                "partners",
                f"every player of {self._game.title} plays alone: partners is for teams or a "
                "common score",
            )
        elif partners == "mixed" and (len(sizes) > 2 or len({*sizes}) > 1):
            teams_text = f"{self._game.title} has teams of {listed(list(map(str, sizes)))} players"
            self._section.report(
                "partners", f"{teams_text}: mixed is for two teams of the same size, or one team"
            )
        return partners

    def _mirror(self, players: int, given: Collection[str]) -> dict[str, tuple[Value, ...]]:
        options = {}
        for name, (key, node) in self._values.get("mirror", {}).items():
            if name in given:
                self._problems.add(key, f"option {name} is also set in rules")
            values = tuple(self._mirrored(name, key, node, players))
            if values:
                options[name] = values
        if prod(map(len, options.values())) > MOST_VARIATIONS:
            self._section.report("mirror", f"more than {MOST_VARIATIONS} variations of a deal")
        return options

    def _mirrored(self, name: str, key: ScalarNode, node: Node, players: int) -> Iterator[Value]:
        if not isinstance(node, SequenceNode) or len(node.nodes) < 2:
            self._problems.expected(node, "a list of two values or more")
            return
        seen: list[Value] = []
        for item in node.nodes:
            place = item if name in self._game.options else key
            value = read_option(self._game, name, item, place, players, self._problems)
            if value is None:
                # An unknown name is reported once, not for each value.
                if name not in self._game.options:
                    return
            elif value in seen:
                self._problems.add(item, f"option {name} has this value twice")
            else:
                seen.append(value)
                yield value

    def _resolve_rules(
        self, given: dict[str, Value], mirror: dict[str, tuple[Value, ...]], players: int
    ) -> dict[str, Value]:
        variations: list[Settings] = []
        for values in product(*mirror.values()):
            variation = dict(zip(mirror, values, strict=True))
            try:
                variations.append(resolve_options(self._game, given | variation, players))
            except OptionError as error:
                self._section.report("mirror" if mirror else "rules", str(error))
                return {}
        # All variations of a block are dealt from one seed, so they need the same cards.
        packs = [sorted(self._game.pack(settings, players)) for settings in variations]
        if any(pack != packs[0] for pack in packs):
            problem = "the values use different cards: all games of a block have the same deal"
            self._section.report("mirror", problem)
        self._scoring = game_scoring(self._game, variations[0], players)
        for settings in variations[1:]:
            if game_scoring(self._game, settings, players) != self._scoring:
                self._section.report(
                    "mirror",
                    "the values make different teams or targets, which must be the same in all "
                    "games of a block",
                )
        return dict(variations[0])
