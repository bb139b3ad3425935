"""Events: default texts and the game's own, shuffles, and summaries of rounds."""

from typing import Any

import pytest
from tests.games.magpie import Magpie, MagpieDisplay, Table
from typing_extensions import override

from cardhub import Game, Names, Summary
from cardhub.base.writing import action_sentence
from cardhub.play.announcing.announcer import follow, past_events
from cardhub.play.announcing.events import Event, standing_summaries
from cardhub.play.referee import Referee
from cardhub.play.seating import Player
from cardhub.play.setup import set_up
from orchards import Orchards

from .conftest import finish

PLAYERS = [Player(name, "random") for name in ("Anna", "Bob")]


class ToldMagpieDisplay(MagpieDisplay):
    """Tells of every action itself, and sums up each turn."""

    @override
    def narration(self, before: Table, action: int, after: Table, names: Names) -> list[str] | None:
        return [f"cards to be mixed: {sum(len(s.tokens) for s in after.pending_shuffles)}"]

    @override
    def summary(self, before: Table, action: int, after: Table, names: Names) -> Summary | None:
        if after.player == before.player:
            return None
        hand = " ".join(map(names.card, after.hand[before.player]))
        return Summary("End of a turn", [[names.player(before.player), hand]])


class ToldMagpie(Magpie):
    """Tells of every action itself, and sums up each turn."""

    display_type = ToldMagpieDisplay


def played(game: Game[Any]) -> Referee[Any]:
    """Return a finished game of two."""
    referee = set_up(game, PLAYERS, {"nest": 5}, seed=0)
    referee.proceed()
    finish(referee)
    return referee


@pytest.fixture(scope="module")
def narrated_game() -> Referee[Any]:
    """Return a finished game with stories and summaries."""
    return played(ToldMagpie())


@pytest.mark.parametrize(
    ("label", "sentence"),
    [
        ("check", "Anna checks"),
        ("pass two cards", "Anna passes two cards"),
        ("bid 9♣", "Anna bids 9♣"),
        ("paper", "Anna: paper"),
        ("play on", "Anna plays on"),
        ("3 coins", "Anna: 3 coins"),
        ("Pass", "Anna: Pass"),
    ],
)
def test_an_action_is_a_sentence_if_its_label_begins_with_a_verb(label: str, sentence: str) -> None:
    assert action_sentence("Anna", label) == sentence


def test_a_shuffle_has_a_default_text_where_the_game_has_no_story() -> None:
    events = past_events(played(Magpie()), 0)
    shuffles = [line for event in events if event.kind == "shuffle" for line in event.lines]
    assert "Bob rearranges 4 cards" in shuffles
    assert "7 cards are shuffled" in shuffles
    assert not any(" 1 cards" in line for line in shuffles)


def test_a_story_replaces_the_default_text_of_the_shuffles_after_it(
    narrated_game: Referee[Any],
) -> None:
    """The events remain, with the cards that change; the story knows what will be shuffled."""
    events = past_events(narrated_game, 0)
    shuffles = [event for event in events if event.kind == "shuffle"]
    assert shuffles
    assert all(event.changed and not event.lines for event in shuffles)
    assert "cards to be mixed: 4" in [line for event in events for line in event.lines]


def test_a_summary_is_part_of_the_event_that_ends_a_round(narrated_game: Referee[Any]) -> None:
    """It names cards as the viewer knows them."""
    own, others = (
        [event.summary for event in past_events(narrated_game, viewer) if event.summary]
        for viewer in (0, 1)
    )
    assert len(own) == len(others) > 3
    (name, hand), (_, unseen) = own[0].rows[0], others[0].rows[0]
    assert (own[0].title, name) == ("End of a turn", "Anna")
    assert "?" not in hand
    assert all(name.endswith("?") for name in unseen.split())


def test_summaries_heard_live_are_those_of_the_past() -> None:
    """Each is heard once, with its event."""
    referee = set_up(ToldMagpie(), PLAYERS, {}, seed=3)
    heard: list[Event] = []
    follow(referee, 2, heard.append)
    referee.proceed()
    finish(referee)
    assert heard == past_events(referee, 2)
    assert any(event.summary for event in heard)


class HidingMagpieDisplay(ToldMagpieDisplay):
    """Sums up each card that is hidden, which can be taken back."""

    @override
    def summary(self, before: Table, action: int, after: Table, names: Names) -> Summary | None:
        return None if before.has_hidden or not after.has_hidden else Summary("Hidden", [])


class HidingMagpie(ToldMagpie):
    """Sums up each card that is hidden, which can be taken back."""

    display_type = HidingMagpieDisplay


def test_a_summary_is_taken_back_with_its_action() -> None:
    """A round that ends again after an undo has one summary; the events contain all steps."""
    people = [Player(name, "human") for name in ("Anna", "Bob")]
    for seed in range(20):
        referee = set_up(HidingMagpie(), people, {}, seed)
        referee.proceed()
        while not referee._state.has_hidden:
            # Cards are hidden first where two can be laid away.
            referee.apply(referee.observe(referee.seat).legal()[0])
        if referee.can_undo(referee.seat):
            break
    seat, action = referee._history.steps[-1]
    for number in (1, 0, 1):
        summaries = [event.summary for event in standing_summaries(past_events(referee, 0))]
        assert summaries == [Summary("Hidden", [])] * number
        if number:
            referee.undo(seat)
        else:
            referee.apply(action)
    assert sum(event.summary is not None for event in past_events(referee, 0)) == 2


def test_sentences_of_the_rules_about_chance_stand_for_its_action() -> None:
    referee = set_up(Orchards(), PLAYERS, {}, seed=1)
    events: list[Event] = []
    follow(referee, 0, events.append)
    referee.proceed()
    lines = [line for event in events for line in event.lines]
    assert lines[0] == "Everybody gets the first seven cards"
    assert all("Chance" not in line for line in lines)
