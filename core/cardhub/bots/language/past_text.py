"""The past of a game in sentences, as one seat has seen it."""

from collections.abc import Iterator, Sequence
from typing import Any, Literal

from cardhub.base.errors import DeterminizationError
from cardhub.base.writing import action_sentence
from cardhub.model.hidden.observation import Observation
from cardhub.model.hidden.past_steps import PastStep, past_steps
from cardhub.model.table.actions import UNSEEN_ACTION
from cardhub.model.table.state import CHANCE
from cardhub.view.explain.action_texts import (
    SECRET_ACTION,
    describe,
    logged,
    narration,
    shuffle_lines,
)

Memory = Literal["log", "recent", "none"]


def past_lines(
    observation: Observation[Any], players: Sequence[str], memory: Memory = "log"
) -> list[str]:
    """Return the log of a seat, a sentence for each line.

    `memory`: the whole log, only the lines from the seat's last action on, or no lines.
    """
    if memory == "none":
        return []
    try:
        lines = list(_lines(observation, players))
    except DeterminizationError:  # the position was not reached by play, or the game has none
        lines = list(_short_lines(observation, players))
    own = [number for number, (seat, _) in enumerate(lines) if seat == observation.seat]
    first = own[-1] if own and memory == "recent" else 0
    return [line for _, line in lines[first:]]


def _lines(observation: Observation[Any], players: Sequence[str]) -> Iterator[tuple[int, str]]:
    for step in past_steps(observation):
        # The last choice of a round describes all of them.
        for line in [] if step.is_open else _step_lines(step, players):
            yield step.seat, line


def _step_lines(step: PastStep[Any], players: Sequence[str]) -> list[str]:
    names = step.after.labels_since(step.before, players)
    narrated = narration(step.before, step.action, step.after, names)
    has_narration = narrated is not None or bool(step.moments.sentences)
    if narrated is None:
        narrated = describe(step.before, step.seat, step.action, step.after, names, step.moments)
    # A narration covers all effects of its action, also the shuffles.
    shuffles = [] if has_narration else step.shuffles
    lines = [line for count, keeper in shuffles for line in shuffle_lines(count, keeper, players)]
    return [*narrated, *logged(step.after, names, step.moments), *lines]


def _short_lines(
    observation: Observation[Any], players: Sequence[str]
) -> Iterator[tuple[int, str]]:
    labels = observation.labels(players)
    for seat, action in observation.history:
        player = "Chance" if seat == CHANCE else players[seat]
        if action == UNSEEN_ACTION:
            yield seat, SECRET_ACTION.format(player=player)
        else:
            yield seat, action_sentence(player, labels.plain_label(action))
