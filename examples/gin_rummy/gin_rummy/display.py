"""The display of Gin Rummy: the table and all texts for people."""

from typing import Literal

from typing_extensions import override

from cardhub import (
    OVER,
    Area,
    BreakdownRow,
    BreakdownSection,
    Display,
    Names,
    Scene,
    SeatLine,
    Summary,
    Target,
    amount,
    numbers,
)
from gin_rummy import event_texts, reasons
from gin_rummy.cards import CARDS
from gin_rummy.heuristics import arrange
from gin_rummy.melds import MELDS, deadwood, deadwood_without, melds_in, value
from gin_rummy.showdown import NUMBER, knocker_gains
from gin_rummy.table import ACTIONS, DRAW, MELD, MOST_MELDS, TAKE, Phase, Table, bits, held
from gin_rummy.turns import HAND, left_after_discards

PROMPTS = {
    Phase.DEAL: "deal",
    Phase.DEFENCE: "lay melds, then choose done",
    Phase.DRAW: "draw a card or take the upcard",
    Phase.DISCARD: "discard a card, or knock with low deadwood",
    Phase.LAST: "knock with the last discard, or pass",
    Phase.KNOCK: "discard the card that is left over",
    Phase.MELDS: "lay melds, then choose done",
    Phase.LAYOFFS: "lay off cards, then choose done",
}


class GinRummyDisplay(Display[Table]):
    """Stock and discards, both players' melds, and sentences about deadwood."""

    needs_confirmation, primary = ("knock",), ("done", "deal")

    @override
    def scene(self, state: Table, viewer: int) -> Scene:
        """Return the scene: stock and discards, then both players, the viewer below."""
        areas = [
            Area("stock", state.stock, look="count"),
            Area("discards", state.discards, look="pile"),
        ]
        own = viewer if viewer < state.seats else 1
        for seat in (1 - own, own):
            areas += _player(state, seat, viewer)
        lines = {seat: _line(state, seat, viewer) for seat in (0, 1)}
        return Scene(_prompt(state), areas, _targets(state), status=_status(state), seats=lines)

    @override
    def narration(self, before: Table, action: int, after: Table, names: Names) -> list[str]:
        """Describe an action and its results."""
        verb, index = ACTIONS.verb_and_index[action]
        lines = [event_texts.action_text(before, verb, index, after, names)]
        return lines + (
            [event_texts.result(before, after, names)] if after.number > before.number else []
        )

    @override
    def summary(self, before: Table, action: int, after: Table, names: Names) -> Summary | None:
        """Return the deadwood and the points of both, if a deal has ended."""
        if after.number == before.number:
            return None
        rows = []
        for seat, points in enumerate(after.points):
            row = [names.player(seat), f"{amount(points, 'point')} in total"]
            if before.knocker >= 0:
                row.insert(1, f"deadwood {value(held(before, seat))}")
            rows.append(row)
        return Summary(f"Deal {after.number}: {event_texts.result(before, after, names)}", rows)

    @override
    def why_not(self, state: Table, action: int, names: Names) -> str | None:
        return None if action in self.game.legal(state) else reasons.reason(state, action)

    @override
    def action_label(self, state: Table, action: int) -> str:
        """Return `lay off 3♠` for a card of the own hand, instead of the one word of records."""
        verb, index = ACTIONS.verb_and_index[action]
        is_own = verb == "layoff" and index in state.hand[state.seat]
        return f"lay off {CARDS.faces[state.face[index]].label}" if is_own else ""

    @override
    def consequence(self, state: Table, action: int, names: Names) -> str:
        """Return the deadwood that an action leaves."""
        verb, index = ACTIONS.verb_and_index[action]
        cards, face = held(state, state.seat) if state.seat >= 0 else 0, state.face
        match verb:
            case "discard":
                return _left(deadwood_without(cards)[face[index]])
            case "take":
                upcard = face[state.discards[-1]]
                left = deadwood_without(cards | 1 << upcard)
                best = min(left[other] for other in left if other != upcard)
                now = deadwood(cards)
                change = f"stay {now}" if best == now else f"be {best} instead of {now}"
                return f"with the best discard, your deadwood would {change}"
            case "knock":
                return _left(min(left_after_discards(state).values()))
            case "meld":
                return _left(deadwood(cards ^ MELDS[index]))
            case "layoff":
                return _left(deadwood(cards ^ 1 << face[index]))
        return ""

    @override
    def breakdown(self, state: Table) -> list[BreakdownSection]:
        """Return the lead of each seat by cause, in the last deal and in those before it."""
        lead, deal = state.points[0] - state.points[1], 0
        rows = []
        if state.knocker >= 0:
            own, other = (value(held(state, seat)) for seat in (state.knocker, 1 - state.knocker))
            sign = 1 if state.knocker == 0 else -1
            deal = sign * knocker_gains(own, other)
            bonus = deal - sign * (other - own)
            rows.append(_row("deadwood", sign * (other - own)))
            if bonus:
                rows.append(_row("gin" if own == 0 else "undercut", bonus))
        if lead != deal:
            rows.insert(0, _row("deals before", lead - deal))
        return [
            BreakdownSection(
                "lead in points, which the loser pays", rows or [_row("void deals", 0)]
            )
        ]

    @override
    def chapter(self, state: Table) -> str:
        return f"deal {state.number + (state.seat != OVER)}"


