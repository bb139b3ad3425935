"""Drawings on cards: which cards show them, and what a file of a drawing may not have."""

from collections.abc import Callable
from pathlib import Path

import pytest

from cardhub.model.cards import Cards
from cardhub.model.cards.art import MAX_BYTES, MAX_ELEMENTS, MAX_LAYERS
from cardhub.model.cards.cards import ArtElement

Problems = Callable[..., list[str]]
Load = Callable[..., Cards]

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">'
CIRCLE = f'{HEAD}<circle cx="12" cy="12" r="8"/></svg>'
ONE = "cards: [{name: A, art: star}]"
FOUR = """\
art:
  cup: {suit: cups}
  crown: {value: [12, 13]}
cards:
  - {name: C1, suit: cups, value: 1}
  - {name: C13, suit: cups, value: 13}
  - {name: S12, suit: swords, value: 12, art: star}
  - {name: S2, suit: swords, value: 2}
"""


def draw(**drawings: str) -> None:
    """Write files of drawings next to the card file."""
    folder = Path("art")
    folder.mkdir(exist_ok=True)
    for name, text in drawings.items():
        (folder / f"{name}.svg").write_text(text, "utf-8")


def problem_of(problems: Problems, text: str) -> str:
    """Return the only problem of a card file whose card shows this drawing."""
    draw(star=text)
    (problem,) = problems(ONE)
    return problem


def test_a_card_without_art_has_no_drawing(load: Load) -> None:
    """Card files need no folder of drawings."""
    cards = load("cards: [{name: A}]")
    assert cards.faces[0].art == ()
    assert cards.drawings == {}


def test_a_drawing_is_read_as_data(load: Load) -> None:
    """The size, the namespace, comments and the declaration of XML are left out."""
    draw(
        star='<?xml version="1.0" encoding="UTF-8"?>\n<!-- a star -->\n'
        '<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24" viewBox="0  0 24 24">'
        '<g fill="var(--ch-red)"><path d="M1 1h2\nz"/></g></svg>'
    )
    path = ArtElement("path", {"d": "M1 1h2 z"})
    group = ArtElement("g", {"fill": "var(--ch-red)"}, (path,))
    assert load(ONE).drawings == {"star": ArtElement("svg", {"viewBox": "0 0 24 24"}, (group,))}


def test_drawings_are_shown_by_fields_and_by_cards_themselves(load: Load) -> None:
    """Drawings of the section come first, in its order."""
    draw(cup=CIRCLE, crown=CIRCLE, star=CIRCLE)
    cards = load(FOUR, suit=str, value=int)
    assert [card.art for card in cards.faces] == [("cup",), ("cup", "crown"), ("crown", "star"), ()]


@pytest.mark.parametrize(
    ("section", "message"),
    [
        ("{cup: {suite: cups}}", "1:13: cards have no field 'suite'. Did you mean 'suit'?"),
        ("{cup: {suit: cup}}", "1:19: no card has the suit 'cup'. Did you mean 'cups'?"),
        ("{cup: {suit: [cups, {}]}}", "a value of the field suit, or a list of values"),
        ("{cup: {suit: cups, value: 2}}", "1:12: no card has all of these values"),
        ("{cup: {}}", "1:12: expected fields of cards, such as {back: red}, not an empty mapping"),
        ("[cup]", "1:6: expected a mapping of drawings, not a list"),
        ("{../cup: {suit: cups}}", "1:7: a drawing must be a name of letters, digits"),
        ("{cub: {suit: cups}}", "1:7: there is no drawing 'cub': no file art/cub.svg."),
    ],
)
def test_faults_of_the_section_are_named(problems: Problems, section: str, message: str) -> None:
    """Each fault has its line and column in the card file."""
    draw(cup=CIRCLE)
    cards = "[{name: C1, suit: cups, value: 1}, {name: S2, suit: s, value: 2}]"
    assert message in problems(f"art: {section}\ncards: {cards}", suit=str, value=int)[0]


def test_a_missing_drawing_of_a_card_is_named(problems: Problems) -> None:
    """Names are compared exactly, even on systems whose file names ignore case."""
    draw(Star=CIRCLE)
    assert problems(ONE) == [
        "cards.yaml:1:24: there is no drawing 'star': no file art/star.svg. Did you mean 'Star'?",
        "art/Star.svg:1:1: no card shows this drawing. fix: name it in the card file, or delete it",
    ]


def test_a_card_shows_few_drawings(problems: Problems) -> None:
    names = [f"d{n}" for n in range(MAX_LAYERS + 1)]
    draw(**dict.fromkeys(names, CIRCLE))
    section = ", ".join(f"{name}: {{name: A}}" for name in names)
    (problem,) = problems(f"art: {{{section}}}\ncards: [{{name: A}}]")
    assert problem.endswith("card 'A' shows 5 drawings; at most 4 are allowed")
    assert (
        "names of up to 4 drawings" in problems(f"cards: [{{name: A, art: {' '.join(names)}}}]")[0]
    )


