"""Cards in words."""

import pytest

from cardhub.base.errors import IllegalActionError
from cardhub.base.writing import capitalized
from cardhub.play.seating import Player
from cardhub.play.setup import set_up
from cardhub.view.building import build_view
from cardhub.view.card_catalogue import build_catalogue
from cardhub.view.explain.card_texts import (
    as_notice,
    as_sentence,
    describe_cards_in_sight,
    explain_card,
)
from cardhub_gamon import Gamon
from cardhub_gargon import Gargon


@pytest.mark.parametrize("text", ["High Officer", "high-officer", "HIGH  OFFICER", "high"])
def test_a_card_is_found_by_title_or_name_or_a_part_of_it(text: str) -> None:
    texts = explain_card(build_catalogue(Gamon()), text)
    assert texts == (
        "High Officer, 3, +2/card. +2 for each card you have played earlier this round."
    )


def test_a_card_without_a_speaking_name_is_explained_with_its_title() -> None:
    assert (
        explain_card(build_catalogue(Gargon()), "w0")
        == "W0 Dragon 0, ×2. Doubles the amulets of its colour."
    )
    assert explain_card(build_catalogue(Gargon()), "dragon 15").startswith("W15 Dragon 15")


def test_several_cards_that_fit_are_listed_and_an_unknown_one_gets_a_suggestion() -> None:
    with pytest.raises(IllegalActionError, match="'captain' could be Captain Mayn, Captain Black"):
        explain_card(build_catalogue(Gamon()), "captain")
    with pytest.raises(IllegalActionError, match=r"the game has no card 'Gunnar'.*'Gunner'"):
        explain_card(build_catalogue(Gamon()), "Gunnar")


def test_only_cards_that_the_viewer_sees_are_described() -> None:
    referee = set_up(Gamon(), [Player("Anna", "random"), Player("Bob", "random")], {}, seed=3)
    referee.proceed()
    observation = referee.observe(0)
    catalogue, names = build_catalogue(observation.game), ["Anna", "Bob"]
    texts = describe_cards_in_sight(build_view(observation, names), catalogue)
    titles = {observation.labels().card(token) for token in observation.state.hand[0]}
    assert {line.partition(",")[0] for line in texts} == titles
    assert describe_cards_in_sight(build_view(referee.observe(2), names), catalogue) == []


def test_texts_of_games_are_shown_with_a_capital_and_sentences_with_a_full_stop() -> None:
    assert capitalized("lay a card, or pass") == "Lay a card, or pass"
    assert capitalized("a4 is taken") == "a4 is taken"
    assert as_sentence("banks 5, 12 in all") == "Banks 5, 12 in all."
    assert as_sentence("No bid can beat it.") == "No bid can beat it."
    assert as_sentence("") == ""


@pytest.mark.parametrize(
    ("message", "notice"),
    [
        (
            "no seat is free. fix: watch, or ask the owner",
            "No seat is free. Watch, or ask the owner.",
        ),
        ("invalid name ''\nfix: use a name", "Invalid name ''. Use a name."),
        ("You watch this game.", "You watch this game."),
        ("settings.toml cannot be read", "settings.toml cannot be read."),
        ("", ""),
    ],
)
def test_players_read_an_error_and_its_remedy_as_sentences(message: str, notice: str) -> None:
    assert as_notice(message) == notice
