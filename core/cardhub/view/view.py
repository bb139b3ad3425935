"""The view of one person: a table as plain data with a JSON form, drawn by every front end.

A view holds only faces and texts that its viewer has seen. Its parts have no reference cycles and
are created in large numbers, so the garbage collector does not track them (`gc=False`). The module
also has lines of the log, summaries, the numbers by which choices are typed, and the JSON codec.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count
from typing import Literal

import msgspec

from cardhub.model.cards.cards import ArtElement
from cardhub.model.game.scene import Counter, Look, Place, Summary, Tally
from cardhub.model.table.actions import BLANK_AMOUNT
from cardhub.model.table.goal import Goal


class Spot(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A part of a view.

    `kind` is card (key: token), site (key: number of the site, row by row), area (key: 0), seat
    (key: seat) or button (key: action). `area` is the index of the area in the view, -1 for seats
    and buttons.
    """

    kind: Literal["card", "site", "area", "seat", "button"]
    key: int
    area: int = -1


# Version of the JSON form; a client of another version refuses the view.
VIEW_VERSION = 1

# `hand` is the region of the viewer's own cards, drawn large.
Region = Literal[Place, "hand"]
# In other regions, a card without choices of its own has those of its area, such as a stack.
APART: tuple[Region, ...] = ("hand", "front")

# `primary`: usually the next step; `costly`: to be confirmed, because it cannot be undone.
Tone = Literal["primary", "plain", "costly"]


