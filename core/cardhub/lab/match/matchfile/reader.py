"""Parser of match files: YAML nodes are validated completely before the first game.

The dataclasses of the optional sections are their schemas, with the defaults of their keys.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple, get_args

from msgspec import to_builtins
from typing_extensions import override

from cardhub.base.errors import MatchFileError, OptionError, PluginError
from cardhub.base.yamlfile import (
    NAME,
    NON_EMPTY,
    Collected,
    Diagnostics,
    Entries,
    Items,
    MappingNode,
    NameList,
    Node,
    NumberRange,
    ScalarNode,
    Schema,
    Section,
    SequenceNode,
    parse_file,
    parse_text,
    quote,
    read_value,
    schema_of,
    yaml_text,
)
from cardhub.bots import RANDOM, TEAM
from cardhub.bots.processes.sandbox import Sandbox
from cardhub.lab.match.blocks import filled_up, pairs, rivals, without_bots
from cardhub.lab.match.match_spec import (
    Budget,
    Contest,
    Entrant,
    FaultRules,
    Isolate,
    Match,
    Order,
    OverallRules,
    RatingRules,
    SprtModel,
    SprtRule,
    Team,
    VarianceRules,
    folder_of,
    is_team,
)
from cardhub.lab.match.matchfile.read_games import (
    ReadGame,
    check_deals,
    read_games,
    refuse_open_deals,
)
from cardhub.lab.match.matchfile.read_limits import read_limits
from cardhub.lab.match.matchfile.short_forms import derived_ids, expand_text, name_of_match
from cardhub.lab.match.run.preflight import sandbox_without
from cardhub.lab.match.secret import DRAWN, NO_SALT, SALT, has_third_party_bots, read_salt
from cardhub.lab.match.teams.team_files import list_entries
from cardhub.play.seating import HUMAN, RESERVED
from cardhub.plugins.registry import PluginRegistry, for_referee

ANY_NUMBER = NumberRange(float("-inf"), float("inf"))
ANCHOR = Entries("a mapping of one bot to its Elo, such as {random: 0}")
# Keys of hypotheses, with their models and defaults: 100 blocks decide most tests of the defaults.
HYPOTHESES: dict[str, tuple[SprtModel, tuple[float, float]]] = {
    "nelo": ("normalized", (0.0, 60.0)),
    "elo": ("logistic", (0.0, 30.0)),
    "points": ("points", (0.0, 1.0)),
}


@dataclass(frozen=True, slots=True)
class AscendingPair(Collected):
    """The type of two numbers, the lower one first; an invalid pair is the default."""

    default: tuple[float, float]
    description: str = "two ascending numbers, such as [0, 20]"

    def read(self, key: str, node: Node, problems: Diagnostics) -> tuple[float, float]:
        """Return the pair, or the default after reporting what is wrong."""
        nodes = node.nodes if isinstance(node, SequenceNode) else []
        match [ANY_NUMBER.parse(n.value) if isinstance(n, ScalarNode) else None for n in nodes]:
            case [float(low), float(high)] if low < high:
                return low, high
        problems.add(node, f"{key}: expected {self.description}")
        return self.default


# Also a key of the match, short for `schedule: {blocks: ...}`.
BLOCKS = "blocks"

PAIRS = {key: AscendingPair(default) for key, (_, default) in HYPOTHESES.items()}


def read_schedule(top: Section, bots: Sequence[str]) -> Order:
    """Parse the section `schedule`, given the ids of the bots."""
    schema = schema_of(Order, challengers=NameList(bots, "a list of bots"))
    section = top.section("schedule", schema, "{blocks: 200}")
    if BLOCKS in top.values:
        section.reject("is also a key of the match: give the number once", BLOCKS)
        section.values.setdefault(BLOCKS, top.values[BLOCKS])
    order = Order(**section.values)
    if order.mode != "racing":
        section.reject("is only allowed with mode racing", "batch", "level", "margin")
    if order.mode != "swiss":
        section.reject("is only allowed with mode swiss", "rounds")
    if order.mode != "knockout":
        section.reject("is only allowed with mode knockout", "extra")
    if order.mode != "gauntlet":
        section.reject("is only allowed with mode gauntlet", "challengers")
    elif not order.challengers:
        # By default the first bot in the file is the challenger.
        return replace(order, challengers=tuple(bots[:1]))
    return order


def read_sprt(top: Section, bots: Sequence[str], games: Sequence[str]) -> SprtRule | None:
    """Parse the section `stop`, given the ids of bots and games."""
    stop = top.section("stop", Schema({"sprt": None}), "{sprt: {a: mine, b: rule}}")
    if "sprt" not in stop:
        return None
    # If all bots or all games are invalid, their names are unknown: then accept any name.
    bot, game = tuple(bots) or NON_EMPTY, tuple(games) or NON_EMPTY
    schema = schema_of(SprtRule, a=bot, b=bot, game=game, **PAIRS)
    section = stop.section("sprt", schema, "{a: mine, b: rule, nelo: [0, 20]}")
    values = {"a": "", "b": ""} | section.values
    unit, *others = [key for key in HYPOTHESES if key in section] or ["nelo"]
    section.reject(f"and {unit} are mutually exclusive", *others)
    pairs = {key: values.pop(key, default) for key, (_, default) in HYPOTHESES.items()}
    rule = SprtRule(**values, model=HYPOTHESES[unit][0], elo=pairs[unit])
    if rule.a and rule.a == rule.b:
        section.report("b", f"a and b are both {quote(rule.a)}")
    # If the sum is 1 or more, Wald's lower bound is not below the upper bound.
    if rule.alpha + rule.beta >= 1:
        section.report(
            "beta", "alpha and beta are error rates such as 0.05; their sum must be below 1"
        )
    return rule


def read_budget(top: Section) -> Budget:
    """Parse the section `budget`."""
    return Budget(**top.section("budget", schema_of(Budget), "{guard_seconds: 10}").values)


def read_faults(top: Section) -> FaultRules:
    """Parse the section `faults`."""
    rules = FaultRules(**top.section("faults", schema_of(FaultRules), "{max: 3}").values)
    return replace(rules, substitute=rules.substitute.strip())


def read_overall(top: Section) -> OverallRules:
    """Parse the section `overall`."""
    section = top.section("overall", schema_of(OverallRules), "{verdict: mean_score}")
    return OverallRules(**section.values)


def read_variance(top: Section, order: Order) -> VarianceRules:
    """Parse the section `variance`, which may be the name of a method."""
    if "variance" not in top:
        return VarianceRules()
    node = expand_text(top.node("variance"), "method")
    section = Section(node, schema_of(VarianceRules), top.problems, "{method: aivat}")
    rules = VarianceRules(**section.values)
    if rules.method != "none" and order.mode == "racing":
        top.report("variance", "a race bets on plain scores: leave out `variance`, or the race")
    return rules


def read_rating(top: Section, bots: Sequence[str]) -> RatingRules:
    """Parse the section `rating`, given the ids of the bots."""
    schema = schema_of(RatingRules, anchor=ANCHOR)
    section = top.section("rating", schema, "{anchor: {random: 0}}")
    entries = section.values.get("anchor", {})
    # Elo is defined up to a constant: one anchor fixes it, a second one could contradict it.
    if len(entries) > 1:
        section.report("anchor", f"anchor is {ANCHOR.description}")
    anchor = {}
    for name, (place, node) in entries.items():
        is_bot = read_value("a bot in anchor", place, tuple(bots) or NON_EMPTY, section.problems)
        elo = ANY_NUMBER.parse(node.value) if isinstance(node, ScalarNode) else None
        if elo is None:
            section.problems.expected(node, "a number")
        elif is_bot:
            anchor[name] = elo
    return RatingRules(**section.values | {"anchor": anchor})


@dataclass(frozen=True, slots=True)
class BotItems(Items):
    """The type of a list of bots; a mapping alone is the only item, a folder of teams."""

    @override
    def read(self, key: str, node: Node, problems: Diagnostics) -> list[Node]:
        nodes = SequenceNode(node.line, node.column, [node])
        return super(BotItems, self).read(
            key, nodes if isinstance(node, MappingNode) else node, problems
        )


# The version of the format of match files.
FORMAT = 1
MATCH = Schema(
    {
        "cardhub_match": (str(FORMAT),),
        "name": NAME,
        "seed": int,
        "bots": BotItems("a list of bots"),
        "games": Items("a list of games"),
        BLOCKS: schema_of(Order).kinds[BLOCKS],
        **dict.fromkeys(
            ("schedule", "stop", "overall", "variance", "budget", "faults", "rating", "limits")
        ),  # sections
        "salt": SALT,
        # These do not change games.
        "workers": range(1, 10_001),
        "tokens": range(1, 10**12),
        "dollars": NumberRange(0, 10**9, is_closed=False),
        "prices": NON_EMPTY,
        "out": NON_EMPTY,
        "isolate": get_args(Isolate),
        "sandbox": ("yes", "no"),
        "fresh": ("yes", "no"),
        "adjudicate": ("yes", "no"),
    },
    needed={"bots", "games"},
)
BOT = Schema({"id": NAME, "use": NON_EMPTY, "plays": None}, needed={"use"})
# Seconds for a build: far above what compilers take, because the machine may be busy.
BUILD_SECONDS = 300.0
TEAMS = Schema(
    {
        **dict.fromkeys(("folder", "team"), NON_EMPTY),
        "plays": None,
        "build_seconds": NumberRange(0, 86400, is_closed=False),
    }
)
# Sections that name bots.
SECTIONS_OF_BOTS = frozenset({"bots", "schedule", "stop", "rating"})


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """Options of the command line that matter when a match is read.

    `isolate` replaces the value in the file. `sandbox`: ask plugins in a sandbox, even if the file
    does not want it. `folder`: the folder of the match, if it is not the one in the file.
    `is_strict`: refuse a match with a bot that cannot play here, instead of leaving the bot out.
    `team`: the folder of the only team, which plays against a random bot instead of those in the
    file.
    """

    isolate: Isolate | None = None
    sandbox: bool = False
    folder: Path | None = None
    is_strict: bool = False
    team: Path | None = None


AS_WRITTEN = ReadOptions()
TAKEN = (*RESERVED, HUMAN, "spectator")
FEWEST = 2


def read_match(path: Path, registry: PluginRegistry, options: ReadOptions = AS_WRITTEN) -> Match:
    """Parse a match file; raises one MatchFileError that lists all problems.

    Imports the games of the match. Unless bots are not isolated, third-party plugins are asked for
    them in processes of their own.
    """
    problems = Diagnostics(str(path), MatchFileError)
    match = _match(parse_file(path, problems), registry, problems, options, path)
    return replace(match, file=path)


def parse_match(
    content: Mapping[str, Any], registry: PluginRegistry, options: ReadOptions = AS_WRITTEN
) -> Match:
    """Return the match that a mapping with the keys of a match file describes.

    Raises MatchFileError, as `read_match`; the positions are those of the mapping as YAML.
    """
    problems = Diagnostics("the match", MatchFileError)
    text = yaml_text(to_builtins(content))
    return _match(parse_text(text, problems), registry, problems, options)


def _match(
    top: MappingNode,
    registry: PluginRegistry,
    problems: Diagnostics,
    options: ReadOptions,
    file: Path | None = None,
) -> Match:
    if options.team is not None:
        top = _only_with_team(top, options.team)
    section = Section(top, MATCH, problems)
    if "name" not in section:
        games = [_first_text(node, "id", "game") for node in section.values.get("games", ())]
        bots = [_first_text(node, "id", "use") for node in section.values.get("bots", ())]
        section.values["name"] = name_of_match(games, bots, file)
    if (options.isolate or section.values.get("isolate")) != "no":
        registry = for_referee(registry, _sandbox(section.values, options, file))
    match = _MatchReader(section, registry, is_strict=options.is_strict).match()
    problems.raise_if_any()
    if match is None:
        raise AssertionError(problems)  # for mypy: then there were problems
    if has_third_party_bots(match, registry):
        if not (match.sandbox or options.sandbox):
            refuse_open_deals(match.contests, section)
            problems.raise_if_any()
        # Such bots could derive the deals from the seed in the match file.
        if "salt" not in top.entries:
            match = replace(match, salt=DRAWN)
    return match


def _only_with_team(top: MappingNode, team: Path) -> MappingNode:
    """Return a match of one team and a random bot, without sections that name other bots."""
    line, column = top.line, top.column
    path = ScalarNode(line, column, str(team))
    item = MappingNode(line, column, {"team": (path, path)})
    bots = SequenceNode(line, column, [item, ScalarNode(line, column, RANDOM.name)])
    entries = {key: pair for key, pair in top.entries.items() if key not in SECTIONS_OF_BOTS}
    return MappingNode(line, column, {**entries, "bots": (path, bots)})


def _first_text(node: Node, *keys: str) -> str:
    """Return a text, or a mapping's text of the first of these keys that it has."""
    entries = node.entries if isinstance(node, MappingNode) else {}
    texts = [node, *(entries[key][1] for key in keys if key in entries)]
    return next((text.value for text in texts if isinstance(text, ScalarNode)), "")


