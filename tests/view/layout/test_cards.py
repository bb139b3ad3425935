"""How cards and their marks are drawn at each size, with and without colours."""

from collections.abc import Sequence

import msgspec
import pytest
from tests.view.layout.drawn import drawn, lines_of
from tests.view.layout.positions import gamon, gargon, hearts
from tests.view.layout.views import TableBuilder

from cardhub.view.layout.canvas import COLOUR_TABLE, Frame, Run, TableGlyphs
from cardhub.view.layout.draw import draw
from cardhub.view.layout.drawing.card_rows import step_of, window
from cardhub.view.layout.plan import PlanOptions, TerminalSize, plan_of
from cardhub.view.layout.shape import shape_of
from cardhub.view.view import AreaView, CardView, Spot, View

# Without background colours.
MONO = COLOUR_TABLE._replace(has_brackets=True)


def text_of(frame: Frame) -> str:
    """Return a frame as text."""
    return "\n".join(lines_of(frame))


def frame_of(
    table: TableBuilder,
    size: tuple[int, int] = (80, 24),
    cursor: Spot | None = None,
    glyphs: TableGlyphs = COLOUR_TABLE,
) -> Frame:
    """Return the frame of a table."""
    view, catalogue = table.view(), table.catalogue()
    plan = plan_of(shape_of(view, catalogue), TerminalSize(*size))
    return draw(view, catalogue, plan, cursor=cursor, glyphs=glyphs)


def runs_of(frame: Frame, text: str) -> list[Run]:
    """Return the runs that have a text."""
    return [run for row in frame.rows for run in row if text in run.text]


def front(**fields: object) -> TableBuilder:
    """Return a table with a card in front of the other seat, and its marks."""
    table = TableBuilder(2)
    table.face("R7", detail="2●", colour="red")
    card = table.card("R7", **fields)
    table.area("laid", "front", [card], seat=1, room=3)
    return table


@pytest.mark.parametrize(
    ("fields", "border"),
    [
        ({}, " 2● "),
        ({"mark": "bluff?"}, "bluff?"),
        ({"foot": "won"}, " won "),
        ({"head": "calls 3"}, "calls"),
    ],
)
def test_borders_tell_the_detail_or_more(fields: dict[str, object], border: str) -> None:
    assert border in text_of(frame_of(front(**fields)))


def test_a_new_card_has_a_mark_and_one_that_left_an_outline() -> None:
    table = front(is_new=True)
    assert "•" in text_of(frame_of(table))
    view = table.view()
    areas = [area for area in view.areas if isinstance(area, AreaView)]
    left = msgspec.structs.replace(areas[0], cards=(), count=0, gone=1)
    gone = msgspec.structs.replace(view, areas=(left,))
    plan = plan_of(shape_of(gone, table.catalogue()), TerminalSize(80, 24))
    frame = draw(gone, table.catalogue(), plan)
    assert runs_of(frame, "╭")[0].style.role == "outline"


def test_a_back_shows_its_letter_and_no_face() -> None:
    text = text_of(drawn(gargon(), (100, 30)))
    assert "│▒R?▒│" in text


def test_illegal_cards_are_faint_only_where_something_is_legal() -> None:
    position = hearts()
    faint = [run for row in drawn(position, (80, 24)).rows for run in row if run.style.is_faint]
    assert {"♦7", "♥9"} <= {run.text.strip() for run in faint}
    assert not any("♠K" in run.text for run in faint)
    waiting = position._replace(view=msgspec.structs.replace(position.view, choices=(), to_act=1))
    rows = drawn(waiting, (80, 24)).rows
    assert not any(run.style.is_faint for row in rows for run in row)


def test_illegal_cards_have_no_frame_without_colours() -> None:
    coloured, mono = drawn(hearts(), (80, 24)), drawn(hearts(), (80, 24), MONO)
    hand = slice(-9, -6)
    assert sum(line.count("╭") for line in lines_of(coloured)[hand]) == 6
    assert sum(line.count("╭") for line in lines_of(mono)[hand]) == 1


