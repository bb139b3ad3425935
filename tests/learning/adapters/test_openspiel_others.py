"""Hands that everybody sees but their owner: OpenSpiel's public and private observations."""

import pyspiel
from tests.games.lanterns import CARDS, TELL, Lanterns

from cardhub.bots.solving.game_tree import Tree, node_after
from cardhub.learning.adapters.openspiel.pyspiel_game import Utility, game_type
from cardhub.learning.adapters.openspiel.views import observation, private_observation
from cardhub.model.hidden.observation import Step
from cardhub.testing.random_play import deal, default_trial

GAME = Lanterns()
TRIAL = default_trial(GAME, 2, 1)


def test_a_hand_that_its_owner_cannot_see_is_private_to_the_others() -> None:
    """The public observation hides both hands, which a spectator sees."""
    state = deal(GAME, TRIAL)
    GAME.apply(state, TELL)
    node = node_after(Tree(GAME, 2, TRIAL.settings), state, [Step(0, TELL)])
    names = {t: CARDS.faces[state.face[t]].name for hand in state.hand for t in hand}
    for seat in (0, 1):
        private = private_observation(node, seat)
        for token in state.hand[1 - seat]:
            assert f"#{token}={names[token]}" in private
        assert not any(f"#{token}={names[token]}" in private for token in state.hand[seat])
    public = observation(node, 2)
    assert not any(name in public for name in names.values())


def test_such_a_game_has_imperfect_information() -> None:
    kind = game_type(GAME, Utility.of(GAME, "places", 2, TRIAL.settings))
    assert kind.information == pyspiel.GameType.Information.IMPERFECT_INFORMATION
