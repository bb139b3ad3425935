"""The display of Hearts: the table and all texts for people."""

from collections.abc import Mapping
from typing import ClassVar

from typing_extensions import override

from cardhub import (
    OVER,
    Area,
    BreakdownRow,
    BreakdownSection,
    Card,
    Display,
    Names,
    Opponent,
    Scene,
    SeatLine,
    Summary,
    amount,
    clockwise,
)
from hearts import hints, sentences, tricks
from hearts.demands import FIRST_LEAD, FOLLOW, NO_POINTS, UNBROKEN
from hearts.table import (
    ACTIONS,
    DEAL,
    DEALING,
    HAND,
    HEARTS,
    NO_SUIT,
    PASSED,
    PASSING,
    PLAY,
    PLAYING,
    POINTS,
    RANK,
    SEATS,
    SUIT,
    SUITS,
    Table,
    is_first_trick,
    suit_led,
    way,
)


class HeartsDisplay(Display[Table]):
    """The trick, the cards taken, and sentences about points."""

    primary = ("deal",)
    opponents: ClassVar[Mapping[str, Opponent]] = {
        "beginner": Opponent("Benny", "plays whatever is in his hand"),
        "easy": Opponent("Rosalind", "forgets who wants the queen of spades"),
        "medium": Opponent("Walter", "ducks, and throws what could hurt him"),
        "hard": Opponent("Judge Hart", "has seen every trick before"),
        "expert": Opponent("Lady Sorrow", "thinks the whole hand through"),
    }

    @override
    def scene(self, state: Table, viewer: int) -> Scene:
        """Return the scene: the last trick, then the cards of each seat, the viewer's own last."""
        is_playing = state.phase == PLAYING and not is_first_trick(state)
        last = state.taken[state.leader][-SEATS:] if is_playing else []
        areas = [Area("last trick", last, room=SEATS)]
        # A spectator sees the table from the last seat.
        own = viewer if viewer < SEATS else SEATS - 1
        for seat in clockwise(own + 1, SEATS):
            areas += _player(state, seat, viewer)
        lines = {
            seat: _line(state, seat, points) for seat, points in enumerate(tricks.scores(state))
        }
        return Scene(_prompt(state), areas, status=_status(state), seats=lines)

    @override
    def narration(self, before: Table, action: int, after: Table, names: Names) -> list[str] | None:
        """Name a passed card as it was known before it was passed; None for other actions."""
        if action >= PLAY:
            return None
        return [f"{names.player(before.seat)} passes {names.before.phrase(action)}"]

    @override
    def summary(self, before: Table, action: int, after: Table, names: Names) -> Summary | None:
        """Return the points of each player if an action has ended a hand."""
        if after.number == before.number:
            return None
        rows = [["", "this hand", "total"]]
        scores = tricks.scores(after)
        for seat, (was, total) in enumerate(zip(before.total, scores, strict=True)):
            rows.append([names.player(seat), str(total - was), str(total)])
        shooter = sentences.find_shooter(before.total, scores)
        if shooter is None:
            return Summary(f"Hand {after.number}", rows)
        return Summary(f"Hand {after.number}: {names.player(shooter)} shoots the moon", rows)

    @override
    def why_not(self, state: Table, action: int, names: Names) -> str | None:
        verb, token = ACTIONS.verb_and_index[action]
        if verb == "deal":
            return None if state.phase == DEALING else "the cards are dealt by chance"
        if (verb == "pass") != (state.phase == PASSING):
            return (
                "first pass three cards"
                if state.phase == PASSING
                else "the cards have been passed already"
            )
        if token not in state.hand[state.seat]:
            return "it is not in your hand"
        if verb == "pass":
            return None
        playable = [play - PLAY for play in tricks.playable(state)]
        if token in playable:
            return None
        face = state.face
        playable.sort(key=lambda card: (SUIT[face[card]], RANK[face[card]]))
        # The first rule that the hand can fulfil is the one that `playable` follows.
        demanded = (rule for faces, rule in tricks.rules(state) if faces[face[playable[0]]])
        return _ruling(next(demanded), suit_led(state), names.cards(playable))

    @override
    def consequence(self, state: Table, action: int, names: Names) -> str:
        """Return whether a card would take the current trick, and for how many points."""
        suit, face = suit_led(state), state.face
        if suit == NO_SUIT or action < PLAY or action == DEAL:
            return ""
        card, best = face[action - PLAY], tricks.best_seat(state)
        is_best = SUIT[card] == suit and RANK[card] > RANK[face[state.laid[best][0]]]
        winner, worth = names.player(best), hints.worth_of_trick(state, card)
        if sum(map(len, state.laid)) == SEATS - 1:
            return (
                f"you take the trick with {worth}"
                if is_best
                else f"{winner} takes the trick with {worth}"
            )
        if is_best:
            return f"this is the best card so far; the trick is worth {worth}"
        return f"{winner} stays ahead; the trick is worth {worth}"

    @override
    def hint(self, state: Table, action: int, names: Names) -> str:
        """Return which cards beat a card, and what the trick holds."""
        if action < PLAY:
            return hints.passing(state, action, names)
        card = state.face[action - PLAY]
        if suit_led(state) == NO_SUIT:
            return hints.leading(state, card)
        return hints.following(state, card, tricks.best_seat(state), names)

    @override
    def breakdown(self, state: Table) -> list[BreakdownSection]:
        """Return the points of the last hand by card, and the sum of all hands before it."""
        hearts, queen = ([0] * SEATS for _ in range(2))
        for seat, taken in enumerate(state.taken):
            for face in (state.face[token] for token in taken):
                (hearts if SUIT[face] == HEARTS else queen)[seat] += POINTS[face]
        notes = [f"{count} ♥" if count else "" for count in hearts]
        cards = [[t for t in taken if SUIT[state.face[t]] == HEARTS] for taken in state.taken]
        rows = [
            BreakdownRow("hearts", hearts, notes, "red", cards),
            BreakdownRow("queen of spades", queen),
        ]
        moon = [
            score - sum(others)
            for score, *others in zip(tricks.scores(state), state.total, hearts, queen, strict=True)
        ]
        if any(moon):
            rows.append(BreakdownRow("shot the moon", moon))
        if any(state.total):
            rows.insert(0, BreakdownRow("hands before", state.total))
        return [BreakdownSection("", rows)]

    @override
    def chapter(self, state: Table) -> str:
        return f"hand {state.number + (state.seat != OVER)}"

    @override
    def detail(self, card: Card) -> str:
        """Return the points of a card."""
        points = card.fields["points"]
        return f"{points}●" if points else ""


