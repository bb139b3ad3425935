"""The check that the public result of an action depends on no card that a viewer has not seen.

It is a proof by example. The action runs on faces that note which lines read hidden ones. Then it
runs with other faces of these cards, which a viewer takes for possible. If the viewer sees another
result, the action runs once for each line, with the other faces for this line only: this finds the
line that is to blame.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import islice
from random import Random
from typing import Any, Generic, NamedTuple

from cardhub.base.errors.source_lines import SourceLine
from cardhub.model.game.game import Game, S
from cardhub.model.hidden.labels import Labels
from cardhub.model.table.beats import Moments, apply_watched
from cardhub.model.table.faces import BLANK, blanked, known_looks
from cardhub.model.table.rounds import asked_seats
from cardhub.model.table.state import State
from cardhub.testing.checking import FaultyLine, freeze
from cardhub.testing.coverage import Coverage
from cardhub.testing.game_checks.rule_lines import changing_line
from cardhub.testing.game_checks.taint.alternatives import (
    Alternative,
    Alternatives,
    hidden_tokens,
    viewers_without,
)
from cardhub.testing.game_checks.taint.tainted_faces import TaintedFaces
from cardhub.testing.random_play import Position

# The most alternatives that are tried if lines read hidden faces for the first time, and later.
MOST_ALTERNATIVES, LATER_ALTERNATIVES = 40, 1
# Determinizations for each viewer, which change all hidden cards.
SAMPLES = 2
# The most actions whose names are compared.
MOST_NAMES = 200
# The lines that read hidden faces, in order, with the tokens.
ReadingLines = Mapping[SourceLine, Collection[int]]
# What viewers do not see, or what the core derives from the rest.
SECRET = ("face", "shuffle_log", "recorded_answers", "answers")


class Result(NamedTuple, Generic[S]):
    """The result of an action: its state, what was shown within it, and the names of actions.

    `public`: the public fields of the state.
    """

    state: S
    public: dict[str, Any]
    moments: Moments
    names: tuple[str, ...]


def find_reading_lines(game: Game[S], position: Position[S]) -> ReadingLines:
    """Return the lines that read hidden faces in the last action, with the tokens.

    A face is hidden if some viewer has not seen it after the action. A question of `state.answer`
    is not asked again, because its answer is public.
    """
    before, applied = position.before, position.applied
    if before is None or applied is None:
        return {}
    # Choices are secret until the last one of their round; the check `order` compares them. The
    # last one may begin another round at once, so only the state before it shows which it is.
    if len(asked_seats(before)) > 1:
        return {}
    hidden = hidden_tokens(before, applied)
    if not hidden:
        return {}
    state = before.clone()
    faces = TaintedFaces(blanked(before.face), hidden)
    state.face, state.recorded_answers = faces, applied.answers
    with suppress(Exception):  # rules that cannot run twice are found elsewhere
        apply_watched(game, state, position.steps[position.number - 1].action)
    return faces.lines


def check_same_result(
    game: Game[S], position: Position[S], lines: ReadingLines, coverage: Coverage
) -> None:
    """Check that the last action has the same public result with other hidden cards.

    `lines` are those that read hidden cards, none at the deal.
    """
    if position.before is None or position.applied is None or not lines:
        return
    action = position.steps[position.number - 1].action
    step = _Step(game, position.before, action, position.applied)
    key = (game.actions.verb_and_index[action][0], position.applied.phase, *lines)
    is_new = key not in coverage.reading_lines
    coverage.reading_lines.add(key)
    tokens = sorted({token for read in lines.values() for token in read})
    rng = Random(f"{position.trial.seed} {position.number} alternatives")
    for viewer, alternative in step.alternatives(tokens, rng, is_new=is_new):
        if difference := step.difference(viewer, alternative):
            _fail(game, position, step, lines, viewer, alternative, difference)


class _Step(Generic[S]):
    """An action of a game and its true result."""

    def __init__(self, game: Game[S], before: S, action: int, applied: S) -> None:
        self.action = action
        self._game = game
        self._before = before
        self._applied = applied
        self._alternatives = Alternatives(game, before, action, applied)

    @cached_property
    def _truth(self) -> Result[S]:
        return self._result(self._before.clone())

    @cached_property
    def _is_repeatable(self) -> bool:
        """Whether the action has its result again; other checks find random results."""
        return self._truth.public == _public_fields(self._applied)

    def alternatives(
        self, tokens: Sequence[int], rng: Random, *, is_new: bool
    ) -> Iterator[tuple[int, Alternative]]:
        """Yield viewers with alternatives that have other faces for tokens that were read."""
        viewers = list(viewers_without(self._before, self._applied, tokens))
        if not is_new:
            viewer, unseen = rng.choice(viewers)
            swaps = self._alternatives.swaps(viewer, [rng.choice(unseen)])
            yield from self._possible(viewer, islice(swaps, LATER_ALTERNATIVES))
            return
        share = -(-MOST_ALTERNATIVES // len(viewers))
        for viewer, unseen in viewers:
            swaps = self._alternatives.swaps(viewer, unseen)
            yield from self._possible(viewer, islice(swaps, share))
            yield from self._possible(viewer, self._alternatives.samples(viewer, rng, SAMPLES))

    def difference(
        self, viewer: int, alternative: Alternative, line: SourceLine | None = None
    ) -> str:
        """Return what a viewer sees to be different with other faces; empty if all is equal.

        With a `line` only this line reads the other faces.
        """
        if not self._is_repeatable:
            return ""
        other = self._alternatives.state_in(alternative)
        if line is not None:
            other.recorded_answers = self._applied.answers
            other.face = TaintedFaces(blanked(self._before.face), [*alternative], alternative, line)
        result = self._result(other)
        if line is None and not self._game.plausible(result.state.clone()):
            return ""
        return _difference(self._truth, result, viewer)

    def _result(self, state: S) -> Result[S]:
        moments = apply_watched(self._game, state, self.action)
        # A name that follows from a face can only be remembered from the action.
        names = (
            self._game.actions.text(action, lambda token: f"#{token}")
            for action in range(min(self._game.actions.size, MOST_NAMES))
        )
        return Result(state, _public_fields(state), moments, tuple(names))

    def _possible(
        self, viewer: int, alternatives: Iterator[Alternative]
    ) -> Iterator[tuple[int, Alternative]]:
        return (
            (viewer, alternative)
            for alternative in alternatives
            if alternative and self._alternatives.is_possible(viewer, alternative)
        )


def _difference(truth: Result[S], other: Result[S], viewer: int) -> str:
    """Return what a viewer sees to be different; empty if an answer explains a difference."""
    mine, its = truth.state.answers, other.state.answers
    if any(one != two for one, two in zip(mine, its, strict=False)):
        return ""
    if len(mine) != len(its):
        return "whether state.answer() is asked"
    for name, value in truth.public.items():
        if value != other.public.get(name):
            return f"state.{name}"
    if _sentences(truth.moments, viewer) != _sentences(other.moments, viewer):
        return "a sentence of state.log()"
    if _beats(truth.moments) != _beats(other.moments):
        return "state.pause()"
    return "" if truth.names == other.names else "the name of an action"


def _public_fields(state: State) -> dict[str, Any]:
    secret = (*SECRET, *state.private_fields, state.views_field)
    fields = {name: value for name, value in freeze(state).items() if name not in secret}
    return fields | {"seen": tuple(known_looks(state.seen, 0))} if state.views_field else fields


def _sentences(moments: Moments, viewer: int) -> list[object]:
    """Return the sentences that a viewer gets, with the faces that the viewer then knows."""
    return [
        sentence._replace(
            cards=tuple(
                card if card.seen >> viewer & 1 else card._replace(face=BLANK)
                for card in sentence.cards
            )
        )
        for sentence in moments.sentences
        if sentence.is_for(lambda card: bool(card.seen >> viewer & 1))
    ]


def _beats(moments: Moments) -> list[object]:
    return [(beat[1:], _public_fields(beat.state)) for beat in moments.beats]


def _fail(
    game: Game[S],
    position: Position[S],
    step: _Step[S],
    lines: ReadingLines,
    viewer: int,
    alternative: Alternative,
    difference: str,
) -> None:
    line = _guilty_line(step, viewer, alternative, lines) or next(iter(lines))
    state = position.before or position.state
    labels, other = Labels(game, state.face, state.back), _cards_in(game, alternative)
    token = next((t for t in lines[line] if t in alternative), next(iter(alternative)))
    who = position.viewer_name(viewer)
    problem = (
        f"{difference} depends on the face of {labels.card(token)} (token {token}), which {who} "
        f"has not seen: with {other[token]} in its place it is another after "
        f"{labels.label(step.action)!r}"
    )
    failure = position.failure(game, "same_result", problem, line)
    name = difference.removeprefix("state.")
    changed = None
    if name in _public_fields(state):
        changed = changing_line(lambda: game.apply(state.clone(), step.action), name)
    if changed is not None and changed[:2] != line[:2]:
        failure.lines += (FaultyLine.at(changed, f"changes {difference} by a hidden face"),)
    raise failure


def _cards_in(game: Game[Any], alternative: Alternative) -> dict[int, str]:
    """Return the names of the cards that tokens are in another alternative."""
    return {token: game.cards.faces[face].name for token, face in alternative.items()}


def _guilty_line(
    step: _Step[S], viewer: int, alternative: Alternative, lines: ReadingLines
) -> SourceLine | None:
    """Return the first line that changes the result if it alone reads the other faces."""
    for line in lines:
        try:
            if step.difference(viewer, alternative, line):
                return line
        except Exception:  # noqa: BLE001  # such a mixture of alternatives may break rules
            continue
    return None
