"""Checks before the first game: bots in separate processes, the sandbox, programs and models.

Isolation does not change results.
"""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

from cardhub.base.errors import BotFaultError, MatchError
from cardhub.bots.processes.sandbox import Sandbox, check_sandbox
from cardhub.lab.match.match_spec import Contest, Match
from cardhub.lab.match.task import Isolation
from cardhub.model.hidden.serialization import serialize
from cardhub.play.seating import NAMES, Player
from cardhub.play.setup import ask_to_act, close, set_up
from cardhub.plugins.bot_files import takes_long, warm_up
from cardhub.plugins.bot_index import BotPart
from cardhub.plugins.registry import PluginRegistry, find_plugins


def find_isolation(match: Match, registry: PluginRegistry, folder: Path) -> Isolation:
    """Return the bots that run in separate processes, and their sandbox.

    `folder` is the folder of the log. Raises MatchError if a game's observations cannot be sent to
    another process, SandboxError if the requested sandbox is not available.
    """
    if match.sandbox and match.isolate == "no":
        raise MatchError("`isolate: no` and `sandbox: yes` are mutually exclusive")
    sandbox = sandbox_of(match, folder)
    bots = frozenset(_isolated_bots(match, registry))
    for contest in match.contests:
        if any(game == contest.game for game, _ in bots):
            _check_sending(contest, registry)
    return Isolation(bots, sandbox)


def sandbox_of(match: Match, folder: Path) -> Sandbox | None:
    """Return the sandbox of a match, None if it has none; raises SandboxError."""
    if not match.sandbox:
        return None
    check_sandbox()
    files = [match.file] if match.file else []
    return Sandbox(tuple(path.absolute() for path in (folder, *files)))


def _isolated_bots(match: Match, registry: PluginRegistry) -> Iterator[tuple[str, str]]:
    for contest in match.contests:
        present = [match.entrant(name).use for name in match.players_of(contest.id)]
        for spec in dict.fromkeys([*present, match.faults.substitute]):
            parts = list(registry.parts(spec, contest.game))
            if _is_isolated(match, parts):
                yield contest.game, spec


def _is_isolated(match: Match, parts: list[BotPart]) -> bool:
    if match.isolate == "no":
        return False
    if parts[0].origin is None and parts[0].command:
        return False  # programs are separate processes anyway
    is_third_party = any(part.origin is not None and not part.is_shipped for part in parts)
    return match.isolate == "yes" or is_third_party


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


def greet_programs(match: Match, registry: PluginRegistry, sandbox: Sandbox | None = None) -> None:
    """Run the handshake of every program once for each of its games, in the sandbox if any.

    Raises BotError if a program cannot be started, its handshake is invalid, or it does not support
    a game: these errors stop a match before its first game, and are not scored as faults.
    """
    if sandbox is not None:
        # A new registry, because the given one does not start programs in the sandbox.
        registry = find_plugins(registry.directories, sandbox)
    with closing(registry):
        for entrant in match.entrants:
            for game in dict.fromkeys(match.contest(c).game for c in entrant.plays):
                if registry.is_program(entrant.use, game):
                    # Creating the bot of a program includes the handshake.
                    close(registry.make_bot(entrant.use, game, Random(entrant.id)))


def ask_loading_bots(match: Match, registry: PluginRegistry) -> None:
    """Ask every bot with a warm-up for a first action, with all options of its games.

    Raises BotError, for example for a model of another game: as with `greet_programs`, these errors
    stop a match before its first game.
    """
    for entrant in match.entrants:
        for contest in map(match.contest, entrant.plays):
            if takes_long(registry, entrant.use, contest.game):
                for options in contest.variations():
                    _ask_once(entrant.use, contest, {**contest.rules, **options}, registry)


def _ask_once(
    spec: str, contest: Contest, options: dict[str, Any], registry: PluginRegistry
) -> None:
    players = [Player(name, spec) for name in NAMES[: contest.players]]
    referee = set_up(registry.game(contest.game), players, options, 0)
    referee.proceed()
    warm_up(registry, spec, contest.game, contest.players, options)
    bot = registry.make_bot(spec, contest.game, Random(spec))
    try:
        ask_to_act(referee, bot)
    except BotFaultError as fault:
        raise fault.with_message(f"{contest.id}: {spec}: {fault}") from fault
    finally:
        close(bot)
