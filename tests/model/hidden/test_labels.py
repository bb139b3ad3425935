"""Labels, notation and parsing."""

import pytest

from cardhub.base.errors import IllegalActionError
from cardhub.model.hidden.labels import Labels
from cardhub.model.table.faces import MaskedFaces
from cardhub_gargon import Gargon
from cardhub_gargon.table import CARDS, DONE, FIGHT

NAMES = ["R14", "Y0", "Y0", "R3", "R5"]
FACES = [CARDS.face(name) for name in NAMES]
BACKS = [CARDS.back_of[face] for face in FACES]
OWNER = Labels(Gargon(), FACES, BACKS, ["Anna", "Bob", "Chris"])
OTHER = Labels(Gargon(), MaskedFaces([-1] * len(FACES)), BACKS)
LEGAL = [0, 1, 2, 3, DONE]


def test_an_action_is_labelled_as_its_reader_may_know_it() -> None:
    """Its owner reads `lay R14`, the others read `lay a red card`."""
    assert OWNER.label(0) == "lay R14"
    assert OTHER.label(0) == "lay a red card"


def test_an_unseen_card_is_written_with_its_token() -> None:
    """`R?` has an unknown value; the token distinguishes it from others of its back."""
    assert OTHER.notation(3) == "lay R?#3"
    assert OTHER.card(1) == "Y?"


def test_legal_actions_have_different_notations() -> None:
    """Two legal cards of one name have different notations."""
    names = OWNER.notations(LEGAL)
    assert list(names) == ["lay R14", "lay Y0#1", "lay Y0#2", "lay R3", "done"]
    assert [OWNER.notation(action, LEGAL) for action in LEGAL] == list(names)


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("lay R14", 0),
        ("  LAY   r14 ", 0),
        ("r14", 0),
        ("lay y0", 1),
        ("y0", 1),
        ("lay Y0#2", 2),
        ("d", DONE),
        ("l r3", 3),
    ],
)
def test_enough_of_an_action_is_understood(text: str, action: int) -> None:
    """Case and spacing do not matter; a plain abbreviation is enough."""
    assert OWNER.parse(text, LEGAL) == action


@pytest.mark.parametrize("text", ["", "lay R15", "fight red", "R14 R3"])
def test_other_input_names_the_legal_actions(text: str) -> None:
    """Illegal input is an error with the legal actions, never repaired."""
    with pytest.raises(
        IllegalActionError, match=r"is not one of the choices\..* Choices: lay R14, lay Y0, lay R3"
    ):
        OWNER.parse(text, LEGAL)


@pytest.mark.parametrize(
    ("text", "meant"), [("lay", "lay R14, lay Y0, lay R3"), ("l r", "lay R14, lay R3")]
)
def test_an_ambiguous_abbreviation_lists_the_actions_it_could_mean(text: str, meant: str) -> None:
    """An abbreviation that fits several actions is never guessed at."""
    with pytest.raises(IllegalActionError, match=f"'{text}' could be {meant}$"):
        OWNER.parse(text, LEGAL)


def test_only_later_ones_of_equal_cards_have_a_number_and_none_in_sentences() -> None:
    assert [*OWNER.choices(LEGAL)] == ["lay R14", "lay Y0", "lay Y0 2", "lay R3", "done"]
    assert [*OWNER.names(LEGAL).values()] == ["lay R14", "lay Y0", "lay Y0", "lay R3", "done"]


def test_a_slip_gets_the_nearest_action() -> None:
    with pytest.raises(IllegalActionError, match="Did you mean 'fight red'"):
        OWNER.parse("figt red", [FIGHT + 3, FIGHT + 4])


def test_players_are_called_by_name() -> None:
    assert OWNER.player(1) == "Bob"
    assert OTHER.player(1) == "seat 1"
