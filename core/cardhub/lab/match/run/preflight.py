"""Checks before the first game: bots in separate processes, the sandbox, programs and models.

Isolation does not change results.
"""

from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from cardhub.base.errors import BotError, BotFaultError, MatchError
from cardhub.bots import CMD, LLM, Bot, parse_spec
from cardhub.bots.processes.control_groups import check_limits
from cardhub.bots.processes.launch import processors
from cardhub.bots.processes.sandbox import Sandbox, check_sandbox
from cardhub.lab.match.blocks import without_bots
from cardhub.lab.match.log.log_reader import begun_match
from cardhub.lab.match.match_spec import Budget, Contest, Entrant, Match, Team
from cardhub.lab.match.run.match_bots import BOOT, WARM_UP, BotProgram, IsolatedBot, TimedBot
from cardhub.lab.match.run.playing import find_separate_bot
from cardhub.lab.match.task import Isolation
from cardhub.lab.match.teams.team_build import TeamError, builder_of
from cardhub.model.hidden.serialization import serialize
from cardhub.play.seating import NAMES, Player
from cardhub.play.setup import close, legal_action, set_up
from cardhub.play.workers.bot_messages import Lineup
from cardhub.plugins.bot_files import spec_at, takes_long, warm_up
from cardhub.plugins.bot_index import BotPart
from cardhub.plugins.registry import PluginRegistry, find_plugins, for_referee


def find_isolation(match: Match, registry: PluginRegistry, folder: Path) -> Isolation:
    """Return the bots that run in separate processes, and their sandbox.

    `folder` is the folder of the log. Raises MatchError if a game's observations cannot be sent to
    another process, SandboxError if the requested sandbox is not available.
    """
    if match.sandbox and match.isolate == "no":
        raise MatchError("`isolate: no` and `sandbox: yes` are mutually exclusive")
    if match.fresh and match.isolate == "no" and _may_remember(match, registry):
        raise MatchError(
            "`isolate: no` and `fresh: yes` are mutually exclusive: bots in the process of the "
            "match live on from game to game\n"
            "fix: leave one of them out, or set `fresh: no` if you trust all bots"
        )
    sandbox = sandbox_of(match, folder)
    registry = lookup_registry(match, registry, folder)
    bots = {
        (game, spec): find_separate_bot(registry, spec, game)
        for game, spec, parts in _bots_of(match, registry)
        if _is_isolated(match, parts)
    }
    for contest in match.contests:
        if any(game == contest.game for game, _ in bots):
            _check_sending(contest, registry)
    return Isolation(
        bots,
        sandbox,
        is_complete=match.isolate != "no",
        is_fresh=match.fresh is True,
        limits=match.limits,
    )


def lookup_registry(match: Match, registry: PluginRegistry, folder: Path) -> PluginRegistry:
    """Return the registry in which the process of the referee looks up games and bots.

    Unless bots are not isolated, it imports no third-party plugin with only bots. Raises
    SandboxError.
    """
    return registry if match.isolate == "no" else for_referee(registry, sandbox_of(match, folder))


def with_stated_freshness(match: Match, registry: PluginRegistry, folder: Path) -> Match:
    """Return the match with `fresh` set, unless an older cardhub has begun it in `folder`.

    A match file that does not set it leaves the choice to the match in the folder. A new match is
    fresh, unless `isolate: no` keeps third-party bots in the process of the match.
    """
    if match.fresh is not None:
        return match
    begun = begun_match(folder)
    if begun is not None:
        return replace(match, fresh=begun.get("fresh"))
    lives_on = match.isolate == "no" and _may_remember(match, registry)
    return replace(match, fresh=not lives_on)


def with_own_deals(match: Match, folder: Path) -> Match:
    """Return a race with `own_deals` set, unless an older cardhub has begun it in `folder`.

    With a secret each pair has deals of its own, because those of other pairs are published.
    """
    if match.order.mode != "racing" or match.salt is None:
        return match
    begun = begun_match(folder)
    return replace(match, own_deals=True if begun is None else begun.get("own_deals"))


