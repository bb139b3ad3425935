"""Areas of cards."""

from cardhub.game.scene import Area
from cardhub.play.seating import seat_players
from cardhub.play.setup import set_up
from cardhub.text.areas import small_area
from cardhub.text.cardspans import CardSpans
from cardhub.text.glyphs import UNICODE
from cardhub.view.spots import Spot
from cardhub_gargon import Gargon


def test_a_legal_card_deep_in_a_pile_is_shown_before_the_last_ones() -> None:
    """The cursor could not reach it otherwise."""
    referee = set_up(Gargon(), seat_players([], 3, "rule"), {}, seed=1)
    referee.proceed()
    observation = referee.observe(0)
    stack = observation.state.stacks[0]
    deep = Spot("card", stack[2], 4)
    cards = CardSpans(observation, UNICODE, {deep: (1,)}, (), {})
    words = small_area(Area("stack", stack, look="pile"), 4, cards)
    legal = [span.spot for word in words for span in word.spans if span.is_legal]
    assert legal == [deep]
    assert len(words) < len(stack)
