"""Gargon: what it is, and its rules in outline."""

from random import Random

from cardhub import Card, Game, Names, Scene, Seats, left_of
from cardhub_gargon import battle, laying
from cardhub_gargon.display import event_texts, scene
from cardhub_gargon.scoring import total_scores
from cardhub_gargon.strategy import evaluation, playout
from cardhub_gargon.table import (
    ACTIONS,
    CARDS,
    DONE,
    FIGHT,
    FIGHTING,
    LAYING,
    OPTIONS,
    PASS,
    PHASES,
    TAKE,
    Table,
)


class Gargon(Game[Table]):
    """Magicians pit creatures against each other for the amulets they wear."""

    name = "gargon"
    title = "Gargon"
    version = "1"
    seats = Seats(3, 5, default=4)
    cards = CARDS
    actions = ACTIONS
    options = OPTIONS
    phases = PHASES
    horizon = 20
    state_type = Table

    def deal(self, state: Table) -> None:
        """Deal ten cards each; the rest splits into two equal stacks."""
        for seat in range(state.seats):
            state.put_all(range(seat * 10, seat * 10 + 10), state.hand, seat)
        first, cards = state.seats * 10, len(state.face)
        middle = (first + cards) // 2
        state.put_all(range(first, middle), state.stacks, 0)
        state.put_all(range(middle, cards), state.stacks, 1)
        laying.begin_laying(state, state.settings.number("start"))

    def legal(self, state: Table) -> list[int]:
        """See Game."""
        if state.phase == LAYING:
            return laying.legal_laying(state)
        if state.phase == FIGHTING:
            return battle.legal_fights(state)
        return battle.legal_draws(state)

    def apply(self, state: Table, action: int) -> None:
        """See Game."""
        if action < DONE:
            if laying.lay(state, action):
                self._next_layer(state)
        elif action < PASS:
            self._next_layer(state)
        elif action < FIGHT:
            laying.draw_split(state, action - PASS)
            self._next_layer(state)
        elif action < TAKE:
            state.colour = action - FIGHT
            battle.fight(state)
        else:
            battle.draw(state, action - TAKE)

    def scores(self, state: Table) -> list[int]:
        """See Game."""
        return total_scores(state)

    def playout_action(self, state: Table, rng: Random) -> int:
        """See Game."""
        return playout.played(state, self.legal(state), rng)

    def outlook(self, state: Table) -> list[float]:
        """See Game."""
        return evaluation.outlook(state)

    def scene(self, state: Table, viewer: int) -> Scene:
        """See Game."""
        return scene.table(state, viewer)

    def story(self, before: Table, action: int, after: Table, names: Names) -> list[str] | None:
        """See Game."""
        return event_texts.tell(before, action, after, names)

    def detail(self, card: Card) -> str:
        """Return a card's amulets, or what a zero does to them."""
        if card.fields["value"] == 0:
            return "×2"
        return f"{card.fields['amulets']}●" if card.fields["amulets"] else ""

    def _next_layer(self, state: Table) -> None:
        """Pass the turn; when it comes back to the leader, the battles begin."""
        if state.seat == state.leader:
            laying.fix_mix(state)
        seat = left_of(state.seat, state.seats)
        if seat == state.leader:
            battle.begin_battles(state)
        else:
            state.seat = seat