@pytest.mark.parametrize(
    ("inside", "message"),
    [
        ("<script>alert(1)</script>", "1:61: the element 'script' is not allowed."),
        ("<foreignObject/>", "the element 'foreignObject' is not allowed."),
        ("<use href='#a'/>", "the element 'use' is not allowed."),
        ("<image href='https://example.org/x.png'/>", "the element 'image' is not allowed."),
        ("<style>@import 'x'</style>", "the element 'style' is not allowed."),
        ("<animate/>", "the element 'animate' is not allowed."),
        ("<text>hello</text>", "the element 'text' is not allowed."),
        ("<a href='javascript:alert(1)'/>", "the element 'a' is not allowed."),
        ("<circel r='1'/>", "the element 'circel' is not allowed. Did you mean 'circle'?"),
        ("<svg viewBox='0 0 1 1'/>", "an svg inside another one is not allowed"),
        ("<circle r='1'><g/></circle>", "elements inside circle are not allowed"),
        ("<circle r='1' onload='alert(1)'/>", "1:75: circle has no attribute 'onload'."),
        ("<circle\n r='1'\n  onload='1'/>", "star.svg:3:3: circle has no attribute 'onload'."),
        ("<circle r='1' style='fill:red'/>", "circle has no attribute 'style'."),
        ("<circle r='1' class='ch-table'/>", "circle has no attribute 'class'."),
        ("<circle r='1' id='ch-own'/>", "circle has no attribute 'id'."),
        ("<path d='M0 0' xml:base='x'/>", "path has no attribute 'xml:base'."),
        ("<rect widht='1'/>", "rect has no attribute 'widht'. Did you mean 'width'?"),
        ("<circle r='1e9'/>", "r must be a number such as 1.5, not '1e9'"),
        ("<circle r='99999'/>", "r must be a number such as 1.5"),
        ("<circle fill='red'/>", "fill must be none, currentColor, #rgb, #rrggbb or var"),
        ("<circle fill='url(#a)'/>", "fill must be none"),
        ("<circle fill='var(--other)'/>", "fill must be none"),
        ("<circle fill='var(--ch-red);x:url(y)'/>", "fill must be none"),
        ("<path d='M0 0url(x)'/>", "d must be a path of commands and numbers"),
        ("<path d='L0 0'/>", "d must be a path"),
        ("<polygon points='1;2'/>", "points must be numbers separated by blanks or commas"),
        ("<g transform='url(1)'/>", "transform must be functions such as"),
        ("<circle opacity='2'/>", "opacity must be a number from 0 to 1"),
        ("hello", "text is not allowed: 'hello'"),
        ("<![CDATA[x]]>", "text is not allowed: 'x'"),
        ("<?php echo 1?>", "the instruction '?php' is not allowed."),
        ("<g>" * 8, "nested deeper than 8 levels"),
        ("<circle>", "invalid XML: mismatched tag"),
        ("<circle r='1' r='2'/>", "invalid XML: duplicate attribute"),
        ("&lol;", "invalid XML: undefined entity"),
        ("<g/>" * MAX_ELEMENTS, "more than 150 elements"),
    ],
)
def test_only_shapes_are_allowed(problems: Problems, inside: str, message: str) -> None:
    """All else is an error with its place: scripts, events, styles, links, names and text."""
    assert message in problem_of(problems, f"{HEAD}{inside}</svg>")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "1:1: invalid XML: no element found"),
        ("no drawing", "invalid XML: syntax error"),
        ("<g/>", "<g> outside of <svg> is not allowed"),
        ("<svg/>", "missing attribute viewBox. fix: add viewBox='0 0 24 24'"),
        ("<svg viewBox='0 0 24'/>", "viewBox must be four numbers such as '0 0 24 24'"),
        ("<svg xmlns='urn:x' viewBox='0 0 1 1'/>", "svg has no attribute 'xmlns'."),
        ("<svg xmlns:xlink='urn:x' viewBox='0 0 1 1'/>", "svg has no attribute 'xmlns:xlink'."),
        ("<!DOCTYPE svg><svg/>", "a document type is not allowed. fix: delete the line"),
        ("<?xml-stylesheet href='x'?><svg/>", "the instruction '?xml-stylesheet' is not allowed."),
        (f"{CIRCLE}{CIRCLE}", "invalid XML: junk after document element"),
        (f"{CIRCLE}{' ' * MAX_BYTES}", "1:1: larger than 6000 bytes."),
    ],
)
def test_a_file_holds_one_drawing(problems: Problems, text: str, message: str) -> None:
    assert message in problem_of(problems, text)


def test_entities_are_never_expanded(problems: Problems) -> None:
    """A billion laughs and a file of the machine both end at the document type."""
    laughs = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    bomb = f'<!DOCTYPE svg [<!ENTITY l0 "ha">{laughs}]><svg viewBox="0 0 1 1">&l9;</svg>'
    assert "a document type is not allowed" in problem_of(problems, bomb)
    file = (
        '<!DOCTYPE svg [<!ENTITY f SYSTEM "file:///etc/passwd">]><svg viewBox="0 0 1 1">&f;</svg>'
    )
    assert "a document type is not allowed" in problem_of(problems, file)


def test_a_drawing_is_a_regular_file_of_text(problems: Problems) -> None:
    """A folder is refused, and so are bytes that are not UTF-8."""
    Path("art/star.svg").mkdir(parents=True)
    assert problems(ONE) == ["art/star.svg:1:1: cannot be read: it is a directory"]
    Path("art/star.svg").rmdir()
    Path("art/star.svg").write_bytes(b'<svg viewBox="0 0 1 1">\xff</svg>')
    assert "invalid XML: not well-formed" in problems(ONE)[0]
