"""Descriptions of spots: a card's title and text, the cards of an area or site; and the rules.

The first line of a description is its title; an optional second line has the other texts. Examples
on a page of rules are sentences for players instead of lines for tests.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any

from cardhub.base.writing import amount, capitalized, counted_phrase, listed
from cardhub.model.game.example_lines import (
    FENCE,
    ExampleLine,
    example_title,
    is_fence,
    read_lines,
)
from cardhub.model.game.game import Game
from cardhub.model.game.scene import Area, Grid, SeatLine
from cardhub.model.hidden.constraints.face_masks import mask_of
from cardhub.model.hidden.determinize import unseen_faces
from cardhub.model.hidden.observation import Observation
from cardhub.model.table.actions import site_label
from cardhub.model.table.faces import blanked
from cardhub.model.table.settings import Option, Settings, Value
from cardhub.view.card_catalogue import face_of
from cardhub.view.equal_cards import equal_tokens
from cardhub.view.explain.card_texts import face_title, sentences
from cardhub.view.view import Spot

# A zone whose name says how its cards got there: “Anna has won A1 and A2”.
PARTICIPLE = re.compile(r"(?:\w+e[dn]|won|laid)")
PLURAL = re.compile(r"(.+)s (\d+)")


def readable_rules(page: str, labels: Mapping[str, str]) -> str:
    """Return a page of rules with its examples in sentences; `labels`: of the cards, by name."""
    lines: list[str] = []
    example: list[str] | None = None
    for line in page.splitlines():
        if example is not None and is_fence(line):
            lines += _paragraphs(example, labels)
            example = None
        elif example is not None:
            example.append(line)
        elif is_fence(line) and example_title(line) is not None:
            example = [line]
        else:
            lines.append(line)
    return "\n".join(lines) + "\n"


def _paragraphs(example: Sequence[str], labels: Mapping[str, str]) -> Iterator[str]:
    """Yield the title of an example, then an item each for what is given, done and expected."""
    if title := example_title(example[0]):
        yield from (f"**{title}**", "")
    lines = [*read_lines(example[1:])]
    sentences = _Sentences(lines, labels)
    for _, group in groupby(_merged(lines), key=attrgetter("word")):
        texts: list[str] = []
        drawings: list[str] = []
        for line in group:
            texts.append(sentences.of(line))
            drawings += line.drawing
        yield f"- {' '.join(texts)}"
        if drawings:
            yield from ("", FENCE, *drawings, FENCE, "")
    yield ""


def _merged(lines: Iterable[ExampleLine]) -> Iterator[ExampleLine]:
    """Yield the lines, with the actions that a player takes in a row as one."""
    for (word, _), group in groupby(lines, key=attrgetter("word", "subject")):
        parts = list(group)
        if word == "when":
            yield parts[0]._replace(value=", ".join(part.value for part in parts), drawing=())
        else:
            yield from parts


class _Sentences:
    """Writes the lines of an example as sentences."""

    def __init__(self, lines: Sequence[ExampleLine], labels: Mapping[str, str]) -> None:
        named = (line.subject.rpartition(" of ")[2] for line in lines)
        # The players of examples are named in alphabetical order.
        self._players = sorted({name for name in named if name[:1].isupper()})
        self._labels = labels

    def of(self, line: ExampleLine) -> str:
        """Return a line as a sentence."""
        _, word, subject, value, drawing = line
        if drawing:
            return f"The {subject.replace('_', ' ')} looks like this:"
        if word == "when":
            names = [f"“{self._action(text)}”" for text in value.split(",")]
            return f"{subject} chooses {', then '.join(names)}."
        if subject in ("legal", "only legal", "not legal"):
            return self._legality(subject, value)
        if subject == "turn":
            return f"It is {value}'s turn."
        if value in ("yes", "no") and subject.startswith("is_"):
            state = subject.removeprefix("is_").replace("_", " ")
            return f"“{capitalized(state)}” {'holds' if value == 'yes' else 'does not hold'}."
        return self._fact(subject.replace("_", " "), value)

    def _legality(self, subject: str, value: str) -> str:
        names = [f"“{self._action(text)}”" for text in value.split(",")]
        only = "Only " if subject == "only legal" else ""
        verb = "is" if len(names) == 1 else "are"
        denied = "not " if subject == "not legal" else ""
        return f"{only}{listed(names)} {verb} {denied}legal."

    def _action(self, text: str) -> str:
        """Return the name of an action with a card's label, as on its button."""
        verb, _, rest = text.strip().partition(" ")
        return capitalized(f"{verb} {self._labels.get(rest, rest)}".strip())

    def _fact(self, subject: str, value: str) -> str:
        texts = [text.strip() for text in value.split(",")]
        values = [self._labels.get(text, text) for text in texts]
        zone, _, owner = subject.rpartition(" of ")
        is_done = PARTICIPLE.fullmatch(zone or subject)
        if zone:
            if is_done or zone == "hand":
                return f"{owner} {f'has {zone}' if is_done else 'holds'} {listed(values)}."
            return f"{owner}'s {zone} has {listed(values)}."
        if subject.startswith("option "):
            return f"The option “{subject.removeprefix('option ')}” is “{value}”."
        if all(text.lstrip("-").isdigit() for text in values) and len(values) > 1:
            return self._numbers(subject, values, is_done=bool(is_done))
        counted = PLURAL.fullmatch(subject)
        named = f"{capitalized(counted[1])} {counted[2]}" if counted else f"The {subject}"
        verb = "has" if all(text in self._labels for text in texts) else "is"
        return f"{named} {verb} {listed(values)}."

    def _numbers(self, subject: str, values: Sequence[str], *, is_done: bool) -> str:
        """Return a number for each player."""
        if len(values) != len(self._players):
            return f"The {subject} are {listed(values)}."
        pairs = zip(self._players, values, strict=True)
        if is_done:
            return f"{listed([f'{player} has {subject} {number}' for player, number in pairs])}."
        return (
            f"The {subject} are {listed([f'{number} for {player}' for player, number in pairs])}."
        )