def _player(state: Table, seat: int, viewer: int) -> list[Area]:
    slots = int(state.phase == PLAYING)
    counting = [token for token in state.taken[seat] if POINTS[state.face[token]]]
    areas = [
        Area("plays", state.laid[seat], seat, place="front", room=1, slots=slots),
        Area("point cards", _sorted(state, counting), seat),
    ]
    if state.passed[seat]:
        areas.append(Area("passes", state.passed[seat], seat))
    if seat == viewer:
        return [*areas, Area("hand", _sorted(state, state.hand[seat]), seat, "hand", room=HAND)]
    return [Area("hand", state.hand[seat], seat, room=HAND), *areas]


def _sorted(state: Table, tokens: list[int]) -> list[int]:
    face = state.face
    return sorted(tokens, key=lambda token: (SUIT[face[token]], RANK[face[token]]))


def _line(state: Table, seat: int, points: int) -> SeatLine:
    is_leader = state.phase == PLAYING and seat == state.leader
    return SeatLine(amount(points, "point"), ["leads"] * is_leader)


def _status(state: Table) -> str:
    number = sum(map(len, state.taken)) // SEATS
    trick = f" · trick {min(number + 1, HAND)} of {HAND}" if state.phase == PLAYING else ""
    return f"hand {state.number + (state.seat != OVER)}{trick}"


def _prompt(state: Table) -> str:
    if state.seat == OVER:
        return "the game is over"
    if state.phase == DEALING:
        return "deal"
    if state.phase == PASSING:
        left = PASSED - len(state.passed[state.seat])
        where = way(state) if way(state) == "across" else f"to the {way(state)}"
        return f"pass {left} cards {where}" if left > 1 else f"pass a card {where}"
    # Nothing here may depend on a hand: all viewers get the same prompt.
    suit = suit_led(state)
    if suit != NO_SUIT:
        return f"play a card: {SUITS[suit]} if possible"
    if is_first_trick(state):
        return "lead the two of clubs"
    return "lead any card" if state.is_broken else "lead a card, but not a heart yet"


def _ruling(rule: str, suit: int, held: str) -> str:
    """Return a rule with the cards of the hand that fulfil it."""
    return {
        FOLLOW: f"{SUITS[suit]} were led, and you hold {held}",
        NO_POINTS: f"no points may go to the first trick while you hold other cards: {held}",
        FIRST_LEAD: "the two of clubs leads the first trick",
        UNBROKEN: f"no heart may be led before a card with points has been played; you hold {held}",
    }[rule]
