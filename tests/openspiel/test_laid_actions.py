"""Actions of OpenSpiel's games that others do not observe: cards laid face down."""

from random import Random

import pytest
from tests.openspiel.test_tables import actions_at, loaded, meaning

from cardhub import CHANCE, OVER, Observation
from cardhub.base.errors import PluginError
from cardhub.model.hidden.chance import sample_action
from cardhub.plugins.registry import find_plugins
from cardhub_openspiel.imported.hands.hand_checks import dealt
from cardhub_openspiel.imported.laid.hidden_actions import (
    UNKNOWN,
    histories,
    newly_observed,
)
from cardhub_openspiel.imported.openspiel_game import OpenSpielGame, OpenSpielState
from cardhub_openspiel.imported.original import Original

GOOFSPIEL = loaded("goofspiel(num_cards=4)")
OF_THREE = loaded("goofspiel(num_cards=4,players=3)")


def at_first_bid(game: OpenSpielGame, seed: int = 1) -> OpenSpielState:
    """Return the state after the first prize was turned up."""
    state = dealt(game, seed)
    game.apply(state, sample_action(game, state, Random(seed)))
    return state


def bid(game: OpenSpielGame, state: OpenSpielState, action: int) -> None:
    """Carry out one of OpenSpiel's actions."""
    game.apply(state, game.legal(state)[actions_at(game, state).index(action)])


def test_a_bid_is_a_card_that_only_its_player_can_read() -> None:
    """The first of two simultaneous bids is laid face down."""
    state = at_first_bid(GOOFSPIEL)
    assert actions_at(GOOFSPIEL, state) == [0, 1, 2, 3]
    before = state.clone()
    bid(GOOFSPIEL, state, 2)
    (token,) = state.drawn
    can_read = [Observation(GOOFSPIEL, state, seat).labels().is_known(token) for seat in range(3)]
    assert can_read == [True, False, False]
    action = GOOFSPIEL.actions.size - GOOFSPIEL.cards.count + token
    words = [
        GOOFSPIEL.display.narration(
            Observation(GOOFSPIEL, before, seat).state,
            action,
            Observation(GOOFSPIEL, state, seat).state,
            Observation(GOOFSPIEL, state, seat).labels(["Anna", "Bob"]),
        )
        for seat in (0, 1, 2)
    ]
    assert words == [["Anna lays 3"], ["Anna lays a card"], ["Anna lays a card"]]


def test_the_card_is_turned_up_when_openspiel_tells_the_others() -> None:
    state = at_first_bid(GOOFSPIEL)
    bid(GOOFSPIEL, state, 2)
    bid(GOOFSPIEL, state, 0)
    labels = Observation(GOOFSPIEL, state, 2).labels()
    assert [labels.is_known(token) for token in state.drawn] == [True]
    assert meaning(GOOFSPIEL, state, state.drawn[0]) == 2


def test_of_three_bids_the_first_two_stay_hidden_until_the_third() -> None:
    """The second player does not know the first bid when it bids."""
    state = at_first_bid(OF_THREE)
    bid(OF_THREE, state, 3)
    bid(OF_THREE, state, 1)
    assert [state.seen[token] for token in state.drawn] == [0b001, 0b010]
    bid(OF_THREE, state, 0)
    assert [state.seen[token] for token in state.drawn] == [state.everybody] * 2


@pytest.mark.parametrize("game", [GOOFSPIEL, OF_THREE], ids=["two", "three"])
def test_worlds_that_differ_in_a_hidden_action_look_the_same(game: OpenSpielGame) -> None:
    shown = set()
    for action in range(4):
        state = at_first_bid(game)
        token_of = dict(zip(actions_at(game, state), game.legal(state), strict=True))
        # Another world: the same token is laid, with another face.
        face = list(state.face)
        first, other = (game.actions.token(token_of[number]) for number in (0, action))
        assert first is not None
        assert other is not None
        face[first], face[other] = face[other], face[first]
        state.face = face
        game.apply(state, token_of[0])
        assert meaning(game, state, first) == action
        views = [Observation(game, state, seat) for seat in range(1, game.seats.high + 1)]
        texts = [(str(view.scene()), view.information_text()) for view in views]
        shown.add((str(texts), str(views[0].legal()), tuple(state.seen)))
    assert len(shown) == 1


def test_a_search_plays_hidden_bids_of_others_as_possible() -> None:
    """A determinization has a bid that the other player still holds."""
    state, rng = at_first_bid(GOOFSPIEL), Random(1)
    while state.seat != OVER:
        if state.seat == 1 and state.drawn:
            bids = set()
            for seed in range(40):
                world = Observation(GOOFSPIEL, state, 1).determinize(Random(seed))
                bids.add(meaning(GOOFSPIEL, world, state.drawn[-1]))
            spent = {meaning(GOOFSPIEL, state, token) for token in state.drawn[:-1]}
            assert bids == set(range(4)) - spent
        step = sample_action(GOOFSPIEL, state, rng) if state.seat == CHANCE else None
        GOOFSPIEL.apply(state, rng.choice(GOOFSPIEL.legal(state)) if step is None else step)


def test_search_bots_and_random_ones_play_such_games() -> None:
    """Determinizations come from the observation, as in any other game."""
    for spec in ("random", "ismcts:20", "pimc:20"):
        bot = find_plugins().make_bot(spec, OF_THREE.name, Random(1))
        state = at_first_bid(OF_THREE)
        for _ in range(3):
            seen = Observation(OF_THREE, state, state.seat)
            action = bot.choose(seen)
            assert action in seen.legal()
            OF_THREE.apply(state, action)


def test_histories_are_those_that_fit_the_known_steps() -> None:
    """Unknown steps take every value that is legal, and makes later steps legal."""
    original = Original("goofspiel(num_cards=4)")
    prizes_and_bids = (0, UNKNOWN, 1, 1, 2)  # the first player bids 2 for the second prize
    assert [history[1] for history in histories(original, prizes_and_bids)] == [0, 1, 3]


def test_an_action_of_which_a_player_learns_a_part_is_an_error() -> None:
    original = Original("goofspiel(num_cards=4,imp_info=True)")
    with pytest.raises(PluginError, match="player 1 learns a part of a hidden action"):
        newly_observed(original, (0, 2, 1), [1], 1)
    assert newly_observed(original, (0, 2), [1], 1) == []
