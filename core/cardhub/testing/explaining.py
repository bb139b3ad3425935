"""Options explain themselves, and there is a page of rules."""

from typing import Any

from cardhub.errors import OptionError
from cardhub.game.game import Game
from cardhub.game.opening import settle_options
from cardhub.testing.faults import ConformanceError


def check_options(game: Game[Any], _: None = None) -> None:
    """Check that every option has help, and that all defaults together can be played."""
    mute = [name for name, option in game.options.items() if not option.help.strip()]
    if mute:
        raise ConformanceError("options", game.name, f"no help for {', '.join(mute)}")
    for seats in range(game.seats.low, game.seats.high + 1):
        try:
            settle_options(game, {n: o.default for n, o in game.options.items()}, seats)
        except OptionError as error:
            what = f"the defaults do not fit {seats} players: {error}"
            raise ConformanceError("options", game.name, what) from error


def check_rules_page(game: Game[Any], _: None = None) -> None:
    """Check that there is a page of rules which names every option."""
    page = game.rules()
    if not page.startswith("# "):
        begin = page.partition("\n")[0] or "nothing"
        what = f"no page of rules: `rules.md` with a title is missing, there is {begin!r}"
        raise ConformanceError("rules_page", game.name, what)
    unnamed = [name for name in game.options if f"`{name}`" not in page]
    if unnamed:
        what = f"the page of rules says nothing of the option {', '.join(unnamed)}"
        raise ConformanceError("rules_page", game.name, what)
