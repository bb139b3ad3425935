"""Events are made once for viewers who know the same, and equal the events of a single viewer."""

from random import Random
from typing import Any

import pytest
from tests.games.magpie import Magpie, MagpieDisplay, Table
from typing_extensions import override

from cardhub import Game, Names, Summary
from cardhub.model.hidden.observation import EVERYTHING
from cardhub.play.announcing.announcer import follow, past_events, present_observation
from cardhub.play.announcing.events import Event
from cardhub.play.referee import Referee
from cardhub.play.seating import Player
from cardhub.play.setup import set_up
from cardhub_gamon import Gamon
from cardhub_gargon import Gargon
from cardhub_garner import Garner
from goofspiel import Goofspiel
from hearts import Hearts
from kuhn import Kuhn

Heard = dict[int, list[Event]]


def followed(
    game: Game[Any], names: str, seed: int, actions: int = 150
) -> tuple[Referee[Any], Heard]:
    """Play at random, with undos, and return what all viewers have heard."""
    referee = set_up(game, [Player(name, "human") for name in names.split()], {}, seed)
    heard: Heard = {viewer: [] for viewer in (*range(len(referee.players) + 1), EVERYTHING)}
    for viewer, events in heard.items():
        follow(referee, viewer, events.append)
    rng = Random(seed)
    referee.proceed()
    for _ in range(actions):
        if referee.is_over:
            break
        seat = referee.seat
        referee.apply(rng.choice(referee.observe(seat).legal()))
        if rng.random() < 0.1 and referee.can_undo(seat):
            referee.undo(seat)
    return referee, heard


class NosyMagpieDisplay(MagpieDisplay):
    """Tells of every face in its sight, in one of several ways, and of whether all are the same."""

    @override
    def narration(self, before: Table, action: int, after: Table, names: Names) -> list[str] | None:
        seen = [token for token in range(len(after.face)) if names.card(token)[-1] != "?"]
        if action % 4 == 0:
            return [names.cards(seen)]
        if action % 4 == 1:
            return [str([after.face[token] for token in seen]), str(before.face == after.face)]
        return None

    @override
    def summary(self, before: Table, action: int, after: Table, names: Names) -> Summary | None:
        return Summary("All", [[names.cards(range(len(after.face)))]]) if action % 3 else None


class StatesOfMagpieDisplay(MagpieDisplay):
    """Keeps the states of each narration."""

    def __init__(self, game: Game[Table]) -> None:
        super().__init__(game)
        self.states: list[tuple[Table, Table]] = []

    @override
    def narration(self, before: Table, action: int, after: Table, names: Names) -> list[str] | None:
        self.states.append((before, after))
        return None


class StatesOfMagpie(Magpie):
    """Keeps the states of each narration."""

    display_type = StatesOfMagpieDisplay


class NosyMagpie(Magpie):
    """Tells of every face in its sight, in one of several ways, and of whether all are the same."""

    display_type = NosyMagpieDisplay


class RememberingMagpieDisplay(MagpieDisplay):
    """A game that describes past shuffles only; the seat that rearranges cards knows them."""

    @override
    def narration(self, before: Table, action: int, after: Table, names: Names) -> list[str] | None:
        return [*map(str, after.shuffle_log)]


class RememberingMagpie(Magpie):
    """A game that describes past shuffles only; the seat that rearranges cards knows them."""

    display_type = RememberingMagpieDisplay


class LoggingMagpie(Magpie):
    """Logs all cards before and after an action, and again for those who know the first ones."""

    @override
    def apply(self, state: Table, action: int) -> None:
        tokens = range(len(state.face))
        state.log("{player} has not acted on {cards}", 0, tokens)
        super().apply(state, action)
        state.log("{player} has acted, and {other} has not: {cards}", 0, tokens, other=1)
        state.log("known: {cards}", cards=tokens[action % 3 :: 3], is_private=True)


@pytest.mark.parametrize(
    ("game", "names"),
    [
        (Hearts(), "Anna Bob Chris David"),
        (LoggingMagpie(), "Anna Bob"),
        (Gargon(), "Anna Bob Chris David"),
        (Gamon(), "Anna Bob"),
        (Garner(), "Anna Bob"),
        (Magpie(), "Anna Bob"),
        (NosyMagpie(), "Anna Bob"),
        (RememberingMagpie(), "Anna Bob"),
    ],
)
def test_a_viewer_among_others_hears_what_it_would_hear_alone(game: Game[Any], names: str) -> None:
    for seed in range(2):
        referee, heard = followed(game, names, seed)
        for viewer, events in heard.items():
            assert events == past_events(referee, viewer)


