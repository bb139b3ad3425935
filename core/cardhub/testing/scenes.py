"""The table can be described, laid out and acted at by everybody."""

from collections.abc import Iterator
from typing import Any

from cardhub.errors import HiddenFaceError
from cardhub.game.game import Game, S
from cardhub.game.scene import Area, Grid, Scene, Target
from cardhub.hidden.observation import Observation
from cardhub.play.seating import NAMES
from cardhub.testing.faults import explained
from cardhub.testing.playout import Position
from cardhub.text import ASCII, UNICODE, Glyphs, Sheet, lay_out, render

WIDTHS: tuple[tuple[int, Glyphs], ...] = ((80, UNICODE), (40, ASCII))


def check_scene(game: Game[S], position: Position[S]) -> None:
    """Check that every seat and a spectator has a scene, and all that it mentions exists."""
    for viewer in range(position.state.seats + 1):
        observation = Observation(game, position.state, viewer)
        try:
            wrong = list(_mistakes(observation, observation.scene()))
        except HiddenFaceError as error:
            wrong = [explained(error)]
        if wrong:
            what = f"the scene for seat {viewer}: {'; '.join(wrong)}"
            position.fail(game, "scene", what)


def check_layout(game: Game[S], position: Position[S]) -> None:
    """Check that every scene can be laid out, with every legal action somewhere on it."""
    for viewer in range(position.state.seats + 1):
        observation = Observation(game, position.state, viewer)
        legal = observation.legal() if observation.is_to_act else []
        for width, glyphs in WIDTHS:
            sheet = lay_out(observation, NAMES[: position.trial.seats], width=width, glyphs=glyphs)
            if not render(sheet, width=width).strip():
                position.fail(game, "layout", f"there is nothing to see for seat {viewer}")
            offered = sorted({action for actions in sheet.legal.values() for action in actions})
            if offered != sorted(legal) or not _has_buttons(sheet):
                what = f"seat {viewer} finds {offered} on its table where {sorted(legal)} are legal"
                position.fail(game, "layout", what)


def _has_buttons(sheet: Sheet) -> bool:
    wanted = {spot for spot in sheet.legal if spot.target.kind == "button"}
    return wanted <= {span.spot for line in sheet.buttons for span in line}


def _mistakes(observation: Observation[Any], scene: Scene) -> Iterator[str]:
    if not scene.prompt.strip() or not scene.prompt.isprintable():
        yield f"its prompt is {scene.prompt!r}"
    tokens = len(observation.state.seen)
    for area in scene.areas:
        wrong = [token for token in _tokens(area) if not 0 <= token < tokens]
        if wrong:
            yield f"{area.caption!r} shows tokens {wrong}, which do not exist"
        if isinstance(area, Grid) and len(area.stacks) != area.rows * area.columns:
            yield f"{area.caption!r} has {len(area.stacks)} sites, not {area.rows}×{area.columns}"
        if isinstance(area, Area) and area.seat not in (None, *range(observation.state.seats)):
            yield f"{area.caption!r} belongs to seat {area.seat}, which does not exist"
    legal = observation.legal() if observation.is_to_act else []
    for action in legal:
        for target in scene.targets(action):
            if not _is_shown(scene, target):
                label = observation.naming().label(action)
                yield f"{label!r} points at the {target.kind} {target.key!r}, which is not shown"


def _is_shown(scene: Scene, target: Target) -> bool:
    if target.kind == "button":
        return True
    if target.kind == "area":
        return any(target.key == area.caption for area in scene.areas)
    if target.kind == "card":
        return any(target.key in _tokens(area) for area in scene.areas)
    sites = (len(area.stacks) for area in scene.areas if isinstance(area, Grid))
    return any(0 <= int(target.key) < count for count in sites)


def _tokens(area: Area | Grid) -> list[int]:
    if isinstance(area, Grid):
        return [token for stack in area.stacks for token in stack]
    return list(area.tokens)
