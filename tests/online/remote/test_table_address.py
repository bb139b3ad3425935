"""Links to tables, as people paste them."""

import pytest

from cardhub.base.errors import RemoteError
from cardhub.online.remote.table_address import TableAddress, parse_address


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("http://localhost:8000/t/abc234", TableAddress("http://localhost:8000", "abc234")),
        (
            "https://cards.example/t/abc#seat=T-o_k",
            TableAddress("https://cards.example", "abc", "T-o_k"),
        ),
        ("HTTP://Host/t/abc/", TableAddress("http://host", "abc")),
        ("http://[::1]:80/t/abc", TableAddress("http://[::1]:80", "abc")),
        ("https://host/games/t/abc", TableAddress("https://host/games", "abc")),
    ],
)
def test_a_link_has_a_server_a_table_and_perhaps_a_seat(text: str, address: TableAddress) -> None:
    assert parse_address(text) == address


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("host/t/abc", "it must begin with http:// or https://"),
        ("ftp://host/t/abc", "it must begin with http:// or https://"),
        ("http://host/", "create a table there in a browser"),
        ("http://host/x", "its path is not /t/ID"),
        ("http://host/t/", "its path is not /t/ID"),
        ("http://host/t/a b", "its path is not /t/ID"),
        ("http://host/t/abc?seat=1", "a query"),
        ("http://me:secret@host/t/abc", "a user"),
        ("http://host:99999/t/abc", "not an address"),
        ("http://host/t/abc#chair=1", "invalid seat"),
        ("http://host/t/" + "a" * 5000, "its path is not /t/ID"),
        ("", "it must begin with http:// or https://"),
    ],
)
def test_any_other_text_is_refused_with_its_reason(text: str, why: str) -> None:
    with pytest.raises(RemoteError, match=why) as error:
        parse_address(text)
    assert "fix: " in str(error.value)
    assert len(str(error.value)) < 600


def test_an_error_does_not_repeat_the_token() -> None:
    """People send error messages to each other."""
    with pytest.raises(RemoteError) as error:
        parse_address("http://host/wrong/abc#seat=SECRET")
    assert "SECRET" not in str(error.value)


def test_the_token_is_in_no_other_address() -> None:
    address = parse_address("https://host/t/abc#seat=SECRET")
    assert address.socket == "wss://host/ws/abc"
    assert address.page == "https://host/t/abc"
    assert address.replay(2) == "https://host/t/abc/replay/2.html"
    assert parse_address("http://http.example/t/a").socket == "ws://http.example/ws/a"