def _may_remember(match: Match, registry: PluginRegistry) -> bool:
    """Return whether a bot might store data of a game, unlike cardhub's own with any file."""
    return any(_is_third_party(parts) for *_, parts in _bots_of(match, registry))


def sandbox_of(match: Match, folder: Path) -> Sandbox | None:
    """Return the sandbox of a match, None if it has none; raises SandboxError."""
    return sandbox_without(folder, match.file) if match.sandbox else None


def sandbox_without(folder: Path, file: Path | None) -> Sandbox:
    """Return a sandbox that hides the folder of a match and its file; raises SandboxError."""
    check_sandbox()
    files = [file] if file else []
    return Sandbox(tuple(path.absolute() for path in (folder, *files)))


def _bots_of(match: Match, registry: PluginRegistry) -> Iterator[tuple[str, str, list[BotPart]]]:
    for contest in match.contests:
        present = [match.entrant(name).spec for name in match.players_of(contest.id)]
        for spec in dict.fromkeys([*present, match.faults.substitute]):
            yield contest.game, spec, list(registry.parts(spec, contest.game))


def _is_isolated(match: Match, parts: list[BotPart]) -> bool:
    if match.isolate == "no":
        return False
    if parts[0].origin is None and parts[0].command:
        return False  # programs are separate processes anyway
    # A file may come from anybody: a model of PyTorch is a pickle, which can run code.
    has_files = any(part.files for part in parts)
    return match.isolate == "yes" or _is_third_party(parts) or has_files


def _is_third_party(parts: list[BotPart]) -> bool:
    return any(
        part.is_python_file or (part.origin is not None and not part.is_shipped) for part in parts
    )


def _check_sending(contest: Contest, registry: PluginRegistry) -> None:
    players = [Player(name, "random") for name in NAMES[: contest.players]]
    rules = {**contest.rules, **next(contest.variations())}
    # Only a state shows whether its values can be serialized, so a game is dealt.
    referee = set_up(registry.game(contest.game), players, rules, 0)
    try:
        serialize(referee.observe(0))
    except TypeError as error:
        raise MatchError(
            f"{contest.id}: bots cannot play it in separate processes: {error}\n"
            "fix: keep plain data in the game's state, or set `isolate: no`"
        ) from error


def start_bots(
    match: Match, registry: PluginRegistry, folder: Path, *, is_strict: bool = False
) -> Match:
    """Start programs and bots that load files; return the match without bots that fail.

    Otherwise such a bot would be at fault in each game. `folder` is the folder of the log. Raises
    BotError if the match needs a bot that fails, or with `is_strict` if any fails; also MatchError,
    SandboxError or LimitsError.
    """
    sandbox = sandbox_of(match, folder)
    if match.limits is not None:
        check_limits(match.limits)
    match, errors = _with_programs(match, sandbox)
    if errors:
        match = _without(match, errors, is_strict=is_strict)
    isolation = find_isolation(match, registry, folder)
    registry = lookup_registry(match, registry, folder)
    errors = {}
    # Another registry starts programs in the sandbox, and imports no plugin with only bots.
    own_registry = find_plugins(registry.directories, sandbox, third_party=(), limits=match.limits)
    with closing(own_registry) as own:
        for entrant in match.entrants:
            try:
                _greet_program(entrant, match, own)
                _ask_loading_bot(entrant, match, registry, isolation)
            except BotError as error:
                errors[entrant.id] = _for_team(error) if entrant.team else error
    return _without(match, errors, is_strict=is_strict) if errors else match


def _with_programs(match: Match, sandbox: Sandbox | None) -> tuple[Match, dict[str, BotError]]:
    """Return the match with the programs of its teams, and why teams cannot be built."""
    builder = builder_of(match, sandbox)
    built: dict[str, Team] = {}
    errors: dict[str, BotError] = {}
    with ThreadPoolExecutor(processors()) as pool:
        builds = {e.id: pool.submit(builder.built, e.team) for e in match.entrants if e.team}
        try:
            for name, build in builds.items():
                try:
                    built[name] = build.result()
                except TeamError as error:
                    errors[name] = error
        except BaseException:
            builder.stop.set()
            pool.shutdown(cancel_futures=True)
            raise
    entrants = (replace(e, team=built.get(e.id, e.team)) for e in match.entrants)
    return replace(match, entrants=tuple(entrants)), errors


