"""Whether a bot answers as before when it is asked again, and why not."""

import sys
from collections.abc import Iterator
from inspect import isclass, isfunction, ismodule
from random import Random
from typing import Any

from cardhub.play.setup import bot_generator
from cardhub.testing.bot_checks.bot_game import Sitting
from cardhub.testing.bot_checks.inspection import Inspection

SAME = "the same answer, unless it is said to look at the clock"
FRESH = "a new bot with an equal generator answers the same, whatever was played before"
UNCLEAR = "it cannot be told while new bots answer otherwise anyway"


def check_again(inspection: Inspection, held: dict[str, object]) -> None:
    """Have new bots go through the same games, the last one first, with the same generators.

    `held` is what the bot's classes and modules held before all games.
    """
    findings = inspection.findings
    for sitting in reversed(inspection.sat):
        number, told = _first_change(inspection, sitting)
        if told:
            what = f"it first answers {sitting.answers[number]}, later {told}"
            why = "" if "seed" in findings.found else _memory(inspection, sitting, held)
            check, expected = ("memory", FRESH) if why else ("seed", SAME)
            findings.add(check, what + why, expected, sitting.place(number))
    if findings.found.keys() & {"seed", "memory"}:
        findings.skip(("seed", "memory", "secrecy"), UNCLEAR)


def _first_change(inspection: Inspection, sitting: Sitting[Any]) -> tuple[int, str]:
    """Return where a new bot answers otherwise than before, and what; nothing if it does not."""
    lots = bot_generator(sitting.trial.seed, sitting.seat)
    for number, told in inspection.again(sitting, lots):
        if told != sitting.answers[number]:
            return number, told
    return -1, ""


def _memory(inspection: Inspection, sitting: Sitting[Any], held: dict[str, object]) -> str:
    """Return words on what the bot has kept, if that is why it answers otherwise."""
    with inspection.made(bot_generator(sitting.trial.seed, sitting.seat)) as bot:
        kept = changed(held, outside(bot))
    if kept:
        return f"; meanwhile {', '.join(kept)} has changed"
    if inspection.renew and _anew(inspection, sitting) == _anew(inspection, sitting):
        return "; started anew, it repeats itself"
    return ""


def _anew(inspection: Inspection, sitting: Sitting[Any]) -> list[tuple[int, str]]:
    """Return the answers of a bot that finds nothing of those before it."""
    if inspection.renew:
        inspection.renew()
    lots = bot_generator(sitting.trial.seed, sitting.seat)
    return list(inspection.again(sitting, lots))


DEPTH = 8
"""How deep lists in dictionaries in objects are looked into."""


def outside(bot: object) -> dict[str, object]:
    """Return all that outlives a bot, by name, as nothing that happens to it can change."""
    held: dict[str, object] = {}
    seen: dict[int, object] = {}
    for name, value in _held(bot):
        if name not in held:
            held[name] = _frozen(value, seen, DEPTH)
    return held


def changed(before: dict[str, object], after: dict[str, object]) -> list[str]:
    """Return the names of what is not as it was."""
    return [name for name in after if after[name] != before.get(name)]


def _held(bot: object) -> Iterator[tuple[str, Any]]:
    for kind in type(bot).__mro__:
        module = sys.modules.get(kind.__module__)
        if module is None or kind.__module__ in ("builtins", "abc", "typing"):
            continue
        yield from _of(kind)
        for name, value in list(vars(module).items()):
            if isclass(value) and value.__module__ == module.__name__:
                yield from _of(value)
            elif not (name.startswith("__") or ismodule(value)):
                yield name, value


def _of(kind: type) -> Iterator[tuple[str, Any]]:
    for name, value in vars(kind).items():
        if not name.startswith("__") or isfunction(value):
            yield f"{kind.__name__}.{name}", value


def _frozen(value: Any, seen: dict[int, object], depth: int) -> object:
    """Return something that equals another only if the two values were alike."""
    if isinstance(value, bool | int | float | str | bytes | None):
        return value
    if id(value) in seen or not depth:
        return type(value).__name__
    seen[id(value)] = value  # and so no other value gets this number
    if isinstance(value, dict):
        return tuple(_frozen(pair, seen, depth) for pair in list(value.items()))
    if isinstance(value, list | tuple):
        return tuple(_frozen(part, seen, depth - 1) for part in value)
    if isinstance(value, set | frozenset):
        return frozenset(_frozen(part, seen, depth - 1) for part in value)
    if isinstance(value, Random):
        return value.getstate()
    if isfunction(value):  # what stands as a default outlives the call
        return _frozen(value.__defaults__, seen, depth - 1)
    if isclass(value) or ismodule(value):
        return value.__name__
    return _frozen(getattr(value, "__dict__", None), seen, depth - 1)
