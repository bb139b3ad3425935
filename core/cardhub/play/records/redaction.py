"""Redact records: blank the faces that one viewer has not seen."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from cardhub.base.errors import RecordError
from cardhub.model.game.game import Game
from cardhub.model.hidden.labels import Labels
from cardhub.model.hidden.observation import EVERYTHING
from cardhub.model.hidden.outcomes import Outcome
from cardhub.model.hidden.shuffles.segments import back_snapshots, face_snapshots
from cardhub.model.table.faces import BLANK
from cardhub.model.table.rounds import count_choices, is_in_round
from cardhub.model.table.state import State
from cardhub.play.history_entries import (
    Dealt,
    Entry,
    Hinted,
    Shuffled,
    Taken,
    TakenBack,
    Undone,
    standing_actions,
)
from cardhub.play.records.header import notation_with_token
from cardhub.play.records.recording import as_line, line_of
from cardhub.play.referee import Referee


@dataclass(frozen=True, slots=True)
class KnownBranch:
    """The game from the deal to a takeback, or to the end, without what was taken back before.

    `faces` and `backs` are by epoch, which is the number of shuffles before, and by token; faces
    that the viewer has not seen in any branch are BLANK. `shuffled` has the tokens of each shuffle,
    `answers` all public answers. The branch begins in epoch `first`, at the takeback before.
    """

    first: int
    faces: list[list[int]]
    backs: list[list[int]]
    shuffled: list[tuple[int, ...]]
    answers: tuple[bool, ...]


def known_branches(referee: Referee[Any], viewer: int) -> list[KnownBranch]:
    """Return the branches of a game in order, as `viewer` knows them now."""
    # Between two shuffles a token keeps its face, and a face seen later is known earlier as well:
    # also one that was seen in a branch that was taken back.
    branches: list[KnownBranch] = []
    first = 0
    for state, end in _ends(referee, viewer):
        branches.append(_branch(state, first, branches[-1].faces if branches else ()))
        first = end
    for branch in branches:
        # A face known before a shuffle is known after it, if the shuffle left the token.
        for tokens, before, after in zip(
            branch.shuffled, branch.faces, branch.faces[1:], strict=False
        ):
            moved = frozenset(tokens)
            _add(after, [BLANK if token in moved else face for token, face in enumerate(before)])
    return branches


def _ends(referee: Referee[Any], viewer: int) -> list[tuple[State, int]]:
    """Return what the viewer knew at each takeback and at the end, and the epoch after it."""
    now = referee.observe(viewer).state
    ends: list[tuple[State, int]] = []
    if any(isinstance(entry, TakenBack) for entry in referee.entries):
        again = referee.restarted()
        for entry in referee.entries[1:]:
            before = again.observe(viewer).state if isinstance(entry, TakenBack) else None
            again.apply_entry(entry)
            if before is not None:
                ends.append((before, len(again.observe(viewer).state.shuffle_log)))
    return [*ends, (now, len(now.shuffle_log))]


def _branch(state: State, first: int, earlier: Sequence[list[int]]) -> KnownBranch:
    """Return a branch that shares its faces up to epoch `first` with the earlier one."""
    faces = face_snapshots(state)
    for epoch, known in enumerate(earlier[: first + 1]):
        _add(known, faces[epoch])
        faces[epoch] = known
    shuffled = [shuffle.tokens for shuffle in state.shuffle_log]
    return KnownBranch(first, faces, back_snapshots(state), shuffled, state.answers)


def _add(known: list[int], faces: Sequence[int]) -> None:
    for token, face in enumerate(faces):
        if known[token] == BLANK:
            known[token] = face


def why_not_redacted(game: Game[Any]) -> str:
    """Return why no record of a game can be redacted for one viewer, or an empty string."""
    if not game.state_type.views_field:
        return ""
    # Rules read secrets other than faces, so a record without them cannot be replayed.
    return (
        f"{game.name} has secrets other than cards, so no record can be redacted for one viewer. "
        "fix: write the whole record once the game is over"
    )


def redact_game(referee: Referee[Any], viewer: int) -> str:
    """Return the record of a referee's current game, redacted for `viewer`.

    It ends before a round of simultaneous choices that is not complete. Raises RecordError for a
    game with other secrets than faces.
    """
    if why := why_not_redacted(referee.game):
        raise RecordError(why)
    # The seed determines all cards, and the last line would reveal it.
    secret: dict[str, Any] = {"seed": None, "viewer": viewer}
    branches = known_branches(referee, viewer)
    if branches[0].answers:
        secret["answers"] = list(branches[0].answers)
    lines = [line_of(referee, entry) for entry in _redacted(referee, viewer, branches)]
    lines[0] |= secret
    lines[-1].pop("reveal", None)
    return "".join(map(as_line, lines))


def _redacted(
    referee: Referee[Any], viewer: int, branches: Sequence[KnownBranch]
) -> Iterator[Entry]:
    game, following = referee.game, iter(branches)
    branch = next(following)
    labels, epoch = _labels(game, branch), 0
    secret = _secret_entries(referee)
    for number, entry in enumerate(referee.entries):
        match entry:
            case Taken() | Undone() if number in secret:
                continue
            case Dealt():
                yield Dealt(Outcome(tuple(branch.faces[0]), tuple(branch.backs[0])))
            case Shuffled():
                tokens = branch.shuffled[epoch]
                epoch += 1
                values = branch.faces[epoch], branch.backs[epoch]
                yield Shuffled(Outcome(*(tuple(column[t] for t in tokens) for column in values)))
            case Taken(_, action):
                yield replace(entry, notation=notation_with_token(game, labels[epoch], action))
            case TakenBack():
                branch = next(following)
                labels, epoch = _labels(game, branch), branch.first
                yield replace(entry, answers=branch.answers)
            case Hinted(seat) if seat != viewer:
                continue
            case _:
                yield entry


def _secret_entries(referee: Referee[Any]) -> range:
    """Return the numbers of the entries since an incomplete round of choices began."""
    state, count = referee.observe(EVERYTHING).state, len(referee.entries)
    if not is_in_round(state):
        return range(count, count)
    standing = standing_actions(referee.entries)
    public = standing[: len(standing) - count_choices(state)]
    takebacks = [n for n, entry in enumerate(referee.entries) if isinstance(entry, TakenBack)]
    # After the deal, or after the last public action or takeback.
    return range(1 + max([0, *public[-1:], *takebacks[-1:]]), count)


def _labels(game: Game[Any], branch: KnownBranch) -> list[Labels]:
    return [Labels(game, *epoch) for epoch in zip(branch.faces, branch.backs, strict=True)]
