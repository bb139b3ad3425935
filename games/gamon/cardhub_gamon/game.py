"""Gamon: what it is, and its rules in outline."""

from random import Random

from cardhub import CHANCE, Card, Game, Names, Scene, Seats
from cardhub_gamon import effects, placing, rounds, turns
from cardhub_gamon.display import event_texts, scene
from cardhub_gamon.strategy import call_model
from cardhub_gamon.table import (
    ACTIONS,
    BELIEVE,
    CALL,
    CALLING,
    CARDS,
    CHOOSING,
    DOUBTING,
    FIRST,
    FIRST_ATTACKERS,
    GAMON,
    MOVE,
    OPTIONS,
    PHASES,
    PLACE,
    PLACING,
    PRICING,
    PRIZE,
    STARTING,
    Table,
)


class Gamon(Game[Table]):
    """Navy and Pirate fight for coins with cards that may not be what they are called."""

    name = "gamon"
    title = "Gamon"
    version = "1"
    seats = Seats(2)
    cards = CARDS
    actions = ACTIONS
    options = OPTIONS
    phases = PHASES
    bluffs = ("place", "call", "gamon")
    playout_depth = 8
    state_type = Table

    def deal(self, state: Table) -> None:
        """Give each side its deck; the first round begins, or chance says who attacks in it."""
        state.pile = state.settings.number("coins")
        state.purse, state.called, state.carried = [0, 0], [0, 0], [0, 0]
        state.barred = [0] * len(state.face)
        for token, back in enumerate(state.back):
            state.put(token, state.deck, back)
        first = state.settings.word("first_attacker")
        if first == "random":
            rounds.forget_round(state)
            state.seat, state.phase = CHANCE, STARTING
            return
        state.attacker = FIRST_ATTACKERS.index(first)
        rounds.begin_round(state)

    def legal(self, state: Table) -> list[int]:
        """See Game."""
        if state.phase == PLACING:
            return placing.legal_places(state)
        if state.phase == CALLING:
            return placing.legal_calls(state)
        if state.phase == DOUBTING:
            return [GAMON, BELIEVE]
        if state.phase == PRICING:
            return rounds.legal_prizes(state)
        if state.phase == CHOOSING:
            return list(range(state.choice, state.choice + state.choices))
        return [FIRST + seat for seat in range(state.seats)]

    def apply(self, state: Table, action: int) -> None:
        """See Game."""
        state.news = ()
        if action < CALL:
            placing.place(state, action - PLACE)
        elif action < GAMON:
            placing.call(state, action - CALL + 1)
        elif action < PRIZE:
            if turns.cry_gamon(state) if action == GAMON else turns.believe(state):
                rounds.begin_turn(state)
        elif action < MOVE:
            rounds.set_prize(state, action - PRIZE + 1)
        elif action < FIRST:
            effects.choose(state, action - state.choice)
            if turns.finish_effects(state):
                rounds.begin_turn(state)
        else:
            state.attacker = action - FIRST
            rounds.begin_round(state)

    def scores(self, state: Table) -> list[int]:
        """Return the coins in the purses."""
        return state.purse[:]

    def scene(self, state: Table, viewer: int) -> Scene:
        """See Game."""
        return scene.table(state, viewer)

    def story(self, before: Table, action: int, after: Table, names: Names) -> list[str] | None:
        """See Game."""
        return event_texts.tell(before, action, after, names)

    def playout_action(self, state: Table, rng: Random) -> int:
        """See Game."""
        action = call_model.playout_action(state, rng)
        return self.random_action(state, rng) if action is None else action

    def evaluate(self, state: Table) -> list[float]:
        """See Game."""
        return call_model.evaluate(state)

    def likelihood(self, state: Table) -> float:
        """See Game."""
        return call_model.likelihood(state)

    def possible(self, state: Table, token: int) -> int:
        """Rule out what could not have been placed, called or held back as it was."""
        return ~state.barred[token]

    def plausible(self, state: Table) -> bool:
        """Say whether whoever was not stuck held a card that could be placed (gamon N15)."""
        face = state.face
        return all(
            not all(mask >> face[token] & 1 for token in tokens) for mask, *tokens in state.able
        )

    def detail(self, card: Card) -> str:
        """Return a card's base value."""
        return str(card.fields["base"])
