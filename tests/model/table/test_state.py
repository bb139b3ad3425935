"""States: zones, fields, the derived clone and comparison, and answers about hidden cards."""

import pickle
from typing import Any

import pytest
from typing_extensions import override

from cardhub import per_seat, per_token, piles, shared
from cardhub.model.hidden.outcomes import Outcome, apply_outcome
from cardhub.model.table.settings import Settings
from cardhub.model.table.state import State, fields_of
from cardhub.model.table.state_source import native_methods, written_methods


class Board(State):
    """One of every kind of zone and field."""

    stack = shared(faces="nobody")
    open = shared(faces="all")
    hand = per_seat(faces="owner")
    sites = piles(3, faces="all")
    leader: int
    name: str = "x"
    mix: tuple[int, ...] = (1, 2)
    bets: list[int]
    pairs: list[list[int]]


def board() -> Board:
    """Return a board for two seats with six tokens, all in the stack."""
    state = Board(2, list(range(6)), [0] * 6, Settings({}))
    state.put_all(range(6), state.stack)
    return state


def test_fields_start_empty_or_with_their_default() -> None:
    """Fields start as 0, empty lists or the default given."""
    state = board()
    assert (state.leader, state.name, state.mix) == (0, "x", (1, 2))
    assert (state.bets, state.pairs) == ([], [])
    assert (state.hand, state.sites) == ([[], []], [[], [], []])


def test_entering_a_zone_shows_the_face_to_the_viewers_of_the_zone() -> None:
    """A zone shows faces to all seats, its owner or no seat; spectators have the last bit."""
    state = board()
    assert state.seen[0] == 0
    state.move(0, state.stack, state.hand, 1)
    assert state.seen[0] == 0b010
    state.move(0, state.hand[1], state.sites, 2)
    assert state.seen[0] == 0b111
    state.move(1, state.stack, state.open)
    assert state.seen[1] == 0b111


class Backwards(State):
    """Hands whose cards only the other seats see."""

    hand = per_seat(faces="others")
    open = shared(faces="all")
    stack = shared(faces="nobody")


@pytest.mark.parametrize("at_once", [False, True])
def test_a_zone_may_show_its_faces_to_all_but_the_owner(at_once: bool) -> None:
    """The other seats and spectators see them; a card that goes on is seen by its next viewers."""
    state = Backwards(3, list(range(6)), [0] * 6, Settings({}))
    if at_once:
        state.put_all([0, 1], state.hand, 1)
    else:
        state.put(0, state.hand, 1)
        state.put(1, state.hand, 1)
    assert state.seen[:3] == [0b1101, 0b1101, 0]
    state.move(0, state.hand[1], state.hand, 2)
    assert state.seen[0] == 0b1111
    state.move(1, state.hand[1], state.open)
    assert state.seen[1] == 0b1111


def test_a_reveal_shows_a_face_to_everyone_or_one_seat() -> None:
    state = board()
    state.reveal([0, 1])
    state.show(2, 0)
    assert state.seen == [0b111, 0b111, 0b001, 0, 0, 0]


def test_a_seen_face_stays_known_wherever_the_token_goes() -> None:
    state = board()
    state.move(0, state.stack, state.hand, 0)
    state.move(0, state.hand[0], state.stack)
    assert state.seen[0] == 0b001


class Hands(State):
    """Hands that their owners rearrange, and one more such zone."""

    hand = per_seat(faces="owner", mixed=True)
    nest = per_seat(faces="owner", mixed=True)
    stack = shared(faces="nobody")


def hands() -> Hands:
    """Return hands of three cards each, the other cards in the stack."""
    state = Hands(2, list(range(9)), [0] * 9, Settings({}))
    for seat in range(2):
        state.put_all(range(seat * 3, seat * 3 + 3), state.hand, seat)
    state.put_all(range(6, 9), state.stack)
    state.pending_shuffles = ()  # as after the deal
    return state


def test_a_card_that_enters_a_mixed_zone_is_mixed_with_all_that_lie_there() -> None:
    """Zone mixing: its tokens become indistinguishable to everyone but the owner."""
    state = hands()
    state.put(state.stack.pop(), state.hand, 0)
    assert state.pending_shuffles == (((0, 1, 2, 8), 0),)


def test_a_card_that_has_left_the_zone_again_is_not_mixed() -> None:
    """A token that lies elsewhere at the end of the action keeps its face."""
    state = hands()
    state.put(state.stack.pop(), state.hand, 0)
    state.move(1, state.hand[0], state.stack)
    assert state.pending_shuffles == (((0, 2, 8), 0),)


