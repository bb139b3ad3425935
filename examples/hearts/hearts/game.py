"""Hearts: its declaration and its rules in outline."""

from typing_extensions import override

from cardhub import (
    CHANCE,
    OVER,
    BreakdownSection,
    Card,
    Game,
    Goal,
    Names,
    Scene,
    Seats,
    Summary,
)
from hearts import event_texts, reasons, scene, tricks
from hearts.table import (
    ACTIONS,
    CARDS,
    DEAL,
    DEALING,
    OPTIONS,
    PASS,
    PASSING,
    PHASES,
    SEATS,
    Table,
    is_hand_over,
)

VERB_AND_INDEX = ACTIONS.verb_and_index  # read for every action


class Hearts(Game[Table]):
    """Take neither hearts nor the queen of spades, or take all of them."""

    name, title, seats = "hearts", "Hearts", Seats(SEATS)
    cards, actions, options, phases = CARDS, ACTIONS, OPTIONS, PHASES
    primary = ("deal",)
    goal, lowest_wins, state_type = Goal.WIN, True, Table

    @override
    def deal(self, state: Table) -> None:
        """Stack the cards; chance deals them, as in every later hand."""
        # The first hand is dealt by chance like all others, so there is one way to deal.
        state.total, state.excluded = [0] * SEATS, [0] * SEATS
        state.put_all(range(CARDS.count), state.stack)
        state.seat, state.phase = CHANCE, DEALING

    @override
    def legal(self, state: Table) -> list[int]:
        if state.phase == DEALING:
            return [DEAL]
        if state.phase == PASSING:
            return [PASS + token for token in state.hand[state.seat]]
        return tricks.playable(state)

    @override
    def apply(self, state: Table, action: int) -> None:
        verb, token = VERB_AND_INDEX[action]
        match verb:
            case "deal":
                tricks.deal_hands(state)
            case "pass":
                tricks.pass_on(state, token)
            case "play":
                tricks.play(state, token)
                if is_hand_over(state):
                    self._end_hand(state)

    @override
    def scores(self, state: Table) -> list[int]:
        return tricks.scores(state)

    @override
    def scene(self, state: Table, viewer: int) -> Scene:
        return scene.table(state, viewer)

    @override
    def narration(self, before: Table, action: int, after: Table, names: Names) -> list[str] | None:
        return event_texts.describe(before, action, after, names)

    @override
    def summary(self, before: Table, action: int, after: Table, names: Names) -> Summary | None:
        return event_texts.summarize(before, after, names)

    @override
    def why_not(self, state: Table, action: int, names: Names) -> str | None:
        return reasons.why_not(state, action, names)

    @override
    def consequence(self, state: Table, action: int, names: Names) -> str:
        return event_texts.consequence(state, action, names)

    @override
    def breakdown(self, state: Table) -> list[BreakdownSection]:
        return event_texts.causes(state)

    @override
    def chapter(self, state: Table) -> str:
        return f"hand {state.number + (state.seat != OVER)}"

    @override
    def possible(self, state: Table, token: int) -> int:
        """Exclude the faces that a hand would have had to play, or has denied to hold."""
        for hand, excluded in zip(state.hand, state.excluded, strict=True):
            # Masks are kept for hands only; -1 excludes no face.
            if token in hand:
                return ~excluded
        return -1

    @override
    def ends_playout(self, state: Table) -> bool:
        """Return whether the next hand is to be dealt: its cards are luck."""
        return state.phase == DEALING

    @override
    def detail(self, card: Card) -> str:
        """Return the points of a card."""
        points = card.fields["points"]
        return f"{points}●" if points else ""

    def _end_hand(self, state: Table) -> None:
        """End the game, or shuffle the cards for the next hand."""
        scores, settings = tricks.scores(state), state.settings
        state.number += 1
        if state.number >= settings.number("hands") and max(scores) >= settings.number("target"):
            state.seat = OVER
            return
        state.total = scores
        state.gather(state.stack)
        state.seat, state.phase = CHANCE, DEALING
