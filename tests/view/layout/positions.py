"""Fixed positions of games, with the scenes that the games describe."""

from collections.abc import Callable
from typing import NamedTuple

from tests.view.layout.views import TableBuilder

from cardhub.model.game.scene import Counter, Tally, TallyRow
from cardhub.view.layout.drawing.table_painter import FooterKey, TableTexts
from cardhub.view.view import (
    CardCatalogue,
    LogLine,
    Spot,
    View,
)
from cardhub_gargon import Gargon

KEYS = "? help,: type,i hint,w why not,u undo,. skip,L log,r replay,q leave"
COLOURS = {"R": "red", "W": "white", "Y": "yellow", "B": "blue", "V": "violet", "G": "green"}
KINDS = {
    "R": "Phoenix",
    "W": "Dragon",
    "Y": "Manticore",
    "B": "Pegasus",
    "V": "Gargoyle",
    "G": "Fairy",
}
SUITS = {"♣": "green", "♦": "blue", "♠": "white", "♥": "red"}


class DrawnPosition(NamedTuple):
    """A view with everything else that its drawing needs."""

    view: View
    catalogue: CardCatalogue
    texts: TableTexts
    cursor: Spot | None


def texts(title: str, detail: str, news: str, log: str = "") -> TableTexts:
    """Return the texts around a table; lines of the log that begin with `*` are new."""
    lines = [
        LogLine(step=n, seat=0, kind="action", text=line.lstrip("*"), is_new=line.startswith("*"))
        for n, line in enumerate(log.split("; "))
        if line
    ]
    keys = [FooterKey(key, label) for key, _, label in (k.partition(" ") for k in KEYS.split(","))]
    return TableTexts(news=news, log=lines, title=title, detail=detail, footer=keys)


def _gargon_cards(table: TableBuilder) -> None:
    table.art = Gargon().cards.drawings
    for letter, colour in COLOURS.items():
        table.back(letter, colour)
        for number in range(16):
            detail = {0: "×2", 1: "5●", 8: "2●", 9: "2●", 12: "1●"}.get(number, "")
            text = "Doubles the amulets of its colour." if number == 0 else ""
            title = f"{KINDS[letter]} {number}"
            art = (KINDS[letter].lower(),)
            short = f"{letter}{number}"
            table.face(short, title=title, colour=colour, detail=detail, text=text, art=art)


def _gargon_others(table: TableBuilder) -> None:
    scores = ("won 7", "won 11", "won 9", "won 9")
    for seat, score in enumerate(scores):
        table.seat(seat, score=score, bot="rule" if seat else "", badges=("leads",) * (seat == 2))
    for seat, hand, laid in (
        (1, "Y? G?", ""),
        (2, "B? B? V? G?", "R? W? W?"),
        (3, "W? W? V? R? Y? Y? G?", "Y? Y? B?"),
    ):
        table.area("hand", "seat", table.cards(hand), seat=seat, look="row", room=10)
        table.area("laid", "front", table.cards(laid, is_new=True), seat=seat, room=3)


