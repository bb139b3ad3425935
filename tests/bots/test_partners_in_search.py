"""Search plays for its partner: Doppelkopf, whose sides follow from hidden cards."""

from math import fsum
from random import Random

import pytest

from cardhub.bots.search.search_bot import SearchBot
from cardhub.bots.search.search_budget import SearchBudget
from cardhub.testing import ByHand
from doppelkopf import Doppelkopf
from doppelkopf.table import CARDS, NO_SIDE, Table


@pytest.mark.parametrize(("partner", "given"), [(0, "play 10C"), (1, "play 9C")])
def test_search_gives_points_to_the_trick_of_a_partner_only(partner: int, given: str) -> None:
    """Anna takes this trick and Bob the last one; David, who is Re, has a ten to give."""
    at: ByHand[Table] = ByHand(Doppelkopf(), 4)
    for seat, names in enumerate(["AS KC", "KS AC", "9S 9C", "10C 9C"]):
        at.state.put_all(at.take(names), at.state.hand, seat)
    at.state.announced, at.state.queens = [NO_SIDE] * 4, [0] * 4
    at.state.excluded, at.state.seat, at.state.leader = [0] * 4, 0, 0
    queens = [token for token in at.left if at.state.face[token] == CARDS.face("QC")]
    rest = [token for token in at.left if token not in queens]
    points = CARDS.ints("points")
    own = next(
        rest[:count]
        for count in range(len(rest))
        if fsum(points[at.state.face[token]] for token in rest[:count]) >= 96
    )
    at.state.put_all(own, at.state.taken, 3)
    at.state.put_all([token for token in at.left if token not in own], at.state.taken, 2)
    at.state.queens[partner] = at.state.queens[3] = 1
    at.act("play AS", "play KS", "play 9S")
    bot = SearchBot(Random(1), budget=SearchBudget(200, 0))
    observation = at.observe(3)
    assert observation.labels().notation(bot.choose(observation)) == given
