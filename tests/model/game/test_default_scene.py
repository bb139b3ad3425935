"""The scene of a game that describes none: its zones, its scores, and what is to be done."""

from random import Random
from typing import Any

import pytest
from tests.games.lanterns import Lanterns
from tests.games.magpie import Magpie
from tests.kit.table_texts import text_of, view_of
from typing_extensions import override

from cardhub import Display, Game, Goal, Grid, Observation, Scene
from cardhub.model.game.default_scene import MOST_IN_ROW
from cardhub.plugins.registry import find_plugins
from cardhub.testing import check_playout
from cardhub.testing.random_play import choose, deal, default_trial
from cardhub_gargon import Gargon
from cardhub_garner import Garner
from kuhn import Kuhn

NAMES = ("Anna", "Bob", "Chris", "David")


def undrawn(game: Game[Any]) -> Game[Any]:
    """Return the game with the default scene."""
    kind, display = type(game), type(game.display)
    plain = type(display.__name__, (display,), {"scene": Display.scene})
    fields = {"display_type": plain, "__module__": kind.__module__}
    made: Game[Any] = type(kind.__name__, (kind,), fields)()
    return made


def at_start(game: Game[Any]) -> Any:
    """Return the state after a deal."""
    return deal(game, default_trial(game, game.seats.default, 1))


def seen(game: Game[Any], state: Any, viewer: int) -> Scene:
    """Return the scene that a viewer gets."""
    return Observation(game, state, viewer).scene()


def areas(scene: Scene, seat: int | None) -> dict[str, Any]:
    """Return the areas of a seat by caption."""
    return {area.caption: area for area in scene.areas if getattr(area, "seat", None) == seat}


@pytest.mark.parametrize("game", [Lanterns(), Magpie(), Kuhn(), Gargon()])
def test_a_game_without_a_scene_keeps_all_promises(game: Game[Any]) -> None:
    """It can be shown and played, and its scene reveals no hidden face."""
    assert check_playout(undrawn(game), default_trial(game, game.seats.low, 1), samples=2, draws=1)


def test_shared_zones_come_first_and_zones_of_a_seat_stand_with_its_player() -> None:
    """Captions are the names of the zones as words; a single kind of back need not be drawn."""
    game = undrawn(Lanterns())
    scene = seen(game, at_start(game), 0)
    assert list(areas(scene, None)) == ["stack"]
    assert areas(scene, None)["stack"].look == "count"
    assert list(areas(scene, 1)) == ["hand", "lit"]
    # Cards that all seats see are in front of their player.
    assert [area.place for area in areas(scene, 1).values()] == [None, "front"]
    laid = undrawn(Gargon())
    assert {"stacks (1)", "stacks (2)"} <= set(areas(seen(laid, at_start(laid), 0), None))


class Fumbles(Lanterns):
    """A turn may be to light the card on top of the stack."""

    @override
    def legal(self, state: Any) -> list[int]:
        return state.stack[-1:] or super().legal(state)


def test_closed_cards_are_drawn_if_an_action_is_on_one_of_them() -> None:
    game, state = undrawn(Fumbles()), at_start(Lanterns())
    assert areas(seen(game, state, 0), None)["stack"].look == "pile"
    state.stack.clear()
    assert areas(seen(game, state, 0), None)["stack"].look == "count"


def test_the_viewers_hand_is_large_and_sorted_once_it_is_seen() -> None:
    """A hand that its owner has not seen stays in its order, which every other seat knows."""
    game, state = undrawn(Gargon()), at_start(Gargon())
    hands = [areas(seen(game, state, 0), seat)["hand"] for seat in (0, 1)]
    assert (hands[0].look, hands[1].look) == ("hand", "row")
    assert list(hands[0].tokens) == sorted(state.hand[0], key=state.face.__getitem__)
    assert list(hands[1].tokens) == state.hand[1]
    other = at_start(Lanterns())
    own = areas(seen(undrawn(Lanterns()), other, 0), 0)["hand"]
    assert (own.look, list(own.tokens)) == ("hand", other.hand[0])


def test_a_long_row_of_faces_becomes_a_pile() -> None:
    """Won cards pile up; of a pile the last ones are drawn."""
    game, state = undrawn(Gargon()), at_start(Gargon())
    for count, look in ((MOST_IN_ROW, "row"), (1, "pile")):
        for _ in range(count):
            state.move(state.stacks[0][-1], state.stacks[0], state.won, 1)
        assert areas(seen(game, state, 0), 1)["won cards"].look == look


def test_piles_that_are_the_sites_of_a_board_are_a_grid() -> None:
    """The actions on sites say how many rows and columns it has."""
    scene = seen(undrawn(Magpie()), at_start(Magpie()), 0)
    assert not any(isinstance(area, Grid) for area in scene.areas)
    game = undrawn(Garner())
    (board,) = (area for area in seen(game, at_start(game), 0).areas if isinstance(area, Grid))
    assert (board.caption, len(board.stacks)) == ("board", board.rows * board.columns)


def test_the_prompt_names_the_phase_and_the_legal_verbs() -> None:
    """A verb of actions on cards says so."""
    assert seen(undrawn(Kuhn()), at_start(Kuhn()), 0).prompt == "check or bet"
    game = undrawn(Lanterns())
    assert seen(game, at_start(game), 0).prompt == "light a card or tell"
    drawn = undrawn(Gargon())
    assert seen(drawn, at_start(drawn), 0).prompt == "laying: lay a card"


class Following(Lanterns):
    """The legal actions depend on faces that spectators do not see."""

    @override
    def legal(self, state: Any) -> list[int]:
        return [t for t in super().legal(state) if state.face[state.stack[-1]] is not None]


def test_a_prompt_that_depends_on_unseen_faces_is_left_out() -> None:
    """Other viewers must not learn which verbs are legal."""
    game = undrawn(Following())
    assert seen(game, at_start(game), 0).prompt == "choose an action"


def test_scores_are_shown_if_the_viewer_could_count_them() -> None:
    state = at_start(Lanterns())
    assert seen(undrawn(Lanterns()), state, 0).seats[1].score == "0 points"
    common = undrawn(Lanterns())
    type(common).goal, type(common).unit = Goal.COMMON, "lights"
    assert seen(common, state, 0).status == "0 lights"

    class Hands(Lanterns):
        @override
        def scores(self, state: Any) -> list[int]:
            return [sum(state.face[token] for token in hand) for hand in state.hand]

    assert seen(undrawn(Hands()), state, 0).seats == {}


class Halves(Lanterns):
    """Scores count halves of a lantern."""

    @override
    def unit_size(self, settings: Any) -> int:
        return 2

    @override
    def scores(self, state: Any) -> list[int]:
        return [3] * state.seats


def test_scores_are_shown_in_units() -> None:
    assert seen(undrawn(Halves()), at_start(Lanterns()), 0).seats[1].score == "1½ points"


def test_the_installed_games_are_playable_without_their_scenes() -> None:
    """Each position of a random game can be laid out with all its legal actions."""
    for name in ("hearts", "pig", "goofspiel"):
        game, rng = undrawn(find_plugins().game(name)), Random(1)
        state = at_start(game)
        for _ in range(6):
            if state.seat >= 0:
                observation, names = Observation(game, state, state.seat), NAMES[: state.seats]
                choices = view_of(observation, names).choices
                assert {choice.action for choice in choices} == set(game.legal(state))
                assert text_of(observation, names).strip()
                game.apply(state, choose(game, state, rng))
