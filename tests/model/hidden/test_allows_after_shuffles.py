"""Ruling faces out once cards have been shuffled again."""

from pathlib import Path
from random import Random

import pytest

from cardhub import (
    OVER,
    Actions,
    Area,
    Display,
    Game,
    Scene,
    Seats,
    State,
    load_cards,
    per_seat,
    shared,
)
from cardhub.model.game.initial_state import initial_state, resolve_options, shuffled_pack
from cardhub.model.hidden.chance import advance
from cardhub.model.hidden.observation import Observation

CARDS = "\n".join(["cards:", *(f"- {{name: N{n}, value: {n}}}" for n in range(24))])


class Table(State):
    """Cards that all have seen, then dealt again."""

    pool = shared(faces="all")
    stack = shared(faces="nobody")
    hand = per_seat(faces="owner")


class DealtAgainDisplay(Display[Table]):
    """All cards are shown, shuffled and dealt; seat 1 says that it got none above 11."""

    def scene(self, state: Table, viewer: int) -> Scene:
        """Show the pool."""
        return Scene("deal", [Area("pool", state.pool)])


class DealtAgain(Game[Table]):
    """All cards are shown, shuffled and dealt; seat 1 says that it got none above 11."""

    name, title, seats = "dealt-again", "Dealt again", Seats(3)
    actions, state_type = Actions("deal"), Table
    display_type = DealtAgainDisplay

    def deal(self, state: Table) -> None:
        """Lay all cards open."""
        state.put_all(range(24), state.pool)

    def legal(self, state: Table) -> list[int]:
        """Return the only action: to deal."""
        return [0]

    def apply(self, state: Table, action: int) -> None:
        """Shuffle all cards, then deal eight to every seat."""
        if state.pool:
            state.gather(state.stack)
            return
        state.stack.clear()
        for seat in range(3):
            state.put_all(range(8 * seat, 8 * seat + 8), state.hand, seat)
        state.seat = OVER

    def allows(self, state: Table, token: int, face: int) -> bool:
        """Rule high cards out for seat 1 once they are dealt."""
        return token not in state.hand[1] or face <= 11

    def scores(self, state: Table) -> list[int]:
        """Return a tie."""
        return [0, 0, 0]


@pytest.fixture
def game(tmp_path: Path) -> DealtAgain:
    """Return the game with its cards."""
    path = tmp_path / "cards.yaml"
    path.write_text(CARDS)
    DealtAgain.cards = load_cards(path, value=int)
    return DealtAgain()


def test_faces_ruled_out_after_a_shuffle_are_never_drawn_and_always_avoided(
    game: DealtAgain,
) -> None:
    """`allows` holds after a reshuffle, however rarely a blind draw would meet it."""
    settings = resolve_options(game, {}, 3)
    state = initial_state(game, settings, 3, shuffled_pack(game, settings, 3, Random(1)))
    advance(game, state, 0, Random(2))
    game.apply(state, 0)
    low = [face for face in state.face if face <= 11]
    high = [face for face in state.face if face > 11]
    state.face = [*low[8:], *high[:4], *low[:8], *high[4:]]  # as if seat 1 had told the truth
    observation = Observation(game, state, 0)
    hands = set()
    for seed in range(40):
        drawn = observation.determinize(Random(seed))
        assert all(drawn.face[token] <= 11 for token in state.hand[1])
        assert sorted(drawn.face) == sorted(state.face)
        assert drawn.shuffle_log[0].faces == state.shuffle_log[0].faces, (
            "what all have seen stays seen"
        )
        hands.add(tuple(sorted(drawn.face[token] for token in state.hand[2])))
    assert hands == {tuple(sorted(high[4:]))}
