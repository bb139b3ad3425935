"""An option that names another bot."""

from dataclasses import dataclass

from cardhub.table.settings import Value


@dataclass(frozen=True, slots=True)
class AnyBot:
    """An option of a bot that is another bot for the same game, such as `rule`.

    The bot gets it as a function that takes a generator and returns the other bot.
    """

    default: str
    help: str

    def describe(self, seats: int) -> str:
        """See Option."""
        return "the name of a bot"

    def read(self, value: Value, seats: int) -> str | None:
        """See Option."""
        return value if isinstance(value, str) and value else None
