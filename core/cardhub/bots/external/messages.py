"""Messages to programs: the game once, then the seat's observation at every turn.

The messages are derived only from observations, which do not contain faces that the seat has not
seen.
"""

from collections.abc import Iterator
from functools import cache
from importlib.metadata import version
from itertools import islice
from random import Random
from typing import Any

from cardhub.base.errors import HiddenFaceError
from cardhub.model.cards import Cards
from cardhub.model.game.game import Game
from cardhub.model.game.initial_state import game_scoring, initial_state
from cardhub.model.game.sides import known_sides
from cardhub.model.hidden.labels import Labels
from cardhub.model.hidden.observation import Observation
from cardhub.model.hidden.outcomes import Outcome, apply_outcome
from cardhub.model.hidden.shuffles.segments import back_snapshots, face_snapshots
from cardhub.model.hidden.whole_games import Replay, past_game
from cardhub.model.table.actions import UNSEEN_ACTION, Amount, Choice, Players, Tokens
from cardhub.model.table.faces import MaskedFaces, blanked
from cardhub.model.table.rounds import asked_seats, is_in_round, turn_to
from cardhub.model.table.secrets import known_private
from cardhub.model.table.state import State, declared_names
from cardhub.model.table.state_declaration import Zone

View = Observation[Any]
OVER_MESSAGE = {"type": "over"}


