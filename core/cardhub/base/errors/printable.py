"""Strings of third parties with control characters escaped, so that they are safe to print."""

import re

# Control characters, line and paragraph separators, bidirectional controls, lone surrogates.
UNSAFE = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def printable(text: str, *, lines: bool = False) -> str:
    r"""Return a string with its control characters escaped: `\x1b`, `\u202e`.

    With `lines`, line ends are kept and tabs become spaces.
    """
    if lines:
        # A tab is a control character too, and would be printed as an escape.
        text = text.expandtabs()
    return UNSAFE.sub(lambda found: _escaped(found[0], lines), text)


def in_json(text: str) -> str:
    r"""Return a JSON string with the same characters escaped as in JSON: `\u009b`."""
    return UNSAFE.sub(lambda found: found[0] if found[0] == "\n" else _in_json(found[0]), text)


def _escaped(character: str, lines: bool) -> str:
    if lines and character == "\n":
        return character
    return character.encode("unicode_escape").decode("ascii")


def _in_json(character: str) -> str:
    return f"\\u{ord(character):04x}"
