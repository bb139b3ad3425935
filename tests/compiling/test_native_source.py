"""The text that mypyc gets in place of a module, and the changes to mypyc's C code."""

from typing import Annotated, Any

import pytest

from cardhub import IndexOf, Omitted, Range, State, per_seat, shared
from cardhub.compiling.mypyc_run import with_original_lines
from cardhub.compiling.native_source import NotCompilableError, native_source


class Table(State):
    """A state with two zones and a field."""

    hand = per_seat(faces="owner")
    board = shared(faces="all")
    stakes: list[int]
    raises: int = 2


SOURCE = '''\
"""A game."""
from cardhub import Actions, Area, State, per_seat, shared

ACTIONS = Actions("fold", "call")
FOLD, CALL = ACTIONS.starts
FIRST, SECOND = range(2)
MOST: int = 3
SIZES = (2, 4)
ANSWERS = [FOLD, CALL]
NONE = []
total = 0


class Table(State):
    """The state."""

    hand = per_seat(faces="owner")
    board = shared(faces="all")
    stakes: list[int]
    raises: int = 2

    def own(self, seat: int) -> int:
        """Return a face."""
        return self.face[self.hand[seat][0]]


def top(state: Table) -> int:
    """Return the face of the last card turned up."""
    face, seen = state.face, state.seen
    return face[state.board[-1]] + seen[0]  # MARK


class Phase:
    """The numbers of the phases."""

    BETTING, SHOWING = range(len(SIZES))


class Colour(IntEnum):
    RED, BLACK = range(2)


def area(state: Table) -> Area:
    """Return the board as an area."""
    return Area("board", state.board)


def change() -> None:
    """Change a module's variable."""
    global total
    total = 1
'''
STATES = {"Table": Table._declaration}
IGNORE = "type: " + "ignore[operator]"  # apart, as it would be a comment for mypy here


def marked(source: str) -> str:
    """Return a source with a comment that turns an error of mypy off."""
    return source.replace("MARK", f"{IGNORE}  # a test")


@pytest.fixture(scope="module")
def text() -> str:
    """Return the text of the module above."""
    text, _ = native_source(marked(SOURCE), "poker.game", STATES)
    return text


@pytest.mark.parametrize(
    "line",
    [
        "    hand: list[list[int]]",
        "    board: list[int]",
        "    stakes: list[int]",
        "    raises: int",
        "            self.raises = 2",
        "FIRST: _Final = 0",
        "MOST: _Final[int] = 3",
        "FOLD: _Final = _unpacked_1[0]",
        "        return _face_at(self.face, self.hand[seat][0])",
        "total = 0",
        "SIZES = (2, 4)",
        "ANSWERS: _Final = [FOLD, CALL]",
        "NONE = []",
        "_unpacked_2: _Final = range(len(SIZES))",
        "    BETTING: _Final = _unpacked_2[0]",
        "    RED = 0",
        "__file__ = _source_of('poker.game')",
        "__doc__ = 'A game.'",
        "_document(Phase, 'The numbers of the phases.')",
        "    return _made_at(Area('board', state.board), __file__, 45)",
    ],
)
def test_declarations_are_written_out(text: str, line: str) -> None:
    """Zones become attributes, constants final, reads of faces a call; variables stay."""
    assert line in text.splitlines()


def test_a_module_without_a_docstring_gets_none() -> None:
    text, _ = native_source("x = 1\n", "odd")
    assert "__doc__" not in text


def test_a_read_of_bound_faces_is_fast_and_other_lists_are_left(text: str) -> None:
    """`face` is bound to the faces, `seen` is not; the comment for mypy stays on its line."""
    [line] = [source_line for source_line in text.splitlines() if "_face_at(face," in source_line]
    assert line == "    return _face_at(face, state.board[-1]) + seen[0]  # " + IGNORE


def test_lines_lead_back_to_the_original() -> None:
    """Tracebacks of compiled code name the lines of the source."""
    text, original_lines = native_source(SOURCE, "poker.game", STATES)
    lines = text.splitlines()
    original = SOURCE.splitlines()
    for start in ("def top(", "    global total", "ACTIONS: "):
        [number] = [n for n, line in enumerate(lines, 1) if line.startswith(start)]
        assert original[original_lines[number] - 1].startswith(start.removesuffix(": "))


def test_a_state_class_with_its_own_clone_is_an_obstacle() -> None:
    """Its fields may be of kinds that the written methods cannot copy."""
    text = "class Table(State):\n    def clone(self): ...\n"
    with pytest.raises(NotCompilableError, match="own clone"):
        native_source(text, "poker.game", STATES)


def test_a_default_that_is_not_a_literal_is_an_obstacle() -> None:
    """It could not be written into the text."""
    marker: Any = (frozenset(),)

    class Odd(State):
        held: tuple[Any, ...] = marker

    with pytest.raises(NotCompilableError, match="no literal"):
        native_source("class Odd(State): ...\n", "poker.game", {"Odd": Odd._declaration})


INCLUDES = '#include "__native_group.h"\n#include "__native_internal_group.h"\n'
LINES = {"kuhn/game.py": {"7": 5}}


@pytest.mark.parametrize(
    "call",
    [
        'CPy_AddTraceback({}, "apply", {}, CPyStatic_game___globals);',
        'CPy_TypeErrorTraceback({}, "put", {}, CPyStatic_game___globals, "int", cpy_r_x);',
        'CPy_AttributeError({}, "legal", "State", "face", {}, CPyStatic_game___globals);',
    ],
)
def test_tracebacks_name_the_file_where_it_is_installed_and_the_original_line(call: str) -> None:
    """Line 7 was line 5; the path is the module's path when an error is raised."""
    text = with_original_lines(INCLUDES + call.format('"kuhn/game.py"', 7) + "\n", LINES)
    at_run_time = 'cardhub_source_file(CPyStatic_game___globals, "kuhn/game.py")'
    assert text.splitlines()[-1] == call.format(at_run_time, 5)
    assert text.startswith(INCLUDES + "static const char *cardhub_source_file(")


def test_other_code_stays_as_it_is() -> None:
    """Files of mypyc's library do not contain lines of a module."""
    code = INCLUDES + 'CPy_AddTraceback("other.py", "apply", 7, globals);\n'
    assert with_original_lines(code, {}).endswith('("other.py", "apply", 7, globals);\n')
    assert with_original_lines("int x;\n", LINES) == "int x;\n"


def test_instances_have_no_member_for_their_dictionary() -> None:
    """The member would hide the attributes of interpreted subclasses until one is set."""
    member = '    {"__dict__", T_OBJECT_EX, offsetof(A, dict), 0, NULL},\n'
    assert with_original_lines("x[] = {\n" + member + "};\n", {}) == "x[] = {\n    };\n"


def test_declared_numbers_of_fields_are_written_out() -> None:
    class Pot(State):
        chips: Annotated[list[int], Range(0, "seats * chips", most=6)]
        leader: Annotated[int, IndexOf("seats", or_none=True)]
        token: Annotated[int, Omitted()]

    source = "class Pot(State):\n    chips: Annotated[list[int], Range(0, 1)]\n"
    written, _ = native_source(source, "pots", {"Pot": Pot._declaration})
    assert "_Range(0, 'seats * chips', most=6)" in written
    assert "_IndexOf('seats', or_none=True)" in written
    assert "_Omitted()" in written