def test_two_mixed_zones_of_one_seat_are_mixed_separately() -> None:
    """A card never changes places with one of another zone."""
    state = hands()
    state.move(0, state.hand[0], state.nest, 0)
    state.put(state.stack.pop(), state.hand, 0)
    assert state.pending_shuffles == (((0,), 0), ((1, 2, 8), 0))


class NotedHands(Hands):
    """With a note about each token."""

    note = per_token()


def test_notes_about_tokens_begin_at_0_and_again_after_a_shuffle() -> None:
    state = NotedHands(2, list(range(9)), [0] * 9, Settings({}))
    state.put_all(range(3), state.hand, 0)
    assert state.note == [0] * 9
    state.note = list(range(1, 10))
    copy = state.clone()
    apply_outcome(state, Outcome((2, 0, 1), (0, 0, 0)))
    assert state.note == [0, 0, 0, 4, 5, 6, 7, 8, 9]
    assert copy.note == list(range(1, 10))


def test_gathering_lays_all_tokens_on_one_pile_to_be_shuffled() -> None:
    state = board()
    state.move(4, state.stack, state.open)
    state.move(0, state.stack, state.hand, 1)
    state.move(2, state.stack, state.sites, 2)
    state.gather(state.stack)
    assert state.stack == [1, 3, 5, 4, 0, 2]
    assert not any([state.open, *state.hand, *state.sites])
    assert state.pending_shuffles == (((1, 3, 5, 4, 0, 2), -1),)


def test_gathering_replaces_earlier_shuffles_of_the_action() -> None:
    """A hand that got a card in the same action is not mixed first: its cards have left it."""
    state = hands()
    state.put(state.stack.pop(), state.hand, 0)
    state.gather(state.stack)
    assert state.pending_shuffles == ((tuple(state.stack), -1),)
    assert sorted(state.stack) == list(range(9))


def test_cards_are_gathered_only_in_a_zone_without_viewers() -> None:
    state = board()
    with pytest.raises(TypeError, match="fix: faces='nobody'"):
        state.gather(state.open)


def test_a_clone_shares_no_mutable_part() -> None:
    """Changing a clone leaves the original as it was."""
    state = board()
    state.pairs.append([1])
    state.bets.append(4)
    before = state.clone()
    copy = state.clone()
    copy.move(0, copy.stack, copy.hand, 0)
    copy.bets.append(5)
    copy.pairs[0].append(2)
    copy.leader = 1
    assert state == before
    assert copy != before


def test_a_redeclared_zone_replaces_the_inherited_one() -> None:
    """A variant of a game may let others see more, or keep more of a thing."""

    class OpenBoard(Board):
        """All seats see the hands, and there are more bets."""

        hand = per_seat(faces="all")
        bets: list[list[int]]  # type: ignore[assignment]  # the point of the test

    state = OpenBoard(2, list(range(6)), [0] * 6, Settings({}))
    state.put(0, state.hand, 1)
    assert state.seen[0] == 0b111
    assert [zone.name for zone in state.zones].count("hand") == 1
    state.bets.append([1])
    copy = state.clone()
    copy.bets[0].append(2)
    assert state.bets == [[1]]


def test_a_state_can_be_pickled() -> None:
    """Worker processes and files may carry states."""
    state = board()
    assert pickle.loads(pickle.dumps(state)) == state


def test_put_takes_a_zone_of_the_state() -> None:
    """A pile and another state's zone are refused."""
    state = board()
    with pytest.raises(TypeError, match=r"fix: pass one of state\.stack"):
        state.put(0, state.hand[0], 0)


def test_a_state_holds_only_fields_that_can_be_cloned_fast() -> None:
    """Annotated ints and lists; no dictionary per step."""
    fields: dict[str, Any] = {"__annotations__": {"notes": dict[str, int]}}
    with pytest.raises(TypeError, match=r"Bad\.notes: a state holds int, bool, str"):
        type("Bad", (State,), fields)


def test_a_shared_zone_has_no_owner() -> None:
    """A zone is declared with viewers that make sense."""
    for faces in ("owner", "others"):
        with pytest.raises(TypeError, match="a shared zone has no owner"):
            shared(faces=faces)
        with pytest.raises(TypeError, match="needs a count of at least 1 and faces='nobody'"):
            piles(3, faces=faces)
    with pytest.raises(TypeError, match="a mixed zone hides its cards from other seats"):
        per_seat(faces="others", mixed=True)