def _sandbox(values: Mapping[str, Any], options: ReadOptions, file: Path | None) -> Sandbox | None:
    if not options.sandbox and values.get("sandbox") != "yes":
        return None
    folder = options.folder or folder_of(values.get("name", ""), values.get("out"))
    return sandbox_without(folder, file)


class _ReadBot(NamedTuple):
    """Node of a bot, parsed; `id` is empty if it is missing or invalid."""

    id: str
    use: str
    section: Section
    team: Team | None = None

    @property
    def id_source(self) -> str:
        """The text from which its id is derived if the file has none."""
        return self.team.folder.stem if self.team else self.use


class _MatchReader:
    """Converter of the top node of a match file."""

    def __init__(self, top: Section, registry: PluginRegistry, *, is_strict: bool) -> None:
        self._top = top
        self._is_strict = is_strict
        self._registry = registry

    def match(self) -> Match | None:
        """Return the match, or None if further checks would only repeat known problems."""
        top, values = self._top, self._top.values
        bots = _read_bots(top)
        names = [bot.id for bot in bots if bot.id]
        games = read_games(top, names, self._registry)
        contests = [read.contest for read in games if read.contest is not None]
        # Including invalid games: a reference to one of them is not a further problem.
        game_ids = list(dict.fromkeys(read.name for read in games if read.name))
        order = read_schedule(top, names)
        match = Match(
            name=values.get("name", ""),
            seed=values.get("seed", 0),
            entrants=tuple(_entrant(bot, contests, game_ids) for bot in bots),
            contests=tuple(contests),
            order=order,
            sprt=read_sprt(top, names, game_ids),
            budget=read_budget(top),
            faults=read_faults(top),
            rating=read_rating(top, names),
            overall=read_overall(top),
            variance=read_variance(top, order),
            workers=values.get("workers"),
            tokens=values.get("tokens"),
            dollars=values.get("dollars"),
            prices=values.get("prices"),
            out=values.get("out"),
            salt=read_salt(values.get("salt", NO_SALT)),
            isolate=values.get("isolate", "auto"),
            sandbox=values.get("sandbox") == "yes",
            limits=read_limits(top),
            adjudicate=values.get("adjudicate") == "yes",
            fresh={"yes": True, "no": False}.get(values.get("fresh", "")),
        )
        self._check_substitute(match)
        # Further checks look up names: if some are missing, they report mere consequences.
        if len(contests) < len(games) or not contests or not len(bots) == len(names) >= FEWEST:
            self._report(self._refusals(match, bots))
            return None
        return self._without_refused(self._fill_in(match, games), bots)

    def _without_refused(self, match: Match, bots: Sequence[_ReadBot]) -> Match:
        """Return the match without the bots that cannot play here, or report them."""
        refusals = self._refusals(match, bots)
        # A mistake in the file comes first, because it has to be mended anyway.
        is_sound = not self._is_strict and not self._top.problems.has_any
        reasons = {bot.id: reason for bot, reason in refusals}
        remaining = without_bots(match, reasons) if reasons and is_sound else None
        if remaining is None:
            self._report(refusals)
        return remaining or match

    def _refusals(self, match: Match, bots: Sequence[_ReadBot]) -> list[tuple[_ReadBot, str]]:
        """Return the bots that cannot play here, each with the reason."""
        refusals = []
        for bot, entrant in zip(bots, match.entrants, strict=True):
            games = [contest.game for contest in match.contests if contest.id in entrant.plays]
            reason = next(_refusals(bot.use, games, self._registry), "") if bot.use else ""
            if reason:
                refusals.append((bot, reason))
        return refusals

    def _report(self, refusals: Sequence[tuple[_ReadBot, str]]) -> None:
        for bot, reason in refusals:
            bot.section.report("use", reason)

    def _check_substitute(self, match: Match) -> None:
        # The substitute has to play every game, and play it the same way in every run.
        spec = match.faults.substitute
        for game in dict.fromkeys(contest.game for contest in match.contests):
            try:
                timed = any(part.looks_at_clock for part in self._registry.parts(spec, game))
            except (PluginError, OptionError) as error:
                self._top.report("faults.substitute", str(error))
                return
            if timed:
                problem = f"bot {spec!r} looks at the clock: games are not reproducible"
                self._top.report("faults.substitute", problem)
                return

    def _fill_in(self, match: Match, games: Sequence[ReadGame]) -> Match:
        # Fill depends on the bots, the groups depend on fill, and the test on the groups.
        contests = tuple(
            self._filled(match, contest, read.section)
            for contest, read in zip(match.contests, games, strict=True)
        )
        match = replace(match, contests=contests)
        if match.sprt is not None:
            match = replace(match, sprt=self._complete_sprt(match, match.sprt))
        return match

    def _filled(self, match: Match, contest: Contest, section: Section) -> Contest:
        bots = rivals(match, contest)
        contest = filled_up(match, contest)
        check_deals(match, contest, section)
        if len(bots) < 2:
            player = f"only {bots[0]} plays" if bots else "no bot plays"
            without = ", not counting the bots that fill seats" if contest.fillers else ""
            section.report("game", f"{player} {contest.id}{without}: a match needs two bots")
        elif contest.is_common and match.order.is_adaptive:
            section.report(
                "game",
                f"all players of {contest.id} share one score: `mode: {match.order.mode}` has no "
                "pairs of opponents to choose from",
            )
        elif contest.partners == "mixed" and match.order.is_adaptive:
            section.report(
                "partners",
                f"mixed is not supported with `mode: {match.order.mode}`, which chooses pairs of "
                "whole teams",
            )
        elif not pairs(match, contest):
            section.report(
                "game",
                f"no challenger meets another bot in {contest.id}: see schedule, challengers",
            )
        return contest

    def _complete_sprt(self, match: Match, sprt: SprtRule) -> SprtRule:
        if match.order.is_adaptive:
            self._top.report("stop.sprt", f"`stop` is not allowed with `mode: {match.order.mode}`")
        if not (sprt.a and sprt.b):
            return sprt
        shared = [
            contest.id
            for contest in match.contests
            if any({sprt.a, sprt.b} <= {*pair} for pair in pairs(match, contest))
        ]
        if not shared or (sprt.contest and sprt.contest not in shared):
            where = f" in {sprt.contest}" if sprt.contest else ""
            self._top.report("stop.sprt", f"{sprt.a} and {sprt.b} never meet{where}")
        elif not sprt.contest and len(shared) > 1:
            meeting = f"{sprt.a} and {sprt.b} meet in {', '.join(shared)}"
            self._top.report("stop.sprt", f"{meeting}: set game to one of them")
        sprt = replace(sprt, contest=sprt.contest or "".join(shared[:1]))
        if sprt.contest in shared:
            self._check_model(sprt, match.contest(sprt.contest))
        return sprt

    def _check_model(self, sprt: SprtRule, contest: Contest) -> None:
        if contest.in_points and sprt.model == "logistic":
            problem = f"{contest.id} is scored by points, which have no logistic Elo"
            self._top.report("stop.sprt.elo", f"{problem}: use nelo or points")
        if sprt.model == "points" and not contest.in_points:
            problem = f"{contest.id} is scored by {contest.score}"
            self._top.report(
                "stop.sprt.points", f"{problem}: use nelo, or set `score: points` for it"
            )


