"""The areas and grids of a view, with their cards."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from cardhub.game.scene import Area, Grid, Scene
from cardhub.hidden.observation import Observation
from cardhub.table.faces import blanked
from cardhub.table.state import State
from cardhub.view.view import AreaView, CardView, GridView, Region, View

# The places of cards that moved or were revealed since the viewer acted, as text by token.
Origins = Mapping[int, str]


def area_views(
    observation: Observation[Any], scene: Scene, origins: Origins, earlier: View | None
) -> tuple[AreaView | GridView, ...]:
    """Return the areas of a scene; `earlier` is the view after the viewer acted."""
    return _Areas(observation, scene, origins, earlier).areas()


class _Areas:
    def __init__(
        self,
        observation: Observation[Any],
        scene: Scene,
        origins: Origins,
        earlier: View | None,
    ) -> None:
        state: State = observation.state
        self._scene = scene
        self._viewer = observation.seat
        self._faces = blanked(state.face)
        self._backs = state.back
        self._origins = origins
        # Of all cards on a table, few have more than a back and a face.
        self._noted = {*origins, *scene.marks}
        before = earlier.areas if earlier else ()
        self._before = {
            (area.caption, area.seat): {card.token for card in area.cards}
            for area in before
            if isinstance(area, AreaView)
        }

    def areas(self) -> tuple[AreaView | GridView, ...]:
        return tuple(
            self._grid(area) if isinstance(area, Grid) else self._area(area)
            for area in self._scene.areas
        )

    def _area(self, area: Area) -> AreaView:
        # The cards of a count are not in the view: only their number is shown.
        tokens = () if area.look == "count" else area.tokens
        return AreaView(
            caption=area.caption,
            region=self._region(area),
            look=area.look,
            count=len(area.tokens),
            cards=self._cards(tokens, area),
            seat=area.seat,
            note=area.note,
            room=area.room,
            slots=area.slots,
            gone=len(self._before.get((area.caption, area.seat), set()).difference(tokens)),
        )

    def _grid(self, grid: Grid) -> GridView:
        return GridView(
            caption=grid.caption,
            rows=grid.rows,
            columns=grid.columns,
            stacks=tuple(tuple(self._card(token) for token in stack) for stack in grid.stacks),
        )

    def _region(self, area: Area) -> Region:
        if area.place is not None:
            return area.place
        if area.seat is None:
            return "centre"
        return "hand" if area.look == "hand" and area.seat == self._viewer else "seat"

    def _cards(self, tokens: Sequence[int], area: Area) -> tuple[CardView, ...]:
        if area.closed or area.head or area.foot or not self._noted.isdisjoint(tokens):
            return tuple(self._card(token, area) for token in tokens)
        backs, faces = self._backs, self._faces
        return tuple([_plain_card(token, backs[token], faces[token]) for token in tokens])

    def _card(self, token: int, area: Area | None = None) -> CardView:
        # A closed area shows no face at all, not even those that the viewer has seen.
        is_shown = self._faces[token] >= 0 and not (area and area.closed)
        return CardView(
            token=token,
            back=self._backs[token],
            face=self._faces[token] if is_shown else None,
            mark=self._scene.marks.get(token, ""),
            head=area.head.get(token, "") if area else "",
            foot=area.foot.get(token, "") if area else "",
            is_new=token in self._origins,
            origin=self._origins.get(token, ""),
        )


# Cards are the same in the views of all viewers, at all tables of a game.
@lru_cache(maxsize=4096)
def _plain_card(token: int, back: int, face: int) -> CardView:
    return CardView(token=token, back=back, face=face if face >= 0 else None)
