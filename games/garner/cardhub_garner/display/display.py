"""The display of Garner: the table and all texts for people."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from typing_extensions import override

from cardhub import (
    Area,
    BreakdownRow,
    BreakdownSection,
    Display,
    Frequency,
    Grid,
    Names,
    Opponent,
    PlayedStep,
    Scene,
    SeatLine,
    Tally,
    amount,
)
from cardhub_garner.display import consequences, event_texts, reasons, scene
from cardhub_garner.layouts import Layout
from cardhub_garner.majorities import counts, total_scores
from cardhub_garner.table import ACTIONS, LIFTING, SUIT, SUITS, Table, layout_of

# Cards of one number, one of each suit at most, are lifted together.
MOST_LIFTED = len(SUITS)
# The number of cards between two marks of a replay; suits won have marks too.
CARDS_BETWEEN_MARKS = 15
LARGE_GROUP = 4


class GarnerDisplay(Display[Table]):
    """The layout, the lifted cards, both scoring piles, and the races for the suits."""

    opponents: ClassVar[Mapping[str, Opponent]] = {
        "beginner": Opponent("Robin", "gathers what looks nice"),
        "easy": Opponent("Martha", "gathers all that a turn can bring"),
        "medium": Opponent("Silas", "knows by heart what is worth gathering"),
        "hard": Opponent("Old Agnes", "thinks a few turns ahead"),
        "expert": Opponent("Abbess Hild", "thinks long before she gathers"),
    }

    @override
    def scene(self, state: Table, viewer: int) -> Scene:
        """Return the scene, with the viewer's own pile last."""
        layout, held = layout_of(state), counts(state)
        stacks = [state.board[site] for site in layout.sites]
        areas: list[Area | Grid] = [Grid("layout", layout.rows, layout.columns, stacks)]
        areas.append(Area("lifted", state.lifted, place="centre", room=MOST_LIFTED))
        # A spectator sees the table from the last seat.
        own = viewer if viewer < state.seats else state.seats - 1
        # Faces are numbered suit by suit, in ascending order.
        for seat in (1 - own, own):
            pile = sorted(state.won[seat], key=state.face.__getitem__)
            areas.append(Area("collected", pile, seat, look="count"))
        races = tuple(scene.race(state, layout, suit, held) for suit in range(len(layout.cards)))
        return Scene(
            scene.prompt(state),
            areas,
            scene.points(state, layout),
            status=scene.status(state, layout),
            seats={seat: SeatLine(scene.score(layout, held[seat])) for seat in range(state.seats)},
            tallies=[Tally("suits", races)],
        )

    @override
    def narration(self, before: Table, action: int, after: Table, names: Names) -> list[str]:
        """Describe an action, the suits won by it and the end of the game."""
        return [
            event_texts.action_text(before, action, after, names),
            *event_texts.suits_won(before, after, names),
            *event_texts.ending(after, names),
        ]

    @override
    def why_not(self, state: Table, action: int, names: Names) -> str | None:
        verb, index = ACTIONS.verb_and_index[action]
        if state.phase != reasons.PHASE_OF[verb]:
            return reasons.DUTIES[state.phase]
        match verb:
            case "lift":
                return reasons.lift(state, index)
            case "collect":
                return reasons.collect(state, index)
            case "leave":
                return reasons.leave(state, index)
            case _:
                return reasons.place(state, index)

    @override
    def consequence(self, state: Table, action: int, names: Names) -> str:
        """Return one or two sentences on a legal action."""
        verb, index = ACTIONS.verb_and_index[action]
        match verb:
            case "lift":
                return consequences.lift(state, index, names)
            case "place":
                return consequences.place(state, index, names)
            case "collect":
                return consequences.collect(state, index, names)
            case _:
                return consequences.leave(state, index, names)

    @override
    def hint(self, state: Table, action: int, names: Names) -> str:
        """Return the consequence of an action, with the standing of the suit that it is about."""
        verb, index = ACTIONS.verb_and_index[action]
        text = self.consequence(state, action, names)
        match verb:
            case "place":
                race = consequences.race(state, SUIT[state.face[state.lifted[0]]], names)
                return f"{text} {race}"
            case "collect" | "leave":
                return f"{text} {consequences.rival(state, SUIT[index], names)}"
        return text

    @override
    def breakdown(self, state: Table) -> list[BreakdownSection]:
        """Return a row for each suit; without a majority of suits none scores (garner R8)."""
        layout, held = layout_of(state), counts(state)
        is_scored = any(total_scores(state))
        rows = []
        for suit in range(len(layout.cards)):
            cards = [seat[suit] for seat in held]
            points = [
                layout.weights[suit] if is_scored and count >= layout.majorities[suit] else 0
                for count in cards
            ]
            notes = [amount(count, "card") for count in cards]
            tokens = [[t for t in won if SUIT[state.face[t]] == suit] for won in state.won]
            label, colour = scene.suit_label(layout, suit), scene.suit_colour(suit)
            rows.append(BreakdownRow(label, points, notes, colour, tokens))
        return [BreakdownSection("", rows)]

    @override
    def chapter(self, state: Table) -> str:
        """Return the suits won by each seat, and the number of collected cards in steps."""
        won = [_suits_won(layout_of(state), held) for held in counts(state)]
        collected = sum(map(len, state.won)) // CARDS_BETWEEN_MARKS * CARDS_BETWEEN_MARKS
        return f"{collected} cards collected, suits {won[0]} : {won[1]}"

    @override
    def player_statistics(
        self, steps: Sequence[PlayedStep[Table]], seat: int
    ) -> Mapping[str, Frequency]:
        """Return how often a player collected a large group, or a single card."""
        gained = [
            len(step.after.won[seat]) - len(step.before.won[seat])
            for step in steps
            if step.before.seat == seat and _ends_turn(step)
        ]
        return {
            f"{LARGE_GROUP} cards or more collected": Frequency(
                sum(cards >= LARGE_GROUP for cards in gained), of=len(gained)
            ),
            "single cards collected": Frequency(gained.count(1), of=len(gained)),
        }


def _suits_won(layout: Layout, held: list[int]) -> int:
    return sum(count >= needed for count, needed in zip(held, layout.majorities, strict=True))


def _ends_turn(step: PlayedStep[Table]) -> bool:
    return step.after.seat != step.before.seat or (
        step.before.phase != LIFTING and step.after.phase == LIFTING
    )
