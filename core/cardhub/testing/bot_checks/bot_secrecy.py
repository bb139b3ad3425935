"""Checks that equal seeds give equal answers, and that hidden cards do not change them.

The bot is asked in games dealt from determinizations of its own observations. It cannot distinguish
them from the true game, even with a memory, unless it reads more than its observations.
"""

import sys
from collections.abc import Callable, Iterator
from functools import cache, partial
from inspect import isclass, isfunction, ismodule
from random import Random
from typing import Any

from cardhub.base.errors import DeterminizationError, IllegalActionError
from cardhub.play.setup import bot_generator
from cardhub.testing.bot_checks.bot_findings import BotFindings
from cardhub.testing.bot_checks.bot_game import BotGame
from cardhub.testing.bot_checks.inspection import Inspection

# Determinizations of each sampled position.
DRAWS = 2

EXPECTED = "the same answer, because its seat cannot tell the two games apart"


def check_secrecy(inspection: Inspection, samples: int) -> None:
    """Compare answers at `samples` positions of the inspected games, and in a part of each game."""
    rng, findings = Random(f"{inspection.seed} worlds"), inspection.findings
    positions = [(game, number) for game in inspection.played for number in game.answers]
    sampled = rng.sample(positions, min(samples, len(positions)))
    try:
        compared = sum(_compare_last(inspection, g.until(number), rng) for g, number in sampled)
        answered = [game for game in inspection.played if game.answers]
        compared += sum(_compare_from_deal(inspection, game, rng) for game in answered)
    except (DeterminizationError, IllegalActionError) as error:
        why = f"the game has no other world to ask in, see `cardhub check` ({error})"
        findings.skip(["secrecy"], why)
    else:
        if not compared:
            findings.skip(["secrecy"], "nothing was hidden from its seat")


def _compare_last(inspection: Inspection, game: BotGame[Any], rng: Random) -> int:
    """Ask new bots at the last position only; return the number of determinizations."""
    number = len(game.entries)
    others = [other for other in (_determinized(game, rng) for _ in range(DRAWS)) if other]
    if not others:
        return 0
    answers: list[str] = []
    # A new bot for each: it has no memory of earlier positions, real or not.
    for checked in (game, *others):
        checked.answers = {number: ""}  # the only position to ask at
        answers += [
            answer for _, answer in inspection.play_again(checked, Random(f"{number} at once"))
        ]
    different = [answer for answer in answers if answer != answers[0]]
    if different:
        _add_finding(game, number, answers[0], different[0], inspection.findings)
    return len(others)


def _compare_from_deal(inspection: Inspection, game: BotGame[Any], rng: Random) -> int:
    """Play the beginning of a game with a new bot; return the number of determinizations."""
    other = _determinized(game.until(rng.choice(list(game.answers))), rng)
    if other is None:
        return 0
    for number, answer in inspection.play_again(other, bot_generator(game.trial.seed, game.seat)):
        if answer != game.answers[number]:
            _add_finding(game, number, game.answers[number], answer, inspection.findings)
            break
    return 1


def _determinized(game: BotGame[Any], rng: Random) -> BotGame[Any] | None:
    """Return the game with the deal of a determinization, None if that is the true one."""
    other = game.determinized(game.seat, rng)
    # With few hidden cards the true deal is drawn often; comparing it with itself shows no
    # difference.
    is_other = (other.faces, other.entries) != (game.faces, game.entries)
    return other if is_other else None


def _add_finding(
    game: BotGame[Any], number: int, here: str, elsewhere: str, findings: BotFindings
) -> None:
    problem = f"it answers {here}, but {elsewhere} if cards that its seat cannot see lie otherwise"
    findings.add("secrecy", problem, EXPECTED, game.location(number))


SAME = "the same answer, unless it is said to look at the clock"
FRESH = "a new bot with an equal generator answers the same, whatever was played before"
UNCLEAR = "not checked: new instances of the bot give different answers"
# Depth to which nested containers and objects are compared.
DEPTH = 8


