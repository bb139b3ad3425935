"""Messages on a game in progress, made from sessions."""

from msgspec.structs import replace
from tests.play.host.conftest import Table

from cardhub.online.wire.session_messages import (
    first_change,
    log_message,
    status_without_seconds,
    table_message,
)
from cardhub.online.wire.wire_codec import encode_message
from cardhub.play.table_messages import TableStatus
from cardhub.view.view import LogLine


def line(step: int, text: str = "acts") -> LogLine:
    """Return a line of a log."""
    return LogLine(step=step, seat=0, kind="action", text=text)


def test_a_message_is_the_same_until_the_table_changes() -> None:
    at = Table(people=(0, 1)).begin()
    session = at.host.session(0)
    first = encode_message(table_message(session))
    assert encode_message(table_message(session)) == first
    at.act(at.referee.seat)
    assert encode_message(table_message(session)) != first


def test_the_seed_of_a_drawn_deal_is_committed_to_and_told_at_the_end() -> None:
    """A message before the end has the commitment in its place."""
    at = Table(people=(0, 1)).begin()
    session = at.host.session(0)
    assert table_message(session).result is None
    while not at.host.is_over:
        at.act(at.referee.seat)
    message = table_message(session)
    assert message.result is not None
    assert message.seed == at.host.seed_text


def test_the_path_of_the_record_is_not_told() -> None:
    """It is the path of a file on the server."""
    at = Table(people=(0, 1)).begin()
    while not at.host.is_over:
        at.act(at.referee.seat)
    result = table_message(at.host.session(0)).result
    assert result is not None
    assert result.path == ""


def test_how_long_a_bot_has_been_thinking_does_not_change_the_message() -> None:
    course = TableStatus(pace=0.5, thinking=12.3, is_slow=True)
    other = replace(course, thinking=99.0)
    assert status_without_seconds(course) == status_without_seconds(other)
    assert status_without_seconds(replace(course, thinking=None)).thinking is None


def test_a_log_is_told_from_a_step_on() -> None:
    lines = [line(1), line(3), line(3, "again"), line(4)]
    assert log_message(lines, 0).lines == tuple(lines)
    assert log_message(lines, 3).lines == tuple(lines[1:])


def test_the_first_change_of_a_log_is_found() -> None:
    """Lines are joined and taken back, so earlier lines change too."""
    lines = [line(1), line(3), line(4)]
    assert first_change(lines, lines) is None
    assert first_change([], lines) == 1
    assert first_change(lines, [*lines, line(5)]) == 5
    assert first_change(lines, [line(1), line(3, "joined"), line(4)]) == 3
    assert first_change(lines, lines[:1]) == 3