class Traced(Board):
    """A board with extra methods, and with a field of a type that is not declared."""

    extra = shared(faces="all")

    def __init__(self, seats: int, faces: Any, backs: Any, settings: Settings) -> None:
        super().__init__(seats, faces, backs, settings)
        self.entered: dict[int, int] = {}

    @override
    def clone(self) -> "Traced":
        copy = super().clone()
        copy.entered = dict(self.entered)
        return copy

    @override
    def put(self, token: int, zone: list[Any], pile: int = 0) -> None:
        super().put(token, zone, pile)
        self.entered[token] = pile


def test_methods_of_a_class_extend_the_methods_for_its_fields() -> None:
    """They also extend a base state class's methods, and `move` uses the class's `put`."""
    state = Traced(2, list(range(6)), [0] * 6, Settings({}))
    state.put_all(range(6), state.stack)
    state.put(state.stack.pop(), state.extra)
    state.move(0, state.stack, state.hand, 1)
    copy = state.clone()
    assert type(copy) is Traced
    assert copy == state
    assert (copy.entered, copy.extra, copy.seen[0], copy.seen[5]) == ({5: 0, 0: 1}, [5], 2, 7)
    copy.entered[1] = 1
    copy.extra.append(1)
    assert copy != state
    assert (state.entered, state.extra) == ({5: 0, 0: 1}, [5])


def test_a_class_stays_the_same_after_a_derived_class_adds_methods() -> None:
    """The base still makes, clones and moves its own fields only."""
    state = board()
    state.move(0, state.stack, state.hand, 1)
    copy = state.clone()
    assert type(copy) is Board
    assert copy == state
    assert copy.hand == [[], [0]]


def test_errors_of_written_methods_show_their_source() -> None:
    """A traceback has the line, as for code in a file."""
    state = board()
    with pytest.raises(ValueError, match="not in list") as raised:
        state.move(0, state.open, state.hand, 0)
    assert "source.remove(token)" in str(raised.traceback[-1].statement)


def test_the_source_for_a_compiled_class_makes_the_same_states() -> None:
    """Interpreted it gives the same values; a clone there is an instance made from another one."""
    names: dict[str, Any] = {"Board": Board}
    text = "from __future__ import annotations\n" + native_methods(Board._declaration)
    exec(compile(text, "<test>", "exec"), names)  # noqa: S102  # the core's own text
    made, copy = Board.__new__(Board), Board.__new__(Board)
    names["__init__"](made, 2, list(range(6)), [0] * 6, Settings({}))
    names["put_all"](made, range(6), made.stack)
    names["move"](made, 0, made.stack, made.hand, 1)
    names["__init__"](copy, 2, [], [], Settings({}), made)
    plain = board()
    plain.move(0, plain.stack, plain.hand, 1)
    assert plain == made == copy
    with pytest.raises(ValueError, match="not in list"):
        names["move"](made, 0, made.stack, made.hand, 1)
    copy.hand[1].append(3)
    copy.seen[0] = 0
    assert plain == made


def test_the_methods_for_a_compiled_base_make_the_same_states() -> None:
    """They set the attributes of every state by methods of the base."""

    class Derived(Board):
        """A class that looks as if its base were compiled."""

        __mypyc_attrs__ = ()
        phase: int = 3

    methods = written_methods(Derived, Derived._declaration)
    made = Derived.__new__(Derived)
    methods["__init__"](made, 2, list(range(6)), [0] * 6, Settings({}))
    assert made.phase == 3
    made.seat = 1
    copy = methods["clone"](made)
    assert fields_of(copy) == fields_of(made)
    assert copy.hand is not made.hand
    assert copy.seen is not made.seen


def state(*recorded: bool) -> State:
    """Return a state for which some answers are given beforehand."""
    made = State(2, [], [], {})  # type: ignore[arg-type]  # no settings are read
    made.recorded_answers = recorded
    return made


def test_an_answer_is_kept_for_all_to_know() -> None:
    """A player's answer about hidden cards is public."""
    made = state()
    assert made.answer(lambda: True)
    assert not made.answer(lambda: False)
    assert made.answers == (True, False)
    assert made.clone().answers == (True, False)


def test_an_answer_given_beforehand_needs_no_faces() -> None:
    """A record redacted for one seat holds answers where it lacks faces."""

    def fail() -> bool:
        raise AssertionError("nobody can know")

    made = state(True)
    assert made.answer(fail)
    assert not made.answer(lambda: False), "the next answer was not given"
