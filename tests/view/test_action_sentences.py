"""Sentences on actions that a display declares by verb and value."""

from collections.abc import Mapping
from typing import ClassVar

from tests.games.raiders import RAID, Raiders, RaidersDisplay, Table

from cardhub.play.announcing.announcer import past_events
from cardhub.play.seating import Player
from cardhub.play.setup import set_up

NAMES = ("Anna", "Bob", "Chris")


class WithSentences(Raiders):
    """Raiders whose display declares sentences."""

    class SentencesDisplay(RaidersDisplay):
        """Has a sentence for all victims, and another one for the first of them."""

        sentences: ClassVar[Mapping[str, str]] = {
            "raid": "{player} raids {other} in seat {value}, who has {left:card}",
            "raid 0": "{player} dares to raid {other}",
        }

        def sentence_values(self, state: Table) -> Mapping[str, int]:
            """Return the number of cards in each hand, which is the same for all at the start."""
            return {"left": len(state.hand[0])}

    display_type = SentencesDisplay


def sentences(seats: int, victims: list[int]) -> list[str]:
    """Return what a spectator reads when each seat raids a victim and takes the first card."""
    players = [Player(name, "human") for name in NAMES[:seats]]
    referee = set_up(WithSentences(), players, {}, 1)
    referee.proceed()
    for victim in victims:
        referee.apply(RAID + victim)
        referee.apply(referee.observe(referee.seat).legal()[0])
    return [line for event in past_events(referee, seats) for line in event.lines]


def test_a_sentence_names_the_player_who_is_meant_and_has_values_of_the_position() -> None:
    assert sentences(3, [2])[0] == "Anna raids Chris in seat 2, who has 3 cards"


def test_a_sentence_for_one_value_comes_first() -> None:
    lines = sentences(2, [1, 0])
    assert lines[0] == "Anna raids Bob in seat 1, who has 3 cards"
    assert "Bob dares to raid Anna" in lines


def test_actions_without_a_sentence_have_their_label() -> None:
    assert sentences(3, [2])[1].startswith("Anna takes ")
