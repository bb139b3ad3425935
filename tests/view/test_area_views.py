"""Areas that are reused from view to view equal newly built areas."""

from random import Random
from typing import Any

import pytest

from cardhub import Area, Game
from cardhub.model.game.scene import Scene
from cardhub.model.hidden.observation import EVERYTHING, Observation
from cardhub.play.seating import NAMES, Player
from cardhub.play.setup import set_up
from cardhub.view.area_views import AreaViews, shown_tokens
from cardhub.view.explain.unseen_cards import UnseenLines, unseen_lines
from cardhub.view.view import AreaView, View
from cardhub_gamon import Gamon
from cardhub_gargon import Gargon
from cardhub_garner import Garner
from hearts import Hearts
from orchards import Orchards

GAMES: list[tuple[Game[Any], int]] = [
    (Gargon(), 3),
    (Gamon(), 2),
    (Garner(), 2),
    (Hearts(), 4),
    (Orchards(), 2),
]


def origins_in(observation: Observation[Any], rng: Random) -> dict[int, str]:
    """Return origins for a few cards."""
    tokens = range(len(observation.state.seen))
    return {token: rng.choice("ab") for token in rng.sample(tokens, rng.randrange(4))}


@pytest.mark.parametrize(("game", "seats"), GAMES, ids=[game.name for game, _ in GAMES])
def test_kept_areas_equal_those_made_anew(game: Game[Any], seats: int) -> None:
    referee = set_up(game, [Player(name, "random") for name in NAMES[:seats]], {}, seed=1)
    referee.proceed()
    rng, kept = Random(1), {0: AreaViews(), seats: AreaViews()}
    unseen, earlier, reused = {0: UnseenLines(), seats: UnseenLines()}, None, 0
    last: dict[int, Any] = {0: (), seats: ()}
    while not referee.is_over:
        for viewer, areas in kept.items():
            seen = referee.observe(viewer)
            origins = origins_in(seen, rng)
            views = areas.of(seen, seen.scene(areas.check), origins, earlier)
            assert views == AreaViews().of(seen, seen.scene(), origins, earlier)
            assert unseen[viewer].of(seen) == unseen_lines(seen)
            reused += sum(new is old for new, old in zip(views, last[viewer], strict=False))
            last[viewer] = views
            if rng.random() < 0.2:
                earlier = shown_tokens(view_with(views))
        referee.apply(rng.choice(referee.observe(referee.seat).legal()))
    assert reused > 20


def view_with(areas: Any) -> View:
    """Return a view that has only these areas."""
    return View(
        revision=0,
        game="",
        title="",
        viewer=0,
        own=0,
        players=(),
        to_act=0,
        is_over=False,
        prompt="",
        status="",
        phases=(),
        phase="",
        areas=areas,
    )


def checked(areas: AreaViews, scene: Scene) -> Scene:
    """Return a scene that passed the check for faults."""
    assert not areas.check.faults(scene, 10, 2)
    return scene


def test_an_area_that_a_game_keeps_and_changes_is_made_anew() -> None:
    referee = set_up(Gamon(), [Player(name, "random") for name in NAMES[:2]], {}, seed=1)
    seen, areas = referee.observe(0), AreaViews()
    area = Area("kept", [1, 2])
    assert areas.of(seen, checked(areas, Scene("", [area])), {}, None)[0].caption == "kept"
    area.tokens = [3]
    (view,) = areas.of(seen, checked(areas, Scene("", [area])), {}, None)
    assert view == AreaViews().of(seen, Scene("", [Area("kept", [3])]), {}, None)[0]


@pytest.mark.parametrize(("game", "seats"), GAMES[1::2], ids=["gamon", "hearts"])
def test_other_hands_are_in_order_if_all_their_cards_are_known(game: Game[Any], seats: int) -> None:
    """Games sort the viewer's own hand; a viewer who sees all cards sees all hands sorted."""
    referee = set_up(game, [Player(name, "random") for name in NAMES[:seats]], {}, seed=1)
    referee.proceed()
    hands: dict[int, list[list[int | None]]] = {}
    for viewer in (seats, EVERYTHING):
        seen = referee.observe(viewer)
        views = AreaViews().of(seen, seen.scene(), {}, None)
        shown = [a for a in views if isinstance(a, AreaView) and a.caption == "hand" and a.cards]
        hands[viewer] = [[card.face for card in area.cards] for area in shown]
    known = [[face for face in hand if face is not None] for hand in hands[EVERYTHING]]
    assert len(known) == seats
    assert known == hands[EVERYTHING] == [sorted(hand) for hand in known]
    assert {face for hand in hands[seats] for face in hand} == {None}
