"""Sheets of observations: the view, and the table drawn from it."""

from collections.abc import Collection, Sequence
from typing import Any

from cardhub.hidden.observation import Observation
from cardhub.text import UNICODE, Glyphs, Sheet, lay_out
from cardhub.view.building import build_view
from cardhub.view.card_catalogue import catalogue_of


def sheet_of(
    observation: Observation[Any],
    names: Sequence[str],
    width: int = 78,
    changed: Collection[int] = (),
    glyphs: Glyphs = UNICODE,
) -> Sheet:
    """Return the table as the observation's viewer sees it; `changed` tokens are new."""
    view = build_view(observation, names, origins=dict.fromkeys(changed, "from a hand, step 1"))
    return lay_out(view, catalogue_of(observation.game), width, glyphs)