def test_an_event_is_one_object_for_all_who_know_the_same() -> None:
    """Only the seat that laid a card knows it until all are turned up."""
    _, heard = followed(Gargon(), "Anna Bob Chris David", 1)
    lays = [
        number
        for number, event in enumerate(heard[4])
        if " lays a " in event.lines[0] and len(event.lines) == 1
    ]
    assert len(lays) > 10
    for number in lays:
        events = [heard[viewer][number] for viewer in range(5)]
        (own,) = {event.seat for event in events}
        others = [event for viewer, event in enumerate(events) if viewer != own]
        assert all(event is others[0] for event in others)
        assert events[own].lines != others[0].lines


def test_a_text_made_of_all_faces_is_made_for_each_viewer() -> None:
    """The core does not know which faces it depends on."""

    class ComparingDisplay(MagpieDisplay):
        @override
        def narration(self, before: Table, action: int, after: Table, names: Names) -> list[str]:
            return ["same" if before.face == after.face else "other"]

    class Comparing(Magpie):
        display_type = ComparingDisplay

    _, heard = followed(Comparing(), "Anna Bob", 0, 10)
    actions = [number for number, event in enumerate(heard[0]) if event.kind == "action"]
    assert len(actions) > 5
    assert not any(heard[0][number] is heard[1][number] for number in actions)


def test_the_present_observation_is_that_of_the_last_event() -> None:
    """It is cached for each position; while listeners run, it is already the new position."""
    referee = set_up(Gargon(), [Player(name, "human") for name in ("Anna", "Bob", "Chris")], {}, 1)
    lengths: list[int] = []
    referee.subscribe(lambda _: lengths.append(len(present_observation(referee, 1).history)))
    follow(referee, 0, lambda _: lengths.append(len(present_observation(referee, 0).history)))
    referee.proceed()
    referee.apply(referee.observe(referee.seat).legal()[0])
    assert lengths == [1, 1]
    assert present_observation(referee, 2) is present_observation(referee, 2)


def test_an_action_is_described_from_the_observations_that_a_view_has() -> None:
    """Each position is observed once by each viewer."""
    referee = set_up(game := StatesOfMagpie(), [Player(n, "human") for n in ("Anna", "Bob")], {}, 1)
    follow(referee, 0, lambda _: None)
    referee.proceed()
    assert isinstance(game.display, StatesOfMagpieDisplay)
    game.display.states.clear()
    before = present_observation(referee, 0).state
    referee.apply(referee.observe(referee.seat).legal()[0], draws=False)
    ((first, second),) = game.display.states
    assert first is before
    assert second is present_observation(referee, 0).state


def test_what_chance_draws_anew_is_announced_however_late_a_viewer_comes() -> None:
    """A narration covers the effects of its action, not of a takeback after it."""
    referee = set_up(Goofspiel(), [Player(name, "human") for name in ("Anna", "Bob")], {}, seed=1)
    early: list[Event] = []
    follow(referee, 2, early.append)
    referee.proceed()
    for _ in range(2):
        referee.apply(referee.observe(referee.seat).legal()[0])
    late: list[Event] = []
    follow(referee, 2, late.append)
    referee.take_back(0, [1], is_anew=True)
    referee.proceed()
    again = [event for event in past_events(referee, 2) if event.kind == "shuffle"]
    for events in (early, late, again):
        shuffles = [event for event in events if event.kind == "shuffle"]
        assert "cards are shuffled" in shuffles[-1].lines[0]


def test_a_sentence_of_the_log_says_what_its_viewer_knew_when_it_happened() -> None:
    """Bob gets Anna's cards later in the pass; his line on her pass still has a hidden card."""
    referee, heard = followed(Hearts(), "Anna Bob Chris David", 1, actions=40)
    passes = {viewer: heard[viewer][1].lines for viewer in (0, 1, 4)}
    assert passes[1] == passes[4] == ("Anna passes a card",)
    (sentence,) = passes[0]
    assert sentence.removeprefix("Anna passes ") in referee.game.cards.labels
    gains = {
        viewer: [line for event in events for line in event.lines if " gets " in line]
        for viewer, events in heard.items()
    }
    assert sentence.removeprefix("Anna passes ") in gains[1][0]
    assert gains[1][0].startswith("Bob gets ")
    assert gains[4] == []


def test_a_pause_has_a_line_in_the_log_of_a_game_without_sentences_of_its_own() -> None:
    referee = set_up(Kuhn(), [Player("Anna", "human"), Player("Bob", "human")], {}, 3)
    events: list[Event] = []
    follow(referee, 0, events.append)
    referee.proceed()
    for _ in range(2):
        referee.apply(referee.observe(referee.seat).legal()[0])
    cards = referee.observe(0).labels().phrases((0, 1))
    assert f"Both players show their cards: {cards}" in events[1].lines
