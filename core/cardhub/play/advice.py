"""Ratings and faults of bots as text for players."""

from collections.abc import Iterator, Sequence
from math import sqrt
from typing import Any, NamedTuple

from msgspec import Struct

from cardhub.base.errors import BotFaultError
from cardhub.bots.bot import Rated
from cardhub.model.game.initial_state import game_scoring
from cardhub.model.hidden.observation import Observation, Step
from cardhub.model.table.goal import Goal
from cardhub.model.table.scoring import Scoring
from cardhub.play.seating import Player
from cardhub.view.text.glyphs import cells, pad

# The most actions of a hint that players see.
MOST_SHOWN = 3
SCALE = "0 % is lost, 100 % is won"
PERCENT = "%"


class RatedAction(Struct, frozen=True, gc=False, rename={"value_text": "worth"}):
    """A rated action as text: its name, its value and the number of tries.

    `value_text` (JSON: `worth`) and `tries` are empty if the bot has no ratings.
    """

    name: str
    value_text: str
    tries: str


def rated_actions(
    rated: Sequence[Rated], observation: Observation[Any], players: Sequence[str] = ()
) -> list[RatedAction]:
    """Return rated actions as text for their seat: names with `players`, else notations."""
    labels, legal = observation.labels(players), observation.legal()
    named = labels.choices(legal) if players else labels.notations(legal)
    names = {action: name for name, action in named.items()}
    state = observation.state
    scoring = game_scoring(observation.game, state.settings, state.seats)
    return [
        RatedAction(names[action], value_text(value, scoring), f"{visits} tries")
        if visits
        else RatedAction(names[action], "", "")
        for action, visits, value, _ in rated
    ]


def value_text(value: float, scoring: Scoring) -> str:
    """Return the value of a rating as text.

    `+1.4 chips` with SCORE, `12.3 of 25 points` with COMMON, else a percentage: 0 % is a loss and
    100 % a win.
    """
    if scoring.goal in (Goal.WIN, Goal.RANK):
        return f"{50 * (1 + min(max(value, -1.0), 1.0)):.0f} %"
    # Values of games in which the lowest wins are negated scores. Without 0.0, `-0.0` is shown.
    points = value / scoring.unit_size
    score = round(-points if scoring.lowest_wins else points, 1) + 0.0
    if scoring.goal is Goal.SCORE and not scoring.lowest_wins:
        return f"{score:+.1f} {scoring.unit}"
    of_target = "" if scoring.target is None else f" of {scoring.text(scoring.target)}"
    return f"{score:.1f}{of_target} {scoring.unit}"


class LossScale(NamedTuple):
    """The scale of differences of ratings: `factor` times a difference is in the `unit`."""

    factor: float
    unit: str


def loss_scale(scoring: Scoring) -> LossScale:
    """Return the scale of the differences of `value_text`: the game's unit, or percent."""
    if scoring.goal in (Goal.WIN, Goal.RANK):
        return LossScale(50.0, PERCENT)
    return LossScale(1 / scoring.unit_size, scoring.unit)


def public_fault(player: Player, fault: BotFaultError) -> str:
    """Return the public text of a bot's fault: the player and the kind of fault, no cards."""
    return f"the bot {player} {fault.public}"


def advice_lines(bot: str, actions: Sequence[RatedAction], width: int) -> list[str]:
    """Return the best ratings as lines: one per action if they fit, else two."""
    shown = actions[:MOST_SHOWN]
    names = max(cells(action.name) for action in shown)
    scale = [SCALE] if any(action.value_text.endswith("%") for action in shown) else []
    wide = [
        f"{number}. {pad(action.name, names)}  {action.value_text}".rstrip()
        for number, action in enumerate(shown, 1)
    ]
    title = f"Hint by {bot}" + (f" ({SCALE})" if scale else "")
    if max(map(cells, [title, *wide])) <= width:
        return [f"{title}:", *wide]
    narrow = [
        line for number, action in enumerate(shown, 1) for line in _narrow_lines(number, action)
    ]
    return [f"Hint by {bot}:", *narrow, *scale]


def _narrow_lines(number: int, action: RatedAction) -> Iterator[str]:
    yield f"{number}. {action.name}"
    if action.value_text:
        yield f"   {action.value_text}"


# Standard errors within which two values are equal.
NOISE = 2.0
# Share of the best action's visits from which another action can be equal to it.
NEAR_BEST = 0.5


def equal_to_best(rated: Sequence[Rated], goal: Goal) -> list[bool]:
    """Return for each rating whether its value equals the first rating's within noise.

    False for the first rating itself, and for actions that were not tried.
    """
    best = rated[0]
    return [n > 0 and _is_equal(best, rating, goal) for n, rating in enumerate(rated)]


def expectation(
    rated: Sequence[Rated],
    observation: Observation[Any],
    players: Sequence[str],
    *,
    says_you: bool = True,
) -> str:
    """Return a sentence on the steps that a bot expects after its best action; it may be empty.

    Cards have names that the observation's seat knows; the sentence calls this seat "you" or by
    its name.
    """
    labels, viewer = observation.labels(players), observation.seat

    def step_text(step: Step) -> str:
        is_you = says_you and step.seat == viewer
        player = "you" if is_you else f"{players[step.seat]}:"
        return f"{player} {labels.plain_label(step.action)}"

    line = [
        step
        for step in rated[0].line
        if 0 <= step.seat < len(players) and labels.is_action(step.action)
    ]
    return f"After that it expects: {', then '.join(map(step_text, line))}." if line else ""


def _is_equal(best: Rated, other: Rated, goal: Goal) -> bool:
    if not best.visits or not other.visits:
        return False
    # A search gives most visits to the best action and to actions that may equal it.
    if other.visits < NEAR_BEST * best.visits:
        return False
    if goal not in (Goal.WIN, Goal.RANK):
        return True
    # Values are from -1 to 1, so this is the greatest standard error of their difference.
    error = sqrt(_variance(best) / best.visits + _variance(other) / other.visits)
    return best.value - other.value <= NOISE * error


def _variance(rated: Rated) -> float:
    return 1 - min(abs(rated.value), 1.0) ** 2
