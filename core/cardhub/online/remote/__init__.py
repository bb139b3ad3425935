"""Clients of a table on a server, with the same session interface as a local table.

Needs the extra `web`; importing it without the extra raises MissingLibraryError.
"""

from cardhub.base.errors import MissingLibraryError

try:
    import websockets  # noqa: F401  # for the error below
except ModuleNotFoundError as error:
    raise MissingLibraryError(
        "`cardhub join` and `cardhub bot connect` need websockets, which is not installed. "
        "fix: pip install '.[web]' in the checkout of cardhub"
    ) from error
