"""The principal line of a search: the expected steps after its best action."""

from random import Random
from typing import Any

from cardhub.bots.asking import advise, choose
from cardhub.play.referee import Referee
from cardhub.play.seating import Player
from cardhub.play.setup import set_up
from cardhub.plugins.registry import find_plugins

REGISTRY = find_plugins()
PLAYERS = [Player("Anna", "random"), Player("Bob", "random")]


def referee_of(game: str, actions: int = 0) -> Referee[Any]:
    """Return a game of two after some first legal actions."""
    referee = set_up(REGISTRY.game(game), PLAYERS, {}, seed=1)
    referee.proceed()
    for _ in range(actions):
        referee.apply(referee.observe(referee.seat).legal()[0])
    return referee


def test_the_best_action_alone_has_a_line_of_legal_steps() -> None:
    referee = referee_of("garner", 1)
    best, *others = advise(REGISTRY.make_bot("ismcts:300", "garner", Random(1)), referee.observe(0))
    assert best.line
    assert not any(rated.line for rated in others)
    referee.apply(best.action)
    for seat, action in best.line:
        assert referee.seat == seat
        referee.apply(action)


def test_no_line_goes_on_with_a_card_that_the_seat_has_not_seen() -> None:
    """The card would belong to a determinization, not to the table."""
    referee = referee_of("gamon", 1)
    for _ in range(6):
        seen = referee.observe(referee.seat)
        best = advise(REGISTRY.make_bot("ismcts:120", "gamon", Random(1)), seen)[0]
        tokens = [seen.game.actions.token(action) for _, action in best.line]
        assert all(t is None or seen.state.seen[t] >> seen.seat & 1 for t in tokens)
        referee.apply(best.action)


def test_the_line_changes_no_later_decision() -> None:
    """The line uses a separate random generator."""
    seen = referee_of("garner", 1).observe(0)
    advising, silent = (REGISTRY.make_bot("ismcts:40", "garner", Random(1)) for _ in range(2))
    advise(advising, seen)
    choose(silent, seen)
    assert [choose(advising, seen) for _ in range(3)] == [choose(silent, seen) for _ in range(3)]
