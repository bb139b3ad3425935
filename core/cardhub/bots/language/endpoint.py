"""Where a language model is asked, and with which key; every spec is read with it."""

from collections.abc import Mapping
from os import environ
from typing import NamedTuple
from urllib.parse import urlsplit

OPENAI = "https://api.openai.com/v1"
OPENAI_KEY = "OPENAI_API_KEY"
# The variable with the keys of other servers, by host: "openrouter.ai=KEY api.mistral.ai=KEY".
KEYS = "CARDHUB_LLM_KEYS"
# Hosts of this computer, to which a key is sent without encryption.
LOCAL = ("localhost", "127.0.0.1", "::1")


class Endpoint(NamedTuple):
    """A model of a server; `url` is the address of the protocol, such as `http://localhost/v1`."""

    model: str
    url: str = OPENAI

    @property
    def host(self) -> str:
        """The server's host, with its port."""
        return urlsplit(self.url).netloc.rpartition("@")[2]

    def find_key(self, environment: Mapping[str, str] = environ) -> str:
        """Return the key for the server, or an empty text.

        A key belongs to a host, so a spec that a stranger wrote sends no key to another address,
        and none is sent without encryption, except on this computer.
        """
        address = urlsplit(self.url)
        if address.scheme != "https" and address.hostname not in LOCAL:
            return ""
        for pair in environment.get(KEYS, "").split():
            host, _, key = pair.partition("=")
            if host.casefold() == self.host.casefold():
                return key
        return environment.get(OPENAI_KEY, "") if self._is_openai else ""

    @property
    def limit_field(self) -> str:
        """The name of the limit of tokens: OpenAI has given up the name that others still use."""
        return "max_completion_tokens" if self._is_openai else "max_tokens"

    @property
    def _is_openai(self) -> bool:
        return self.host == urlsplit(OPENAI).netloc
