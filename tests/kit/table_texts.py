"""Views and plain text of observations."""

from collections.abc import Collection, Sequence
from typing import Any

from cardhub.model.hidden.observation import Observation
from cardhub.view.building import build_view
from cardhub.view.card_catalogue import build_catalogue
from cardhub.view.text import UNICODE, Glyphs, table_lines
from cardhub.view.view import View


def view_of(
    observation: Observation[Any], names: Sequence[str], changed: Collection[int] = ()
) -> View:
    """Return the view of the observation's viewer; `changed` tokens are new."""
    return build_view(observation, names, origins=dict.fromkeys(changed, "from a hand, step 1"))


def text_of(
    observation: Observation[Any],
    names: Sequence[str],
    width: int = 78,
    changed: Collection[int] = (),
    glyphs: Glyphs = UNICODE,
) -> str:
    """Return the table as plain text for the observation's viewer."""
    view = view_of(observation, names, changed)
    return "\n".join(table_lines(view, build_catalogue(observation.game), width, glyphs))
