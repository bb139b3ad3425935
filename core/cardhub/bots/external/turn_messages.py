"""Messages to programs: the game once, then the observation of its seat at every turn.

They are derived from observations only, which contain no face that the seat has not seen.
"""

from collections.abc import Iterator
from typing import Any

from cardhub.base.errors import HiddenFaceError
from cardhub.model.cards import Cards
from cardhub.model.game.game import Game
from cardhub.model.game.initial_state import game_scoring, initial_state
from cardhub.model.hidden.chance import Outcome, apply_outcome
from cardhub.model.hidden.labels import Labels
from cardhub.model.hidden.observation import Observation
from cardhub.model.hidden.shuffles.segments import back_snapshots, face_snapshots
from cardhub.model.table.actions import Choice, Players, Tokens
from cardhub.model.table.faces import MaskedFaces, blanked
from cardhub.model.table.state import State, declared_names
from cardhub.model.table.zones import Zone

Seen = Observation[Any]
OVER_MESSAGE = {"type": "over"}


def game_message(seen: Seen, seed: int) -> dict[str, Any]:
    """Return the message at the start of a game; `seed` is for the program's own generator."""
    game, state = seen.game, seen.state
    scoring = game_scoring(game, state.settings, state.seats)
    return {
        "type": "game",
        "game": game.name,
        "version": game.version,
        "options": dict(state.settings),
        "seats": state.seats,
        "seat": seen.seat,
        "seed": seed,
        "lowest_wins": game.lowest_wins,
        "goal": scoring.goal.value,
        "unit": scoring.unit,
        "teams": list(scoring.teams),
        "target": scoring.target,
        "phases": list(game.phases),
        "zones": [_declared(zone) for zone in state.zones],
        "actions": list(_groups(game)),
        "cards": list(_cards(game.cards)),
    }


def turn_message(seen: Seen, before: Seen | None, seconds: float) -> dict[str, Any]:
    """Return the message of a turn; `before` is the observation of the last one, if any."""
    labels, legal = seen.labels(), seen.legal()
    return {
        "type": "turn",
        "news": list(news(seen, before)),
        "learned": learned(seen, before),
        "table": table(seen),
        "legal": [
            {"action": action, "notation": notation, "label": labels.label(action)}
            for notation, action in labels.notations(legal).items()
        ],
        "budget_ms": round(seconds * 1000),
    }


def table(seen: Seen) -> dict[str, Any]:
    """Return an observation as data: zones with their tokens, and public values."""
    game, state = seen.game, seen.state
    return {
        "seat": state.seat,
        "phase": game.phases[state.phase] if game.phases else state.phase,
        "zones": {zone.name: _piles(seen, zone) for zone in state.zones},
        "values": {name: getattr(state, name) for name in declared_names(state)},
        "scores": _scores(game, state),
    }


def is_later(now: Seen, before: Seen) -> bool:
    """Return whether one observation can come after another of the same seat in the same game."""
    steps = len(before.history)
    return (
        (now.seat, now.game, now.state.settings)
        == (before.seat, before.game, before.state.settings)
        and now.history[:steps] == before.history
        and len(now.state.shuffle_log) >= len(before.state.shuffle_log)
    )


def news(now: Seen, before: Seen | None) -> Iterator[dict[str, Any]]:
    """Yield the actions and shuffles since `before`, or since the deal."""
    # Tokens can have other faces after a shuffle. So the game is replayed from the state before,
    # with the faces that the seat has seen by now, and each card is named as it was when the action
    # was taken.
    faces, backs = face_snapshots(now.state), back_snapshots(now.state)
    state = _begin(now, backs[0], faces[0]) if before is None else before.state.clone()
    state.face, state.recorded_answers = (
        MaskedFaces(faces[len(state.shuffle_log)]),
        now.state.answers,
    )
    for seat, action in now.history[len(before.history) if before else 0 :]:
        labels = Labels(now.game, state.face, state.back)
        yield {"seat": _seat(seat), "action": action, "notation": labels.notation(action)}
        now.game.apply(state, action)
        while state.pending_shuffles:
            tokens, keeper = state.pending_shuffles[0]
            epoch = len(state.shuffle_log) + 1
            outcome = Outcome(*(tuple(v[epoch][t] for t in tokens) for v in (faces, backs)))
            apply_outcome(state, outcome)
            yield {"seat": _seat(keeper), "shuffle": list(tokens)}


def learned(now: Seen, before: Seen | None) -> list[dict[str, Any]]:
    """Return the tokens whose faces the seat knows now and not before, with their cards."""
    known = [-1] * len(now.state.seen)
    if before is not None:
        known = blanked(before.state.face)
        # Shuffled tokens can have other faces now: those are told again.
        for shuffle in now.state.shuffle_log[len(before.state.shuffle_log) :]:
            for token in shuffle.tokens:
                known[token] = -1  # it may have another face now
    labels = now.labels()
    new = (t for t, face in enumerate(blanked(now.state.face)) if face >= 0 and known[t] < 0)
    return [{"token": token, "card": labels.card_notation(token)} for token in new]


def _piles(seen: Seen, zone: Zone) -> list[Any]:
    labels, state = seen.labels(), seen.state
    backs = seen.game.cards.backs

    def told(token: int) -> dict[str, Any]:
        seats = range(state.seats)
        return {
            "token": token,
            "card": labels.card_notation(token) if labels.is_known(token) else None,
            "back": backs[state.back[token]].unknown,
            "seen_by": [seat for seat in seats if state.seen[token] >> seat & 1],
        }

    piles = [[told(token) for token in pile] for pile in zone.piles(state)]
    return piles[0] if zone.count is None else piles


def _scores(game: Game[Any], state: State) -> list[int] | None:
    try:
        # Scores that depend on faces which this seat has not seen are not sent.
        return game.scores(state)
    except HiddenFaceError:
        return None


def _declared(zone: Zone) -> dict[str, Any]:
    piles = {None: "table", 0: "seat"}.get(zone.count, zone.count)
    return {"name": zone.name, "faces": zone.faces, "piles": piles}


def _groups(game: Game[Any]) -> Iterator[dict[str, Any]]:
    for first, group in zip(game.actions.starts, game.actions.groups, strict=True):
        told: dict[str, Any] = {"first": first, "count": group.size, "verb": group.verb}
        if isinstance(group, Choice):
            told["words"] = list(group.words)
        yield told | {"of": _of(group)}


def _of(group: object) -> str | None:
    kinds = {Tokens: "token", Players: "seat", Choice: "word"}
    return next((name for kind, name in kinds.items() if isinstance(group, kind)), None)


def _cards(cards: Cards) -> Iterator[dict[str, Any]]:
    for card in cards.faces:
        yield {
            "card": card.name,
            "title": card.title,
            "back": cards.backs[card.back].unknown,
            "deck": cards.decks[card.deck],
            "copies": card.copies,
            "fields": dict(card.fields),
        }


def _begin(now: Seen, backs: list[int], faces: list[int]) -> State:
    state = now.state
    opened: State = initial_state(
        now.game, state.settings, state.seats, MaskedFaces(faces), backs, state.answers
    )
    return opened


def _seat(seat: int) -> int | str:
    """Return a seat in the notation of records; shuffles without a seat are chance's."""
    return "chance" if seat < 0 else seat
