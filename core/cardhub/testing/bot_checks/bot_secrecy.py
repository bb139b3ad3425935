"""Whether a bot is swayed by cards that its seat cannot see.

Other worlds are drawn from what the seat knows and dealt by a referee of their own. A bot cannot
tell them apart, whatever it remembers, unless it gets at more than its observations.
"""

from random import Random
from typing import Any

from cardhub.errors import DeterminizationError, IllegalActionError
from cardhub.play.setup import bot_generator
from cardhub.testing.bot_checks.bot_findings import Findings
from cardhub.testing.bot_checks.bot_game import Sitting
from cardhub.testing.bot_checks.inspection import Inspection

WORLDS = 2
"""In how many worlds besides the true one a bot is asked at each sampled position."""
EXPECTED = "the same answer, because its seat cannot tell the two games apart"


def check_secrecy(inspection: Inspection, samples: int) -> None:
    """Check that a bot answers alike in worlds that its seat cannot tell apart.

    New bots are asked in the middle of games at `samples` positions, others go through a part of
    each game.
    """
    rng, findings = Random(f"{inspection.seed} worlds"), inspection.findings
    places = [(sitting, number) for sitting in inspection.sat for number in sitting.answers]
    sampled = rng.sample(places, min(samples, len(places)))
    try:
        worlds = sum(_at_once(inspection, s.until(number), rng) for s, number in sampled)
        worlds += sum(_from_the_deal(inspection, s, rng) for s in inspection.sat if s.answers)
    except (DeterminizationError, IllegalActionError) as error:
        why = f"the game has no other world to ask in, see `cardhub check` ({error})"
        findings.skip(["secrecy"], why)
    else:
        if not worlds:
            findings.skip(["secrecy"], "nothing was hidden from its seat")


def _at_once(inspection: Inspection, sitting: Sitting[Any], rng: Random) -> int:
    """Ask new bots at the end of a sitting, in several worlds; return in how many."""
    number = len(sitting.entries)
    worlds = list(filter(None, (_world(sitting, rng) for _ in range(WORLDS))))
    answers = []
    for world in [sitting, *worlds] if worlds else ():
        world.answers = {number: ""}  # the only place to ask at
        answers += [told for _, told in inspection.again(world, Random(f"{number} at once"))]
    others = [told for told in answers if told != answers[0]]
    if others:
        _report(sitting, number, answers[0], others[0], inspection.findings)
    return len(worlds)


def _from_the_deal(inspection: Inspection, sitting: Sitting[Any], rng: Random) -> int:
    """Have a new bot go through the beginning of a sitting in another world, if there is one."""
    world = _world(sitting.until(rng.choice(list(sitting.answers))), rng)
    if world is None:
        return 0
    for number, told in inspection.again(world, bot_generator(sitting.trial.seed, sitting.seat)):
        if told != sitting.answers[number]:
            _report(sitting, number, sitting.answers[number], told, inspection.findings)
            break
    return 1


def _world(sitting: Sitting[Any], rng: Random) -> Sitting[Any] | None:
    """Return another world for the end of a sitting, None if nothing can be otherwise."""
    world = sitting.elsewhere(sitting.replayed().observe(sitting.seat).determinize_whole(rng))
    is_other = (world.faces, world.entries) != (sitting.faces, sitting.entries)
    return world if is_other else None


def _report(sitting: Sitting[Any], number: int, here: str, there: str, findings: Findings) -> None:
    what = f"it answers {here}, but {there} if cards that its seat cannot see lie otherwise"
    findings.add("secrecy", what, EXPECTED, sitting.place(number))