def _player(state: Table, seat: int, viewer: int) -> list[Area]:
    first = 0 if seat == state.knocker else MOST_MELDS
    laid = state.melds[first : first + MOST_MELDS] if state.knocker >= 0 else []
    cards = [token for meld in laid for token in _by_face(state, meld)]
    melds = Area("melds", cards, seat, place="front", room=HAND + 1)
    hand = state.hand[seat]
    if not _is_seen(state, seat, viewer):
        return [Area("hand", hand, seat, room=HAND + 1), melds]
    look: Literal["hand", "row"] = "hand" if seat == viewer else "row"
    return [melds, Area("hand", _arranged(state, hand), seat, look, room=HAND + 1)]


def _line(state: Table, seat: int, viewer: int) -> SeatLine:
    badges = ["knocks"] if seat == state.knocker else []
    if state.hand[seat] and _is_seen(state, seat, viewer):
        badges.append(f"deadwood {deadwood(held(state, seat))}")
    return SeatLine(amount(state.points[seat], "point"), badges)


def _status(state: Table) -> str:
    is_single = state.settings.flag("single")
    aim = "" if is_single else f" · to {state.settings.number('target')} points"
    return f"deal {state.number + (state.seat != OVER)}{aim}"


def _is_seen(state: Table, seat: int, viewer: int) -> bool:
    return all(state.seen[token] >> viewer & 1 for token in state.hand[seat])


def _arranged(state: Table, hand: list[int]) -> list[int]:
    """Return a hand in the best melds, with the other cards behind them."""
    by_face = {state.face[token]: token for token in hand}
    rest = bits(state, hand)
    faces = []
    for meld in arrange(rest):
        faces += numbers(meld)
        rest ^= meld
    return [by_face[face] for face in faces + numbers(rest)]


def _by_face(state: Table, tokens: list[int]) -> list[int]:
    return sorted(tokens, key=lambda token: state.face[token])


def _prompt(state: Table) -> str:
    if state.seat == OVER:
        return "the game is over"
    if state.phase == Phase.UPCARD:
        return "draw from the stock" if state.passes == 2 else "take the upcard or pass"
    return PROMPTS[state.phase]


def _targets(state: Table) -> dict[int, Target | list[Target]]:
    """Return the areas of stock and discards, and the cards of each meld that can be laid."""
    targets: dict[int, Target | list[Target]] = {
        DRAW: Target("area", "stock"),
        TAKE: Target("area", "discards"),
    }
    # Both hands have been laid down by then.
    if state.seat >= 0 and state.phase in (Phase.MELDS, Phase.DEFENCE):
        by_face = {state.face[token]: token for token in state.hand[state.seat]}
        for number in (NUMBER[meld] for meld in melds_in(held(state, state.seat))):
            cards = numbers(MELDS[number])
            targets[MELD + number] = [Target("card", by_face[face]) for face in cards]
    return targets


def _left(points: int) -> str:
    if not points:
        return "this leaves you with no deadwood"
    return f"this leaves you with {amount(points, 'point')} of deadwood"


def _row(label: str, lead: int) -> BreakdownRow:
    return BreakdownRow(label, [lead, -lead])
