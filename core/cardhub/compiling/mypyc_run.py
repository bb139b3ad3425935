"""The program that runs mypyc and the C compiler, in a separate process.

mypyc ends the process for some errors, and would hold a gigabyte of memory afterwards. The program
reads a JSON object from standard input: by file of a module the lines of its original, and the
level of optimization. It writes the list of built files into RESULT; lines of its output that
begin with PROGRESS say what it does.
"""

import json
import os
import re
import sys
import threading
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

from cardhub.base.native.finder import GROUP

# In Python 3.11 instances of native classes with a Python base would lack a `__dict__` until
# their first attribute is set; without this member the getter of the same name makes it.
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
    if not count:
        return text
    # The function stands after the last of the includes.
    end = text.index("\n", text.rindex(_INCLUDE)) + 1
    return text[:end] + _SOURCE_FILE + text[end:]


# Libraries whose types make no code faster; mypy would spend most of its time on them, because it
# reads all that they import.
LIBRARIES = (
    *("_pytest", "click", "filelock", "jinja2", "markdown_it", "numpy", "openai", "optype"),
    *("pytest", "rich", "scipy", "textual"),
)
CONFIG = f"""\
[mypy]
[mypy-{",".join(f"{library}.*" for library in LIBRARIES)}]
follow_imports = skip
follow_imports_for_stubs = true
"""
CONFIG_FILE = "mypy.ini"
RESULT = "built.json"
PROGRESS = "progress: "
# Only the functions that Python looks for are seen from outside of a library: so the compiler may
# inline all others, and calls between them need no table. This makes search 2 to 5 % faster.
OPTIONS = ["-fvisibility=hidden", "-fno-semantic-interposition"]
# Number of messages on the progress of the C compiler.
_STEPS = 4


def main() -> None:
    """Compile the modules of the request in the present folder, into `out`."""
    request: dict[str, Any] = json.load(sys.stdin)
    from mypyc.build import mypycify  # an extra; it takes a second to import

    Path(CONFIG_FILE).write_text(CONFIG, "utf-8")
    files = sorted(request["lines"])
    _report(f"mypyc: types and C code of {len(files)} modules")
    extensions = mypycify(
        [
            f"--config-file={CONFIG_FILE}",
            "--ignore-missing-imports",
            "--follow-imports=silent",
            *files,
        ],
        only_compile_paths=files,
        target_dir="c",
        group_name=GROUP,
        opt_level=request["optimization"],
        debug_level="0",
        multi_file=True,
        strip_asserts=False,
    )
    for extension in extensions:
        if os.name == "posix":  # Microsoft's compiler has no such options, and needs none
            extension.extra_compile_args += OPTIONS
    for path in Path("c").rglob("*.c"):
        text = path.read_text("utf-8")
        path.write_text(with_original_lines(text, request["lines"]), "utf-8")
    _run_compiler(extensions)
    built = [p.relative_to("out").as_posix() for p in Path("out").rglob("*") if p.is_file()]
    Path(RESULT).write_text(json.dumps(sorted(built)), "utf-8")


def _report(text: str) -> None:
    # One write to the parent process, so lines of several threads do not mix.
    os.write(1, f"{PROGRESS}{text}\n".encode())


def _run_compiler(extensions: list[Any]) -> None:
    from setuptools import Distribution
    from setuptools.command.build_ext import build_ext

    total = sum(len(extension.sources) for extension in extensions)

    class ParallelBuild(build_ext):  # type: ignore[misc]  # setuptools has no types
        """Compiles the files of an extension on all cores: most are in one."""

        def build_extensions(self) -> None:
            files = _Files(self.compiler, total)
            self.compiler._compile, self.compiler.compile = files.submit, files.compile
            super().build_extensions()

    command = ParallelBuild(Distribution({"name": GROUP, "ext_modules": extensions}))
    command.build_lib, command.build_temp = "out", "o"
    command.parallel = True
    command.ensure_finalized()
    command.run()


class _Files:
    """The C files of a build. Compilers that do without `_compile` (Microsoft's) run as always."""

    def __init__(self, compiler: Any, total: int) -> None:
        self._compile_one = compiler._compile
        self._compile_all = compiler.compile
        self._pool = ThreadPoolExecutor(os.cpu_count())
        self._waiting = threading.local()  # extensions are built in threads as well
        self._lock = threading.Lock()
        self._done = 0
        self._total = total

    def submit(self, *args: Any) -> None:
        """Compile a file some time; takes the place of the compiler's own method."""
        self._waiting.files.append(self._pool.submit(self._compile_one, *args))

    def compile(self, *args: Any, **options: Any) -> Any:
        """Compile the files of an extension; returns when they are compiled."""
        waiting: list[Future[None]] = []
        self._waiting.files = waiting
        objects = self._compile_all(*args, **options)
        for future in waiting:
            future.result()
            self._count()
        return objects

    def _count(self) -> None:
        with self._lock:
            before, self._done = self._done * _STEPS // self._total, self._done + 1
            if self._done * _STEPS // self._total > before:
                _report(f"C compiler: {self._done} of {self._total} files")


if __name__ == "__main__":
    main()
