"""The settings and the initial state of a game."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from cardhub.base.errors import OptionError
from cardhub.model.game.game import Game, S
from cardhub.model.table.faces import Faces
from cardhub.model.table.ranges import TableSize
from cardhub.model.table.scoring import Scoring
from cardhub.model.table.settings import Settings, Value, read_settings


def shuffle(items: list[Any], rng: Random) -> None:
    """Shuffle a list in place; the result equals the result of `rng.shuffle`."""
    if type(rng) is not Random:
        rng.shuffle(items)  # it may have other ways to draw
        return
    # The algorithm of `Random.shuffle`, without a call of `_randbelow` for each item: Fisher and
    # Yates from the end, and numbers with enough bits are drawn until one is in range.
    bits = rng.getrandbits
    for last in range(len(items) - 1, 0, -1):
        width = (last + 1).bit_length()
        other = bits(width)
        while other > last:
            other = bits(width)
        items[last], items[other] = items[other], items[last]


# The seed of the deal and of chance: a number chosen by people, or generated text.
Seed = int | str


def resolve_options(game: Game[S], given: Mapping[str, Value], seats: int) -> Settings:
    """Return the settings for a table of `seats`, with defaults; raises OptionError."""
    if seats not in game.seats:
        raise OptionError(f"{game.title} is for {game.seats} players, not for {seats}")
    settings = read_settings(game.options, given, seats)
    # After the single values: `check` may rely on their types and ranges.
    game.check(settings, seats)
    return settings


def table_size(game: Game[S], settings: Settings, seats: int, tokens: int) -> TableSize:
    """Return the numbers that bounds of declarations name; `tokens`: the cards in play."""
    numbers = {name: int(value) for name, value in settings.items() if not isinstance(value, str)}
    things = {"seats": seats, "tokens": tokens, "faces": len(game.cards.faces)}
    return TableSize({**numbers, **things, "actions": game.actions.size})


def shuffled_pack(game: Game[S], settings: Settings, seats: int, rng: Random) -> list[int]:
    """Return the faces in token order, each deck shuffled separately."""
    # Decks are shuffled separately: token numbers are public, so they may reveal the deck only.
    decks = split_decks(game, settings, seats)
    for deck in decks:
        shuffle(deck, rng)
    return decks[0] if len(decks) == 1 else [face for deck in decks for face in deck]


def split_decks(game: Game[S], settings: Settings, seats: int) -> list[list[int]]:
    """Return the faces in play by deck; tokens are numbered deck by deck."""
    if len(game.cards.decks) == 1:
        return [game.pack(settings, seats)[:]]  # a copy, since it is shuffled in place
    deck_of = game.cards.deck_of
    decks: list[list[int]] = [[] for _ in game.cards.decks]
    for face in game.pack(settings, seats):
        decks[deck_of[face]].append(face)
    return decks


def initial_state(
    game: Game[S],
    settings: Settings,
    seats: int,
    faces: Faces,
    backs: Sequence[int] | None = None,
    answers: Sequence[bool] = (),
) -> S:
    """Return the state after the deal, with these faces by token.

    `backs` by token and all `answers` of the game are required only if faces are masked.
    """
    state: S = game.state_type(
        seats, faces, _backs(game, faces) if backs is None else backs, settings
    )
    if game.actions.secret and not state.views_field:
        raise TypeError(
            f"{game.name}: secret actions need a history of views. "
            "fix: declare `views = view_history()` in the state"
        )
    if answers:
        state.recorded_answers = tuple(answers)
    game.deal(state)
    if state.pending_shuffles:
        if any(keeper < 0 for _, keeper in state.pending_shuffles):
            raise TypeError(
                f"{game.name}: deal() shuffles; the tokens it gets are shuffled already"
            )
        # `deal` may fill mixed zones. Nobody has seen these tokens before, so a shuffle would only
        # make the first observation more expensive.
        state.pending_shuffles = ()
    return state


def _backs(game: Game[S], faces: Faces) -> Sequence[int]:
    cards = game.cards
    if len(cards.backs) == 1:
        return (0,) * len(faces)
    return [cards.back_of[face] for face in faces]


def game_scoring(game: Game[Any], settings: Settings, seats: int) -> Scoring:
    """Return the goal, teams and target of a game with these settings and number of seats.

    Raises TypeError if `teams` does not return one int per seat, or `unit_size` no int above 0.
    """
    teams = tuple(game.teams(settings, seats))
    if len(teams) != seats or any(type(team) is not int for team in teams):
        raise TypeError(
            f"{game.name}: teams() returns {teams!r} for {seats} seats\n"
            "fix: return the number of its team for each seat, such as [0, 1, 0, 1]"
        )
    size = game.unit_size(settings)
    if type(size) is not int or size < 1:
        raise TypeError(
            f"{game.name}: unit_size() returns {size!r}, not an int of at least 1\n"
            f"fix: return the score that makes one of the {game.unit}"
        )
    return Scoring(
        teams,
        game.goal,
        game.lowest_wins,
        game.unit,
        game.target(settings, seats),
        size,
    )
