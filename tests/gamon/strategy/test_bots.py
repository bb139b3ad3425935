"""The rule of thumb, and a search bot that bluffs and does not believe everything."""

from collections.abc import Callable
from random import Random

import pytest

from bluffs import Tally, tally
from cardhub.bots.bot import Bot
from cardhub.bots.random_bot import RandomBot
from cardhub.model.hidden.observation import EVERYTHING
from cardhub.play.referee import Referee
from cardhub.play.seating import Player
from cardhub.play.setup import bot_generator, play_out
from cardhub.play.setup import set_up as set_up_table
from cardhub_gamon import Gamon
from cardhub_gamon.strategy.rule_bot import RuleOfThumb, choose_amount
from cardhub_gamon.table import BASE, BELIEVE, CALL, GAMON, Table

from ..positions import set_up


def played(number: int, kinds: tuple[str, str]) -> Referee[Table]:
    """Return a finished game of bots."""
    players = [Player(f"P{seat}", kind) for seat, kind in enumerate(kinds)]
    referee = set_up_table(Gamon(), players, {}, seed=number)
    makers: dict[str, Callable[[Random], Bot]] = {"rule": RuleOfThumb, "random": RandomBot}
    bots = {seat: makers[kind](bot_generator(number, seat)) for seat, kind in enumerate(kinds)}
    referee.proceed()
    play_out(referee, bots)
    return referee


@pytest.mark.parametrize("seat", [0, 1])
def test_the_rule_of_thumb_beats_random_players(seat: int) -> None:
    """It must beat `random` in at least 80 % of games from both seats."""
    kinds = ("rule", "random") if seat == 0 else ("random", "rule")
    won, games = 0.0, 25
    for number in range(games):
        places = played(number, kinds).places()
        won += (places[seat] == 1) / places.count(1)
    assert won / games >= 0.8


def test_it_bluffs_and_doubts_at_a_sensible_rate() -> None:
    lies = calls = cries = doubts = 0
    for number in range(12):
        observation = played(number, ("rule", "rule")).observe(EVERYTHING)
        face, placed = observation.state.face, -1
        for _, action in observation.history:
            if CALL <= action < GAMON and BASE[face[placed]]:
                calls += 1
                lies += BASE[face[placed]] != action - CALL + 1
            cries += action == GAMON
            doubts += action in (GAMON, BELIEVE)
            placed = action
    assert 0.05 < lies / calls < 0.5
    assert 0.1 < cries / doubts < 0.6


def test_it_cries_gamon_if_the_call_cannot_be_true() -> None:
    """It counts cards: no 6 can be placed with these purses and this prize."""
    at = set_up("gunner corsair", "boatswain cannoneer", attacker=1, prize=3)
    at.act("place boatswain", "call 6", "place gunner", "call 4")
    assert RuleOfThumb(Random(1)).choose(at.observe(0)) == GAMON


def test_it_believes_a_call_that_must_be_true() -> None:
    """It counts cards: with the rest discarded the card must have its called value."""
    at = set_up("gunner corsair", "cannoneer cannoneer", attacker=1, only_named=True)
    at.act("place cannoneer", "call 4", "place gunner", "call 4")
    assert RuleOfThumb(Random(1)).choose(at.observe(0)) == BELIEVE


def test_it_moves_coins_to_where_it_will_get_them() -> None:
    """It moves coins into a prize it has won, not into one it has lost."""
    hands = ("cadet gunner", "polly-the-parrot cannoneer boatswain")
    at = set_up(*hands, purse=(3, 3)).turn("cadet 1", "polly-the-parrot 1")
    legal = at.game.legal(at.state)
    assert choose_amount(at.state, 1, legal) == legal[-1]
    at.state.won = [2, 1]
    assert choose_amount(at.state, 1, legal) == legal[0]


@pytest.fixture(scope="module")
def against_all_doubt() -> Tally:
    """Return the statistics of a search against a bot that always cries Gamon."""
    return tally("ismcts:60", GAMON, 1)


@pytest.fixture(scope="module")
def against_all_belief() -> Tally:
    """Return the statistics of a search against a bot that never cries Gamon."""
    return tally("ismcts:60", BELIEVE, 1)


def test_a_short_search_wins_games_against_predictable_bots(
    against_all_doubt: Tally, against_all_belief: Tally
) -> None:
    """With so few iterations the search wins about two of five games; four games show no more."""
    assert against_all_doubt.wins + against_all_belief.wins >= 1


def test_a_search_lies_now_and_then(against_all_doubt: Tally, against_all_belief: Tally) -> None:
    for counts in (against_all_doubt, against_all_belief):
        assert 0.1 < counts.lies / counts.calls < 0.9


def test_a_search_cries_gamon_now_and_then(
    against_all_doubt: Tally, against_all_belief: Tally
) -> None:
    for counts in (against_all_doubt, against_all_belief):
        assert 0.1 < counts.cries / counts.doubts < 0.9
