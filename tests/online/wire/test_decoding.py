"""Messages from the network: every type survives the way, and no input raises another error."""

import json
from contextlib import suppress
from typing import Any, get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.online.wire.examples import client_messages, server_messages

from cardhub.online.wire.client_messages import LARGEST_MESSAGE, AnyClientMessage, Say
from cardhub.online.wire.server_messages import AnyServerMessage
from cardhub.online.wire.wire_codec import WireError, decode_client, decode_server, encode_message
from cardhub.play.table_commands import Act

CLIENT, SERVER = client_messages(), server_messages()
SENT = [json.loads(encode_message(message)) for message in CLIENT]


def decoded_or_refused(data: bytes | str) -> None:
    """Decode in both directions; any exception but WireError fails."""
    for decode in (decode_client, decode_server):
        with suppress(WireError):
            assert decode(data) is not None


def test_the_examples_have_every_type() -> None:
    assert {type(m) for m in CLIENT} == set(get_args(AnyClientMessage))
    assert {type(m) for m in SERVER} == set(get_args(AnyServerMessage))


@pytest.mark.parametrize("message", CLIENT, ids=lambda m: type(m).__name__)
def test_a_message_of_a_client_survives_the_way(message: AnyClientMessage) -> None:
    data = encode_message(message)
    assert len(data) < LARGEST_MESSAGE
    assert decode_client(data) == decode_client(data.decode()) == message


@pytest.mark.parametrize("message", SERVER, ids=lambda m: type(m).__name__)
def test_a_message_of_the_server_survives_the_way(message: AnyServerMessage) -> None:
    assert decode_server(encode_message(message)) == message


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats()
    | st.text(st.characters(), max_size=20)
    | st.sampled_from([value for sent in SENT for value in sent.values()]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)
MUTATED = st.tuples(
    st.sampled_from(SENT),
    st.dictionaries(st.sampled_from(sorted({key for sent in SENT for key in sent})), VALUES),
    st.sets(st.sampled_from(sorted({key for sent in SENT for key in sent})), max_size=2),
)


# Machines may be busy.
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(MUTATED)
def test_changed_messages_are_decoded_or_refused(
    drawn: tuple[dict[str, Any], dict[str, Any], set[str]],
) -> None:
    """Values of other types, missing and additional keys, NaN, huge numbers, lone surrogates."""
    valid, other, missing = drawn
    changed = {key: value for key, value in {**valid, **other}.items() if key not in missing}
    decoded_or_refused(json.dumps(changed))
    decoded_or_refused(json.dumps(changed, ensure_ascii=False))


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=200) | st.text(st.characters(), max_size=200))
def test_noise_is_refused(noise: bytes | str) -> None:
    """No JSON, or JSON of another shape."""
    decoded_or_refused(noise)


@pytest.mark.parametrize("sent", SENT, ids=lambda sent: sent["type"])
def test_a_cut_message_is_refused(sent: dict[str, Any]) -> None:
    data = json.dumps(sent).encode()
    for end in range(len(data)):
        with pytest.raises(WireError):
            decode_client(data[:end])


@pytest.mark.parametrize(
    "text",
    [
        '{"type":"act","action":NaN,"rev":1}',
        '{"type":"act","action":1e400,"rev":1}',
        '{"type":"act","action":9007199254740993,"rev":1}',
        '{"type":"act","action":-1,"rev":1}',
        '{"type":"act","action":true,"rev":1}',
        '{"type":"act","action":1.5,"rev":1}',
        '{"type":"act","action":"1","rev":1}',
        '{"type":"act","action":1}',
        '{"type":"act","action":1,"rev":1,"seat":2}',
        '{"type":"act","action":1,"rev":1}{}',
        '{"action":1,"rev":1}',
        '{"type":"reboot"}',
        '{"type":["act"]}',
        '[{"type":"ping"}]',
        '"ping"',
        "null",
        "",
        "\ufeff" + '{"type":"ping"}',
        "[" * 4000,
        '{"type":"consequence","id":1,"action":' + "[" * 2000,
        '{"type":"say","text":"' + "x" * 301 + '"}',
        '{"type":"say","text":"\ud800"}',
        '{"type":"say","text":"\\ud800"}',
    ],
)
def test_a_message_that_does_not_follow_the_protocol_is_refused(text: str) -> None:
    with pytest.raises(WireError):
        decode_client(text)


def test_an_error_names_the_key_and_not_the_value() -> None:
    with pytest.raises(WireError, match="rev") as caught:
        decode_client('{"type":"act","action":1,"rev":"secret"}')
    assert "secret" not in str(caught.value)


def test_a_message_of_more_than_4096_bytes_is_refused_unread() -> None:
    """The length counts bytes in UTF-8, with up to four bytes a character."""
    with pytest.raises(WireError, match="send at most 4096"):
        decode_client('{"type":"say","text":"' + "\u20ac" * 2000 + '"}')
    with pytest.raises(WireError, match="send at most 4096"):
        decode_client(b" " * 4097)


def test_equal_keys_count_as_the_last_one() -> None:
    """All programs that read a message have to read the same."""
    assert decode_client('{"type":"act","action":1,"rev":1,"rev":2}') == Act(action=1, rev=2)
    assert decode_client('{"type":"say","text":"a","text":"b"}') == Say(text="b")
