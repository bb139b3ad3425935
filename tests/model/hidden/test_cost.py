"""The cost of a determinization does not grow with the length of the game."""

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from tests.games.magpie import Magpie
from tests.games.pockets import BigPockets
from tests.model.hidden.probing import STEPS, positions

from cardhub import Game, State
from cardhub.bots.search.search_bot import SearchBot
from cardhub.bots.search.search_budget import SearchBudget
from cardhub.model.game.initial_state import resolve_options
from cardhub.model.hidden.observation import Observation, observed_state
from cardhub.model.hidden.shuffles.segments import Segments
from cardhub.model.table.faces import Shuffle
from cardhub.testing.deal_replay import replay
from cardhub.testing.random_play import Position, Trial, default_trial, play
from hearts import Hearts

# The number of shuffles before the tenth deal.
TENTH = 9


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Count calls for masks, for shuffles gone back over and for shuffles masked."""
    counts: Counter[str] = Counter()
    for kind, name in ((Hearts, "possible"), (Segments, "_go_back"), (Shuffle, "masked")):
        count(monkeypatch, counts, kind, name)
    return counts


def count(monkeypatch: pytest.MonkeyPatch, counts: Counter[str], kind: Any, name: str) -> None:
    """Count the calls of one method."""
    method = getattr(kind, name)

    def counted(*arguments: Any) -> Any:
        counts[name] += 1
        return method(*arguments)

    monkeypatch.setattr(kind, name, counted)


@pytest.fixture(scope="module")
def deals() -> dict[int, State]:
    """Return positions of the second and the tenth deal, at the same card of each hand."""
    game, by_deal = Hearts(), dict[int, State]()
    settings = resolve_options(game, {"hands": 8, "target": 100}, 4)
    for position in play(game, Trial(4, settings, 1)):
        state = position.state
        if len(state.shuffle_log) > TENTH:
            break
        if state.seat >= 0 and sum(map(len, state.hand)) == 30:
            by_deal[len(state.shuffle_log)] = state
        for seat in range(5):  # as a table does: everybody has looked at what went before
            Observation(game, state, seat)
    return by_deal


def work_of_determinizing(seen: Observation[Any]) -> None:
    """Draw some determinizations."""
    for seed in range(3):
        seen.determinize(Random(seed))


def work_of_searching(seen: Observation[Any]) -> None:
    """Search from many determinizations."""
    SearchBot(Random(1), budget=SearchBudget(10)).advise(seen)


@pytest.mark.parametrize("work", [None, work_of_determinizing, work_of_searching])
def test_the_tenth_deal_costs_at_most_half_more_than_the_second(
    work: Callable[[Observation[Any]], None] | None, deals: dict[int, State], calls: Counter[str]
) -> None:
    costs = {}
    for number in (1, TENTH):
        calls.clear()
        seen: Observation[Any] = Observation(Hearts(), deals[number], deals[number].seat)
        if work:
            work(seen)
        costs[number] = calls.total()
    assert costs[TENTH] <= 1.5 * costs[1]
    assert (costs[1] > 0) == bool(work), "shuffles are masked once for all observations"


def test_a_past_that_is_kept_is_the_one_that_would_be_masked() -> None:
    game = BigPockets()
    *_, last = play(game, default_trial(game, 4, 1))
    for viewer in range(5):
        kept = observed_state(last.state, viewer).shuffle_log
        assert type(kept) is tuple
        assert kept == tuple(shuffle.masked(viewer) for shuffle in last.state.shuffle_log)


def reached(game: Game[Any], position: Position[Any], viewer: int) -> None:
    """Check that the deal and the actions of a whole determinization lead to its state."""
    seen = Observation(game, position.state, viewer, position.history)
    drawn = seen.determinize_whole(Random(viewer))
    assert replay(game, position.trial, drawn, position.history).after == drawn
    assert observed_state(drawn, viewer) == seen.state


def test_whole_determinizations_can_be_replayed_from_their_deal() -> None:
    """Games with mixed hands, reshuffles and suits to follow, for every viewer."""
    game = BigPockets()
    for number, position in zip(range(60), positions(game, STEPS), strict=False):
        reached(game, position, number % (position.state.seats + 1))
    others: list[tuple[Game[Any], int]] = [(Magpie(), 3), (Hearts(), 4)]
    for other, seats in others:
        for seed in range(2):
            *_, before, last = play(other, default_trial(other, seats, seed))
            reached(other, before, seed)
            reached(other, last, seats)
