"""Faults of scenes, each with the game's line that made the faulty part, and the remedy."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any, get_args

from rich.cells import cell_len

from cardhub.errors import SceneError
from cardhub.errors.source_lines import SourceLine
from cardhub.game.scene import Area, Grid, Look, Scene, Target

# The width of the marks of cards, in terminal cells.
MOST_MARK_CELLS = 9
LOOKS: Sequence[str] = get_args(Look)


def validate_scene(scene: Scene, tokens: int, seats: int, last_step: Callable[[], str]) -> None:
    """Raise SceneError for parts of a scene that cannot be drawn.

    `tokens` and `seats` are the numbers of the state; `last_step` returns the last action as text.
    """
    for fault in scene_faults(scene, tokens, seats):
        step = last_step()  # only now: scenes are made for every frame, and most have no fault
        raise SceneError(fault if not step else fault.replace(". fix: ", f", {step}. fix: ", 1))


def scene_faults(scene: Scene, tokens: int, seats: int) -> Iterator[str]:
    """Yield faults: unknown looks, tokens, seats and numbers of sites, and marks."""
    for area in scene.areas:
        where = _located(area.line, f"area {area.caption!r}")
        shown = shown_tokens(area)
        yield from _token_faults(where, shown, tokens)
        if isinstance(area, Area):
            yield from _area_faults(where, area, seats)
        elif len(area.stacks) != area.rows * area.columns:
            size = f"{area.rows}×{area.columns}"
            yield f"{where} has {len(area.stacks)} sites, not {size}. fix: a stack for every site"
    for token, mark in scene.marks.items():
        yield from _mark_faults(_located(scene.line, f"the mark {mark!r}"), token, mark, tokens)


def target_faults(scene: Scene, action: int, label: str) -> Iterator[str]:
    """Yield faults of the targets of a legal action, which is called `label`."""
    for target in scene.targets(action):
        if not _is_shown(scene, target):
            where = _located(scene.line, repr(label))
            named = f"the {target.kind} {target.key!r}"
            yield f"{where} points at {named}, which is not shown. fix: {_remedy(scene, target)}"


def shown_tokens(area: Area | Grid) -> list[int]:
    """Return the tokens of an area or of all sites of a grid."""
    if isinstance(area, Grid):
        return [token for stack in area.stacks for token in stack]
    return list(area.tokens)


def _token_faults(where: str, shown: list[int], tokens: int) -> Iterator[str]:
    missing = sorted({token for token in shown if not 0 <= token < tokens})
    if missing:
        remedy = f"tokens are numbered from 0 to {tokens - 1}"
        yield f"{where} shows tokens {missing}, which do not exist. fix: {remedy}"
    twice = sorted(token for token, count in Counter(shown).items() if count > 1)
    if twice:
        yield f"{where} shows tokens {twice} more than once. fix: list every token once"


def _area_faults(where: str, area: Area, seats: int) -> Iterator[str]:
    if area.look not in LOOKS:
        yield f"{where} has the look {area.look!r}. fix: one of {', '.join(LOOKS)}"
    if area.seat is not None and area.seat not in range(seats):
        remedy = f"a seat from 0 to {seats - 1}, or None for the table"
        yield f"{where} belongs to seat {area.seat}, which does not exist. fix: {remedy}"


def _mark_faults(where: str, token: int, mark: Any, tokens: int) -> Iterator[str]:
    if not 0 <= token < tokens:
        remedy = f"tokens are numbered from 0 to {tokens - 1}"
        yield f"{where} is on token {token}, which does not exist. fix: {remedy}"
    if not (isinstance(mark, str) and mark.strip() and mark.isprintable()):
        yield f"{where} is no text of one line. fix: leave out a token without a mark"
    elif cell_len(mark) > MOST_MARK_CELLS:
        yield f"{where} is {cell_len(mark)} cells wide. fix: at most {MOST_MARK_CELLS} cells"


def _is_shown(scene: Scene, target: Target) -> bool:
    if target.kind == "button":
        return True
    if target.kind == "area":
        return any(target.key == area.caption for area in scene.areas)
    if target.kind == "card":
        return any(target.key in shown_tokens(area) for area in scene.areas)
    return any(0 <= int(target.key) < count for count in _site_counts(scene))


def _site_counts(scene: Scene) -> list[int]:
    return [len(area.stacks) for area in scene.areas if isinstance(area, Grid)]


def _remedy(scene: Scene, target: Target) -> str:
    if target.kind == "area":
        captions = dict.fromkeys(repr(area.caption) for area in scene.areas)
        return f"the key of an area is its caption, one of {', '.join(captions)}"
    if target.kind == "card":
        return "list the token in an area"
    sizes = ", ".join(f"0 to {count - 1}" for count in _site_counts(scene))
    return f"sites are numbered row by row, {sizes}" if sizes else "add a Grid to the areas"


def _located(line: SourceLine | None, part: str) -> str:
    return f"{line}: {part}" if line else part