def gargon() -> DrawnPosition:
    """Return a choice of a card to lay among four seats, with piles and backs before others."""
    table = TableBuilder(
        prompt="Lay 2 cards of one colour and 1 of another, or pass",
        status="round 9 · 13+13 cards left",
        phases=("lay", "battle", "draw"),
        phase="lay",
    )
    _gargon_cards(table)
    _gargon_others(table)
    for caption, cards in (("left stack", "GVGRWVRVRBWGR"), ("right stack", "WBVRBYWYWBBVG")):
        table.area(caption, "centre", table.cards(f"{c}?" for c in cards), look="queue")
    discards = table.cards("Y4 Y1 B4 Y6 V6 V0 R7 V8 G6 R6 W0")
    table.area("discarded", "centre", discards, look="pile", count=12)
    table.area("laid", "front", seat=0, room=3, slots=3)
    hand = "W0 B0 B8 B9 B12 V14 R15 G1 G8"
    table.area("hand", "hand", table.cards(hand), seat=0, look="hand", room=10)
    for name in hand.split():
        table.choice("lay", name, [table.tokens[name]], can_undo=True)
    for left, right in ((0, 1), (0, 2), (0, 3), (1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (3, 0)):
        table.choice("pass, draw left + right", f"{left}+{right}")
    return DrawnPosition(
        table.view(),
        table.catalogue(),
        texts(
            "Pegasus 8 · B8",
            "2● amulets. In your hand. Enter lays it; then two more, so that two are of one colour "
            "and one of another.",
            "Chris leads red, white, white · David lays yellow, yellow, blue",
            "Bob wins R13; Bob starts the battle for yellow; *Chris lays red, white, white; "
            "*David lays yellow, yellow, blue",
        ),
        table.tokens["B8"],
    )


GAMON_CARDS = (
    ("cannoneer", "Cannoneer", "Cannoneer", "4", "", "A coin from the pile joins the prize."),
    ("mate", "Mate", "Mate with a Cutlass", "3", "", "+2 if you have cried Gamon this round."),
    ("all-hands", "All Hands", "All Hands on Deck", "0", "= call", "Worth the number called."),
    ("high-officer", "High Off", "High Officer", "3", "+2/card", "+2 for each card you played."),
    ("fog-ship", "Fog Ship", "Ship in the Fog", "5", "", "You must not call it 5."),
    ("petty-officer", "Officer", "Petty Officer", "1", "lost −2●", "Lost: remove up to 2 coins."),
    ("spy", "Spy", "Naval Spy", "2", "spy +1●", "Look at a card of the other side."),
    ("lord", "Lord", "Lord of the Seas", "6", "if poor", "Only with less than 5 coins."),
)


def _gamon_cards(table: TableBuilder) -> None:
    for letter, colour in (("P", "red"), ("N", "blue")):
        table.back(letter, colour)
    for label, short, title, corner, detail, text in GAMON_CARDS:
        colour = "red" if label in ("cannoneer", "mate") else "blue"
        table.face(
            label, short=short, title=title, corner=corner, detail=detail, text=text, colour=colour
        )


def _gamon_played(table: TableBuilder) -> None:
    laid = [
        table.card("cannoneer", head="calls 4"),
        table.card("mate", head="calls 3", foot="+2 Gamon"),
        table.card("P?", head="calls 3", foot="face down", is_new=True),
    ]
    table.area("played", "front", laid, seat=1, room=3, slots=3)
    front = [
        table.card("all-hands", head="calls 5"),
        table.card("high-officer", head="calls 3"),
        table.card("fog-ship", head="calls 2", foot="face down"),
    ]
    table.area("played", "front", front, seat=0, room=3, slots=3)


def gamon() -> DrawnPosition:
    """Return two buttons in a duel of two seats, with heads and feet on cards and counters."""
    table = TableBuilder(
        2,
        prompt="Believe the call of 3, or cry Gamon",
        status="round 4 · turn 3 of 3",
        phases=("prize", "place", "call", "Gamon?", "effect"),
        phase="Gamon?",
        counters=(
            Counter(caption="prize", value=5, pips=8),
            Counter(caption="pile", value=13),
            Counter(caption="purse", value=14, seat=0),
            Counter(caption="purse", value=4, seat=1),
        ),
    )
    _gamon_cards(table)
    table.seat(0, score="won 1 of 2 turns", badges=("Navy", "defends"))
    table.seat(1, score="won 1 of 2 turns", badges=("Pirate", "attacks"), bot="rule")
    table.area("hand", "seat", table.cards("P? P? P?"), seat=1, room=6)
    _gamon_played(table)
    table.area("hand", "hand", table.cards("petty-officer spy lord"), seat=0, look="hand", room=6)
    table.choice("cry GAMON!")
    table.choice("believe")
    return DrawnPosition(
        table.view(),
        table.catalogue(),
        texts(
            "Cry Gamon on Pirate's 3",
            "Right if the base value is not 3: then you win the turn and, with it, the round and 5 "
            "coins. Pirate cards you have not seen: 20, of which 5 have base 3.",
            "Bob places a card and calls 3 · Anna places Ship in the Fog, calls 2",
            "Navy wins the round; *Bob (Pirate) places a card and calls 3",
        ),
        Spot("button", 0),
    )


STACKS = {
    0: "B2 D11 A2 A12",
    2: "D14 A15",
    4: "E1 A8",
    5: "C10",
    6: "A14",
    7: "C7",
    9: "E6 C5",
    10: "D8 E3",
    14: "C2",
    19: "E11 E12 C8",
    20: "A4",
    22: "A6 C4",
    24: "B5 E7 C14",
}
GARNER_COLOURS = dict(zip("ABCDE", ("red", "blue", "yellow", "green", "violet"), strict=True))


SUIT_ROWS = (
    ("A", (0, 8), ("lost", "won")),
    ("B", (7, 6), ("1 more", "2 more")),
    ("C", (8, 0), ("won", "lost")),
    ("D", (8, 4), ("won", "lost")),
    ("E", (3, 6), ("5 more", "2 more")),
)


def garner() -> DrawnPosition:
    """Return a group of sites to collect on a board, with a tally of five races."""
    rows = tuple(
        TallyRow(label=suit, counts=counts, notes=notes, goal=8, colour=GARNER_COLOURS[suit])
        for suit, counts, notes in SUIT_ROWS
    )
    table = TableBuilder(
        2,
        prompt="Collect a group of one suit",
        status="25 cards lie",
        phases=("lift", "place", "collect"),
        phase="collect",
        tallies=(Tally(caption="suits", rows=rows),),
    )
    table.back("#")
    for suit, colour in GARNER_COLOURS.items():
        for number in range(1, 16):
            table.face(f"{suit}{number}", colour=colour)
    table.seat(0, score="2 suits (3 win)")
    table.seat(1, score="1 suit (3 win)")
    table.grid(5, 5, STACKS)
    table.area("lifted", "centre")
    group = [Spot("site", site, 0) for site in (9, 14, 19, 24)]
    table.choice("collect", "C2 C5 C8 C14", group, can_undo=True)
    table.choice("collect", "A4", [Spot("site", 20, 0)], can_undo=True)
    return DrawnPosition(
        table.view(),
        table.catalogue(),
        texts(
            "Collect 4 of suit C: C2 C5 C8 C14",
            "That makes 12 of suit C; 8 win it. tab: next group",
            "",
            "Bob collects B7 B4; Anna lifts A12; *Anna places A12 on a1, over A2",
        ),
        group[0],
    )


def hearts() -> DrawnPosition:
    """Return a trick among four seats: names on its cards, and cards in hand that are not legal."""
    table = TableBuilder(
        prompt="Play a card: clubs if you have any",
        status="hand 1 · trick 7 of 13",
        phases=("pass", "play"),
        phase="play",
    )
    table.back("▮", "grey")
    table.ascii = dict(zip("♣♦♠♥", "CDSH", strict=True))
    for suit, colour in SUITS.items():
        for rank in ("2", "3", "7", "8", "9", "J", "K", "A"):
            detail = "1●" if suit == "♥" else ""
            short = f"{suit}{rank}"
            table.face(short, colour=colour, detail=detail, corner=short)
    for seat, points in enumerate((4, 13, 1, 0)):
        table.seat(seat, score=f"{points} points", badges=("leads",) * (seat == 1))
    for seat, seen, trick in ((1, "♦8 ♠A", "♣9"), (2, "", "♠K"), (3, "", "♥2")):
        backs = table.cards(["▮?"] * (6 - len(seen.split())))
        table.area("hand", "seat", backs + table.cards(seen), seat=seat, room=13)
        laid = table.cards(trick, is_new=True)
        table.area("trick", "front", laid, seat=seat, room=1, slots=1)
    table.area("trick", "front", seat=0, room=1, slots=1)
    hand = "♣8 ♣J ♦7 ♦9 ♠8 ♥3 ♥9"
    table.area("hand", "hand", table.cards(hand), seat=0, look="hand", room=13)
    for name in ("♣8", "♣J"):
        table.choice("play", name, [table.tokens[name]])
    return DrawnPosition(
        table.view(),
        table.catalogue(),
        texts(
            "8♣ · clubs",
            "Bob led 9♣ and you must follow. With 8♣ Bob takes the trick and its 1 point; J♣ would "
            "take it.",
            "Bob takes Q♦ 10♦ 2♦ A♦ · Bob leads 9♣ · Chris K♠ · David 2♥",
            "Anna plays 2♦; *Bob takes Q♦ 10♦ 2♦ A♦; *Bob plays 9♣; *Chris plays K♠",
        ),
        table.tokens["♣8"],
    )


def plain_scene() -> DrawnPosition:
    """Return a game that declares no place, room or counter: hands, notes and piles by default."""
    table = TableBuilder(3, prompt="bid a card for the prize")
    table.back("#", "grey")
    for value in range(1, 14):
        table.face(str(value), title=f"Bid {value}")
    table.area("prize", "centre", table.cards("9"), note="worth 9")
    table.area("to come", "centre", table.cards(["#?"] * 4))
    for seat in (0, 1, 2):
        region = "hand" if seat == 0 else "seat"
        table.area("won", "seat", table.cards("3" if seat else "4 8"), seat=seat, note="worth 3")
        table.area("points", "seat", seat=seat, note="3")
        cards = table.cards("1 2 5 6 7 10 11") if seat == 0 else table.cards(["#?"] * 7)
        table.area("hand", region, cards, seat=seat, look="hand" if seat == 0 else "row")
    for name in ("1", "2", "5", "6", "7", "10", "11"):
        table.choice("bid", name, [table.tokens[name]])
    return DrawnPosition(
        table.view(),
        table.catalogue(),
        texts("", "Bid a card: the highest bid takes the prize.", "Bob bids 4 · Chris bids 3"),
        table.tokens["1"],
    )


# Columns of a patience: how many cards lie face down, and the faces on them from top to bottom.
COLUMNS = (
    (0, "♥K ♠Q ♦J"),
    (0, ""),
    (2, "♣6 ♥5"),
    (3, "♥9"),
    (3, "♦8 ♠7"),
    (5, "♣9"),
    (6, "♠K ♥Q ♣J ♥10 ♠9 ♥8 ♣7 ♦6 ♠5 ♥4 ♣3 ♦2"),
)


def patience() -> DrawnPosition:
    """Return a patience of one seat with columns, one of them empty and one of them long."""
    table = TableBuilder(1, prompt="move a card, or turn the stock", status="turn 41")
    table.back("#", "blue")
    table.ascii = {"♣": "C", "♦": "D", "♠": "S", "♥": "H"}
    for suit, colour in SUITS.items():
        for value in ("A", *map(str, range(2, 11)), *"JQK"):
            table.face(f"{suit}{value}", corner=f"{suit}{value}", colour=colour)
    table.area("stock", "centre", count=9, look="count")
    table.area("waste", "centre", table.cards("♣10 ♦4"), look="pile")
    table.area("home", "centre", table.cards("♣2 ♠A ♥A"), slots=4, room=4)
    for number, (backs, faces) in enumerate(COLUMNS, 1):
        cards = table.cards(["#?"] * backs + faces.split())
        table.area(f"column {number}", "centre", cards, look="column", room=19)
    table.choice("turn", "stock", [Spot("area", 0, 0)])
    for name in ("♠K", "♠7", "♥8"):
        table.choice("move", name, [table.tokens[name]])
    detail = "You may move it to column 2, with the cards that lie on it."
    return DrawnPosition(
        table.view(),
        table.catalogue(),
        texts("King of spades, ♠K", detail, "Anna turns the stock"),
        table.tokens["♠K"],
    )


POSITIONS: dict[str, Callable[[], DrawnPosition]] = {
    "gargon": gargon,
    "gamon": gamon,
    "garner": garner,
    "hearts": hearts,
    "plain": plain_scene,
    "patience": patience,
}