def _read_bots(top: Section) -> list[_ReadBot]:
    """Parse the nodes of the bots, without their contests."""
    nodes = top.values.get("bots", ())
    bots = _with_ids([bot for node in nodes for bot in _read_bots_of(node, top.problems)])
    if nodes and len(bots) < FEWEST and not top.problems.has_any:
        top.report("bots", "a match needs at least two bots")
    _reject_duplicates(bots)
    return bots


def _read_bots_of(node: Node, problems: Diagnostics) -> list[_ReadBot]:
    """Return the bot of a node, the teams of a folder, or a single team."""
    keys = node.entries if isinstance(node, MappingNode) else {}
    key = next((key for key in ("folder", "team") if key in keys), "")
    if not key:
        return [_read_bot(node, problems)]
    section = Section(node, TEAMS, problems)
    folder = Path(section.values.get(key, "")).absolute()
    if not (folder.is_dir() or (key == "team" and folder.is_file())):
        section.report(key, f"there is no folder {quote(str(folder))}")
        return []
    teams = [folder] if key == "team" else list_entries(folder)
    if not teams:
        section.report(key, "it has no team: a Python file, or a folder for each")
    seconds = section.values.get("build_seconds", BUILD_SECONDS)
    return [_ReadBot("", TEAM.name, section, Team(team, seconds)) for team in teams]


