"""Goofspiel: the rules by example, and the best answer to random bids."""

from fractions import Fraction

import pytest

from cardhub import OVER, Observation, Value
from cardhub.play import Table as TableInPlay
from cardhub.testing import checks, initial_state, resolve_options
from goofspiel import Goofspiel
from goofspiel.game import VALUE, Table

GOOFSPIEL = Goofspiel()
test_goofspiel = checks(GOOFSPIEL)


def dealt(seats: int = 2, **options: Value) -> Table:
    """Return a game of four cards, from the highest prize down, unless the options differ."""
    given: dict[str, Value] = {"cards": 4, "order": "descending"}
    settings = resolve_options(GOOFSPIEL, given | options, seats)
    return initial_state(GOOFSPIEL, settings, seats, GOOFSPIEL.pack(settings, seats))


def bid(state: Table, *values: int) -> Table:
    """Make the seats bid cards of these values in turn."""
    for value in values:
        (action,) = (t for t in GOOFSPIEL.legal(state) if VALUE[state.face[t]] == value)
        GOOFSPIEL.apply(state, action)
    return state


def values(state: Table, tokens: list[int]) -> list[int]:
    """Return the values of cards."""
    return [VALUE[state.face[token]] for token in tokens]


@pytest.mark.parametrize("seats", [2, 3])
def test_each_seat_holds_a_whole_suit_and_the_prizes_are_another(seats: int) -> None:
    """All seats are dealt equal cards."""
    state = dealt(seats, order="random")
    assert [values(state, hand) for hand in state.hand] == [[1, 2, 3, 4]] * seats
    assert sorted(values(state, state.offered + state.stack)) == [1, 2, 3, 4]
    assert len({state.back[hand[0]] for hand in state.hand}) == seats


@pytest.mark.parametrize(
    ("order", "prizes"), [("descending", [4, 3, 2, 1]), ("ascending", [1, 2, 3, 4])]
)
def test_prizes_in_a_fixed_order_are_known_beforehand(order: str, prizes: list[int]) -> None:
    """All seats see the prizes to come."""
    state = dealt(order=order)
    labels = Observation(GOOFSPIEL, state, state.seats).labels()
    assert all(labels.is_known(token) for token in state.stack)
    turned_up = []
    for value in (1, 2, 3, 4):
        turned_up += values(state, state.offered)
        bid(state, value, value)
    assert turned_up == prizes


def test_a_bid_is_hidden_until_all_have_bid() -> None:
    state = dealt()
    before = Observation(GOOFSPIEL, state, 1)
    (laid,) = (token for token in state.hand[0] if VALUE[state.face[token]] == 3)
    bid(state, 3)
    assert Observation(GOOFSPIEL, state, 0).state.known_choices() == {0: laid}
    assert Observation(GOOFSPIEL, state, 1).state == before.state
    bid(state, 1)
    assert Observation(GOOFSPIEL, state, 1).labels().card(laid) == "3♣"
    assert (state.bid, state.spent[0]) == ([[], []], [laid])


def test_a_bid_says_who_can_beat_it() -> None:
    state = bid(dealt(3), 1, 4, 2)
    seen = Observation(GOOFSPIEL, state, 0)
    names = seen.labels(["Anna", "Bob", "Chris"])
    said = {
        VALUE[state.face[token]]: GOOFSPIEL.display.consequence(seen.state, token, names)
        for token in GOOFSPIEL.legal(state)
    }
    assert said == {
        2: "Chris has 2 cards that can beat it",
        3: "Chris has 1 card that can beat it",
        4: "no bid can beat it",
    }


def test_the_highest_bid_wins_the_prize() -> None:
    """Prizes 4, 3, 2, 1 are bid for with 4, 1, 3, 2 against 3, 4, 1, 2."""
    state = bid(dealt(), 4, 3, 1, 4, 3, 1, 2, 2)
    assert [values(state, won) for won in state.won] == [[4, 2], [3]]
    assert values(state, state.lost) == [1]
    assert (state.seat, GOOFSPIEL.scores(state)) == (OVER, [6, 3])


