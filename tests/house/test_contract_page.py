"""The page on the contract has a row for every name that the author of a game may use."""

import inspect
import re
from collections import Counter

import pytest
from tests.kit.paths import ROOT

from cardhub import Actions, State, per_seat, per_token, piles, shared
from cardhub.model.game.game import Display, Rules, SearchHints
from cardhub.model.table.actions import Choice, Players, Sites, Tokens

PAGE = (ROOT / "docs" / "game-reference.md").read_text("utf-8")
CELLS = re.findall(r"^\| (`[^|]+) \|", PAGE, re.MULTILINE)
# A name at the start of an item: `put_all(tokens, zone, pile)`, `seats`.
ROWS = Counter(name for cell in CELLS for name in re.findall(r"`(\w+)", cell))
FUNCTIONS = (shared, per_seat, piles, per_token, Tokens, Choice, Sites, Players)


def own_names(kind: type) -> set[str]:
    """Return the public names that a class itself defines or annotates."""
    return {n for n in {*vars(kind), *inspect.get_annotations(kind)} if not n.startswith("_")}


@pytest.mark.interpreted("compiled classes have no annotations")
@pytest.mark.parametrize("kind", [Rules, SearchHints, Display, State])
def test_every_attribute_and_method_has_a_row(kind: type) -> None:
    """Names that two classes have, such as `seats`, have a row for each."""
    owners = Counter(n for part in (Rules, SearchHints, Display, State) for n in own_names(part))
    names = own_names(kind)
    assert len(names) > 5
    assert {n: ROWS[n] for n in names if ROWS[n] != owners[n]} == {}


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_every_zone_and_every_group_of_actions_has_a_row(function: type) -> None:
    """These are declared in the class of the state and in `Actions`."""
    assert ROWS[function.__name__] == 1


def test_what_actions_tell_is_explained() -> None:
    """The text beside the table of groups names the attributes that rules read."""
    actions = Actions("pass", Tokens("lay", 3))
    assert actions.starts == (0, 1)
    assert actions.verb_and_index[2] == ("lay", 1)
    for name in ("starts", "verb_and_index"):
        assert name in PAGE