def game_message(view: View, seed: int) -> dict[str, Any]:
    """Return the message at the start of a game; `seed`: a seed for the program's generator."""
    game, state = view.game, view.state
    scoring = game_scoring(game, state.settings, state.seats)
    message = {
        "type": "game",
        "game": game.name,
        "version": game.version,
        "options": dict(state.settings),
        "seats": state.seats,
        "seat": view.seat,
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
    return message | ({"sides": list(game.sides)} if game.sides else {})


def turn_message(view: View, before: View | None, seconds: float) -> dict[str, Any]:
    """Return the message of a turn.

    `before`: the observation of the seat's last turn, or None. `seconds`: the time for the answer.
    """
    labels, legal = view.labels(), view.legal()
    return {
        "type": "turn",
        "news": list(news(view, before)),
        "learned": learned_cards(view, before),
        "table": table(view),
        "legal": [
            {"action": action, "notation": notation, "label": labels.label(action)}
            for notation, action in labels.notations(legal).items()
        ],
        "budget_ms": round(seconds * 1000),
    }


def table(view: View) -> dict[str, Any]:
    """Return an observation as data: zones with their tokens, and public values."""
    game, state = view.game, view.state
    data = {
        "seat": state.seat,
        "phase": game.phases[state.phase] if game.phases else state.phase,
        "zones": {zone.name: _piles(view, zone) for zone in state.zones},
        "values": {name: getattr(state, name) for name in declared_names(state)}
        | known_private(state, None),
        "scores": _scores(game, state),
    }
    if game.sides:
        data["sides"] = list(known_sides(game, state))
    return data | {"choosing": asked_seats(state)} if is_in_round(state) else data


def is_later(view: View, before: View) -> bool:
    """Return whether `view` can follow `before`: same seat, same game, longer history."""
    steps = len(before.history)
    return (
        (view.seat, view.game, view.state.settings)
        == (before.seat, before.game, before.state.settings)
        and view.history[:steps] == before.history
        and len(view.state.shuffle_log) >= len(before.state.shuffle_log)
    )


def news(view: View, before: View | None) -> Iterator[dict[str, Any]]:
    """Yield the actions and shuffles since `before`, or since the deal if it is None."""
    if view.state.views_field:
        yield from _secretive_news(view, len(before.history) if before else 0)
        return
    # Tokens can have other faces after a shuffle. So the game is replayed from the earlier state
    # with all faces that the seat has seen, and each action names its card at the time of the
    # action.
    faces, backs = face_snapshots(view.state), back_snapshots(view.state)
    state = _begin(view, backs[0], faces[0]) if before is None else before.state.clone()
    state.face, state.recorded_answers = (
        MaskedFaces(faces[len(state.shuffle_log)]),
        view.state.answers,
    )
    for seat, action in view.history[len(before.history) if before else 0 :]:
        labels = Labels(view.game, state.face, state.back)
        yield {"seat": _seat(seat), "action": action, "notation": labels.notation(action)}
        turn_to(state, seat)  # in the earlier observation the viewer was the first to choose
        view.game.apply(state, action)
        while state.pending_shuffles:
            tokens, keeper = state.pending_shuffles[0]
            epoch = len(state.shuffle_log) + 1
            outcome = Outcome(*(tuple(v[epoch][t] for t in tokens) for v in (faces, backs)))
            apply_outcome(state, outcome)
            yield {"seat": _seat(keeper), "shuffle": list(tokens)}


def _secretive_news(view: View, first: int) -> Iterator[dict[str, Any]]:
    """Yield the news from action `first` on of a game that has secrets other than faces.

    Rules read these secrets, so an observation cannot be replayed. A determinization can: its
    shuffles come after the same actions.
    """
    faces, backs = face_snapshots(view.state), back_snapshots(view.state)
    log, ends = view.state.shuffle_log, [0] * len(view.history)
    if log:
        whole, history = view.determinize_game(Random(0))
        replay = Replay(view.game, view.state, view.seat, view.history)
        states = replay.states(past_game(whole, [action for _, action in history]))
        ends = [len(state.shuffle_log) for state in islice(states, 1, None)]
    for number in range(first, len(view.history)):
        seat, action = view.history[number]
        epoch = ends[number - 1] if number else 0
        labels = Labels(view.game, MaskedFaces(faces[epoch]), backs[epoch])
        is_secret = action == UNSEEN_ACTION
        yield {
            "seat": _seat(seat),
            "action": None if is_secret else action,
            "notation": None if is_secret else labels.notation(action),
        }
        for shuffle in log[epoch : ends[number]]:
            yield {"seat": _seat(shuffle.keeper), "shuffle": list(shuffle.tokens)}


def learned_cards(view: View, before: View | None) -> list[dict[str, Any]]:
    """Return the tokens, with their cards, whose faces the seat has learned since `before`."""
    old_faces = [-1] * len(view.state.seen)
    if before is not None:
        old_faces = blanked(before.state.face)
        # Shuffled tokens may have other faces, so they are sent again.
        for shuffle in view.state.shuffle_log[len(before.state.shuffle_log) :]:
            for token in shuffle.tokens:
                old_faces[token] = -1
    labels = view.labels()
    new = (t for t, face in enumerate(blanked(view.state.face)) if face >= 0 and old_faces[t] < 0)
    return [{"token": token, "card": labels.card_notation(token)} for token in new]


def _piles(view: View, zone: Zone) -> list[Any]:
    labels, state = view.labels(), view.state
    backs = view.game.cards.backs

    def token_data(token: int) -> dict[str, Any]:
        seats = range(state.seats)
        return {
            "token": token,
            "card": labels.card_notation(token) if labels.is_known(token) else None,
            "back": backs[state.back[token]].unknown,
            "seen_by": [seat for seat in seats if state.seen[token] >> seat & 1],
        }

    piles = [[token_data(token) for token in pile] for pile in zone.piles(state)]
    return piles[0] if zone.count is None else piles


def _scores(game: Game[Any], state: State) -> list[int] | None:
    try:
        # Scores that depend on faces that this seat has not seen are not sent.
        return game.scores(state)
    except HiddenFaceError:
        return None


def _declared(zone: Zone) -> dict[str, Any]:
    piles = {None: "table", 0: "seat"}.get(zone.count, zone.count)
    return {"name": zone.name, "faces": zone.faces, "piles": piles}


def _groups(game: Game[Any]) -> Iterator[dict[str, Any]]:
    for first, group in zip(game.actions.starts, game.actions.groups, strict=True):
        data: dict[str, Any] = {"first": first, "count": group.size, "verb": group.verb}
        if isinstance(group, Choice):
            data["words"] = list(group.words)
        if isinstance(group, Amount):
            data |= {"low": group.amounts[0], "step": group.amounts.step}
        yield data | {"of": _of(group)}


def _of(group: object) -> str | None:
    kinds = {Tokens: "token", Players: "seat", Choice: "word", Amount: "amount"}
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


def _begin(view: View, backs: list[int], faces: list[int]) -> State:
    state = view.state
    start: State = initial_state(
        view.game, state.settings, state.seats, MaskedFaces(faces), backs, state.answers
    )
    return start


def _seat(seat: int) -> int | str:
    """Return a seat in the notation of records; shuffles without a seat belong to chance."""
    return "chance" if seat < 0 else seat


# The version of the protocol; only incompatible changes increase it.
PROTOCOL = 1


def greeting() -> dict[str, Any]:
    """Return the first message to a program."""
    return {"type": "hello", "protocol": PROTOCOL, "cardhub": _version()}


@cache
def _version() -> str:
    return version("cardhub")
