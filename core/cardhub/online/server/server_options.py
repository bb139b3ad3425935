"""Options of a server: its port, origins, proxies and key."""

from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import ip_network
from urllib.parse import urlsplit

from cardhub.base.errors import CardhubError
from cardhub.online.server.limits import DEVICES, LOCAL_LIMITS, PUBLIC_LIMITS, LimitSet

LOCAL_HOSTS = ("localhost", "127.0.0.1", "[::1]")
DEFAULT_PORTS = {"http": 80, "https": 443}


class ServerError(CardhubError):
    """The server cannot be started with these options, or on this machine."""


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """Options of a server.

    `origins`: the addresses that browsers use; the first one is used in links, and a server for
    this machine only has none. `is_public`: bind all interfaces. `proxies`: addresses or networks
    of trusted proxies, whose headers give the client's address. `key`: the key that the maker of a
    table must send, or empty if everyone may make tables. `devices`: the number of devices that may
    share an address. `has_assistants`: whether assistants may sit down over HTTP.
    """

    port: int = 8000
    origins: Sequence[str] = ()
    is_public: bool = False
    proxies: Sequence[str] = ()
    key: str = ""
    devices: int = DEVICES
    has_assistants: bool = False

    @property
    def is_local(self) -> bool:
        """Whether only this machine can reach the server, and all clients share one address."""
        return not (self.origins or self.is_public)

    @property
    def limits(self) -> LimitSet:
        """The limits; a server for this machine only has much higher ones."""
        if self.is_local:
            return LOCAL_LIMITS
        return PUBLIC_LIMITS.for_devices(self.devices)


def read_proxy(text: str) -> str:
    """Return the address or network of a proxy; raises ValueError."""
    try:
        return str(ip_network(text))
    except ValueError:
        raise ValueError(
            f"{text!r} is not an address. fix: write 127.0.0.1 or 10.1.0.0/16"
        ) from None


def read_origin(text: str) -> str:
    """Return an origin such as `https://cards.example.org`; raises ValueError."""
    parts = urlsplit(text)
    host = (parts.hostname or "").lower()
    is_bare = parts.path in ("", "/") and not (parts.query or parts.fragment or parts.username)
    if parts.scheme not in DEFAULT_PORTS or not host or not is_bare:
        raise ValueError(f"{text!r} is not an origin. fix: write https://cards.example.org")
    host = f"[{host}]" if ":" in host else host
    port = parts.port
    is_default = port is None or port == DEFAULT_PORTS[parts.scheme]
    return f"{parts.scheme}://{host}" if is_default else f"{parts.scheme}://{host}:{port}"
