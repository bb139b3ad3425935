"""Learners' actions: every legal action has one number, and it means the same in every deal."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from tests.games.ladders import TAKE, TURN, Ladders
from tests.games.lanterns import Lanterns
from tests.learning.arrays.conftest import NAMES, OWN, positions

from cardhub import Game, Observation, OptionError
from cardhub.base.errors import IllegalActionError
from cardhub.learning.arrays import Layout
from cardhub.model.table.actions import Tokens
from cardhub.model.table.state import State
from cardhub.plugins.registry import find_plugins
from cardhub.testing.random_play import Position, default_trial, play
from goofspiel import Goofspiel
from kuhn import Kuhn
from roses import Roses
from roses.table import TURN as TURN_DISC

OWN_GAMES: dict[str, Game[Any]] = {**OWN, "ladders": Ladders()}


@pytest.fixture(params=[*NAMES, "ladders"], scope="module")
def layout(request: pytest.FixtureRequest) -> Layout:
    """Return the layout of a game for its usual number of seats."""
    return Layout(OWN_GAMES.get(request.param) or find_plugins().game(request.param))


@pytest.fixture(scope="module")
def decisions(layout: Layout) -> list[Observation[Any]]:
    """Return the observations of the seats to act in some random games."""
    sample = positions(layout.game, layout.seats, games=2, every=3)
    return [seen_by_actor(layout.game, position) for position in sample if position.state.seat >= 0]


def seen_by_actor(game: Game[Any], position: Position[Any]) -> Observation[Any]:
    """Return the observation of the seat to act."""
    return Observation(game, position.state, position.state.seat, position.history)


def test_every_legal_action_has_one_number_and_every_number_is_one_of_them(
    layout: Layout, decisions: list[Observation[Any]]
) -> None:
    """The mask has these numbers and no others."""
    for seen in decisions:
        legal = seen.legal()
        numbers = [layout.number_of(seen, action) for action in legal]
        assert sorted({*numbers}) == np.flatnonzero(layout.mask(seen)).tolist()
        for number in {*numbers}:
            alike = [a for a, n in zip(legal, numbers, strict=True) if n == number]
            assert layout.action_of(seen, number) == min(alike)


def test_actions_of_one_number_lead_to_tables_that_nobody_can_tell_apart(
    layout: Layout, decisions: list[Observation[Any]]
) -> None:
    """Cards of one face in one hand: which of them is laid makes no difference."""
    for seen in decisions:
        legal = layout.legal(seen.state, seen.seat, seen.legal())
        for action, number in zip(legal.actions, legal.numbers, strict=True):
            other = legal.meant(number)
            if other != action:
                assert [*public_content(seen, action)] == [*public_content(seen, other)]


def public_content(seen: Observation[Any], action: int) -> Iterator[object]:
    """Yield the public information about the card of an action, and about the table after it."""
    game, state = seen.game, seen.state.clone()
    _, token = game.actions.by_action[action]
    yield [token in pile for zone in state.zones for pile in zone.piles(state)]
    yield state.seen[token]
    game.apply(state, action)
    yield state.seat, state.phase
    for zone in state.zones:
        for pile in zone.piles(state):
            yield sorted(map(seen.labels().card, pile))


def test_a_number_has_the_label_of_its_action_in_every_deal(
    layout: Layout, decisions: list[Observation[Any]]
) -> None:
    """All labels differ, and labels on cards name the face that the seat sees."""
    texts = [layout.action_text(number) for number in range(layout.action_count)]
    assert len({*texts}) == len(texts)
    if layout.game.name in ("klondike", "lanterns", "ladders"):
        return
    for seen in decisions:
        for action in seen.legal():
            group, _ = layout.game.actions.by_action[action]
            if isinstance(group, Tokens):
                text = layout.action_text(layout.number_of(seen, action))
                assert text == seen.labels().label(action)


def test_numbers_are_few(layout: Layout) -> None:
    """A number for each face and back in play, not for each token of the largest table."""
    sizes = [group.size for group in layout.game.actions.groups]
    backs = len(layout.game.cards.backs)
    assert layout.action_count <= sum(sizes) + backs * len(sizes) + 1


def test_a_number_is_the_same_card_in_every_deal() -> None:
    layout = Layout(Goofspiel(), 2)
    tokens = set()
    for seed in range(3):
        first = next(play(layout.game, default_trial(layout.game, 2, seed)))
        seen = seen_by_actor(layout.game, first)
        number = np.flatnonzero(layout.mask(seen))[0]
        token = layout.action_of(seen, number)
        assert layout.action_text(number) == f"bid {seen.labels().card(token)}"
        tokens.add(token)
    assert len(tokens) > 1


def test_a_card_that_its_owner_cannot_see_is_named_by_its_place() -> None:
    """The newest card of a hand has number 1."""
    layout = Layout(Lanterns())
    for position in positions(layout.game, layout.seats)[:5]:
        seen = seen_by_actor(layout.game, position)
        for depth, token in enumerate(reversed(seen.state.hand[seen.seat]), 1):
            text = f"light card {depth} from the top of hand of the own seat"
            assert layout.action_text(layout.number_of(seen, token)) == text


def test_cards_of_several_piles_are_named_by_pile_and_depth() -> None:
    """Unseen tops of stacks by stack; equal open cards where those above come along, by depth."""
    layout = Layout(Ladders())
    for position in positions(layout.game, 2)[:-1]:
        seen, state = seen_by_actor(layout.game, position), position.state
        expected = {
            f"turn the top of stacks {number}": TURN + stack[-1]
            for number, stack in enumerate(state.stacks, 1)
            if stack and len(state.row) < 4
        }
        for depth, token in enumerate(reversed(state.row), 1):
            expected[f"take card {depth} from the top of row"] = TAKE + token
        numbers = np.flatnonzero(layout.mask(seen))
        assert {layout.action_text(n): layout.action_of(seen, n) for n in numbers} == expected


def test_seats_are_counted_from_the_seat_to_act() -> None:
    layout = Layout(Roses(), 4)
    count = 0
    for position in positions(layout.game, 4, games=3):
        seat, legal = position.state.seat, layout.game.legal(position.state)
        for action in legal if seat >= 0 else ():
            if TURN_DISC <= action < TURN_DISC + 4:
                number = layout.number_of(seen_by_actor(layout.game, position), action)
                left = (action - TURN_DISC - seat) % 4
                assert layout.action_text(number) == f"turn the seat {left} to the left"
                count += 1
    assert count > 10


def test_actions_can_have_the_numbers_of_the_game() -> None:
    layout = Layout(Goofspiel(), 2, actions="tokens")
    assert layout.action_count == layout.game.actions.size
    seen = seen_by_actor(layout.game, positions(layout.game, 2)[0])
    assert np.flatnonzero(layout.mask(seen)).tolist() == sorted(seen.legal())
    assert layout.action_text(3) == "bid #3"
    with pytest.raises(OptionError, match="actions cannot be 'cards': it is 'faces' or 'tokens'"):
        Layout(Kuhn(), actions="cards")


def test_games_without_cards_in_actions_keep_their_numbers() -> None:
    layout = Layout(Kuhn())
    assert [layout.action_text(n) for n in range(4)] == ["check", "bet", "fold", "call"]
    seen = seen_by_actor(layout.game, positions(layout.game, 2)[0])
    assert [layout.action_of(seen, number) for number in (0, 1)] == [0, 1]


def test_a_number_that_is_not_legal_is_refused_with_the_legal_ones() -> None:
    layout = Layout(Kuhn())
    seen = seen_by_actor(layout.game, positions(layout.game, 2)[0])
    for wrong in (3, -1, 99, None, True, np.array([1])):
        with pytest.raises(IllegalActionError, match=r"Legal: 0 \(check\), 1 \(bet\)"):
            layout.action_of(seen, wrong)  # type: ignore[arg-type]  # no number at all


def test_a_layout_is_made_again_from_its_parameters() -> None:
    """They are saved with what a learner has learned."""
    layout = Layout(Goofspiel(), 3, {"cards": 5}, history=2, actions="tokens")
    again = Layout(Goofspiel(), **layout.parameters)
    assert again.parameters == layout.parameters
    assert again.describe() == layout.describe()
    assert again.action_count == layout.action_count


def test_masks_of_true_states_read_no_hidden_face() -> None:
    """An environment passes the true state: unseen cards are named as in an observation."""
    layout = Layout(Ladders())
    position = positions(layout.game, 2)[2]
    state: State = position.state
    legal = layout.game.legal(state)
    seen = seen_by_actor(layout.game, position)
    numbers = layout.legal(state, state.seat, legal).numbers
    assert numbers == [layout.number_of(seen, action) for action in legal]
