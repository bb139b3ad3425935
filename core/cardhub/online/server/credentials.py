"""Tokens of seats and ids of tables; a server stores hashes of tokens only."""

import hmac
import secrets
from base64 import b32encode
from hashlib import sha256

TOKEN_BYTES = 24
TABLE_BYTES = 10


def new_token() -> str:
    """Return a token of 192 random bits, safe in URLs."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def hash_token(token: str) -> str:
    """Return the SHA-256 of a token in hexadecimal digits."""
    # No salt and no slow hash: nothing but the whole space of 192 bits can be tried.
    return sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def is_token(token: str, hashed: str) -> bool:
    """Return whether a hash is that of a token; the time does not depend on where they differ."""
    return hmac.compare_digest(hash_token(token), hashed)


def new_table_id(shard: str = "") -> str:
    """Return an id of 80 random bits in lower-case base32, after the letter of its shard."""
    return shard + b32encode(secrets.token_bytes(TABLE_BYTES)).decode("ascii").lower()
