"""Equal cards of an area that counts them: one card stands for all, and one choice for theirs."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from cardhub.model.game.scene import Area, Scene
from cardhub.model.hidden.labels import public_differences
from cardhub.model.hidden.observation import Observation
from cardhub.model.table.faces import blanked

# The token that stands for another one, by token; only cards that another one stands for.
Equals = Mapping[int, int]


def equal_tokens(
    area: Area, faces: Sequence[int], backs: Sequence[int], marks: Mapping[int, str]
) -> dict[int, list[int]]:
    """Return the tokens of an area by the first one of those that look the same to its viewer.

    `faces`: the faces that the viewer has seen, negative for others.
    """
    firsts: dict[tuple[object, ...], int] = {}
    equal: dict[int, list[int]] = {}
    for token in area.tokens:
        face = -1 if area.closed else faces[token]
        texts = (texts.get(token, "") for texts in (marks, area.head, area.foot))
        first = firsts.setdefault((face, backs[token], *texts), token)
        equal.setdefault(first, []).append(token)
    return equal


def equals_of(observation: Observation[Any], scene: Scene) -> Equals:
    """Return which card of a scene stands for which others, empty in most games."""
    counted = [area for area in scene.areas if isinstance(area, Area) and area.counted]
    return _equals_in(counted, observation, scene) if counted else {}


def alike_in(observation: Observation[Any], scene: Scene) -> Equals:
    """Return the same for all areas, whether they count equal cards or draw every card."""
    areas = [area for area in scene.areas if isinstance(area, Area)]
    return _equals_in(areas, observation, scene)


def _equals_in(areas: Iterable[Area], observation: Observation[Any], scene: Scene) -> Equals:
    faces, backs = blanked(observation.state.face), observation.state.back
    return {
        token: first
        for area in areas
        for first, tokens in equal_tokens(area, faces, backs, scene.marks).items()
        for token in tokens[1:]
    }


def merged_actions(
    observation: Observation[Any], equals: Equals, actions: Iterable[int]
) -> dict[int, list[int]]:
    """Return actions by the first one that means the same; most stand for themselves only.

    Actions mean the same if they differ only in which one of equal cards they are on, and no seat
    can distinguish these cards.
    """
    game, state = observation.game, observation.state
    labels = observation.labels()
    firsts: dict[tuple[object, ...], int] = {}
    merged: dict[int, list[int]] = {}
    stand_for_others = set(equals.values())
    for action in actions:
        token = game.actions.token(action)
        first = action
        if token is not None and (token in equals or token in stand_for_others):
            differences = public_differences(game, state, token)
            key = (equals.get(token, token), labels.label(action), *differences)
            # Actions on tokens are in the order of the tokens: the difference is their group.
            first = firsts.setdefault((action - token, *key), action)
        merged.setdefault(first, []).append(action)
    return merged
