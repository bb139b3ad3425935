"""Which bots of a match get a process of their own, and whether that is in a sandbox.

Nothing of it changes what is played.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cardhub.bots.external.sandbox import Sandbox, check_sandbox
from cardhub.errors import MatchError
from cardhub.hidden.packing import pack
from cardhub.match.spec import Contest, Match
from cardhub.match.task import Confined
from cardhub.play.seating import NAMES, Player
from cardhub.play.setup import set_up
from cardhub.plugins.bot_parts import BotPart, parts_of
from cardhub.plugins.registry import PluginRegistry


def confined(match: Match, registry: PluginRegistry, folder: Path) -> Confined:
    """Return which bots are confined in a match whose log is in `folder`.

    Raises MatchError if a game cannot be played from another process, SandboxError if there is to
    be a sandbox and cannot be.
    """
    if match.sandbox and match.isolate == "no":
        raise MatchError("`isolate: no` and `sandbox: yes` are mutually exclusive")
    sandbox = sandbox_of(match, folder)
    bots = frozenset(_apart(match, registry))
    for contest in match.contests:
        if any(game == contest.game for game, _ in bots):
            _check_sending(contest, registry)
    return Confined(bots, sandbox)


def sandbox_of(match: Match, folder: Path) -> Sandbox | None:
    """Return the sandbox that a match asks for, if it does; raises SandboxError."""
    if not match.sandbox:
        return None
    check_sandbox()
    files = [match.file] if match.file else []
    return Sandbox(tuple(path.absolute() for path in (folder, *files)))


def _apart(match: Match, registry: PluginRegistry) -> Iterator[tuple[str, str]]:
    """Yield games and specs of the bots that get a process of their own."""
    for contest in match.contests:
        present = [match.entrant(name).use for name in match.players_of(contest.id)]
        for spec in dict.fromkeys([*present, match.faults.substitute]):
            parts = list(parts_of(registry, spec, contest.game))
            if _is_apart(match, parts):
                yield contest.game, spec


def _is_apart(match: Match, parts: list[BotPart]) -> bool:
    if match.isolate == "no":
        return False
    if parts[0].origin is None and parts[0].command:
        return False  # a program has a process of its own
    is_third_party = any(part.origin is not None and not part.is_shipped for part in parts)
    return match.isolate == "yes" or is_third_party


def _check_sending(contest: Contest, registry: PluginRegistry) -> None:
    players = [Player(name, "random") for name in NAMES[: contest.players]]
    referee = set_up(registry.game(contest.game), players, _first_rules(contest), 0)
    try:
        pack(referee.observe(0))
    except TypeError as error:
        raise MatchError(
            f"{contest.id}: bots cannot play it in processes of their own: {error}\n"
            "fix: keep plain data in the game's state, or set `isolate: no`"
        ) from error


def _first_rules(contest: Contest) -> dict[str, Any]:
    return {**contest.rules, **next(contest.variations())}