def test_the_card_under_the_cursor_stands_higher_in_a_heavy_frame() -> None:
    frame = drawn(gargon(), (60, 20))
    heavy = runs_of(frame, "┏━━━━┓")
    assert [run.style.role for run in heavy] == ["accent"]
    rows = [n for n, line in enumerate(lines_of(frame)) if "┏" in line or "╭────╮╭────╮┃" in line]
    assert rows[1] == rows[0] + 1


def test_a_raised_card_that_others_overlap_has_a_right_side_and_hides_no_value() -> None:
    table = TableBuilder(1)
    names = [f"♣{value}" for value in "23456789TJQKA"]
    for name in names:
        table.face(name)
    table.area("hand", "hand", table.cards(" ".join(names)), seat=0, look="hand", room=13)
    lines = lines_of(frame_of(table, (80, 40), cursor=table.tokens["♣4"]))
    top = next(n for n, line in enumerate(lines) if "┏" in line)
    left, right = lines[top].index("┏"), lines[top].index("┓")
    assert all(lines[top + n][right] == "┃" for n in range(1, 4))
    assert all(f"│{name}" in lines[top + 2] for name in names if name not in ("♣2", "♣4", "♣5"))
    assert lines[top + 2][right + 1 :].startswith("♣5")
    assert lines[top + 1][left + 1 :].startswith("♣4")


def test_all_cards_of_an_action_have_heavy_frames() -> None:
    table = TableBuilder(2)
    for name in ("V1", "V7", "Y0"):
        table.face(name, colour="violet")
    table.area("laid", "front", table.cards("V1 V7 Y0"), seat=0, room=3)
    table.choice("fight", "violet", [table.tokens["V1"], table.tokens["V7"]])
    text = text_of(frame_of(table, cursor=table.tokens["V7"]))
    assert text.count("┏") == 2


def test_the_names_of_others_stand_on_the_cards_of_a_trick() -> None:
    text = text_of(drawn(hearts(), (100, 30)))
    assert "╭ Bob •╮" in text
    assert "╭Chris•╮" in text
    assert "│ you  │" in text


def test_names_that_are_too_long_for_the_border_of_a_card_stand_before_it() -> None:
    for size in ((60, 20), (80, 24)):
        text = text_of(drawn(hearts(), size))
        assert "Bob │ ♣9 │    Chris │ ♠K │    David │ ♥2 │" in text


def test_names_wait_for_places_of_a_trick() -> None:
    table = TableBuilder(4)
    for seat in range(4):
        table.area("plays", "front", seat=seat, room=1)
    assert text_of(frame_of(table, (80, 24))).count("Chris") == 1


def test_a_name_that_has_no_room_before_a_card_breaks_no_frame() -> None:
    position = hearts()
    players = list(position.view.players)
    players[1] = msgspec.structs.replace(players[1], name="Maximiliane-Alexandra")
    view = msgspec.structs.replace(position.view, players=players)
    text = text_of(drawn(position._replace(view=view), (60, 20)))
    assert "╭Max•╮" in text
    assert "╭Chr•╮" in text


def test_several_people_at_a_terminal_are_named() -> None:
    position = hearts()
    shared = position._replace(texts=position.texts._replace(says_you=False))
    text = text_of(drawn(shared, (80, 24)))
    assert "(you)" not in text
    assert "│Anna│" in text
    assert "Anna's turn" in text


def test_titles_take_two_lines_and_texts_as_many_as_there_are() -> None:
    text = text_of(drawn(gamon(), (120, 40)))
    assert "│   Petty   │" in text
    assert "│  Officer  │" in text
    assert "│+2 for each card you│" in text
    assert "amulets…" in text_of(drawn(gargon(), (200, 28)))


def test_a_hand_has_the_widest_of_four_steps() -> None:
    assert step_of(9, 6, 79, 4) == 7
    assert step_of(13, 6, 79, 4) == 6
    assert step_of(14, 6, 79, 4) == 5
    assert step_of(17, 6, 79, 4) == 4
    assert step_of(40, 6, 79, 4) == 1


def test_a_row_that_lacks_room_shows_the_card_under_the_cursor() -> None:
    widths = [4] * 10
    assert window(widths, 40, False, None) == (0, 10)
    assert window(widths, 22, False, None) == (0, 5)
    assert window(widths, 22, True, None) == (5, 10)
    assert window(widths, 22, False, 7) == (3, 8)
    assert window(widths, 22, True, 2) == (2, 7)


