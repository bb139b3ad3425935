"""The event texts of Garner."""

from cardhub.model.game.initial_state import game_scoring, resolve_options
from cardhub.model.hidden.observation import Observation
from cardhub.play.result_text import result_line
from cardhub.view.explain.action_texts import tell_action
from cardhub_garner import Garner

from ..positions import Position, set_up


def event_texts(at: Position, action: str) -> list[str]:
    """Carry out an action and return its event texts."""
    state = at.state.clone()
    seat, number = state.seat, _number(at, action)
    at.act(action)
    before, after = (Observation(at.game, s, 2) for s in (state, at.state))
    return list(tell_action(before, seat, number, after, ["Ada", "Bo"]))


def _number(at: Position, action: str) -> int:
    return next(a for a in at.game.legal(at.state) if at.game.actions.text(a, str) == action)


def test_each_step_of_a_turn_has_an_event_text() -> None:
    """The log is sufficient to follow the game."""
    at = set_up("A1 B1 C2 \n A4 C5 C4 \n A2 B4 .", layout="a")
    assert event_texts(at, "lift A1") == ["Ada lifts A1 and B1"]
    assert event_texts(at, "place r1c1") == ["Ada places A1 on b2, over C5"]
    assert event_texts(at, "place r0c1") == ["Ada places B1 back on b1"]
    assert event_texts(at, "collect A1") == ["Ada collects A4, A1 and A2"]


def test_a_suit_that_is_won_has_an_event_text() -> None:
    at = set_up("A1 C9 . \n . . . \n . . .", {0: "A2-5"}, layout="a")
    at.act("lift A1", "place r0c0")
    assert event_texts(at, "collect A1") == ["Ada collects A1", "Ada has won suit A"]


def test_event_texts_name_the_card_that_stays() -> None:
    """Garner R6: the text also gives the reason."""
    at = set_up("A1 A2 A3 \n B8 . . \n . . .", {0: "A4-6"}, layout="b")
    at.act("lift B8", "place r2c2")
    assert event_texts(at, "collect A1") == [
        "Ada would have exactly 6 cards of the suit and must leave one"
    ]
    assert event_texts(at, "leave A2") == ["Ada collects A1 and A3 and leaves A2"]
    at = set_up("A1 . . \n . . . \n . . .", {0: "A2-6"}, layout="b")
    at.act("lift A1", "place r0c0")
    assert event_texts(at, "collect A1") == [
        "Ada collects nothing, because exactly 6 cards of a suit are not allowed"
    ]


def test_the_result_of_layout_c_is_written_in_halves() -> None:
    """Garner R8: in layout c the suit of nine counts one half."""
    game = Garner()
    scoring = game_scoring(game, resolve_options(game, {"layout": "c"}, 2), 2)
    assert result_line(["Ada", "Bo"], [3, 4], scoring) == "Bo wins. Suits: Ada 1½, Bo 2"
    base = game_scoring(game, resolve_options(game, {}, 2), 2)
    assert result_line(["Ada", "Bo"], [3, 2], base) == "Ada wins. Suits: Ada 3, Bo 2"


def test_the_end_says_why_there_is_no_winner() -> None:
    """Garner R7 and R8: the text of a draw lists the suits won."""
    at = set_up("A1 . . \n . . . \n . . .", {0: "A2-6", 1: "A7-11"}, layout="b")
    at.state.idle = 17
    at.act("lift A1", "place r0c0")
    assert event_texts(at, "collect A1") == [
        "Ada collects nothing, because exactly 6 cards of a suit are not allowed",
        "The game ends after 18 turns without a collected card",
        "Ada has won no suit and Bo has won no suit: neither has won more than half of the suits, "
        "so it is a draw",
    ]
