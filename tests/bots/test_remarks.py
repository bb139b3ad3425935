"""What programs write to stderr is there as soon as they have answered."""

import os

import pytest

from cardhub.bots.external.program import CAN_POLL, Tail


@pytest.mark.skipif(not CAN_POLL, reason="pipes of this system cannot be read without waiting")
def test_the_last_lines_are_there_even_if_the_thread_has_not_read_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Tail, "_drain", lambda self: None)
    read, write = os.pipe()
    lines: list[str] = []
    with os.fdopen(read, "rb", buffering=0) as pipe:
        tail = Tail(pipe, lines.append)
        os.write(write, b"first\nsecond\n")
        assert tail.text(0.0) == "first\nsecond"
        assert lines == ["first", "second"]
        assert tail.text(0.0) == "first\nsecond"
        os.close(write)
        assert tail.text(0.0) == "first\nsecond"
    assert lines == ["first", "second"]