def test_overlapped_cards_show_value_and_suit_at_their_left() -> None:
    table = TableBuilder(2)
    names = [f"{suit}{rank}" for suit in "♣♦♠" for rank in "23456"]
    for name in names:
        table.face(name)
    table.area("hand", "hand", table.cards(names[:13]), seat=0, look="hand", room=13)
    view, catalogue = table.view(), table.catalogue()
    plan = plan_of(shape_of(view, catalogue), TerminalSize(120, 40), PlanOptions(cards="auto"))
    text = text_of(draw(view, catalogue, plan, cursor=table.tokens["♣2"]))
    assert all(text.count(name) == 1 for name in names[:12])
    assert text.count(names[12]) == 2


def test_stops_of_overlapped_cards_are_what_is_in_sight() -> None:
    table = TableBuilder(2)
    for value in range(14):
        table.face(f"R{value}")
    hand = table.cards(f"R{value}" for value in range(14))
    table.area("hand", "hand", hand, seat=0, look="hand", room=14)
    boxes = [stop.box for stop in frame_of(table, (60, 20)).stops if stop.region == "hand"]
    assert {box.width for box in boxes[:-1]} == {4}
    assert boxes[-1].width == 6


def test_a_room_of_a_few_cards_more_makes_no_hand_smaller() -> None:
    """A hand of fifteen cards is rare; it becomes a row of text, in the place of the hand."""
    heights = set()
    for count in (10, 15):
        table = TableBuilder(2)
        for value in range(15):
            table.face(f"R{value}")
        hand = table.cards(f"R{value}" for value in range(count))
        table.area("hand", "hand", hand, seat=0, look="hand", room=15)
        frame = frame_of(table, (60, 20))
        boxes = [stop.box for stop in frame.stops if stop.region == "hand"]
        assert len(boxes) == count
        assert all(box.x + box.width <= 60 for box in boxes)
        heights.add(boxes[0].height)
    assert heights == {3, 1}


def test_every_position_can_be_read_without_colours() -> None:
    text = text_of(drawn(gamon(), (80, 24), MONO))
    assert "▸[1] cry GAMON!" in text


def test_a_badge_that_does_not_fit_beside_the_name_follows_the_cards() -> None:
    table = TableBuilder(6)
    table.back("#")
    table.players[2] = msgspec.structs.replace(
        table.players[2], score="98 chips", badges=("bet 2", "button")
    )
    table.area("hand", "seat", table.cards("#? #?"), seat=2)
    lines = text_of(frame_of(table, (80, 24))).splitlines()
    seat = next(number for number, line in enumerate(lines) if "Chris" in line)
    assert "─ Chris ── 98 ─" in lines[seat]
    assert "bet 2" in lines[seat + 1]


def test_the_number_of_cards_cannot_be_read_as_a_card() -> None:
    table = TableBuilder(2)
    for name in "2345":
        table.face(name)
    table.area("board", "centre", table.cards("2 3"), slots=5)
    table.area("discarded", "centre", table.cards("4 5"), look="pile", count=7)
    table.area("row", "front", table.cards("2"), seat=1)
    text = text_of(frame_of(table, (80, 24)))
    assert "board         2  3   · · ·" in text
    assert "discarded   7: 4" in text


def spectator(view: View) -> View:
    """Return a view as a spectator has it."""
    return msgspec.structs.replace(view, viewer=4, choices=())


def test_a_spectator_has_no_turn() -> None:
    position = hearts()
    text = text_of(drawn(position._replace(view=spectator(position.view)), (80, 24)))
    assert text.startswith("  Anna's turn ")
    assert "(you)" not in text


def test_the_header_of_a_finished_game_asks_nobody_to_act() -> None:
    """The prompt of a game may still be that of its last decision."""
    table = front()
    view = table.view(is_over=True, to_act=-1, prompt="Fold or call the bet")
    plan = plan_of(shape_of(view, table.catalogue()), TerminalSize(80, 24))
    header = lines_of(draw(view, table.catalogue(), plan))[0]
    assert header.strip() == "▸ GAME OVER"


