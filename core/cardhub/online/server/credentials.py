"""Tokens of seats and ids of tables. A server stores only the hashes of tokens."""

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
    # No salt and no slow hash, because a token has 192 random bits: guessing is hopeless.
    return sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def is_token(token: str, hashed: str) -> bool:
    """Return whether `hashed` is the hash of a token, in constant time."""
    return hmac.compare_digest(hash_token(token), hashed)


def new_table_id(shard: str = "") -> str:
    """Return the letter of a shard and 80 random bits in lower-case base32."""
    return shard + b32encode(secrets.token_bytes(TABLE_BYTES)).decode("ascii").lower()