def _for_team(error: BotError) -> TeamError:
    """Return an error at the start of a team's program without its command and its output."""
    details = "\n".join(filter(None, [str(error), getattr(error, "details", "")]))
    if isinstance(error, BotFaultError):
        return TeamError(f"its program does not start as it should ({error.fault})", details)
    return TeamError("its program does not play a game of the match", details)


def _without(match: Match, errors: Mapping[str, BotError], *, is_strict: bool) -> Match:
    """Return the match without bots that fail; raises BotError if it needs one of them."""
    reasons = {bot: str(error) for bot, error in errors.items()}
    smaller = None if is_strict else without_bots(match, reasons)
    if smaller is None:
        first, *others = errors.values()
        raise BotError("\n".join(reasons.values())) if others else first
    details = {bot: e.details for bot, e in errors.items() if isinstance(e, TeamError)}
    return replace(smaller, absent_details={**match.absent_details, **details})


def _greet_program(entrant: Entrant, match: Match, registry: PluginRegistry) -> None:
    """Run the handshake of a program once for each of its games; raises BotError.

    The program may not start, its handshake may be invalid, or it may not support a game.
    """
    if parse_spec(entrant.spec).name == CMD.name:
        for game in dict.fromkeys(match.contest(contest).game for contest in entrant.plays):
            # Creating the bot of a program includes the handshake.
            close(registry.make_bot(entrant.spec, game, Random(entrant.id)))


def _ask_loading_bot(
    entrant: Entrant, match: Match, registry: PluginRegistry, isolation: Isolation
) -> None:
    """Ask a bot with a warm-up for a first action, with all options of its games.

    Raises BotError, for example for a model of another game, before the first game of a match. The
    time limits are those of the match, because the import of a file may never end.
    """
    for contest in map(match.contest, entrant.plays):
        if takes_long(registry, entrant.spec, contest.game):
            for options in contest.variations():
                rules = {**contest.rules, **options}
                _ask_once(entrant.spec, contest, rules, registry, isolation, match.budget)


def _ask_once(
    spec: str,
    contest: Contest,
    options: dict[str, Any],
    registry: PluginRegistry,
    isolation: Isolation,
    budget: Budget,
) -> None:
    players = [Player(name, spec) for name in NAMES[: contest.players]]
    referee = set_up(registry.game(contest.game), players, options, 0)
    referee.proceed()
    make = partial(_made, spec, contest, options, registry, isolation, referee.seat)
    try:
        # The warm-up of a model asks its server; a decision would be paid, and not count.
        if parse_spec(spec).name == LLM.name:
            close(make())
            return
        bot = TimedBot(make, budget, BOOT + WARM_UP)
        try:
            legal_action(referee, bot.ask(referee.observe(referee.seat)))
        finally:
            bot.close()
    except BotFaultError as fault:
        raise fault.with_message(f"{contest.id}: {spec}: {fault}") from fault


def _made(
    spec: str,
    contest: Contest,
    options: dict[str, Any],
    registry: PluginRegistry,
    isolation: Isolation,
    seat: int,
) -> Bot:
    """Return a bot that has loaded, in a separate process if it plays there."""
    game, separate = contest.game, isolation.bots.get((contest.game, spec))
    if separate is None:
        table = contest.players, options
        warm_up(registry, spec, game, *table)
        return registry.make_bot(spec_at(registry, spec, game, *table), game, Random(spec))
    lineup = Lineup(game, {seat: separate.spec}, {seat: spec}, False, contest.players, options)
    program = BotProgram(registry.directories, separate, isolation.sandbox, limits=isolation.limits)
    return IsolatedBot(lineup, seat, program)
