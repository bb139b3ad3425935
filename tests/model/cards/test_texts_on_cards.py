"""Short names, corners and suits of card files, and the exact messages for invalid ones."""

from collections.abc import Callable

import pytest

from cardhub.model.cards import Card, Cards, Suit

Problems = Callable[..., list[str]]
Load = Callable[..., Cards]

SUITS = "suits: {C: {glyph: ♣, colour: green}, H: {glyph: ♥, ascii: h}}\n"


def only_card(cards: Cards) -> Card:
    """Return the card of a file that has one."""
    (card,) = cards.faces
    return card


def test_a_short_name_is_the_label_unless_the_file_has_another(load: Load) -> None:
    """It is shown in the corners as well if it fits there."""
    card = only_card(load("cards: [{name: R15}]"))
    assert (card.short, card.corner) == ("R15", "R15")
    card = only_card(load("cards: [{name: high-officer, title: High Officer, short: High Off}]"))
    assert (card.label, card.short, card.corner) == ("high-officer", "High Off", "")


@pytest.mark.parametrize(
    ("name", "title", "short"),
    [
        ("mate", "Mate", "Mate"),
        ("officer", "Petty Officer of the Watch", "officer"),
        ("petty-officer", "Petty Officer of the Watch", "Petty Of."),
        ("all-hands-on-deck", "All the Hands on Deck", "All the."),
    ],
)
def test_a_label_that_is_too_wide_is_abbreviated(
    load: Load, name: str, title: str, short: str
) -> None:
    """The label is the first choice, then the name, then the first nine cells of the label."""
    text = f"labels: title\ncards: [{{name: {name}, title: {title}}}]"
    assert only_card(load(text)).short == short


def test_the_corner_shows_a_field_of_the_whole_deck(load: Load) -> None:
    """The field is one of the game's, or the name, the title or the short name."""
    card = "cards: [{name: mate, short: Mate, base: 3}]"
    assert only_card(load(f"corner: base\n{card}", base=int)).corner == "3"
    assert only_card(load("corner: title\ncards: [{name: mate, title: M1}]")).corner == "M1"


def test_short_names_can_be_the_labels(load: Load) -> None:
    """People then read and type them in place of the names."""
    text = "labels: short\ncards: [{name: rose-R, short: red rose}, {name: skull-R}]"
    assert [card.label for card in load(text).faces] == ["red rose", "skull-R"]


def test_people_see_the_glyph_of_a_suit_and_records_its_letter(load: Load) -> None:
    """It replaces the end of the name, also in the short name and in the corner."""
    cards = load(SUITS + "cards: [{name: 10C}, {name: QH, colour: red}, {name: Joker}]")
    assert [card.name for card in cards.faces] == ["10C", "QH", "Joker"]
    assert [card.label for card in cards.faces] == ["10♣", "Q♥", "Joker"]
    assert [card.short for card in cards.faces] == ["10♣", "Q♥", "Joker"]
    assert [card.corner for card in cards.faces] == ["10♣", "Q♥", ""]
    assert [card.colour for card in cards.faces] == ["green", "red", ""]
    assert cards.suits == (Suit("C", "♣", "C", "green"), Suit("H", "♥", "h"))


def test_the_longest_suit_counts(load: Load) -> None:
    """A name may end with two of them."""
    suits = "suits: {H: {glyph: ♥}, CH: {glyph: ♣}}\n"
    assert [c.label for c in load(suits + "cards: [{name: 7CH}, {name: 7H}]").faces] == ["7♣", "7♥"]


def test_titles_stay_the_labels_of_cards_with_suits(load: Load) -> None:
    text = "labels: title\nsuits: {C: {glyph: ♣}}\ncards: [{name: 7C, title: Seven of clubs}]"
    card = only_card(load(text))
    assert (card.label, card.short) == ("Seven of clubs", "7♣")


def test_a_short_name_has_nine_cells(problems: Problems) -> None:
    wide = "must be printable text of at most 9 cells, not"
    assert problems(
        "cards:\n  - {name: A, short: Petty Officer}\n  - {name: B, short: 安安安安安}\n"
    ) == [
        f"cards.yaml:2:22: short {wide} 'Petty Officer'",
        f"cards.yaml:3:22: short {wide} '安安安安安'",
    ]


def test_a_corner_names_a_field(problems: Problems) -> None:
    assert problems("corner: bsae\ncards: [{name: A, base: 1}]", base=int) == [
        "cards.yaml:1:9: corner must be one of 'name', 'title', 'short', 'base', not 'bsae'. "
        "Did you mean 'base'?"
    ]


def test_a_corner_has_three_cells(problems: Problems) -> None:
    """The card whose value is too wide is named."""
    assert problems("corner: base\ncards:\n  - {name: A, base: 1000}\n", base=int) == [
        "cards.yaml:3:5: corner '1000' is 4 cells wide. "
        "fix: name a field of at most 3 cells in 'corner'"
    ]


def test_short_labels_differ(problems: Problems) -> None:
    """Otherwise people could not know which card is meant."""
    text = "labels: short\ncards:\n  - {name: A, short: Rose}\n  - {name: B, short: rose}\n"
    assert problems(text) == ["cards.yaml:4:5: short 'rose' is already the label of card 'A'"]


def test_suits_are_validated(problems: Problems) -> None:
    """Keys, glyphs, colours, and cards of every suit are checked."""
    text = (
        "suits:\n"
        "  C: {glyph: C, colour: gren}\n"
        "  D: {glyf: ♦}\n"
        "  H: {glyph: ♥}\n"
        "  S: {glyph: ♥, ascii: ♠}\n"
        "cards: [{name: 7C}, {name: 7D}, {name: 7H}]\n"
    )
    assert problems(text) == [
        "cards.yaml:2:14: glyph must be a printable character that is not ASCII, such as ♥, "
        "not 'C'",
        "cards.yaml:2:25: colour must be one of 'white', 'blue', 'violet', 'red', 'yellow', "
        "'green', 'cyan', 'grey', not 'gren'. Did you mean 'green'?",
        "cards.yaml:3:6: missing key 'glyph' (a printable character that is not ASCII, such as ♥)",
        "cards.yaml:3:7: unknown key 'glyf'. Did you mean 'glyph'?",
        "cards.yaml:5:3: glyph '♥' is already used by suit 'H'",
        "cards.yaml:5:3: no card has a name that ends with the suit 'S'. "
        "fix: name cards such as '7S'",
        "cards.yaml:5:24: ascii must be one or two ASCII characters, such as H, not '♠'",
    ]


@pytest.mark.parametrize("suits", ["[]", "{}", "spades"])
def test_suits_are_a_mapping(problems: Problems, suits: str) -> None:
    """An empty one would be a mistake."""
    (problem,) = problems(f"suits: {suits}\ncards: [{{name: A}}]\n")
    assert problem.startswith("cards.yaml:1:8: expected a mapping of suits, not ")