# Separates the parts of a title.
SEPARATOR = " · "


class Explainer:
    """Describes the spots of one observation's scene from what its viewer knows.

    `origins` maps each new token to the text of its origin.
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
        title, text = self._title_and_text(spot)
        return f"{title}\n{text}" if text else title

    def _title_and_text(self, spot: Spot) -> tuple[str, str]:
        if spot.kind == "button":
            return self._labels.label(spot.key), ""
        if spot.kind == "seat":
            return self._seat(spot.key)
        area = self._areas[spot.area]
        if isinstance(area, Grid):
            return self._site(area, spot.key) if spot.kind == "site" else (area.caption, "")
        if spot.kind == "card":
            title, text = self._card(spot.key, area.closed)
            # The place of a card in the hand needs no words.
            place = self._heading(area) if area.look != "hand" else ""
            count = self._copies(area, spot.key)
            copies = f"{count} of these" if count > 1 else ""
            facts = (area.head.get(spot.key, ""), area.foot.get(spot.key, ""), copies, place)
            return title, sentences(text, capitalized(SEPARATOR.join(filter(None, facts))))
        return self._area(area)

    def _copies(self, area: Area, token: int) -> int:
        if not area.counted:
            return 1
        equal = equal_tokens(area, self._faces, self._state.back, self._marks)
        return len(equal.get(token, (token,)))

    def _seat(self, seat: int) -> tuple[str, str]:
        """Return the player's name; and the score, the badges and the areas of the seat."""
        line = self._scene.seats.get(seat, SeatLine())
        areas = [area for area in self._areas if isinstance(area, Area) and area.seat == seat]
        parts = [*line.badges, line.score, *map(self._count_and_note, areas)]
        return self._labels.player(seat), SEPARATOR.join(filter(None, parts))

    def _count_and_note(self, area: Area) -> str:
        number = len(area.tokens)
        texts = (self._only_card(area) or (str(number) if number else ""), area.note)
        facts = " ".join(filter(None, texts))
        return f"{area.caption} {facts}".strip() if facts else ""

    def _only_card(self, area: Area) -> str:
        """Return the label of the only card of an area, empty if it is hidden or one of several."""
        is_single = len(area.tokens) == 1 and not area.closed
        face = self._faces[area.tokens[0]] if is_single else -1
        return "" if face < 0 else face_of(self._game, face).label

    def _card(self, token: int, closed: bool) -> tuple[str, str]:
        """Return a card's title with all short texts on it; and its longer texts."""
        face = -1 if closed else self._faces[token]
        if face < 0:
            title, text = self._unseen(token)
        else:
            card = face_of(self._game, face)
            title, text = face_title(card), card.text
        mark, origin = self._marks.get(token, ""), self._origins.get(token, "")
        marked = sentences(text, f"Mark: {mark}" if mark else "")
        return title, sentences(marked, f"New: {origin}." if origin else "")

    def _unseen(self, token: int) -> tuple[str, str]:
        """Return the title of the back, and the faces that the back and the game allow."""
        game, state = self._game, self._state
        back, cards = state.back[token], game.cards
        # The mask excludes faces that the game excludes for this token.
        faces = (face for pool in unseen_faces(game, state, self._faces) for face in pool)
        mask = mask_of(game, state, token)
        possible = [f for f in faces if cards.back_of[f] == back and mask >> f & 1]
        # A repeated name appears once, after its count: `3×R4`.
        counts = Counter(cards.faces[face].label for face in sorted(possible)).items()
        parts = (name if count == 1 else f"{count}×{name}" for name, count in counts)
        names = self._game.cards.separator.join(parts)
        title = cards.backs[back].title
        return capitalized(title), f"One of {len(possible)} cards not seen yet: {names}"

    def _heading(self, area: Area) -> str:
        if area.seat is not None and area.place == "front":
            # A name such as "laid" says less than the place.
            return f"In front of {self._labels.player(area.seat)}"
        owner = "" if area.seat is None else f"{self._labels.player(area.seat)}: "
        return owner + (area.caption or area.note)

    def _area(self, area: Area) -> tuple[str, str]:
        note = area.note if area.caption else ""
        count = len(area.tokens)
        held = self._cards(area)
        titles = {self._game.cards.backs[self._state.back[token]].title for token in area.tokens}
        # `5 Pirate cards` says it all.
        is_one_kind = held in {counted_phrase(title, count) for title in titles}
        cards = held if is_one_kind else f"{amount(count, 'card')}: {held}"
        empty = "" if area.note else "no cards"
        return self._heading(area), sentences(note, cards if count else empty)

    def _cards(self, area: Area) -> str:
        if area.closed and area.look == "count":
            return "closed"
        # Closed areas hide every face, also faces that the viewer has seen.
        seen = [] if area.closed else [t for t in area.tokens if self._labels.is_known(t)]
        labels = (self._marked(t, self._labels.card(t)) for t in seen)
        shown = self._game.cards.separator.join(labels)
        return ", ".join(filter(None, (shown, *self._unseen_kinds(area, seen))))

    def _unseen_kinds(self, area: Area, seen: Collection[int]) -> list[str]:
        """Return the other cards of an area by kind: `3 red cards`, `a blue card`."""
        backs = self._game.cards.backs
        titles: list[str] = []
        for token in area.tokens:
            if token not in seen:
                title, mark = backs[self._state.back[token]].title, self._marks.get(token)
                titles.append(f"{title} ({mark})" if mark else title)
        return [counted_phrase(title, count) for title, count in Counter(titles).items()]

    def _marked(self, token: int, name: str) -> str:
        mark = self._marks.get(token)
        return f"{name}({mark})" if mark else name

    def _site(self, grid: Grid, site: int) -> tuple[str, str]:
        stack = grid.stacks[site]
        name = site_label(*divmod(site, grid.columns))
        if not stack:
            return name, "empty"
        cards = (self._marked(token, self._labels.card(token)) for token in stack[-2::-1])
        below = self._game.cards.separator.join(cards)
        title, text = self._card(stack[-1], closed=False)
        return f"{title}{SEPARATOR}{name}", sentences(text, f"Below: {below}" if below else "")


def rules_page(game: Game[Any]) -> str:
    """Return the rules in Markdown for players, with examples in sentences."""
    labels = {card.name: card.label for card in game.cards.faces}
    return readable_rules(game.display.rules().strip(), labels)


def rules_with_options(game: Game[Any], settings: Settings, seats: int) -> str:
    """Return the rules in Markdown, then the options with their values in this game.

    Each option also lists its possible values at a table of `seats`.
    """
    rules = rules_page(game)
    if not game.options:
        return rules
    lines = [
        f"- `{name}`: {_value(option, settings[name], seats)}. {option.help}"
        for name, option in game.options.items()
    ]
    return "\n".join([rules, "## Options at this table", "", *lines]) + "\n"


def _value(option: Option, value: Value, seats: int) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return f"{value} ({option.describe(seats)})"
