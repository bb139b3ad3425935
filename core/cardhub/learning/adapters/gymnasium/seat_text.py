"""The table as text, as the learner's seat sees it."""

from collections.abc import Iterator, Sequence

from cardhub.learning.adapters.vector.learner_game import LearnerGame
from cardhub.learning.adapters.vector.table_spec import TableSpec
from cardhub.model.hidden.labels import Labels
from cardhub.model.hidden.observation import Step
from cardhub.model.table.state import CHANCE
from cardhub.view.building import build_view
from cardhub.view.card_catalogue import catalogue_of
from cardhub.view.text import table_lines

LEARNER = "learner"


def seat_text(game: LearnerGame, spec: TableSpec, rivals: dict[int, str]) -> str:
    """Return the table, below the actions since the learner's previous decision."""
    seats = range(spec.layout.seats)
    names = [f"player_{seat}" if seat in rivals else LEARNER for seat in seats]
    learner = names.index(LEARNER)
    # The learner's observation, so that no line names a card that it has not seen.
    seen = game.episode.observe(learner)
    bots = [rivals.get(seat, "") for seat in seats]
    view = build_view(seen, names, bots=bots)
    past = _action_lines(_latest(seen.history, learner), seen.labels(names))
    return "\n".join([*past, *table_lines(view, catalogue_of(spec.layout.game))])


def _latest(history: Sequence[Step], learner: int) -> Sequence[Step]:
    """Return the steps from the learner's last one on."""
    own = [number for number, step in enumerate(history) if step.seat == learner]
    return history[own[-1] if own else 0 :]


def _action_lines(steps: Sequence[Step], labels: Labels) -> Iterator[str]:
    for seat, action in steps:
        who = "chance" if seat == CHANCE else labels.player(seat)
        yield f"{who}: {labels.label(action)}"
    if steps:
        yield ""
