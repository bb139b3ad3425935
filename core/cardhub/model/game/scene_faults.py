"""Faults of scenes, each with the game's line that made the faulty part, and the remedy."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any, get_args

from cardhub.base.errors import SceneError
from cardhub.base.errors.quoting import did_you_mean
from cardhub.model.game.scene import Area, Grid, Look, Place, Scene, Target
from cardhub.model.game.scene_text_faults import located, single_line_error, text_faults

# The width of texts on cards, in terminal cells.
MOST_MARK_CELLS = 9
LOOKS: Sequence[str] = get_args(Look)
PLACES: Sequence[str] = get_args(Place)
# Looks of areas that may count equal cards, because they show all cards in any order.
COUNTED = ("hand", "row")
# Places of areas that belong to the table.
SEATLESS = (None, *(place for place in PLACES if place not in ("seat", "front")))


class SceneCheck:
    """Finds faults in the scenes of one viewer at a table; it checks only parts that changed.

    `scene` is the last scene without faults, `count` the number of such scenes, and `is_same` says
    for each area whether it equals the area at the same position in the scene before.
    """

    def __init__(self) -> None:
        self.scene: Scene | None = None
        self.count = 0
        self.is_same: Sequence[bool] = ()

    def faults(self, scene: Scene, tokens: int, seats: int) -> list[str]:
        """Return the faults of the next scene, as `scene_faults`."""
        before = self.scene
        is_same = _same_areas(scene, before)
        faults = list(scene_faults(scene, tokens, seats, before, is_same))
        if not faults:
            self.scene, self.count, self.is_same = scene, self.count + 1, is_same
        return faults


def _same_areas(scene: Scene, before: Scene | None) -> list[bool]:
    old: Sequence[Area | Grid | None] = before.areas if before else ()
    # An area that a game has kept and changed would be equal to itself.
    known = zip_longest(scene.areas, old[: len(scene.areas)])
    return [area is not other and area == other for area, other in known]


def scene_fault(fault: str, step: str) -> SceneError:
    """Return the error for a fault of a scene; `step` is the last action as text, may be empty."""
    return SceneError(fault if not step else fault.replace(". fix: ", f", {step}. fix: ", 1))


def scene_faults(
    scene: Scene,
    tokens: int,
    seats: int,
    before: Scene | None = None,
    is_same: Sequence[bool] = (),
) -> Iterator[str]:
    """Yield faults: unknown looks, places, tokens and seats, and texts that cannot be shown.

    `tokens` and `seats` are the numbers of the state. `before` is the viewer's previous
    scene, which is valid. `is_same`: for each area, whether it is unchanged.
    """
    for area, is_known in zip_longest(scene.areas, is_same):
        # Scenes are made for every view, and most areas are valid.
        if is_known or _is_sound(area, tokens, seats):
            continue
        where = located(area.line, f"area {area.caption!r}")
        shown = area_tokens(area)
        yield from _token_faults(where, shown, tokens)
        if isinstance(area, Area):
            yield from _area_faults(where, area, tokens, seats)
        elif len(area.stacks) != area.rows * area.columns:
            size = f"{area.rows}×{area.columns}"
            yield f"{where} has {len(area.stacks)} sites, not {size}. fix: a stack for every site"
    if scene.marks:
        yield from _card_text_faults(scene.marks, "mark", located(scene.line, "the mark"), tokens)
    yield from text_faults(scene, seats, before)


def target_faults(scene: Scene, action: int, label: str) -> Iterator[str]:
    """Yield faults of the targets of a legal action, which is called `label`."""
    for target in scene.targets(action):
        if not _is_shown(scene, target):
            where = located(scene.line, repr(label))
            named = f"the {target.kind} {target.key!r}"
            yield f"{where} points at {named}, which is not shown. fix: {_remedy(scene, target)}"


def area_tokens(area: Area | Grid) -> list[int]:
    """Return the tokens of an area or of all sites of a grid."""
    if isinstance(area, Grid):
        return [token for stack in area.stacks for token in stack]
    return list(area.tokens)


def _is_sound(area: Area | Grid, tokens: int, seats: int) -> bool:
    """Return True only if a fast check proves that the area is valid."""
    if isinstance(area, Grid) or area.head or area.foot:
        return False
    shown = area.tokens
    part: Any = area  # values of any type: compiled code would take those of `Area` for right
    room, slots, seat, place = part.room, part.slots, part.seat, part.place
    return (
        area.look in LOOKS
        and (place in SEATLESS if seat is None else type(seat) is int and 0 <= seat < seats)
        and (place is None or place in PLACES)
        and type(room) is int
        and type(slots) is int
        and slots >= 0
        and (slots <= room or room == 0)
        and (not area.counted or area.look in COUNTED)
        and (not shown or _are_once(shown, tokens))
    )


def _are_once(shown: Sequence[int], tokens: int) -> bool:
    return len(set(shown)) == len(shown) and min(shown) >= 0 and max(shown) < tokens


def _token_faults(where: str, shown: list[int], tokens: int) -> Iterator[str]:
    missing = sorted({token for token in shown if not 0 <= token < tokens})
    if missing:
        remedy = f"tokens are numbered from 0 to {tokens - 1}"
        yield f"{where} shows tokens {missing}, which do not exist. fix: {remedy}"
    twice = sorted(token for token, count in Counter(shown).items() if count > 1)
    if twice:
        yield f"{where} shows tokens {twice} more than once. fix: list every token once"


def _area_faults(where: str, area: Area, tokens: int, seats: int) -> Iterator[str]:
    if area.look not in LOOKS:
        yield f"{where} has the look {area.look!r}. fix: {_one_of(LOOKS, area.look)}"
    elif area.counted and area.look not in COUNTED:
        remedy = f"the look {' or '.join(COUNTED)}, or leave out counted=True"
        yield f"{where} counts equal cards, but has the look {area.look!r}. fix: {remedy}"
    if area.seat is not None and area.seat not in range(seats):
        remedy = f"a seat from 0 to {seats - 1}, or None for the table"
        yield f"{where} belongs to seat {area.seat}, which does not exist. fix: {remedy}"
    yield from _region_faults(where, area)
    yield from _border_faults(where, area, tokens)


def _region_faults(where: str, area: Any) -> Iterator[str]:
    if area.place is not None and area.place not in PLACES:
        yield f"{where} has the place {area.place!r}. fix: {_one_of(PLACES, area.place)}"
    elif area.place in ("seat", "front") and area.seat is None:
        remedy = "give the area a seat, or the place 'centre'"
        yield f"{where} has the place {area.place!r}, but no seat. fix: {remedy}"
    for name, number in (("room", area.room), ("slots", area.slots)):
        if type(number) is not int or number < 0:
            yield f"{where} has {name}={number!r}. fix: a number of cards, 0 or more"
            return
    if 0 < area.room < area.slots:
        remedy = f"room={area.slots}, the greatest usual number of cards"
        yield f"{where} has {area.slots} slots, but room for {area.room}. fix: {remedy}"


def _one_of(names: Sequence[str], value: object) -> str:
    hint = did_you_mean(str(value), names)
    return f"one of {', '.join(names)}{'.' if hint else ''}{hint}"


def _border_faults(where: str, area: Area, tokens: int) -> Iterator[str]:
    for name, texts in (("head", area.head), ("foot", area.foot)):
        if not texts:
            continue
        absent = [token for token in texts if token not in area.tokens]
        if absent:
            remedy = f"a {name} belongs to a token of its area"
            yield f"{where} has a {name} for tokens {absent}, which it does not show. fix: {remedy}"
        yield from _card_text_faults(texts, name, f"{where}: the {name}", tokens)


def _card_text_faults(
    texts: Mapping[int, str], name: str, where: str, tokens: int
) -> Iterator[str]:
    for token, text in texts.items():
        if not 0 <= token < tokens:
            remedy = f"tokens are numbered from 0 to {tokens - 1}"
            yield f"{where} {text!r} is on token {token}, which does not exist. fix: {remedy}"
        missing = f"leave out a token without a {name}"
        yield from single_line_error(where, text, missing, MOST_MARK_CELLS)


def _is_shown(scene: Scene, target: Target) -> bool:
    if target.kind == "button":
        return True
    if target.kind == "area":
        return any(target.key == area.caption for area in scene.areas)
    if target.kind == "card":
        return any(target.key in area_tokens(area) for area in scene.areas)
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
