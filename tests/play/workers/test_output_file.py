"""What bots print: the beginning by game, also of a process that goes on writing."""

import subprocess
import sys

from cardhub.bots.external.program import CUT_OFF, MOST_REMARKS
from cardhub.play.workers.process import OutputFile

CODE = (
    "import sys\n"
    "for line in sys.stdin:\n"
    "    print(line, end='', file=sys.stderr, flush=True)\n"
    "    print()\n"
)


def test_a_process_goes_on_at_the_beginning_after_the_output_was_taken() -> None:
    output = OutputFile()
    process = subprocess.Popen(
        [sys.executable, "-u", "-c", CODE],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=output.fileno(),
        text=True,
        bufsize=1,
    )
    with process:
        assert process.stdin
        assert process.stdout
        for text in ("first\n", "second\n", "x" * (MOST_REMARKS + 1) + "\n", "last\n"):
            process.stdin.write(text)
            process.stdout.readline()
            whole = len(text) <= MOST_REMARKS
            assert output.take() == (text if whole else text[:MOST_REMARKS] + CUT_OFF)
        assert output.take() == ""
        process.stdin.close()
