"""The C code of mypyc, with the changes it needs: tracebacks name the original sources."""

import json
import re
from collections.abc import Mapping

# In Python 3.11 instances of native classes with a Python base would have no `__dict__` before
# their first attribute is set; without this member the getter of the same name serves it.
_DICT_MEMBER = re.compile(r'\{"__dict__", T_OBJECT_EX,[^\n]*\n')
# A call that adds a line to a traceback: file, names, line, and the globals of the module.
_TRACEBACK = re.compile(
    r'(CPy_(?:AddTraceback|TypeErrorTraceback|AttributeError)\()"([^"]+)", '
    r'((?:"[^"]*", )+)(\d+), (\w+)'
)
_INCLUDE = '#include "__native_'
# The path is read when an error is raised: a wheel does not know where it will be installed.
_SOURCE_FILE = """\
static const char *cardhub_source_file(PyObject *globals, const char *otherwise) {
    PyObject *kind, *value, *traceback;
    PyErr_Fetch(&kind, &value, &traceback);
    PyObject *file = globals ? PyDict_GetItemString(globals, "__file__") : NULL;
    const char *path = file && PyUnicode_Check(file) ? PyUnicode_AsUTF8(file) : NULL;
    size_t length = path ? strlen(path) : 0;
    PyErr_Restore(kind, value, traceback);
    return length > 3 && !strcmp(path + length - 3, ".py") ? path : otherwise;
}
"""


def with_original_lines(text: str, lines: Mapping[str, Mapping[str, int]]) -> str:
    """Return C code whose tracebacks name the lines of the original sources.

    `lines` has by file, and there by line, the line of the original.
    """

    def replaced(match: re.Match[str]) -> str:
        call, file, names, line, scope = match.groups()
        if file not in lines:
            return match[0]
        number = lines[file].get(line, line)
        path = f"cardhub_source_file({scope}, {json.dumps(file)})"
        return f"{call}{path}, {names}{number}, {scope}"

    text, count = _TRACEBACK.subn(replaced, _DICT_MEMBER.sub("", text))
    return _with_function(text) if count else text


def _with_function(text: str) -> str:
    """Return the text with the function above after the last of its own includes."""
    end = text.index("\n", text.rindex(_INCLUDE)) + 1
    return text[:end] + _SOURCE_FILE + text[end:]