def _read_bot(node: Node, problems: Diagnostics) -> _ReadBot:
    section = Section(expand_text(node, "use"), BOT, problems, "{id: mine, use: rule}")
    name = section.values.get("id", "")
    if name.casefold() in TAKEN:
        section.report("id", f"invalid bot id {name!r}: reserved word")
    use = section.values.get("use", "").strip()
    if is_team(use):
        section.report("use", "teams come from a folder, as in {folder: teams}")
    return _ReadBot(name, use, section)


def _with_ids(bots: Sequence[_ReadBot]) -> list[_ReadBot]:
    """Return the bots with ids derived from `use` where the file has none."""
    taken = [*TAKEN, *(bot.id for bot in bots if bot.id)]
    nameless = [bot for bot in bots if bot.use and "id" not in bot.section]
    ids = derived_ids((bot.id_source for bot in nameless), taken)
    named = (bot._replace(id=next(ids)) if bot in nameless else bot for bot in bots)
    return [b._replace(use=f"{TEAM.name}:{b.id}") if b.team else b for b in named]


def _reject_duplicates(bots: Sequence[_ReadBot]) -> None:
    first: dict[str, int] = {}
    for bot in filter(lambda bot: "id" in bot.section and bot.id, bots):
        line = first.setdefault(bot.id.casefold(), bot.section.node("id").line)
        if line != bot.section.node("id").line:
            bot.section.report("id", f"duplicate id {quote(bot.id)}, first on line {line}")


def _entrant(bot: _ReadBot, contests: Sequence[Contest], names: Collection[str]) -> Entrant:
    """Return the entrant with the contests listed in `plays`, by default all.

    `names` are the names of all contests, including invalid ones.
    """
    plays: tuple[str, ...] = ()
    if "plays" in bot.section:
        kind = NameList(names, "a list of games of this match")
        plays = kind.read("plays", bot.section.node("plays"), bot.section.problems)
    return Entrant(bot.id, bot.use, plays or tuple(names), bot.team)


def _refusals(spec: str, games: Sequence[str], registry: PluginRegistry) -> Iterator[str]:
    for game in dict.fromkeys(games):
        try:
            registry.settings_of(spec, game)
        except (PluginError, OptionError) as error:
            yield str(error)
