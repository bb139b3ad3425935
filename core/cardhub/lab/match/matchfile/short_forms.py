"""Short forms of match files: a text instead of a mapping, and names that the file leaves out."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path

from cardhub.base.yamlfile import MappingNode, Node, ScalarNode

# Everything that the name of a match or bot cannot contain.
_SEPARATORS = re.compile(r"[^\w'-]+")
# An option of a bot with the address of a server, which says where it runs, not who it is.
_ADDRESS = re.compile(r",?\w+=https?://[^,]*")
# Maximum lengths of derived names: an id is a column of tables, a name is part of paths.
MAX_ID, MAX_NAME = 40, 100
DEFAULT_NAME = "match"


def name_from(text: str, most: int = MAX_ID) -> str:
    """Return a text as a name, `ismcts-100` for `ismcts:100`; empty if no character is valid."""
    return _SEPARATORS.sub("-", text).strip("-")[:most].rstrip("-")


def expand_text(node: Node, key: str) -> Node:
    """Return a text as a mapping with one key, such as `rule` as `{use: rule}`."""
    if not isinstance(node, ScalarNode):
        return node
    return MappingNode(node.line, node.column, {key: (node, node)})


def derived_ids(uses: Iterable[str], taken: Collection[str]) -> Iterator[str]:
    """Yield an id for each bot that the file gives none; `taken`: ids and words in other use."""
    used = {name.casefold() for name in taken}
    for use in uses:
        base = name_from(_ADDRESS.sub("", use)) or "bot"
        numbered = (base if number == 1 else f"{base}-{number}" for number in range(1, 1 << 20))
        name = next(name for name in numbered if name.casefold() not in used)
        used.add(name.casefold())
        yield name


def name_of_match(games: Sequence[str], bots: Sequence[str], file: Path | None = None) -> str:
    """Return the default name: the name of the file, else the games and bots of the match."""
    if file is not None:
        return name_from(file.stem, MAX_NAME) or DEFAULT_NAME
    return name_from("-".join([*games, *bots]), MAX_NAME) or DEFAULT_NAME
