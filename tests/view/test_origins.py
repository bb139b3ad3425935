"""The origins of cards in the log agree with the origins on the cards."""

from random import Random
from typing import Any

from tests.view.text.patchwork import Patchwork

from cardhub import Game
from cardhub.play.announcing.announcer import follow
from cardhub.play.announcing.events import Event
from cardhub.play.seating import seat_players
from cardhub.play.setup import set_up
from cardhub_gargon import Gargon


def events_for(game: Game[Any], viewer: int, actions: int) -> list[Event]:
    """Return the events of a random game for a viewer."""
    referee, rng = set_up(game, seat_players([], 3, "random"), {}, 1), Random(1)
    events: list[Event] = []
    follow(referee, viewer, events.append)
    for _ in range(actions):
        referee.apply(rng.choice(referee.observe(referee.seat).legal()))
        referee.proceed()
    return events


def test_a_laid_card_comes_from_its_players_hand() -> None:
    event = next(e for e in events_for(Gargon(), 0, 30) if e.kind == "action" and e.changed)
    assert set(event.origins.values()) == {f"from Anna's hand, step {event.number + 1}"}
    assert event.changed == frozenset(event.origins)


def test_a_site_is_named_by_its_label() -> None:
    referee = set_up(Patchwork(), seat_players([], 2, "random"), {}, 1)
    events: list[Event] = []
    follow(referee, 0, events.append)
    lifted = referee.observe(0).state.sites[4][-1]
    labels = referee.observe(0).labels()
    referee.apply(referee.read_action(f"lift {labels.card_notation(lifted)}"))
    referee.apply(referee.read_action("place r0c0"))
    assert [event.origins for event in events] == [
        {lifted: "from b2, step 1"},
        {lifted: "from the lifted cards, step 2"},
    ]
