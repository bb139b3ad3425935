"""The action that was taken next in a replay, as a viewer was told of it."""

from collections.abc import Sequence
from typing import NamedTuple

from cardhub.model.game.display_values import as_text
from cardhub.model.game.scene import Scene
from cardhub.model.hidden.observation import EVERYTHING
from cardhub.play.host.replays.replay import Replay
from cardhub.play.seating import names_by_seat
from cardhub.view.action_spots import spots_of
from cardhub.view.spots import Spot
from cardhub.view.texts.card_texts import as_sentence


class ComingAction(NamedTuple):
    """The action that was taken next, as the viewer was told of it.

    `spots` are the spots of the viewer's view that it refers to. `says` is its consequence, empty
    for all but viewers who know all that the seat knew.
    """

    seat: int
    lines: Sequence[str]
    spots: Sequence[Spot]
    says: str

    @property
    def text(self) -> str:
        """All sentences on it."""
        return "; ".join(self.lines)


def coming_action(
    replay: Replay, step: int, viewer: int, scene: Scene | None = None
) -> ComingAction | None:
    """Return the action after a step, None at the end and before shuffles alone.

    `scene` is what the viewer sees at the step, made here by default.
    """
    taken = replay.action_after(step)
    if taken is None or taken.seat != replay.steps[step].full.state.seat:
        return None
    scene = replay.observe(step, viewer).scene() if scene is None else scene
    spots = spots_of(replay.game, scene, [taken.action], taken.seat)[taken.action]
    lines = [
        line for line in replay.log_between(viewer, step, replay.stop_near(step, 1)) if line.text
    ]
    says = consequence(replay, step, viewer, taken.action)
    return ComingAction(taken.seat, [line.text for line in lines], spots, says)


def consequence(replay: Replay, step: int, viewer: int, action: int) -> str:
    """Return the consequence of an action, empty unless the viewer knows all the seat knew."""
    seat = replay.steps[step].full.state.seat
    if seat < 0 or viewer not in (seat, EVERYTHING):
        return ""
    seen = replay.steps[step].observe(seat)
    with seen.named_step():
        labels = seen.labels(names_by_seat(replay.players_at(step)))
        told = seen.game.says(seen.state, action, labels)
    return as_sentence(as_text(seen.game, "says", told))
