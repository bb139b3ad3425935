"""Parser of the options of a game in a file: the section `rules`."""

from typing import Any

from cardhub.base.errors import OptionError
from cardhub.base.yamlfile import Diagnostics, Node, ScalarNode
from cardhub.lab.match.matchfile.section import FileSection
from cardhub.model.game.game import Game
from cardhub.model.table.settings import Value, read_settings


def read_rules(section: FileSection, game: Game[Any], players: int) -> dict[str, Value]:
    """Parse the mapping `rules` of a section; return the valid options that it sets."""
    given = {}
    for name, (key, node) in section.table("rules", "a mapping of options").items():
        # An unknown option is reported at its name, an invalid value at the value.
        place = node if name in game.options else key
        value = read_option(game, name, node, place, players, section.problems)
        if value is not None:
            given[name] = value
    return given


def read_option(
    game: Game[Any], name: str, node: Node, place: Node, players: int, problems: Diagnostics
) -> Value | None:
    """Return the value of an option, or None after reporting at `place` why it is invalid."""
    if not isinstance(node, ScalarNode):
        problems.expected(node, f"a value for option {name}")
        return None
    whose = f"Options of {game.name}"
    try:
        return read_settings(game.options, {name: node.value}, players, whose)[name]
    except OptionError as error:
        problems.add(place, str(error))
        return None
