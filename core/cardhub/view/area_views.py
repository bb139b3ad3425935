"""The areas and grids of a view, with their cards."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import zip_longest
from typing import Any

import msgspec

from cardhub.model.game.scene import Area, Grid, Scene
from cardhub.model.game.scene_faults import SceneCheck, area_tokens
from cardhub.model.hidden.observation import Observation
from cardhub.model.table.faces import blanked
from cardhub.view.equal_cards import equal_tokens
from cardhub.view.view import AreaView, CardView, GridView, Region, View

# The places of cards that moved or were revealed since the viewer acted, as text by token.
Origins = Mapping[int, str]
# The caption of a hand.
HAND = "hand"
# The tokens that areas show, by their caption and seat.
ShownTokens = Mapping[tuple[str, int | None], Sequence[int]]


class AreaViews:
    """Builder of the areas in one viewer's views; it reuses areas that did not change.

    `check`: the check of the viewer's scenes, which also finds the unchanged areas.
    """

    def __init__(self) -> None:
        self.check = SceneCheck()
        self._count = 0  # the scenes checked when the last areas were built
        self._views: tuple[AreaView | GridView, ...] = ()
        self._faces: Sequence[int] = ()
        self._backs: Sequence[int] = ()
        self._marks: Mapping[int, str] = {}
        self._origins: Origins = {}
        self._earlier: ShownTokens | None = None

    def of(
        self,
        observation: Observation[Any],
        scene: Scene,
        origins: Origins,
        earlier: ShownTokens | None,
    ) -> tuple[AreaView | GridView, ...]:
        """Return the areas of a scene; `earlier`: the tokens shown just after the viewer acted."""
        faces, backs = blanked(observation.state.face), observation.state.back
        changed = self._changed(faces, backs, scene, origins)
        self._faces, self._backs = faces, backs
        self._marks, self._origins = scene.marks, origins
        is_gone_same, self._earlier = earlier is self._earlier, earlier
        # Few cards of a table have more than a back and a face.
        noted = {*origins, *scene.marks}
        reusable, views = self._reusable(scene), []
        for area, view in zip_longest(scene.areas, reusable):
            is_same = view is not None and changed.isdisjoint(area_tokens(area))
            if is_same and not is_gone_same and isinstance(view, AreaView):
                is_same = isinstance(area, Area) and view.gone == self._gone(area)
            if view is None or not is_same:
                view = self._view(area, observation.seat, noted)
            views.append(view)
        self._count, self._views = self.check.count, tuple(views)
        return self._views

    def _reusable(self, scene: Scene) -> Sequence[AreaView | GridView | None]:
        """Return the last view of each area, None if the area changed."""
        check = self.check
        if check.scene is not scene or check.count != self._count + 1:
            return ()
        pairs = zip(check.is_same, self._views, strict=False)
        return [view if is_same else None for is_same, view in pairs]

    def _changed(
        self, faces: Sequence[int], backs: Sequence[int], scene: Scene, origins: Origins
    ) -> set[int]:
        """Return the tokens that look different from the last view."""
        changed: set[int] = set()
        for texts, old in ((origins, self._origins), (scene.marks, self._marks)):
            if texts != old:
                changed |= {token for token, _ in texts.items() ^ old.items()}
        for current, before in ((faces, self._faces), (backs, self._backs)):
            if current != before:
                pairs = enumerate(zip_longest(current, before))
                changed |= {token for token, (new, last) in pairs if new != last}
        return changed

    def _view(self, area: Area | Grid, viewer: int, noted: set[int]) -> AreaView | GridView:
        if isinstance(area, Grid):
            return self._grid(area)
        return AreaView(
            caption=area.caption,
            region=region_of(area, viewer),
            look=area.look,
            count=len(area.tokens),
            cards=self._counted(area)
            if area.counted
            else self._cards(self._in_order(area, viewer), area, noted),
            seat=area.seat,
            note=area.note,
            room=area.room,
            slots=area.slots,
            gone=self._gone(area),
        )

    def _grid(self, grid: Grid) -> GridView:
        return GridView(
            caption=grid.caption,
            rows=grid.rows,
            columns=grid.columns,
            stacks=tuple(tuple(self._card(token) for token in stack) for stack in grid.stacks),
        )

    def _in_order(self, area: Area, viewer: int) -> Sequence[int]:
        """Return the tokens of an area in their order on the table.

        Games sort the viewer's own hand only. Another hand whose cards are all known, as in a
        replay of all cards, is in the order of the catalogue.
        """
        tokens, faces = _shown(area), self._faces
        is_other = area.caption == HAND and area.seat != viewer and not area.closed
        if is_other and all(faces[token] >= 0 for token in tokens):
            return sorted(tokens, key=faces.__getitem__)
        return tokens

    def _gone(self, area: Area) -> int:
        before = self._earlier.get((area.caption, area.seat)) if self._earlier else None
        return len({*before}.difference(_shown(area))) if before else 0

    def _cards(self, tokens: Sequence[int], area: Area, noted: set[int]) -> tuple[CardView, ...]:
        if area.closed or area.head or area.foot:
            return tuple([self._card(token, area) for token in tokens])
        backs, faces = self._backs, self._faces
        if noted.isdisjoint(tokens):
            return tuple([_plain_card(token, backs[token], faces[token]) for token in tokens])
        return tuple(
            [
                self._card(token)
                if token in noted
                else _plain_card(token, backs[token], faces[token])
                for token in tokens
            ]
        )

    def _counted(self, area: Area) -> tuple[CardView, ...]:
        equal = equal_tokens(area, self._faces, self._backs, self._marks)
        cards = []
        for first, tokens in equal.items():
            card = self._card(first, area)
            origin = next(
                (self._origins[token] for token in tokens if token in self._origins), None
            )
            cards.append(
                msgspec.structs.replace(
                    card, copies=len(tokens), is_new=origin is not None, origin=origin or ""
                )
            )
        return tuple(cards)

    def _card(self, token: int, area: Area | None = None) -> CardView:
        # A closed area hides every face, also faces that the viewer has seen.
        is_shown = self._faces[token] >= 0 and not (area and area.closed)
        return CardView(
            token=token,
            back=self._backs[token],
            face=self._faces[token] if is_shown else None,
            mark=self._marks.get(token, ""),
            head=area.head.get(token, "") if area else "",
            foot=area.foot.get(token, "") if area else "",
            is_new=token in self._origins,
            origin=self._origins.get(token, ""),
        )


def _shown(area: Area) -> Sequence[int]:
    # An area with the look `count` shows only a number, so the view lacks its cards.
    return () if area.look == "count" else area.tokens


def region_of(area: Area, viewer: int) -> Region:
    """Return the region of the table in which a viewer sees an area."""
    if area.place is not None:
        return area.place
    if area.seat is None:
        return "centre"
    return "hand" if area.look == "hand" and area.seat == viewer else "seat"


def shown_tokens(view: View) -> ShownTokens:
    """Return the tokens that the areas of a view show."""
    return {
        (area.caption, area.seat): tuple([card.token for card in area.cards])
        for area in view.areas
        if isinstance(area, AreaView) and area.cards
    }


# Cached, because all viewers of all tables of a game share these cards.
@lru_cache(maxsize=4096)
def _plain_card(token: int, back: int, face: int) -> CardView:
    return CardView(token=token, back=back, face=face if face >= 0 else None)
