"""Tokens and ids: long enough, and compared in constant time."""

import hmac
from hashlib import sha256

import pytest

from cardhub.online.server.credentials import hash_token, is_token, new_table_id, new_token
from cardhub.online.wire.client_messages import Enter
from cardhub.online.wire.wire_codec import decode_client, encode_message


def test_tokens_have_192_bits_and_ids_80() -> None:
    """No two are the same; ids can be read aloud."""
    tokens, ids = {new_token() for _ in range(1000)}, {new_table_id() for _ in range(1000)}
    assert len(tokens) == len(ids) == 1000
    assert {len(token) for token in tokens} == {32}
    assert {len(table_id) for table_id in ids} == {16}
    assert all(table_id.isalnum() and table_id == table_id.lower() for table_id in ids)


def test_an_id_begins_with_the_letter_of_its_shard() -> None:
    assert new_table_id("b")[0] == "b"
    assert len(new_table_id("b")) == 17


def test_a_token_fits_its_own_hash_alone() -> None:
    """The hash is all that a server keeps."""
    token = new_token()
    assert hash_token(token) == sha256(token.encode()).hexdigest()
    assert is_token(token, hash_token(token))
    assert not is_token(token[:-1], hash_token(token))
    assert not is_token("", hash_token(token))
    assert not is_token(hash_token(token), hash_token(token))


def test_tokens_are_compared_in_constant_time(monkeypatch: pytest.MonkeyPatch) -> None:
    compared = []

    def compare(one: str, other: str) -> bool:
        compared.append((one, other))
        return one == other

    monkeypatch.setattr(hmac, "compare_digest", compare)
    assert is_token("a", hash_token("a"))
    assert len(compared) == 1


def test_a_token_fits_into_the_first_message() -> None:
    message = Enter(version=2, token=new_token())
    assert decode_client(encode_message(message)) == message
