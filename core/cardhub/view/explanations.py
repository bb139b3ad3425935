"""Descriptions of spots: a card's title and text, the cards of an area or site."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from cardhub.game.scene import Area, Grid, SeatLine
from cardhub.hidden.constraints.face_masks import mask_of
from cardhub.hidden.observation import Observation
from cardhub.hidden.unseen_faces import unseen_faces
from cardhub.table.actions import site_label
from cardhub.table.faces import blanked
from cardhub.view.card_catalogue import face_of
from cardhub.view.card_texts import describe_face, sentences
from cardhub.view.spots import Spot


class Explainer:
    """Describes the spots of one observation's scene, as far as its viewer knows them.

    `origins` has the tokens that are new, with the text of their origin.
    """

    def __init__(
        self,
        observation: Observation[Any],
        players: Sequence[str],
        origins: Mapping[int, str] | None = None,
    ) -> None:
        self._origins = origins or {}
        self._game = observation.game
        self._state = observation.state
        self._labels = observation.labels(players)
        self._scene = observation.scene()
        self._areas = self._scene.areas
        self._marks = self._scene.marks
        self._faces = blanked(observation.state.face)

    def explain(self, spot: Spot) -> str:
        """Return the description of a spot."""
        if spot.kind == "button":
            return self._labels.label(spot.key)
        if spot.kind == "seat":
            return self._seat(spot.key)
        area = self._areas[spot.area]
        if isinstance(area, Grid):
            return self._site(area, spot.key) if spot.kind == "site" else area.caption
        if spot.kind == "card":
            return f"{self._card(spot.key, area.closed)} ({self._heading(area)})"
        return self._area(area)

    def _seat(self, seat: int) -> str:
        """Return the player's name, the score, the badges and the areas of a seat."""
        line = self._scene.seats.get(seat, SeatLine())
        parts = [self._labels.player(seat), *line.badges, line.score]
        areas = [area for area in self._areas if isinstance(area, Area) and area.seat == seat]
        head = ", ".join(part for part in parts if part)
        notes = "; ".join(self._heading_and_count(area) for area in areas)
        return f"{head}: {notes}" if notes else head

    def _heading_and_count(self, area: Area) -> str:
        texts = (area.caption, str(len(area.tokens)) if area.tokens else "", area.note)
        return " ".join(text for text in texts if text)

    def _card(self, token: int, closed: bool) -> str:
        mark, origin = self._marks.get(token, ""), self._origins.get(token, "")
        marked = sentences(self._title(token, closed), f"Mark: {mark}" if mark else "")
        return sentences(marked, origin[:1].upper() + origin[1:])

    def _title(self, token: int, closed: bool) -> str:
        face = -1 if closed else self._faces[token]
        if face < 0:
            return self._unseen(token)
        return describe_face(face_of(self._game, face))

    def _unseen(self, token: int) -> str:
        """Return the possible faces, by the token's back and the game's rulings."""
        game, state = self._game, self._state
        back, cards = state.back[token], game.cards
        # The mask excludes faces that the game excludes for this token.
        faces = (face for pool in unseen_faces(game, state, self._faces) for face in pool)
        mask = mask_of(game, state, token)
        possible = [f for f in faces if cards.back_of[f] == back and mask >> f & 1]
        names = self._counted(cards.faces[face].label for face in sorted(possible))
        return f"{cards.backs[back].title}, one of {len(possible)} unseen: {names}"

    def _heading(self, area: Area) -> str:
        owner = "" if area.seat is None else f"{self._labels.player(area.seat)}: "
        return owner + (area.caption or area.note)

    def _area(self, area: Area) -> str:
        note = f" {area.note}" if area.caption and area.note else ""
        head = self._heading(area) + note
        count = len(area.tokens)
        if not count:
            return f"{head}: no cards" if not area.note else head
        return f"{head}, {count} card{'s' if count > 1 else ''}: {self._cards(area)}"

    def _cards(self, area: Area) -> str:
        if area.closed and area.look == "count":
            return "closed"
        # Closed areas show no face at all, not even those that the viewer has seen.
        seen = [] if area.closed else [t for t in area.tokens if self._labels.is_known(t)]
        backs = self._game.cards.backs
        unseen = [
            self._marked(t, backs[self._state.back[t]].unknown)
            for t in area.tokens
            if t not in seen
        ]
        known = (self._marked(t, self._labels.card(t)) for t in seen)
        parts = [self._game.cards.separator.join(known), self._counted(unseen)]
        return ", ".join(part for part in parts if part)

    def _marked(self, token: int, name: str) -> str:
        mark = self._marks.get(token)
        return f"{name}({mark})" if mark else name

    def _site(self, grid: Grid, site: int) -> str:
        stack = grid.stacks[site]
        name = site_label(*divmod(site, grid.columns))
        if not stack:
            return f"{name}: empty"
        cards = (self._marked(token, self._labels.card(token)) for token in stack[-2::-1])
        below = self._game.cards.separator.join(cards)
        top = self._card(stack[-1], closed=False)
        return f"{name}: {top}; below: {below}" if below else f"{name}: {top}"

    def _counted(self, names: Iterable[str]) -> str:
        """Return each name once, with its count before it if it is repeated: `3×R?`."""
        counts = Counter(names).items()
        parts = (name if count == 1 else f"{count}×{name}" for name, count in counts)
        return self._game.cards.separator.join(parts)
