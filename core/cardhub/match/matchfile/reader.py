"""Reader of match files, YAML validated completely before the first game."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import cast

from cardhub.errors import MatchFileError, OptionError, PluginError
from cardhub.match.blocks import groups, rivals
from cardhub.match.match_spec import Contest, Isolate, Match, SprtRule
from cardhub.match.matchfile.read_bots import FEWEST, entrants, read_bots
from cardhub.match.matchfile.read_games import ReadGame, read_games
from cardhub.match.matchfile.read_rules import RulesReader
from cardhub.match.matchfile.section import NON_EMPTY, FileSection
from cardhub.match.secret import DRAWN, NO_SALT, SALT, has_others, read_salt
from cardhub.plugins.bot_parts import parts_of
from cardhub.plugins.registry import PluginRegistry
from cardhub.yamlfile import NAME, Diagnostics, MappingNode, parse_file

NEEDED = ("cardhub_match", "name", "seed", "bots", "games")
# Version of the format of match files.
FORMAT = 1
# Keys that change no game.
RUNNING = ("workers", "out", "isolate", "sandbox")
KEYS = (*NEEDED, "schedule", "stop", "budget", "faults", "rating", "salt", *RUNNING)
MOST_WORKERS = 10_000
ISOLATE = ("auto", "yes", "no")


def read_match(path: Path, registry: PluginRegistry) -> Match:
    """Read a match file; raises one MatchFileError that lists all problems.

    Imports the games of the match and their bots.
    """
    problems = Diagnostics(str(path), MatchFileError)
    top = parse_file(path, problems)
    match = _File(top, registry, problems).match() if top is not None else None
    problems.raise_if_any()
    if top is None or match is None:
        raise AssertionError(path)  # for mypy: then there were problems
    if "salt" not in top.entries and has_others(match, registry):
        match = replace(match, salt=DRAWN)
    return replace(match, file=path)


class _File:
    """Parsed match file, to be converted to a Match."""

    def __init__(self, top: MappingNode, registry: PluginRegistry, problems: Diagnostics) -> None:
        self._top = FileSection(top, KEYS, "a mapping", problems)
        self._registry = registry
        self._problems = problems

    def match(self) -> Match | None:
        """Return the match, or None if further checks would only repeat known problems."""
        top = self._top
        top.require(*NEEDED)
        top.text("cardhub_match", (str(FORMAT),))
        bots = read_bots(top, self._problems)
        names = [bot.id for bot in bots if bot.id]
        games = read_games(top, names, self._registry, self._problems)
        contests = [read.contest for read in games if read.contest is not None]
        known = list(dict.fromkeys(read.name for read in games if read.name))
        rules = RulesReader(top, names, known, self._problems)
        faults, fault_section = rules.faults()
        sprt, stop = rules.sprt() or (None, top)
        match = Match(
            name=top.text("name", NAME),
            seed=top.integer("seed", int),
            entrants=entrants(bots, contests, known, self._registry),
            contests=tuple(contests),
            order=rules.order(),
            sprt=sprt,
            budget=rules.budget(),
            faults=faults,
            rating=rules.rating(),
            workers=top.integer("workers", range(1, MOST_WORKERS + 1)) or None,
            out=top.text("out", NON_EMPTY) or None,
            salt=read_salt(top.text("salt", SALT, NO_SALT)),
            isolate=cast("Isolate", top.text("isolate", ISOLATE, "auto")),
            sandbox=top.text("sandbox", ("yes", "no"), "no") == "yes",
        )
        if fault_section is not None:
            self._check_substitute(match, fault_section)
        if len(contests) < len(games) or not contests or not len(bots) == len(names) >= FEWEST:
            return None
        return self._settle(match, games, stop)

    def _check_substitute(self, match: Match, section: FileSection) -> None:
        spec = match.faults.substitute
        for game in dict.fromkeys(contest.game for contest in match.contests):
            try:
                timed = any(part.looks_at_clock for part in parts_of(self._registry, spec, game))
            except (PluginError, OptionError) as error:
                section.report("substitute", str(error))
                return
            if timed:
                what = f"bot {spec!r} looks at the clock: games are not reproducible"
                section.report("substitute", what)
                return

    def _settle(self, match: Match, games: Sequence[ReadGame], stop: FileSection) -> Match:
        contests = tuple(
            self._filled(match, contest, read.section)
            for contest, read in zip(match.contests, games, strict=True)
        )
        match = replace(match, contests=contests)
        if match.sprt is not None:
            match = replace(match, sprt=_settled_sprt(match, match.sprt, stop))
        return match

    def _filled(self, match: Match, contest: Contest, section: FileSection) -> Contest:
        found = rivals(match, contest)
        if len(found) < contest.players or match.order.mode == "racing":
            fill = "mirror" if contest.fill == "none" and contest.players > 2 else contest.fill
            contest = replace(contest, fill=fill)
        if len(found) < 2:
            listed = ", ".join(found) or "nobody"
            besides = " besides those that fill seats" if contest.fillers else ""
            section.report("game", f"only {listed} plays {contest.id}{besides}; it takes two")
        elif not groups(match, contest):
            what = f"no challenger meets anybody in {contest.id}"
            section.report("game", f"{what}: see schedule, challengers")
        return contest


def _settled_sprt(match: Match, sprt: SprtRule, stop: FileSection) -> SprtRule:
    if match.order.mode == "racing":
        stop.report("sprt", "`stop` is not allowed with `mode: racing`")
    if not (sprt.a and sprt.b):
        return sprt
    shared = [c.id for c in match.contests if _meet(match, c, sprt.a, sprt.b)]
    if not shared or (sprt.contest and sprt.contest not in shared):
        where = f" in {sprt.contest}" if sprt.contest else ""
        stop.report("sprt", f"{sprt.a} and {sprt.b} never meet{where}")
    elif not sprt.contest and len(shared) > 1:
        listed = ", ".join(shared)
        stop.report("sprt", f"{sprt.a} and {sprt.b} meet in {listed}: name one of them as game")
    return replace(sprt, contest=sprt.contest or "".join(shared[:1]))


def _meet(match: Match, contest: Contest, one: str, other: str) -> bool:
    return any(one in group and other in group for group in groups(match, contest))