def own_rows(*badges: str) -> list[str]:
    """Return the line of the viewer at 60 columns, and the row of her piles below it."""
    table = TableBuilder(2)
    for name in ("3·Corsair", "2·Midship", "2·Boatswain"):
        table.face(name)
    table.seat(0, badges=badges, score="won 0 of 2 turns")
    table.area("discard", "seat", table.cards(table.faces), look="pile", seat=0)
    table.area("deck", "seat", look="pile", count=21, seat=0)
    table.area("hand", "hand", table.cards(table.faces))
    lines = lines_of(frame_of(table, (60, 20)))
    number = next(n for n, line in enumerate(lines) if "─ Anna" in line or "▸ Anna" in line)
    return lines[number : number + 2]


def test_the_viewer_is_marked_as_long_as_no_badge_must_leave_the_line_for_it() -> None:
    assert "Anna (you) · Navy ─" in own_rows("Navy")[0]
    line, _ = own_rows("Navy", "attacks", "Bob's sail")
    assert "Anna · Navy · attacks · Bob's sail ─" in line
    line, row = own_rows("Navy", "attacks", "battle lost at sea")
    assert "Anna (you) · Navy · attacks ─" in line
    assert row.rstrip().endswith("battle lost at sea")


def test_a_pile_is_cut_only_for_what_follows_it() -> None:
    assert own_rows()[1].split("deck")[0].strip() == "discard  3·Corsair  2·Midship  2·Boatswain"
    row = own_rows("Navy", "attacks", "battle lost at sea")[1]
    assert "2·Boatswain" in row
    assert "deck 21   battle lost at sea" in row


def test_a_count_keeps_its_caption_up_to_the_last_cell() -> None:
    table = TableBuilder(2)
    table.back("P")
    for name in ("1·Polly the Parrot", "6·Vengeance"):
        table.face(name)
    table.area("hand", "seat", table.cards("P? " * 6), seat=1)
    table.area("discard", "seat", table.cards(table.faces), look="pile", seat=1)
    table.area("deck", "seat", look="count", count=3, seat=1)
    row = next(line for line in lines_of(frame_of(table, (60, 20))) if "discard" in line)
    assert row.rstrip().endswith("…6·Vengeance    deck 3")


def test_a_corner_does_not_repeat_the_name_of_a_card() -> None:
    table = TableBuilder(2)
    table.face("bee", corner="bee")
    table.face("violet")
    table.area("hand", "hand", table.cards("bee violet"), room=7)
    text = text_of(frame_of(table, (80, 24)))
    assert "│  bee  │" in text
    assert text.count("bee") == 1


def test_a_caption_that_does_not_fit_hides_no_cards() -> None:
    table = TableBuilder(4)
    table.back("#")
    table.area("hand", "seat", table.cards("#? " * 10), seat=1)
    table.area("passes", "seat", table.cards("#? #? #?"), seat=1)
    assert "10 ##########  3 ###" in text_of(frame_of(table, (80, 24)))


def hand_of_titles(table: TableBuilder, names: Sequence[str]) -> tuple[CardView, ...]:
    """Add a hand of cards with titles, which are numbered from 0, and return it."""
    for number, name in enumerate(names):
        table.face(name, title=name, corner=str(number))
    hand = table.cards(names)
    table.area("hand", "hand", hand, seat=0, look="hand", room=len(names))
    return hand


def test_long_names_are_cut_before_a_card_is_left_out() -> None:
    table = TableBuilder(2)
    names = ("All Hands", "Midshipman", "Corsair", "Officer", "Gunner", "Cadet")
    hand_of_titles(table, names)
    row = next(line for line in lines_of(frame_of(table, (60, 20))) if "All" in line)
    assert all(f"{number}·{name[:4]}" in row for number, name in enumerate(names))


def test_gaps_are_narrowed_before_a_name_is_cut() -> None:
    table = TableBuilder(2)
    names = ("Cannoneer", "Corsair", "Officer", "Gunner", "Cadet", "Mate")
    hand = hand_of_titles(table, names)
    first = Spot("card", hand[0].token, 0)
    rest = "1·Corsair 2·Officer 3·Gunner 4·Cadet 5·Mate"
    for cursor, row in ((None, f" 0·Cannoneer {rest}"), (first, f"[0·Cannoneer]{rest}")):
        assert row in [line.rstrip() for line in lines_of(frame_of(table, (60, 20), cursor))]
