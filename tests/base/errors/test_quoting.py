"""Texts from outside are shown without control sequences; the nearest known name is suggested."""

import json

import pytest

from cardhub.base.errors.quoting import UNSAFE, did_you_mean, in_json, nearest, printable

NASTY = "\x00\x07\x08\x0b\x1b\x7f\x85\x9b\r\u2028\u2029\u202a\u202e\u2066\u2069\ud800\udfff"


@pytest.mark.parametrize("character", NASTY)
def test_control_characters_are_escaped(character: str) -> None:
    """They are C0, DEL, C1, separators, bidirectional controls and lone surrogates."""
    shown = printable(f"a{character}b", lines=True)
    assert shown == f"a{character.encode('unicode_escape').decode('ascii')}b"
    shown.encode("utf-8")


@pytest.mark.parametrize("text", ["Zoë", "孙悟空", "علي", "नमस्ते", "👩‍👩‍👧", "a\u200fb"])
def test_every_script_is_left_as_it_is(text: str) -> None:
    """Emoji families need their joiners, right-to-left text its marks."""
    assert printable(text) == text


def test_line_ends_are_kept_on_request_and_tabs_are_blanks() -> None:
    assert printable("a\n\tb", lines=True) == "a\n        b"
    assert printable("a\n\tb") == r"a\n\tb"


def test_json_stays_json_and_keeps_its_values() -> None:
    """Python's escapes are not valid in JSON."""
    value = {"name": "\ud800".join(NASTY[:-2]) + "\n\t"}
    text = in_json(json.dumps(value, ensure_ascii=False, indent=2))
    assert json.loads(text) == value
    assert UNSAFE.sub("", text.replace("\n", "")) == text.replace("\n", "")


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("gargn", "gargon"),
        ("GARGON", "gargon"),
        ("open", "open_winnings"),
        ("xyz", None),
        ("", None),
    ],
)
def test_a_slip_or_a_beginning_finds_the_name(word: str, name: str | None) -> None:
    """Typos get the nearest name; so does the beginning of a single name."""
    assert nearest(word, ["gargon", "open_winnings", "zero_tie_draw"]) == name


def test_distant_names_are_not_suggested() -> None:
    assert did_you_mean("strat", ["start"]) == " Did you mean 'start'?"
    assert did_you_mean("qqq", ["start"]) == ""
