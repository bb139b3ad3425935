"""Views as plain text in reading order."""

from collections.abc import Callable
from random import Random
from typing import Any

import msgspec
import pytest
from tests.gargon.positions import set_up
from tests.kit.table_texts import text_of

from cardhub.model.game.scene import Counter, Tally, TallyRow
from cardhub.model.hidden.observation import EVERYTHING, Observation
from cardhub.model.table.state import CHANCE, OVER
from cardhub.testing.game_checks.display_checks import table_plan as plain_text
from cardhub.testing.game_checks.display_checks.table_plan import left_out
from cardhub.view.building import build_view
from cardhub.view.card_catalogue import build_catalogue
from cardhub.view.text import ASCII, UNICODE, prompt_text, table_lines
from cardhub.view.text.glyphs import cells
from cardhub.view.view import (
    AreaView,
    CardBack,
    CardCatalogue,
    CardFace,
    CardView,
    ChoiceView,
    GridView,
    PlayerView,
    Spot,
    View,
    decode_view,
    encode,
)

NAMES = ["Anna", "Bob", "Chris", "David", "Eva"]
CATALOGUE = CardCatalogue(
    faces=tuple(
        CardFace(label=name, short=name, title=name, colour="red", detail=detail)
        for name, detail in (("R1", "1●"), ("R2", ""), ("R3", ""))
    ),
    backs=(CardBack(letter="R", unknown="R?", title="a red card", colour="red"),),
)
FIRST_TURN = """\
Duel · round 2 · calling

prize 5
left stack (3, next first): R R2 R
board:
    a      b
1   R2/R1  ·
2   ·      R3*
suits A, goal 8: Anna 8, won; Bob 4, 2 more

  Bob (rule), leads, won 9, purse 4
    in play 1: R1, calls 3, lost
    in play 2: a red card, face down
    in play: 1 to come

> Anna, won 7
    won (2): 2 red cards
    hand (2): R1 (red) 1●, R2

1. call 1  2. pass    3. call 3
"""


def test_a_card_of_a_hand_begins_with_its_value_and_stays_on_a_line() -> None:
    face = CardFace(
        label="High Officer",
        short="High Off",
        corner="3",
        title="High Officer",
        colour="blue",
        detail="+2 each",
    )
    catalogue = CardCatalogue(faces=(face,), backs=CATALOGUE.backs)
    hand = AreaView(
        caption="hand", region="hand", look="hand", count=2, cards=(card(1, 0), card(2, 0)), seat=0
    )
    lines = table_lines(duel(areas=(hand,)), catalogue, 46)
    assert "    hand (2): 3 High Officer +2 each," in lines
    assert "        3 High Officer +2 each" in lines


def card(token: int, face: int | None = None, **fields: Any) -> CardView:
    """Return a card; without a face its back is in sight."""
    return CardView(token=token, back=0, face=face, **fields)


def choice(action: int, verb: str, noun: str = "") -> ChoiceView:
    """Return a choice with a button."""
    name = f"{verb} {noun}".strip()
    spots = (Spot("button", action),)
    return ChoiceView(action=action, name=name, notation=name, verb=verb, object=noun, spots=spots)


def areas_of_a_duel() -> tuple[AreaView | GridView, ...]:
    """Return a queue, a board, cards with texts on their borders, a row and a hand."""
    played = (card(5, 0, head="calls 3", foot="lost"), card(6, foot="face down"))
    queue = (card(7), card(8, 1), card(9))
    hand = (card(1, 0, mark="red"), card(2, 1))
    return (
        AreaView(caption="left stack", region="centre", look="queue", count=3, cards=queue),
        GridView(
            caption="board",
            rows=2,
            columns=2,
            stacks=((card(11, 0), card(12, 1)), (), (), (card(13, 2, is_new=True),)),
        ),
        AreaView(
            caption="in play", region="front", look="row", count=2, cards=played, seat=1, slots=3
        ),
        AreaView(
            caption="won", region="seat", look="row", count=2, cards=(card(3), card(4)), seat=0
        ),
        AreaView(caption="hand", region="hand", look="hand", count=2, cards=hand, seat=0),
    )


def duel(**fields: Any) -> View:
    """Return a view that has all parts of a view."""
    row = TallyRow(label="A", counts=(8, 4), goal=8, notes=("won", "2 more"))
    given: dict[str, Any] = {
        "revision": 3,
        "game": "duel",
        "title": "Duel",
        "viewer": 0,
        "own": 0,
        "players": (
            PlayerView(name="Anna", score="won 7"),
            PlayerView(name="Bob", bot="rule", score="won 9", badges=("leads",)),
        ),
        "to_act": 0,
        "is_over": False,
        "prompt": "call a number",
        "status": "round 2",
        "phases": ("laying", "calling"),
        "phase": "calling",
        "areas": areas_of_a_duel(),
        "counters": (
            Counter(caption="prize", value=5),
            Counter(caption="purse", value=4, seat=1),
        ),
        "tallies": (Tally(caption="suits", rows=(row,)),),
        "choices": (choice(4, "call", "1"), choice(9, "pass"), choice(6, "call", "3")),
    }
    return View(**(given | fields))


