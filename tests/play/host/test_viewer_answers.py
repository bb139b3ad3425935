"""Answers to one viewer: the same in the true game and in any determinization of it."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from cardhub import Game
from cardhub.model.hidden.observation import EVERYTHING, Observation
from cardhub.play.host.viewer_session import ViewerAnswers
from cardhub.play.seating import Player
from cardhub.play.setup import set_up
from cardhub.view.building import build_view
from cardhub.view.explain.unseen_cards import unseen_lines
from cardhub.view.view import AreaView, Spot, View
from cardhub_gamon import Gamon
from cardhub_gargon import Gargon
from gin_rummy import GinRummy
from hearts import Hearts

NAMES = ("Anna", "Bob", "Chris", "David")


def positions(game: Game[Any], count: int) -> Iterator[list[Observation[Any]]]:
    """Yield the observations of all viewers at every seventh step of a random game."""
    rng = Random(1)
    seats = game.seats.default
    players = [Player(name, "random") for name in NAMES[:seats]]
    referee = set_up(game, players, {}, seed=1)
    referee.proceed()
    for step in range(7 * count):
        if referee.is_over:
            return
        if step % 7 == 0:
            yield [referee.observe(viewer) for viewer in range(seats + 1)]
        referee.apply(rng.choice(referee.observe(referee.seat).legal()))


def all_spots(view: View) -> Iterator[Spot]:
    """Yield every spot of a view."""
    for number, area in enumerate(view.areas):
        yield Spot("area", 0, number)
        if isinstance(area, AreaView):
            yield from (Spot("card", card.token, number) for card in area.cards)
        else:
            yield from (Spot("site", site, number) for site in range(len(area.stacks)))
    yield from (Spot("seat", seat) for seat in range(len(view.players)))
    yield from (Spot("button", choice.action) for choice in view.choices)


def answers_at(observation: Observation[Any]) -> list[object]:
    """Return all answers of a session at one observation."""
    names = NAMES[: observation.state.seats]
    view = build_view(observation, names)
    legal = [choice.action for choice in view.choices]
    answers = ViewerAnswers(observation, names, legal, {})
    spots = list(all_spots(view))
    texts = [answers.explain(spot) for spot in spots]
    consequences = [answers.consequence(action) for action in legal]
    return [view, unseen_lines(observation), texts, consequences, *map(answers.why_not, spots)]


@pytest.mark.parametrize("game", [Gargon(), Gamon(), Hearts(), GinRummy()])
def test_no_answer_depends_on_a_card_that_the_viewer_has_not_seen(game: Game[Any]) -> None:
    """Every answer to every spot and action, in two games that agree in what the viewer knows."""
    for observations in positions(game, 5):
        for seen in observations[:2] + observations[-1:]:
            if seen.seat == seen.state.seats:
                continue  # a spectator has no seat from which the others could be dealt again
            other = seen.determinize_whole(Random(2))
            assert answers_at(Observation(game, other, seen.seat, seen.history)) == answers_at(seen)


def test_the_comparison_finds_answers_that_come_from_hidden_cards() -> None:
    """Two games that agree for a viewer differ for a viewer who sees everything."""
    game = Gargon()
    seen = next(positions(game, 1))[0]
    others = [seen.determinize_whole(Random(seed)) for seed in (2, 3)]
    first, second = (
        answers_at(Observation(game, other, EVERYTHING, seen.history)) for other in others
    )
    assert first != second


def test_what_cannot_be_done_is_explained_at_every_spot() -> None:
    """The text is never empty, except for a viewer who is not to act."""
    for observations in positions(Gargon(), 3):
        for seen in observations:
            view = build_view(seen, NAMES)
            legal = [choice.action for choice in view.choices]
            answers = ViewerAnswers(seen, NAMES, legal, {})
            assert all(answers.why_not(spot) for spot in all_spots(view))
            assert legal or answers.read("lay") == "It is not your turn."
