"""Areas of cards."""

from cardhub.text.areas import small_area
from cardhub.text.cardspans import CardSpans
from cardhub.text.glyphs import UNICODE
from cardhub.text.sheet import Span
from cardhub.view.card_catalogue import catalogue_of
from cardhub.view.spots import Spot
from cardhub.view.view import AreaView, CardView
from cardhub_gargon import Gargon

CATALOGUE = catalogue_of(Gargon())


def area_of(count: int, **fields: object) -> AreaView:
    """Return an area of shared cards, the first faces of Gargon."""
    cards = tuple(CardView(token=n, back=0, face=n) for n in range(count))
    area = {"caption": "stack", "region": "centre", "look": "row", "cards": cards} | fields
    return AreaView(count=count, **area)  # type: ignore[arg-type]  # the fields are of any type


def text_of(area: AreaView, *legal: Spot) -> str:
    """Return the words of an area as text."""
    words = small_area(area, 4, CardSpans(CATALOGUE, UNICODE, dict.fromkeys(legal, (1,))))
    return "".join(" " * word.gap + span.text for word in words for span in word.spans).strip()


def test_a_legal_card_deep_in_a_pile_is_shown_before_the_last_ones() -> None:
    """The cursor could not reach it otherwise."""
    deep = Spot("card", 2, 4)
    cards = CardSpans(CATALOGUE, UNICODE, {deep: (1,)})
    words = small_area(area_of(26, look="pile"), 4, cards)
    spans: list[Span] = [span for word in words for span in word.spans]
    assert [span.spot for span in spans if span.is_legal] == [deep]
    assert len(words) < 26


def test_a_queue_begins_with_the_card_that_is_next() -> None:
    """Everybody sees its order."""
    backs = tuple(CardView(token=n, back=n % 2) for n in range(4))
    letters = "".join(CATALOGUE.backs[n % 2].letter for n in range(4))
    assert text_of(area_of(4, look="queue", cards=backs)) == f"stack 4 next: {letters}"


def test_an_area_that_awaits_cards_tells_how_many() -> None:
    """The outlines of the table, in words."""
    assert text_of(area_of(0, slots=1)) == "stack 0 (waiting for 1 more card)"
    assert text_of(area_of(1, slots=3)).startswith("stack 1 (waiting for 2 more cards)")


def test_texts_on_the_borders_of_a_card_follow_it_in_parentheses() -> None:
    """Head, foot and mark."""
    card = CardView(token=0, back=0, face=0, head="calls 3", foot="lost", mark="old")
    name = CATALOGUE.faces[0].label
    assert text_of(area_of(1, cards=(card,))) == f"stack 1 {name} (calls 3, lost, old)"