def test_a_view_reads_from_the_shared_areas_over_the_others_to_the_own_hand() -> None:
    assert "\n".join(table_lines(duel(), CATALOGUE, 60)) == FIRST_TURN


def test_the_prompt_names_the_player_to_act() -> None:
    assert prompt_text(duel()) == "Your turn, Anna: call a number"
    assert prompt_text(duel(to_act=1)) == "Waiting for Bob: call a number"
    assert prompt_text(duel(to_act=CHANCE)) == "Chance: call a number"
    assert prompt_text(duel(to_act=OVER, is_over=True)) == "The game is over"


def test_suits_of_a_game_have_their_text_in_ascii() -> None:
    faces = (msgspec.structs.replace(CATALOGUE.faces[0], label="7☘"), *CATALOGUE.faces[1:])
    suited = msgspec.structs.replace(CATALOGUE, faces=faces, ascii={"☘": "Cu"})
    hand = AreaView(caption="hand", region="hand", look="hand", count=1, cards=(card(0, 0),))
    text = "\n".join(table_lines(duel(areas=(hand,), choices=()), suited, 60, ASCII))
    assert "7Cu" in text
    assert "?" not in text


@pytest.mark.parametrize("game", ["gargon", "magpie", "patchwork"])
@pytest.mark.parametrize("width", [40, 80, 200])
def test_no_line_is_wider_than_the_terminal(
    game: str, width: int, table: Callable[..., Any]
) -> None:
    for observation in list(table(game).all_positions())[::5]:
        for glyphs in (UNICODE, ASCII):
            text = text_of(observation, NAMES, width, (), glyphs)
            assert max(map(cells, text.splitlines())) <= width
            assert glyphs is UNICODE or text.isascii()


@pytest.mark.parametrize("game", ["gargon", "magpie", "patchwork"])
def test_text_drawn_from_the_json_form_is_that_drawn_locally(
    game: str, table: Callable[..., Any]
) -> None:
    at = table(game)
    catalogue = build_catalogue(at.referee.game)
    sent = msgspec.json.decode(encode(catalogue), type=CardCatalogue)
    for _ in range(12):
        for seat in range(len(at.referee.players) + 1):
            view = at.view(seat)
            remote = decode_view(encode(view))
            assert table_lines(remote, sent, 80) == table_lines(view, catalogue, 80)
        at.play(2)


@pytest.mark.parametrize("game", ["gargon", "magpie"])
def test_no_determinization_changes_a_single_character(
    game: str, table: Callable[..., Any]
) -> None:
    """A rendering is secret: it does not depend on faces that the seat has not seen."""
    rng = Random(5)
    for observation in list(table(game, seed=4).all_positions())[::7]:
        other = Observation(observation.game, observation.determinize(rng), observation.seat)
        assert text_of(other, NAMES) == text_of(observation, NAMES)


def test_changed_cards_are_marked_in_hands_and_rows(table: Callable[..., Any]) -> None:
    first = table(seats=5)
    own_card, other = first.observe().state.hand[0][0], first.observe().state.hand[1][0]
    text = text_of(first.observe(0), NAMES, 53, {own_card, other})
    assert text.count("*") == 2


def test_a_face_the_viewer_has_seen_shows_in_another_hand(table: Callable[..., Any]) -> None:
    first = table(seats=3)
    state = first.referee.observe(EVERYTHING).state
    token = state.hand[1][0]
    name = first.observe(1).labels().card(token)
    assert f" {name}," not in text_of(first.observe(0), NAMES)
    state.show(token, 0)
    assert f" {name}," in text_of(Observation(first.referee.game, state, 0), NAMES)


def test_a_pile_shows_its_count_and_its_last_cards(table: Callable[..., Any]) -> None:
    late = table(seats=3).play(90)
    pile = late.observe(0).state.discard
    labels = late.observe(0).labels()
    assert len(pile) > 5
    last = " ".join(labels.card(token) for token in reversed(pile[-5:]))
    assert f"discarded ({len(pile)}): {last} …\n" in late.text(seat=0)


def test_no_line_ends_in_blanks_and_the_last_one_ends(table: Callable[..., Any]) -> None:
    """Files and screen readers get no superfluous blanks."""
    text = table().play(30).text()
    assert text.endswith("\n")
    assert all(line == line.rstrip() for line in text.splitlines())


def test_the_check_of_complete_texts_finds_every_missing_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    at = set_up(
        {0: "R1 R2 R3 B9", 1: "B1 B2", 2: "Y1 G6"}, won={0: "Y9", 1: "V1", 2: "W1"}, seats=3
    ).act("lay R1", "lay R2")
    view = build_view(at.observe(0), NAMES[:3], bots=("rule", "", "random"))
    catalogue = build_catalogue(at.game)
    assert left_out(view, catalogue, 80, UNICODE) == []
    whole = table_lines(view, catalogue, 80, UNICODE)
    for line in filter(None, whole):
        shorter = list(whole)
        shorter.remove(line)
        monkeypatch.setattr(plain_text, "table_lines", lambda *_, shorter=shorter: shorter)
        # The letters of a queue of backs are not checked one by one.
        assert left_out(view, catalogue, 80, UNICODE) or set(line) <= set(" RBGYWV"), line
