"""Whether a bot answers as before when it is asked again, and why not."""

from typing import Any

from cardhub.play.setup import bot_generator
from cardhub.testing.inspection import Inspection
from cardhub.testing.kept import changed, outside
from cardhub.testing.sitting import Sitting

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