class CardFace(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """One face of a game: everything that can be written on it, without its state at a table.

    `label`: the name that people read and type; `name`: the name in records, empty if it equals the
    label. `short`: a name of at most 9 cells; `corner`: the text in the corners (a value, or suit
    and value); `detail`: up to nine cells of text from the game; `text`: the card's rule. `colour`:
    one of COLOURS. `art`: the names of its drawings, the lowest layer first. It is no `Card`,
    because a game's display adds `detail`, and the rules' numbers of a card are not drawn.
    """

    label: str
    short: str
    title: str
    colour: str
    name: str = ""
    corner: str = ""
    detail: str = ""
    text: str = ""
    art: tuple[str, ...] = ()


class CardBack(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """One back: its letter, the notation of an unseen card ("R?"), its title and its colour.

    `art` are the names of its drawings. `short` is a word for it, or empty. The name of a `Back` is
    missing, because only card files use it.
    """

    letter: str
    unknown: str
    title: str
    colour: str
    art: tuple[str, ...] = ()
    short: str = ""


class CardCatalogue(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """All faces and backs of a game, by their index; public, and the same in all its views.

    `ascii` maps the glyph of a suit to its replacement on ASCII terminals. `art` maps names to
    drawings.
    """

    faces: tuple[CardFace, ...]
    backs: tuple[CardBack, ...]
    ascii: Mapping[str, str] = {}
    art: Mapping[str, ArtElement] = {}


class PlayerView(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """The player at a seat: the name, the bot's spec or empty for a person, score and badges."""

    name: str
    bot: str = ""
    score: str = ""
    badges: tuple[str, ...] = ()
    team: int = 0


class CardView(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """A card in sight: its token, its back and, if it is shown, its face.

    The token is its identity from view to view. `is_new`: it moved or was revealed since the viewer
    acted; `origin` is then its earlier place ("from Bob's hand, step 141"). `copies`: the number of
    cards that it stands for, in an area that counts equal cards.
    """

    token: int
    back: int
    face: int | None = None
    mark: str = ""
    head: str = ""
    foot: str = ""
    is_new: bool = False
    origin: str = ""
    copies: int = 1


class AreaView(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True, tag="area"):
    """Cards under one caption; see `Area`. `cards` is empty if only `count` is shown.

    In an area that counts equal cards, one card of `cards` stands for several.

    `gone`: the number of cards that left the area since the viewer acted, 0 if the viewer has not
    acted in this session.
    """

    caption: str
    region: Region
    look: Look
    count: int
    cards: tuple[CardView, ...] = ()
    seat: int | None = None
    note: str = ""
    room: int = 0
    slots: int = 0
    gone: int = 0

    @property
    def is_listed(self) -> bool:
        """Whether `cards` has all cards of the area."""
        return sum(card.copies for card in self.cards) == self.count

    @property
    def places(self) -> int:
        """The number of cards that are drawn; equal cards that are counted are one."""
        return len(self.cards) or self.count


class GridView(msgspec.Struct, frozen=True, gc=False, kw_only=True, tag="grid"):
    """A board of sites, row by row, each a stack with its top card last."""

    caption: str
    rows: int
    columns: int
    stacks: tuple[tuple[CardView, ...], ...]


class AmountRange(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The amounts that a choice leaves open: from `low` to `high` in steps of `step`.

    `text`: the text of an amount, with `{amount}` for the number. `stride`: how many actions a step
    skips. `shortcuts`: amounts that people often choose, by name.
    `costly_from`: the least amount that needs confirmation, or None.
    """

    low: int
    high: int
    text: str
    step: int = 1
    stride: int = 1
    shortcuts: tuple[tuple[str, int], ...] = ()
    costly_from: int | None = None

    @property
    def amounts(self) -> range:
        """All amounts."""
        return range(self.low, self.high + 1, self.step)


class ChoiceView(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """A legal action of the viewer.

    `name`: the text that people read and type, unique among the choices; `notation`: the text in
    records. A button shows `verb` and `object`. `spots`: the spots that the action refers to, or
    the button's spot. `can_undo`: the viewer could undo it, because it reveals no card and the same
    player acts next. A front end asks for confirmation if `tone` is `costly`; these choices cannot
    be undone. `is_chosen`: the viewer has chosen it, and can choose again until others have chosen.
    `amounts`: the amounts to choose from, or None for a single action; `action` is the action of
    the least one, and `name` has the range. `counts`: how many it takes of each of several things,
    such as cards of each stack; such choices may share a button that asks for the numbers.
    `equal`: the actions on other cards that are equal for all seats, which the choice stands for.
    """

    action: int
    name: str
    notation: str
    verb: str
    object: str
    spots: tuple[Spot, ...]
    can_undo: bool = False
    tone: Tone = "plain"
    is_chosen: bool = False
    amounts: AmountRange | None = None
    counts: Mapping[str, int] = {}
    equal: tuple[int, ...] = ()

    def actions(self) -> Sequence[int]:
        """Return the action and those on equal cards, or the actions of all amounts."""
        if self.amounts is None:
            return (self.action, *self.equal)
        stride = self.amounts.stride
        return range(self.action, self.action + stride * len(self.amounts.amounts), stride)

    def choice_of(self, action: int) -> "ChoiceView | None":
        """Return the choice of an action, such as one amount of a range; None if it has another."""
        actions = self.actions()
        if action not in actions:
            return None
        if self.amounts is not None:
            return self.with_amount(self.amounts.amounts[actions.index(action)])
        return self if action == self.action else msgspec.structs.replace(self, action=action)

    def with_amount(self, amount: int) -> "ChoiceView":
        """Return the choice of one amount; ValueError if it is not in the range."""
        assert self.amounts is not None
        action = self.actions()[self.amounts.amounts.index(amount)]
        name = self.amounts.text.replace(BLANK_AMOUNT, str(amount))
        costly_from = self.amounts.costly_from
        return msgspec.structs.replace(
            self,
            action=action,
            name=name,
            notation=f"{self.verb} {amount}",
            object=name.removeprefix(self.verb).strip(),
            tone="costly" if costly_from is not None and amount >= costly_from else self.tone,
            amounts=None,
        )


class View(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A table as one viewer sees it.

    `viewer`: a seat, the number of seats for a spectator, or -1 for a viewer who sees all cards.
    `revision` counts the changes; an action names the revision that it answers. `to_act`: a seat,
    or negative for chance and at the end. `own`: the seat at the bottom of the table. `choices`:
    the legal actions in reading order, empty unless the viewer is to act.
    """

    version: int = VIEW_VERSION
    revision: int
    game: str
    title: str
    viewer: int
    own: int
    players: tuple[PlayerView, ...]
    to_act: int
    is_over: bool
    prompt: str
    status: str
    phases: tuple[str, ...]
    phase: str
    areas: tuple[AreaView | GridView, ...]
    counters: tuple[Counter, ...] = ()
    tallies: tuple[Tally, ...] = ()
    choices: tuple[ChoiceView, ...] = ()
    can_undo: bool = False
    chapter: str = ""
    unit: str = "points"
    goal: Goal = Goal.RANK

    def spots(self) -> Iterator[Spot]:
        """Yield all spots: the areas, their cards or sites, the seats and the buttons."""
        yield from (Spot("seat", seat) for seat in range(len(self.players)))
        for number, area in enumerate(self.areas):
            yield Spot("area", 0, number)
            if isinstance(area, AreaView):
                yield from (Spot("card", card.token, number) for card in area.cards)
            else:
                yield from (Spot("site", site, number) for site in range(len(area.stacks)))
        yield from (Spot("button", choice.action) for choice in self.choices)

    def actions(self) -> list[int]:
        """Return the legal actions in the order of the choices, with all amounts."""
        return [action for choice in self.choices for action in choice.actions()]

    def choice(self, action: int) -> ChoiceView | None:
        """Return the choice of an action, or None if it is not legal."""
        choices = (choice.choice_of(action) for choice in self.choices)
        return next(filter(None, choices), None)

    def choice_named(self, name: str) -> ChoiceView | None:
        """Return the choice with a name, such as `raise to 13`, or None."""
        for choice in self.choices:
            if choice.name == name:
                return choice
            if choice.amounts is not None:
                before, _, after = choice.amounts.text.partition(BLANK_AMOUNT)
                number = name.removeprefix(before).removesuffix(after)
                amount = int(number) if number.isdecimal() else -1
                if amount in choice.amounts.amounts and choice.with_amount(amount).name == name:
                    return choice.with_amount(amount)
        return None

    @property
    def has_chosen(self) -> bool:
        """Whether the viewer has chosen, and others have yet to choose at the same time."""
        return any(choice.is_chosen for choice in self.choices)

    def choices_at(self, spot: Spot) -> tuple[ChoiceView, ...]:
        """Return the choices that refer to a spot.

        A card on the table without choices of its own has those of its area, such as a stack.
        """
        choices = tuple(choice for choice in self.choices if spot in choice.spots)
        if choices or spot.kind != "card" or not 0 <= spot.area < len(self.areas):
            return choices
        area = self.areas[spot.area]
        if isinstance(area, AreaView) and area.region not in APART:
            return self.choices_at(Spot("area", 0, spot.area))
        return ()

    def legal_spots(self) -> Mapping[Spot, tuple[int, ...]]:
        """Return the legal actions by spot, in the order of the choices."""
        actions: dict[Spot, tuple[int, ...]] = {}
        for choice in self.choices:
            for spot in choice.spots:
                actions[spot] = (*actions.get(spot, ()), choice.action)
        return actions


class CardMention(msgspec.Struct, frozen=True, gc=False, array_like=True, tag="card"):
    """The index of a face, and its label in a sentence; as JSON `["card", 3, "R14"]`."""

    face: int
    text: str


class LogLine(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """A sentence of the log, as its viewer may know it.

    `step`: the number of the described step, from 1, counting steps of chance; `seat`: the seat
    that acted, or negative. `summary`: the summary of the round that ended with this step.
    `is_new`: the line was added since the viewer acted. `parts`: the same text divided at its
    mentions of cards, empty if it mentions no card.
    """

    step: int
    seat: int
    kind: Literal["action", "shuffle", "undo", "hint", "over", "seating"]
    text: str
    summary: Summary | None = None
    is_new: bool = False
    parts: tuple[str | CardMention, ...] = ()


def numbered_choices(choices: Iterable[ChoiceView]) -> dict[int, ChoiceView]:
    """Return choices by number, in ascending order.

    A choice whose object is a number, such as `call 3`, has that number if it is unique; the other
    choices get the free numbers from 1, in their order.
    """
    listed = list(choices)
    objects = [choice.object for choice in listed]
    labelled = {
        int(choice.object): choice
        for choice in listed
        if choice.object.isdecimal() and objects.count(choice.object) == 1
    }
    numeric = {choice.object for choice in listed if choice.object.isdecimal()}
    # The number in a label must not mean another choice, even if several choices have that label.
    free = (number for number in count(1) if str(number) not in numeric)
    labelled_ids = {id(choice) for choice in labelled.values()}
    others = {next(free): choice for choice in listed if id(choice) not in labelled_ids}
    return dict(sorted((labelled | others).items()))


_ENCODER = msgspec.json.Encoder()
_VIEWS = msgspec.json.Decoder(View)


def encode(value: View | CardCatalogue) -> bytes:
    """Return a view or a catalogue as JSON."""
    return _ENCODER.encode(value)


def decode_view(data: bytes | str) -> View:
    """Return a view from its JSON form.

    Raises msgspec.DecodeError for bad JSON, and its subclass msgspec.ValidationError for wrong
    types or another version.
    """
    try:
        view = _VIEWS.decode(data)
    except (UnicodeDecodeError, RecursionError) as error:
        raise msgspec.DecodeError(f"not valid JSON: {error}") from error
    if view.version != VIEW_VERSION:
        raise msgspec.ValidationError(
            f"the view has version {view.version}. fix: use a client of version {view.version}"
        )
    return view


class ResultColumn(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A team, or a player without a team: the place, the names and the score as text.

    `bot`: the spec of a single player's bot, empty for people and teams. Before the end `place` is
    0 and `score` may be empty.
    """

    place: int
    name: str
    seats: tuple[int, ...]
    score: str = ""
    bot: str = ""


class BreakdownCell(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """Points from one cause as text, a short note, and the faces of the cards that counted."""

    points: str
    note: str = ""
    faces: tuple[int, ...] = ()


class CauseView(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A cause of points, with a cell for each column of the result."""

    label: str
    cells: tuple[BreakdownCell, ...]
    colour: str = ""


class BreakdownView(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """Causes of points under one title, which may be empty.

    `subtotals` divide the points of the rows in another way.
    """

    title: str
    rows: tuple[CauseView, ...]
    subtotals: tuple[CauseView, ...] = ()


class FinalHand(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """Cards that only one player saw at the end, by their faces; `zone` is the game's name."""

    name: str
    seat: int
    zone: str
    faces: tuple[int, ...]


class TurningPoint(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A turn that changed the standing much.

    `step`: its first step; `text`: the sentences about it; `name`: the team that gained most;
    `gain`: how much this team's evaluation rose relative to the best other team.
    """

    step: int
    text: str
    name: str
    gain: float


class ResultView(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The end of a game as one viewer may see it, or its standing so far.

    `sentence`: the result in words. `columns` are in order of place, and the points of `sections`
    add up to the scores. `hands` and `turning_points` are empty before the end. `parts`: the number
    of rounds as text ("16 rounds"); `seconds`: the time from first to last move, None if unknown;
    `seed`: the seed, or the commitment to it; `path`: the path of the record.
    """

    title: str
    sentence: str
    is_over: bool
    goal: Goal
    unit: str
    columns: tuple[ResultColumn, ...]
    sections: tuple[BreakdownView, ...] = ()
    summaries: tuple[Summary, ...] = ()
    hands: tuple[FinalHand, ...] = ()
    turning_points: tuple[TurningPoint, ...] = ()
    parts: str = ""
    seconds: int | None = None
    seed: str = ""
    path: str = ""
