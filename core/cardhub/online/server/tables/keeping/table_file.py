"""The file of a table: everything that must survive a restart, apart from records and chat."""

from collections.abc import Mapping

import msgspec

from cardhub.model.table.settings import Value
from cardhub.online.wire.server_messages import Stage

FILE_VERSION = 1


class Chair(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A seat of a table over several games.

    `token` is the SHA-256 of its person's token; without a `name`, an invitation for a person who
    has not sat down yet. `bot` is the level or spec that plays where no person does, and `bot_name`
    the name under which it played last. `is_asked`: a
    person wished that a bot stands in, so only a wish gives the seat back. `plays_forced`: turns
    with one legal action are played at once.
    """

    name: str = ""
    token: str = ""
    bot: str = ""
    bot_name: str = ""
    is_asked: bool = False
    plays_forced: bool = False

    @property
    def is_persons(self) -> bool:
        """Whether a person has sat down here."""
        return bool(self.name and self.token)

    @property
    def is_free(self) -> bool:
        """Whether nobody has sat down, no bot was chosen and no person invited."""
        return not (self.token or self.bot)


class TableFile(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The content of `table.json`.

    `made` and `changed` are in seconds since the epoch. `owner` is the SHA-256 of the owner's
    token. `number` is that of the last game, 0 before the first, `scored` that of the last one
    whose winners are in `scores`.
    """

    version: int = FILE_VERSION
    table: str
    game: str
    made: float
    changed: float
    owner: str
    address: str = ""
    options: Mapping[str, Value] = {}
    chairs: tuple[Chair, ...]
    number: int = 0
    stage: Stage = "open"
    is_listed: bool = False
    has_chat: bool = True
    has_helps: bool = True
    shows_spectators: bool = True
    clock: str = ""
    webhook: str = ""
    scores: Mapping[str, int] = {}
    scored: int = 0


_DECODER = msgspec.json.Decoder(TableFile)


def encode_table(file: TableFile) -> str:
    """Return the file as text, one JSON object with indented lines."""
    return msgspec.json.format(msgspec.json.encode(file), indent=1).decode() + "\n"


def decode_table(data: bytes) -> TableFile:
    """Return the content of a file; raises ValueError."""
    file = _DECODER.decode(data)
    if file.version != FILE_VERSION:
        raise ValueError(f"version {file.version} cannot be read, only version {FILE_VERSION}")
    return file
