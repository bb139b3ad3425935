"""Sites and cards share names: `a1` typed alone is the site, `A1` in an action the card."""

from cardhub.play.host.local_session import ViewerAnswers

from ..positions import Position, set_up

ROWS = "C1 B1 A2 \n C4 A1 C5 \n A3 B6 ."


def read(at: Position, text: str) -> str:
    """Return the name of the action that a text means, or why it means none."""
    seen = at.observe(at.state.seat)
    legal = seen.legal()
    answer = ViewerAnswers(seen, ["Ada", "Bo"], legal, {}).read(text)
    names = {action: name for name, action in seen.labels().choices(legal).items()}
    return names[answer] if isinstance(answer, int) else answer


def test_a_site_typed_alone_means_what_can_be_done_there() -> None:
    """C1 is on a1 and C5 on c2; they belong to number groups of their names."""
    at = set_up(ROWS, layout="a")
    assert read(at, "c2") == "lift C5"
    assert read(at, "C2") == "lift C5"
    assert read(at, "a3") == "lift A3"
    assert read(at, "lift A2") == "lift A2"
    assert read(at, "lift c5") == "lift C5"


def test_the_site_of_a_group_means_the_group() -> None:
    at = set_up(ROWS, layout="a")
    assert read(at, "a1") == read(at, "b2") == "lift A1"


def test_while_a_card_is_placed_the_site_is_meant_as_well() -> None:
    """A placement is about a site anyway."""
    at = set_up(ROWS, layout="a").act("lift A2")
    assert read(at, "c1") == "place c1"


def test_at_an_empty_site_nothing_can_be_lifted() -> None:
    """The text says so, and means no card."""
    at = set_up(ROWS, layout="a")
    assert not read(at, "c3").startswith("lift")
