"""The contents of card files, and the exact messages for invalid ones."""

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.kit.soaking import count_examples

import cardhub_gargon
from cardhub.base.errors import CardFileError
from cardhub.model.cards import Back, Card, Cards, load_cards

Problems = Callable[..., list[str]]
Load = Callable[..., Cards]

BACKS = "backs: {red: {}, blue: {}}\n"


def test_a_file_of_names_gets_every_default(load: Load) -> None:
    """There is one plain back, one deck and one copy; the title is the name."""
    cards = load("cards: [{name: A}]")
    assert cards.faces == (Card("A", "A", 0, 0, 1, "", {}),)
    assert cards.backs == (Back("card", "#", "a card", "?", "grey"),)
    assert cards.decks == ("main",)


def test_a_back_gets_defaults_from_its_name(load: Load) -> None:
    """Its letter, its title and the sign for an unseen card follow from the name."""
    cards = load("backs: {navy: {}}\ncards: [{name: A}]")
    assert cards.backs == (Back("navy", "N", "a navy card", "N?", "grey"),)


def test_everything_may_be_written_out(load: Load) -> None:
    """Backs and decks are indices in the order of the file."""
    cards = load(
        "backs:\n"
        "  red: {letter: R, title: a red one, unknown: r?, colour: red}\n"
        "  blue: {}\n"
        "decks: [navy, pirate]\n"
        "cards:\n"
        "  - {name: B-1, title: Big One, back: blue, deck: pirate, copies: 3, text: Sinks.}\n"
    )
    assert cards.backs[0] == Back("red", "R", "a red one", "r?", "red")
    assert cards.faces == (Card("B-1", "Big One", 1, 1, 3, "Sinks.", {}),)


def test_fields_are_converted_by_their_type(load: Load) -> None:
    """The types are integers, bounded integers, text and words from a list."""
    row = "cards: [{name: A, cost: -3, value: 15, note: 'x, y', kind: siren}]"
    cards = load(row, cost=int, value=range(16), note=str, kind=("siren", "storm"))
    assert cards.faces[0].fields == {"cost": -3, "value": 15, "note": "x, y", "kind": "siren"}


def test_the_text_no_is_a_card_name(load: Load) -> None:
    """`NO` stays the text "NO", although YAML 1.1 has it as a boolean."""
    assert load("cards: [{name: NO}]").find("NO") == 0


@pytest.mark.parametrize("written", ["1e3", "+5", "1_000", "0x10", "1.0", "~", "NO", "9" * 5000])
def test_an_integer_consists_of_digits(problems: Problems, written: str) -> None:
    """Other notations of numbers in Python or YAML are rejected."""
    (problem,) = problems(f"cards:\n  - {{name: A, value: {written}}}\n", value=int)
    shown = written if len(written) < 60 else written[:59] + "…"
    assert problem == f"cards.yaml:2:22: value must be an integer, not '{shown}'"


def test_an_integer_with_a_leading_zero_is_explained(problems: Problems) -> None:
    """`012` is ten in YAML 1.1 and twelve in YAML 1.2."""
    (problem,) = problems("cards:\n  - {name: A, value: 012}\n", value=int)
    assert problem == "cards.yaml:2:22: value must be an integer, not '012': no leading zeros"


def test_a_bounded_integer_names_its_bounds(problems: Problems) -> None:
    """The end of a range is not part of it."""
    (problem,) = problems("cards:\n  - {name: A, value: 16}\n", value=range(16))
    assert problem == "cards.yaml:2:22: value must be an integer from 0 to 15, not '16'"


@pytest.mark.parametrize("copies", ["0", "-1", "1000"])
def test_copies_are_bounded(problems: Problems, copies: str) -> None:
    """There is at least one of every card."""
    (problem,) = problems(f"cards:\n  - {{name: A, copies: {copies}}}\n")
    assert problem == f"cards.yaml:2:23: copies must be an integer from 1 to 999, not '{copies}'"


def test_a_word_from_a_list_is_suggested(problems: Problems) -> None:
    """The message for an enumerated field lists its words and suggests one."""
    (problem,) = problems("cards:\n  - {name: A, kind: sirn}\n", kind=("siren", "storm"))
    words = "kind must be one of 'siren', 'storm', not 'sirn'. Did you mean 'siren'?"
    assert problem == f"cards.yaml:2:21: {words}"


def test_an_empty_value_is_called_empty(problems: Problems) -> None:
    """A forgotten value is not the text of an empty quotation."""
    (problem,) = problems("cards:\n  - name: A\n    value:\n", value=int)
    assert problem.endswith(": value must be an integer, not empty")


