"""A process of Python that has imported modules, and forks for each program that it is to run."""

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

# Reads a job per line, and prints the exit code of its program.
FORKING = """
import importlib, json, os, runpy, sys

for name in sys.argv[1:]:
    importlib.import_module(name)

def run(job):
    for number, (name, mode) in enumerate(zip(job["streams"], "rww")):
        os.dup2(os.open(name, os.O_RDWR | os.O_CREAT, 0o600), number)
        stream = open(number, mode, encoding="utf-8", closefd=False)
        setattr(sys, ("stdin", "stdout", "stderr")[number], stream)
    os.chdir(job["folder"])
    os.environ.clear()
    os.environ.update(job["environment"])
    sys.path[:0] = [job["folder"], job["environment"]["PYTHONPATH"]]
    sys.argv = job["words"]
    runpy.run_module(job["words"][0], run_name="__main__", alter_sys=True)

for line in sys.stdin:
    program = os.fork()
    if not program:
        code = 1
        try:
            run(json.loads(line))
            code = 0
        except SystemExit as ended:
            code = ended.code if isinstance(ended.code, int) else int(bool(ended.code))
        except BaseException:
            sys.excepthook(*sys.exc_info())
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
    print(os.waitstatus_to_exitcode(os.waitpid(program, 0)[1]), flush=True)
"""


class WarmPython:
    """Runs modules as programs, each in a copy of a process that has imported some others."""

    def __init__(self, *modules: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", FORKING, *modules],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def run(
        self, words: tuple[str, ...], folder: Path, environment: Mapping[str, str], typed: str
    ) -> "subprocess.CompletedProcess[str]":
        """Run a module with its arguments in a folder; `PYTHONPATH` is one folder."""
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        with TemporaryDirectory() as streams:
            paths = [Path(streams, name) for name in ("in", "out", "err")]
            paths[0].write_text(typed, "utf-8")
            job = {"words": words, "folder": str(folder), "environment": dict(environment)}
            process.stdin.write(json.dumps(job | {"streams": [*map(str, paths)]}) + "\n")
            process.stdin.flush()
            code = int(process.stdout.readline())
            output, errors = (path.read_text("utf-8") for path in paths[1:])
        return subprocess.CompletedProcess(words, code, output, errors)

    def close(self) -> None:
        """End the process."""
        self._process.communicate()
