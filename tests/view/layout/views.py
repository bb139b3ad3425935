"""Views written by hand, with the cards that they need."""

from collections.abc import Iterable, Mapping
from typing import Any

from cardhub.model.cards.cards import ArtElement
from cardhub.view.view import (
    AreaView,
    CardBack,
    CardCatalogue,
    CardFace,
    CardView,
    ChoiceView,
    GridView,
    PlayerView,
    Spot,
    Tone,
    View,
)

NAMES = ("Anna", "Bob", "Chris", "David", "Eva", "Finn", "Gina", "Hugo")


class TableBuilder:
    """Collects the areas, cards and choices of a view, and its cards' faces and backs."""

    def __init__(self, players: int = 4, **fields: Any) -> None:
        self.faces: dict[str, CardFace] = {}
        self.backs: dict[str, CardBack] = {}
        self.tokens: dict[str, Spot] = {}
        self.players = [PlayerView(name=name) for name in NAMES[:players]]
        self._areas: list[AreaView | GridView] = []
        self._choices: list[ChoiceView] = []
        self.ascii: Mapping[str, str] = {}
        self.art: Mapping[str, ArtElement] = {}
        self._token = 0
        self._fields = {"to_act": 0, "prompt": "", "status": "", "phases": (), "phase": ""} | fields

    def face(self, label: str, **fields: Any) -> None:
        """Add a face; its short name and its title are its label by default."""
        defaults = {"short": label, "title": label, "colour": "white"}
        self.faces[label] = CardFace(label=label, **(defaults | fields))

    def back(self, letter: str, colour: str = "white") -> None:
        """Add a back."""
        self.backs[letter] = CardBack(
            letter=letter, unknown=f"{letter}?", title=f"{letter} card", colour=colour
        )

    def card(self, name: str, **fields: Any) -> CardView:
        """Return a new card by the label of its face, or as a back by the letter and `?`."""
        self._token += 1
        if name.endswith("?"):
            back = list(self.backs).index(name[:-1])
            return CardView(token=self._token, back=back, **fields)
        return CardView(token=self._token, back=0, face=list(self.faces).index(name), **fields)

    def cards(self, names: str | Iterable[str], **fields: Any) -> tuple[CardView, ...]:
        """Return new cards by their names."""
        listed = names.split() if isinstance(names, str) else names
        return tuple(self.card(name, **fields) for name in listed)

    def area(
        self, caption: str, region: str, cards: Iterable[CardView] = (), **fields: Any
    ) -> None:
        """Add an area; its cards can be named by `spot`."""
        shown = tuple(cards)
        for card in shown:
            if card.face is not None:
                label = list(self.faces)[card.face]
                self.tokens[label] = Spot("card", card.token, len(self._areas))
        defaults = {"look": "row", "count": len(shown)}
        arguments: dict[str, Any] = defaults | fields
        area = AreaView(caption=caption, region=region, cards=shown, **arguments)  # type: ignore[arg-type]  # regions are written as words
        self._areas.append(area)

    def grid(self, rows: int, columns: int, stacks: dict[int, str]) -> None:
        """Add a grid; the stacks of sites are given from the lowest card to the top one."""
        sites = tuple(self.cards(stacks.get(site, "")) for site in range(rows * columns))
        self._areas.append(GridView(caption="layout", rows=rows, columns=columns, stacks=sites))

    def choice(
        self,
        verb: str,
        label: str = "",
        spots: Iterable[Spot] = (),
        can_undo: bool = False,
        tone: Tone = "plain",
    ) -> None:
        """Add a legal action; without spots it is a button."""
        action = len(self._choices)
        name = f"{verb} {label}".strip()
        self._choices.append(
            ChoiceView(
                action=action,
                name=name,
                notation=name,
                verb=verb,
                object=label,
                spots=tuple(spots) or (Spot("button", action),),
                can_undo=can_undo,
                tone=tone,
            )
        )

    def seat(self, number: int, **fields: Any) -> None:
        """Give a player a score, badges or a bot."""
        self.players[number] = PlayerView(name=NAMES[number], **fields)

    def view(self, **fields: Any) -> View:
        """Return the view of seat 0."""
        defaults = {"viewer": 0, "own": 0, "is_over": False, "revision": 0, "game": "game"}
        arguments: dict[str, Any] = defaults | {"title": "Game"} | self._fields | fields
        return View(
            players=tuple(self.players),
            areas=tuple(self._areas),
            choices=tuple(self._choices),
            **arguments,
        )

    def catalogue(self) -> CardCatalogue:
        """Return the faces and backs of the cards."""
        backs = self.backs or {"#": CardBack(letter="#", unknown="#?", title="", colour="grey")}
        return CardCatalogue(
            faces=tuple(self.faces.values()),
            backs=tuple(backs.values()),
            ascii=self.ascii,
            art=self.art,
        )