def test_a_list_in_place_of_text_is_named(problems: Problems) -> None:
    (problem,) = problems("cards:\n  - {name: [A]}\n")
    assert (
        problem == "cards.yaml:2:12: name must be a name of letters, digits and - _ ', not a list"
    )


def test_text_that_moves_the_cursor_is_refused(problems: Problems) -> None:
    """YAML escapes can spell control characters that the file itself may not hold."""
    (problem,) = problems('cards:\n  - {name: A, text: "\\e[2J"}\n')
    assert problem == "cards.yaml:2:21: text must be printable text, not '\\x1b[2J'"


def test_a_missing_field_is_named_with_its_type(problems: Problems) -> None:
    """All fields of a game are required."""
    reported = problems("cards:\n  - {name: A}\n", value=int, kind=("siren",))
    assert reported == [
        "cards.yaml:2:5: missing key 'value' (an integer)",
        "cards.yaml:2:5: missing key 'kind' ('siren')",
    ]


def test_unknown_keys_are_suggested_at_every_level(problems: Problems) -> None:
    """Top, back and card each know their own keys."""
    top = "card: []\nbacks:\n  red: {color: red}\n"
    reported = problems(top + "cards:\n  - {name: A, titel: B}\n  - {zz: 1, name: B}\n")
    assert reported == [
        "cards.yaml:1:1: unknown key 'card'. Did you mean 'cards'?",
        "cards.yaml:3:9: unknown key 'color'. Did you mean 'colour'?",
        "cards.yaml:5:15: unknown key 'titel'. Did you mean 'title'?",
        "cards.yaml:6:6: unknown key 'zz'. Known: name, title, short, back, "
        "deck, copies, text, colour, art.",
    ]


def test_unknown_backs_and_decks_are_suggested(problems: Problems) -> None:
    """A card belongs to a deck and has a back that the file declares."""
    reported = problems(BACKS + "decks: [navy]\ncards:\n  - {name: A, back: rde, deck: nvay}\n")
    assert reported == [
        "cards.yaml:4:21: back must be one of 'red', 'blue', not 'rde'. Did you mean 'red'?",
        "cards.yaml:4:32: deck must be 'navy', not 'nvay'. Did you mean 'navy'?",
    ]


def test_back_and_deck_are_required_if_there_is_a_choice(problems: Problems) -> None:
    reported = problems(BACKS + "decks: [navy, pirate]\ncards:\n  - {name: A}\n")
    assert reported == [
        "cards.yaml:4:5: missing key 'back' (one of 'red', 'blue')",
        "cards.yaml:4:5: missing key 'deck' (one of 'navy', 'pirate')",
    ]


def test_card_and_deck_names_are_unique(problems: Problems) -> None:
    """Several cards of one face are copies, not lines."""
    reported = problems("decks: [x, x]\ncards:\n  - {name: A}\n  - {name: A}\n")
    assert reported == [
        "cards.yaml:1:12: duplicate deck 'x', first on line 1",
        "cards.yaml:4:12: duplicate card 'A', first on line 3",
    ]


def test_titles_are_unique_if_they_are_labels(problems: Problems, load: Load) -> None:
    """People know the cards by them, in any case; elsewhere they may repeat."""
    cards = "cards:\n  - {name: A, title: High Officer}\n  - {name: B, title: high  officer}\n"
    assert problems("labels: title\n" + cards) == [
        "cards.yaml:4:5: title 'high  officer' is already the label of card 'A'",
    ]
    assert len(load("labels: name\n" + cards).faces) == 2


@pytest.mark.parametrize("name", ["R 14", "R?", "''", "a+b", "a/b"])
def test_a_name_is_one_word(problems: Problems, name: str) -> None:
    """Names are part of the notation of actions."""
    (problem,) = problems(f"cards:\n  - {{name: {name}}}\n")
    assert problem.startswith("cards.yaml:2:12: name must be a name of letters, digits and - _ '")


def test_letters_of_backs_differ(problems: Problems) -> None:
    """Letters are unique, whether given or by default."""
    reported = problems(
        "backs:\n  red: {}\n  rose: {unknown: '??'}\ncards: [{name: A, back: red}]\n"
    )
    assert reported == ["cards.yaml:3:3: letter 'R' is already used by back 'red'"]


