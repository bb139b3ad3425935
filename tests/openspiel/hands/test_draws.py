"""OpenSpiel's card games in which cards are drawn, and actions hidden, in the middle of a game."""

import re
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from tests.openspiel.hands.hand_games import named, step

from cardhub import OVER, Observation
from cardhub.base.errors import IllegalActionError
from cardhub.learning.arrays import Layout
from cardhub.learning.learn import save
from cardhub.play.seating import NAMES as NAMES_OF_PEOPLE
from cardhub.play.seating import Player
from cardhub.play.setup import set_up
from cardhub.plugins.registry import find_plugins
from cardhub_openspiel.imported.hands.completion import order_differently
from cardhub_openspiel.imported.hands.hand_checks import check_seats, dealt
from cardhub_openspiel.imported.hands.hand_game import HandGame
from cardhub_openspiel.imported.hands.hand_state import HandState


def test_after_a_knock_the_hidden_hand_is_filled_in_so_that_it_can_knock() -> None:
    game, knocks = named("gin_rummy"), 0
    for seed in (1, 4):
        state = dealt(game, seed)
        while state.seat != OVER:
            now, legal = game.state_of(state), game.legal(state)
            knock = [action for action in legal if game.actions.text(action, str) == "Knock"]
            knocks += len(knock)
            if knocks:
                check_seats(game, state, range(state.seats + 1))
            game.apply(state, *knock or [min(legal, key=lambda action: deadwood(now, action))])
    assert knocks


def deadwood(now: Any, action: int) -> tuple[int, int]:
    """Return the points of a hand after an action, drawing from the stock if it is possible."""
    player = now.current_player()
    match = re.search(r"Deadwood=(\d+)", now.child(action).observation_string(player))
    return int(match[1]) if match else 0, -action


def test_a_card_that_cannot_lie_open_at_the_start_goes_under_the_stack() -> None:
    game = named("crazy_eights(players=2)")
    state = next(s for s in (dealt_after_chance(game, seed) for seed in range(120)) if s.under)
    (token,) = state.under
    assert state.seen[token] == state.everybody
    assert game.cards.faces[state.face[token]].title.startswith("8")
    assert token not in state.drawn
    left = set(range(52)) - {*state.drawn, token}
    assert game.facts.cards.next_token(state, is_new=False) == min(left)


def dealt_after_chance(game: HandGame, seed: int) -> HandState:
    """Return a game after the dealer was drawn and the cards were dealt."""
    state = dealt(game, seed)
    step(game, state, Random(seed))
    assert isinstance(state, HandState)
    return state


def test_spectators_see_the_hand_of_the_dummy() -> None:
    game = named("bridge(use_double_dummy_result=False)")
    state, rng = dealt(game, 1), Random(1)
    public = list[int]()
    while not public:
        step(game, state, rng)
        assert state.seat != OVER
        public = [token for token in state.drawn if state.seen[token] == state.everybody]
        assert Observation(game, state, state.seats).scene()
    assert len(public) == 13


def test_a_choice_among_too_many_actions_is_laid_as_the_number_of_an_option() -> None:
    game = named("cribbage")
    state = dealt(game, 1)
    seen = Observation(game, state, state.seat)
    choices = seen.labels(["Anna", "Bob"]).choices(seen.legal())
    assert len(choices) == 15
    assert all(re.fullmatch(r"Choose \w[♣♦♥♠] \w[♣♦♥♠]", words) for words in choices)


def test_scores_that_follow_from_hidden_cards_are_public() -> None:
    game, state, rng = named("cribbage"), dealt(named("cribbage"), 2), Random(2)
    while state.seat != OVER and len(state.moves) < 60:
        step(game, state, rng)
    assert isinstance(state, HandState)
    assert state.returns[-2:] == [int(value) for value in game.state_of(state).returns()]
    assert len(state.returns) > 6


def test_models_and_tables_of_policies_play(tmp_path: Path) -> None:
    """They are given the arrays and the text of an observation, which need no determinization."""
    game, registry = named("euchre"), find_plugins()
    layout = Layout(game)
    save(b"", layout, tmp_path / "model.zip", loader="tests.learning.learn.loaders:last")
    players = [Player(name, "random") for name in NAMES_OF_PEOPLE[: game.seats.default]]
    model = registry.make_bot(f"model:{tmp_path / 'model.zip'}", game.name, Random(1))
    referee, lines = set_up(game, players, {}, 1), list[str]()
    referee.proceed()
    for _ in range(12):
        seen = referee.observe(referee.seat)
        action = model.choose(seen)
        assert layout.action_of(seen, int(np.flatnonzero(layout.mask(seen))[-1])) == action
        lines += [seen.information_text(), f"{np.flatnonzero(layout.mask(seen))[-1]}=0x1p+0"]
        referee.apply(action)
    (tmp_path / "policy.txt").write_text("TabularPolicy:" + "<~>".join(lines), "utf-8")
    policy = registry.make_bot(f"policy:{tmp_path / 'policy.txt'}", game.name, Random(1))
    again = set_up(game, players, {}, 1)
    again.proceed()
    for _ in range(12):
        again.apply(policy.choose(again.observe(again.seat)))
    assert again.observe(again.seat).history == referee.observe(referee.seat).history


@pytest.mark.parametrize("left", [[1, 2, 3], [1, 2, 3, 4], [1, 2, 3, 4, 5]])
def test_cards_can_be_compared_with_others_at_every_draw(left: list[int]) -> None:
    """Each draw gets another card than its true one; otherwise news could be overlooked."""
    truth = (3, 1, 2)
    cards, draws = order_differently(left, [0, 1, 2], truth)
    assert sorted(cards) == left
    assert all(card != truth[draw] for draw, card in zip(draws, cards, strict=False))


def test_a_search_without_a_result_ends_with_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """The search has a bound, so a table that cannot be shown does not hang."""
    monkeypatch.setattr("cardhub_openspiel.imported.hands.completion.MAX_EXCHANGES", 50)
    monkeypatch.setattr("cardhub_openspiel.imported.hands.completions.MOST_EXCHANGES", 100)
    game, state = named("euchre"), dealt(named("euchre"), 1)
    assert isinstance(state, HandState)
    step(game, state, Random(1))
    seen = Observation(game, state, state.seat).state
    assert isinstance(seen, HandState)
    seen.actors[-1] = state.seat  # as if somebody else had acted before
    with pytest.raises(IllegalActionError, match="euchre: no deal of the unseen cards was found"):
        game.state_of(seen)