def test_a_prize_for_which_two_of_three_bid_highest_is_lost() -> None:
    """The lower bid does not win it either."""
    state = bid(dealt(3), 3, 3, 2)
    assert GOOFSPIEL.scores(state) == [0, 0, 0]
    assert values(state, state.lost) == [4]
    assert GOOFSPIEL.scores(bid(state, 1, 2, 4)) == [0, 0, 3]


def test_a_prize_that_is_carried_over_goes_to_the_next_winner() -> None:
    state = bid(dealt(ties="carry"), 4, 4, 3, 3)
    assert values(state, state.offered) == [4, 3, 2]
    bid(state, 1, 2)
    assert (values(state, state.won[1]), values(state, state.offered)) == ([4, 3, 2], [1])


def test_a_prize_carried_over_to_the_end_is_lost() -> None:
    state = bid(dealt(ties="carry"), 1, 2, 2, 1, 3, 3, 4, 4)
    assert values(state, state.lost) == [2, 1]
    assert (state.seat, GOOFSPIEL.scores(state)) == (OVER, [3, 4])


def test_event_texts_name_the_bids_once_all_are_made() -> None:
    options: dict[str, Value] = {"cards": 4, "order": "descending", "ties": "carry"}
    table = TableInPlay(GOOFSPIEL, 2, options=options, seed=1)
    for value in (3, 2, 1, 1):
        observation = table.observation()
        face = observation.state.face
        (action,) = (t for t in observation.legal() if VALUE[face[t]] == value)
        table.act(action)
    moments = table.playthrough(0).moments
    assert [line for moment in moments for line in moment.lines] == [
        "The bids: Anna 3♣, Bob 2♥",
        "Anna wins 4♦",
        "The bids: Anna A♣, Bob A♥",
        "3♦ will go to the winner of the next prize",
    ]


def best_response(state: Table) -> Fraction:
    """Return by how much one can be ahead on average of an opponent who bids at random."""
    if state.seat == OVER:
        return Fraction(GOOFSPIEL.scores(state)[0] - GOOFSPIEL.scores(state)[1])
    margins = []
    for action in GOOFSPIEL.legal(state):
        after = state.clone()
        GOOFSPIEL.apply(after, action)
        margins.append(best_response(after))
    # All the second player's bids are equally likely; nobody has seen a bid before all have bid.
    return max(margins) if state.seat == 0 else sum(margins, Fraction(0)) / len(margins)


def matching(state: Table) -> Fraction:
    """Return the same for a player that bids the value of each prize."""
    if state.seat == OVER:
        return best_response(state)
    if state.seat == 0:
        return matching(bid(state.clone(), *values(state, state.offered)))
    answers = [bid(state.clone(), value) for value in values(state, state.hand[1])]
    return sum(map(matching, answers), Fraction(0)) / len(answers)


@pytest.mark.parametrize("order", ["ascending", "descending"])
def test_against_random_bids_it_is_best_to_bid_the_value_of_the_prize(order: str) -> None:
    """Ross (1971). With four cards that is 5/2 ahead on average.

    A bid v wins with chance (v - 1) / 4 and loses with (4 - v) / 4; the sum of v (2v - 5) / 4 over
    the four prizes is (-3 - 2 + 3 + 12) / 4.
    """
    state = dealt(order=order)
    assert matching(state) == best_response(state) == Fraction(5, 2)


def test_a_reason_shows_which_cards_are_used_up() -> None:
    """Each card can be bid once, and only by its owner."""
    state = dealt(order="ascending")
    first, second = state.hand[0][0], state.hand[1][0]
    names = Observation(GOOFSPIEL, state, 0).labels()
    assert GOOFSPIEL.display.why_not(state, second, names) == "it is not in your hand"
    for action in (first, second):
        GOOFSPIEL.apply(state, action)
    used = "you have bid it already, and each card is bid once"
    assert GOOFSPIEL.display.why_not(state, first, names) == used