def test_the_sign_for_an_unseen_card_is_not_a_card_name(problems: Problems) -> None:
    """Otherwise the notation of an action would be ambiguous."""
    (problem,) = problems("backs:\n  red: {unknown: R14}\ncards: [{name: R14}]\n")
    words = "unknown must be printable, without blanks and no card's name, such as 'R?', not 'R14'"
    assert problem == f"cards.yaml:2:18: {words}"


def test_a_colour_is_one_of_the_palette(problems: Problems) -> None:
    """Themes know these colours and no others."""
    (problem,) = problems("backs:\n  red: {colour: grean}\ncards: [{name: A}]\n")
    assert problem.startswith("cards.yaml:2:17: colour must be one of 'white', 'blue', ")
    assert problem.endswith("not 'grean'. Did you mean 'green'?")


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("backs: {}\ncards: [{name: A}]", "1:8: expected a mapping of backs, not an empty mapping"),
        ("decks: x\ncards: [{name: A}]", "1:8: expected a list of decks, not 'x'"),
        ("cards: []", "1:8: expected a list of cards, not an empty list"),
        ("cards: [A]", "1:9: expected a mapping, not 'A'"),
        ("decks: [x]", "1:1: missing key 'cards' (a list of cards)"),
    ],
)
def test_a_section_of_the_wrong_form_is_named(
    problems: Problems, content: str, problem: str
) -> None:
    """A broken section is one problem, not one for every card that refers to it."""
    assert problems(content) == [f"cards.yaml:{problem}"]


def test_all_problems_are_reported_in_the_order_of_the_file(problems: Problems) -> None:
    """Cards are written before the backs they name as often as after them."""
    reported = problems("cards:\n  - {name: A, copies: 0}\nbacks:\n  red: {letter: RR}\ndeks: []\n")
    assert [problem.split(":")[1] for problem in reported] == ["2", "4", "5"]


def test_a_long_list_of_problems_is_cut(problems: Problems) -> None:
    """A hostile file must not cost memory without end."""
    reported = problems("cards:\n" + "  - {}\n" * 10_000)
    assert len(reported) == 501
    assert reported[-1] == "cards.yaml:501:5: 500 problems; there may be more"


def test_a_field_cannot_take_the_place_of_a_builtin_one(load: Load) -> None:
    """The game declares its fields wrongly; the file is not at fault."""
    with pytest.raises(ValueError, match="'copies': every card has this field already"):
        load("cards: [{name: A}]", copies=int)


@settings(max_examples=count_examples(40), deadline=None)
@given(st.one_of(st.binary(), st.text().map(str.encode), st.text("ab:-[]{}&*!|>'\"#%@,? \n\t")))
def test_every_invalid_content_raises_a_card_file_error(content: str | bytes) -> None:
    """Any content results in cards or in a list of problems."""
    problems: list[str] = []
    with TemporaryDirectory() as folder:
        path = Path(folder, "cards.yaml")
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        try:
            load_cards(path)
        except CardFileError as error:
            problems = error.problems
    assert all(problem.startswith(f"{path}:") for problem in problems)


def test_the_cards_of_gargon_are_the_cards_in_the_box() -> None:
    """102 cards, two zeros in each colour; amulets by value (gargon, facts; R10)."""
    path = Path(str(cardhub_gargon.__file__)).with_name("cards.yaml")
    cards = load_cards(path, value=range(16), amulets=range(6))
    by_value = [0, 5, 5, 5, 3, 3, 3, 2, 2, 2, 1, 1, 1, 0, 0, 0]
    assert (len(cards.faces), cards.count) == (96, 102)
    assert "".join(back.letter for back in cards.backs) == "WBVRYG"
    assert cards.ints("value") == list(range(16)) * 6
    assert cards.ints("amulets") == by_value * 6
    assert cards.back_of == tuple(face // 16 for face in range(96))
    assert [card.copies for card in cards.faces] == [2, *[1] * 15] * 6
    letters = [cards.backs[card.back].letter for card in cards.faces]
    assert [card.name for card in cards.faces] == [f"{x}{n % 16}" for n, x in enumerate(letters)]


def test_a_face_has_a_colour_only_if_the_file_gives_it_one(load: Load) -> None:
    """If all backs are alike, colours of the same palette distinguish faces."""
    cards = load("cards:\n  - {name: A1, colour: red}\n  - {name: B1}\n")
    assert [card.colour for card in cards.faces] == ["red", ""]


def test_the_colour_of_a_face_is_one_of_the_palette(problems: Problems) -> None:
    (problem,) = problems("cards: [{name: A, colour: grean}]\n")
    assert problem.startswith("cards.yaml:1:27: colour must be one of 'white', 'blue', ")
