"""Hearts: what it is, and its rules in outline."""

from cardhub import CHANCE, OVER, Card, Game, Names, Scene, Seats
from hearts import scene, story, tricks
from hearts.table import (
    ACTIONS,
    CARDS,
    DEAL,
    DEALING,
    OPTIONS,
    PASS,
    PASSING,
    PHASES,
    PLAY,
    SEATS,
    Table,
)


class Hearts(Game[Table]):
    """Take no hearts, nor the queen of spades; or all of them."""

    name, title, seats = "hearts", "Hearts", Seats(SEATS)
    cards, actions, options, phases = CARDS, ACTIONS, OPTIONS, PHASES
    lowest_wins, state_type = True, Table

    def deal(self, state: Table) -> None:
        """Stack the cards; chance deals them, as it does in every hand that follows."""
        state.total, state.barred = [0] * SEATS, [0] * SEATS
        state.put_all(range(CARDS.count), state.stack)
        state.seat, state.phase = CHANCE, DEALING

    def legal(self, state: Table) -> list[int]:
        """See Game."""
        if state.phase == DEALING:
            return [DEAL]
        if state.phase == PASSING:
            return [PASS + token for token in state.hand[state.seat]]
        return tricks.playable(state)

    def apply(self, state: Table, action: int) -> None:
        """See Game."""
        if action == DEAL:
            tricks.deal_hands(state)
        elif action < PLAY:
            tricks.pass_on(state, action - PASS)
        elif tricks.play(state, action - PLAY):
            self._end_hand(state)

    def scores(self, state: Table) -> list[int]:
        """See Game."""
        return tricks.scores(state)

    def scene(self, state: Table, viewer: int) -> Scene:
        """See Game."""
        return scene.table(state, viewer)

    def story(self, before: Table, action: int, after: Table, names: Names) -> list[str] | None:
        """See Game."""
        return story.tell(before, action, after, names)

    def possible(self, state: Table, token: int) -> int:
        """Rule out what a hand would have had to play, or has said not to hold."""
        for hand, barred in zip(state.hand, state.barred, strict=True):
            if token in hand:
                return ~barred
        return -1

    def detail(self, card: Card) -> str:
        """Return how many points a card counts."""
        points = card.fields["points"]
        return f"{points}●" if points else ""

    def _end_hand(self, state: Table) -> None:
        """End the game, or have the cards shuffled for the next hand."""
        scores, settings = tricks.scores(state), state.settings
        state.number += 1
        if state.number >= settings.number("hands") and max(scores) >= settings.number("target"):
            state.seat = OVER
            return
        state.total = scores
        for taken in state.taken:
            state.put_all(taken, state.stack)
            taken.clear()
        state.shuffle(state.stack)
        state.seat, state.phase = CHANCE, DEALING
