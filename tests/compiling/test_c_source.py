"""The changes to mypyc's C code."""

import pytest

from cardhub.compiling.mypyc_run import with_original_lines

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