def check_again(inspection: Inspection, before: dict[str, object]) -> None:
    """Have new bots play the same games with equal generators, the last game first.

    `before` is the global state before all games; it separates memory from other nondeterminism.
    """
    findings = inspection.findings
    repeats = cache(partial(_repeats_itself, inspection))
    # The last game first: a bot with a memory then differs in its first answers.
    for game in reversed(inspection.played):
        change = _first_change(inspection, game)
        if change is None:
            continue
        number, answer = change
        problem = f"it first answers {game.answers[number]}, later {answer}"
        # Answers that differ without a memory explain all later ones.
        memory = "" if "seed" in findings.by_check else _memory(inspection, game, before, repeats)
        check, expected = ("memory", FRESH) if memory else ("seed", SAME)
        findings.add(check, problem + memory, expected, game.location(number))
    if findings.by_check.keys() & {"seed", "memory"}:
        findings.skip(("seed", "memory", "secrecy"), UNCLEAR)


def global_state(bot: object) -> dict[str, object]:
    """Return immutable copies of the attributes of the bot's classes and modules, by name."""
    state: dict[str, object] = {}
    seen: dict[int, object] = {}
    for name, value in _globals(bot):
        if name not in state:
            state[name] = _frozen(value, seen, DEPTH)
    return state


def _first_change(inspection: Inspection, game: BotGame[Any]) -> tuple[int, str] | None:
    rng = bot_generator(game.trial.seed, game.seat)
    for number, answer in inspection.play_again(game, rng):
        if answer != game.answers[number]:
            return number, answer
    return None


def _memory(
    inspection: Inspection,
    game: BotGame[Any],
    before: dict[str, object],
    repeats: Callable[[], bool],
) -> str:
    """Return words on the bot's memory if that explains a changed answer, otherwise ""."""
    with inspection.made(bot_generator(game.trial.seed, game.seat)) as bot:
        after = global_state(bot)
    changed = [name for name in after if after[name] != before.get(name)]
    if changed:
        return f"; meanwhile {', '.join(changed)} has changed"
    # The memory of a program is not visible, but a new process has none.
    return "; started anew, it repeats itself" if repeats() else ""


def _repeats_itself(inspection: Inspection) -> bool:
    """Return whether two new processes give the same answers in all games that were played.

    A single short game would not do: a bot without a seed often repeats two or three answers.
    """
    renew = inspection.renew
    return renew is not None and _in_new_process(inspection, renew) == _in_new_process(
        inspection, renew
    )


def _in_new_process(inspection: Inspection, renew: Callable[[], None]) -> list[tuple[int, str]]:
    renew()
    return [
        answer
        for game in inspection.played
        for answer in inspection.play_again(game, bot_generator(game.trial.seed, game.seat))
    ]


def _globals(bot: object) -> Iterator[tuple[str, Any]]:
    # Base classes as well: a bot may inherit its memory.
    for kind in type(bot).__mro__:
        module = sys.modules.get(kind.__module__)
        if module is None or kind.__module__ in ("builtins", "abc", "typing"):
            continue
        yield from _class_attributes(kind)
        # A copy of the items: another thread of the bot may add a global.
        for name, value in list(vars(module).items()):
            if isclass(value) and value.__module__ == module.__name__:
                yield from _class_attributes(value)
            elif not (name.startswith("__") or ismodule(value)):
                yield name, value


def _class_attributes(kind: type) -> Iterator[tuple[str, Any]]:
    for name, value in vars(kind).items():
        if not name.startswith("__") or isfunction(value):
            yield f"{kind.__name__}.{name}", value


def _frozen(value: Any, seen: dict[int, object], depth: int) -> object:
    """Return an immutable copy that is equal only for equal values."""
    if isinstance(value, bool | int | float | str | bytes | None):
        return value
    # Objects may refer to each other in a circle, and libraries keep large trees of them.
    if id(value) in seen or not depth:
        return type(value).__name__
    seen[id(value)] = value  # kept alive, so that no later value gets the same id
    if isinstance(value, dict):
        return tuple(_frozen(pair, seen, depth) for pair in list(value.items()))
    if isinstance(value, list | tuple):
        return tuple(_frozen(part, seen, depth - 1) for part in value)
    if isinstance(value, set | frozenset):
        return frozenset(_frozen(part, seen, depth - 1) for part in value)
    if isinstance(value, Random):
        return value.getstate()
    if isfunction(value):  # mutable default arguments are a memory, too
        return _frozen(value.__defaults__, seen, depth - 1)
    if isclass(value) or ismodule(value):
        return value.__name__
    return _frozen(getattr(value, "__dict__", None), seen, depth - 1)
