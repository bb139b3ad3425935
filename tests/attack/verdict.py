"""The correct end of a command: an allowed exit code, no traceback, no raw control character."""

import re
import unicodedata
from collections.abc import Collection, Iterator

from tests.attack.running import Outcome

TRACES = (
    b"Traceback (most recent call last)",
    b"Exception ignored in",
    b"Exception in thread",
    b"; traceback: ",  # an exception that nothing of cardhub expected, written to a file
)
# Characters that change the direction of the text after them.
BIDI = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
TERMINATED = 143
SAID = re.compile(rb"^(Error|Usage|Aborted|Warning|Left)\b", re.MULTILINE)


def faults(
    outcome: Outcome,
    codes: Collection[int],
    silent: Collection[int] = (),
    stopped: Collection[int] = (TERMINATED,),
) -> Iterator[str]:
    """Yield the faults in a command's outcome.

    Exit codes in `silent` need no message; those in `stopped` are correct after SIGTERM.
    """
    if outcome.killed:
        yield "it hangs"
        return
    if outcome.stopped and outcome.code not in stopped:
        yield f"exit code {outcome.code} after SIGTERM"
    elif not outcome.stopped and outcome.code not in codes:
        yield f"exit code {outcome.code}"
    elif not outcome.stopped and outcome.code not in (0, *silent) and not SAID.search(outcome.err):
        yield f"exit code {outcome.code} without a message"
    for name, said in (("stdout", outcome.out), ("stderr", outcome.err)):
        if any(trace in said for trace in TRACES):
            yield f"a traceback on {name}"
        yield from odd_characters(name, said)


def odd_characters(name: str, said: bytes) -> Iterator[str]:
    """Yield which characters on a stream could change a terminal."""
    try:
        text = said.decode("utf-8")
    except UnicodeDecodeError as error:
        yield f"invalid UTF-8 on {name}: {error.reason}"
        return
    odd = {c for c in set(text) if c not in "\n\t" and is_control(c)}
    if odd:
        yield f"raw control characters on {name}: {', '.join(sorted(map(ascii, odd)))}"


def is_control(character: str) -> bool:
    """Return whether a terminal might obey a character instead of showing it."""
    return unicodedata.category(character) == "Cc" or character in BIDI
