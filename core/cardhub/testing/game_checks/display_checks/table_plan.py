"""Checks of the drawn table: its plan has room for every region, and its plain text is complete."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain, islice
from random import Random
from typing import Any

from cardhub.base.writing import amount
from cardhub.model.game.game import Display, Game, S
from cardhub.model.game.scene import Area
from cardhub.model.hidden.observation import Observation
from cardhub.model.table.state import CHANCE
from cardhub.play.seating import NAMES
from cardhub.testing.random_play import Position, Trial, choose, default_trial, play
from cardhub.view.building import build_view
from cardhub.view.card_catalogue import build_catalogue
from cardhub.view.equal_cards import Equals, equals_of
from cardhub.view.layout.plan import plan_changes
from cardhub.view.text import Glyphs, prompt_text, table_lines
from cardhub.view.text.table_text import PILE_SHOWN
from cardhub.view.view import AreaView, CardCatalogue, CardView, GridView, View

# Random games, and the step between the positions that are looked at.
ROOM_GAMES, ROOM_STEP = 12, 3
# Positions of which one may exceed the room of an area.
TOLERATED = 100
# The greatest number of positions of a game whose plans are compared.
PLAN_POSITIONS = 200


def check_room(game: Game[Any], trial: Trial, games: int = ROOM_GAMES) -> None:
    """Check that no area has more cards than its room in a hundredth of the positions.

    Plays games with every number of players in turn, from the seed of `trial` on. Their actions are
    chosen by `playout_action`: in random play hands grow larger than among people. The default
    scene is the core's, so its room is not a fault of the game.
    """
    if type(game.display).scene is Display.scene:
        return
    looked, exceeded, most = 0, Counter[str](), dict[str, tuple[int, Position[Any]]]()
    for position, areas in _looked_at(game, trial, games):
        looked += 1
        full = {area.caption: count for area, count in areas if 0 < area.room < count}
        exceeded.update(full.keys())
        for caption, count in full.items():
            if caption not in most or count > most[caption][0]:
                most[caption] = count, position
    for caption, count in exceeded.items():
        if count * TOLERATED >= looked:
            cards, fullest = most[caption]
            problem = (
                f"area {caption!r} exceeds its room in {count} of {looked} positions, with up to "
                f"{cards} cards after {amount(fullest.number, 'action')} of the game with seed "
                f"{fullest.trial.seed} and {amount(fullest.trial.seats, 'player')}"
            )
            trial.fail(game, "room", problem)


def check_plan(game: Game[Any], trial: Trial) -> None:
    """Check that no region moves and no card changes its size during a game.

    Compares the positions of one game for a player, and of one at a full table for a spectator.
    """
    full = default_trial(game, game.seats.high, trial.seed)
    for planned, viewer in ((trial, 0), (full, full.seats)):
        positions = list(islice(_played(game, planned), PLAN_POSITIONS))
        observed = (Observation(game, position.state, viewer) for position in positions)
        views = [build_view(observation, NAMES[: planned.seats]) for observation in observed]
        for step, size, regions in plan_changes(views, build_catalogue(game)):
            terminal, cause = f"{size.width}x{size.height}", next(_causes(views, step), "")
            table = f"the table of seat {viewer}"
            problem = f"{table} changes on a terminal of {terminal}: {', '.join(regions)}{cause}"
            positions[step].fail(game, "plan", problem)


def _causes(views: Sequence[View], step: int) -> Iterator[str]:
    """Yield the areas that change the plan at a step, with what to write instead."""
    counts = [{_key(a): a.places for a in view.areas if isinstance(a, AreaView)} for view in views]
    for area in views[step].areas:
        if not isinstance(area, AreaView):
            continue
        key = _key(area)
        name = f"Area {area.caption!r}" + ("" if area.seat is None else f" of seat {area.seat}")
        before = [count[key] for count in counts[:step] if key in count]
        if not before:
            yield f"; {name} is not in the scene before. fix: keep it there while it is empty"
        elif area.region in ("hand", "front") and not area.room and area.places > max(before):
            most = max(count.get(key, 0) for count in counts)
            yield f"; {name} grows to {area.places} cards without `room`. fix: room={most}"


def _key(area: AreaView) -> tuple[str, int | None, str]:
    return area.caption, area.seat, area.region


def _looked_at(
    game: Game[Any], trial: Trial, games: int
) -> Iterator[tuple[Position[Any], list[tuple[Area, int]]]]:
    """Yield positions with the areas of a viewer's scene, and how many cards each of them shows."""
    seats = range(game.seats.low, game.seats.high + 1)
    for number in range(games):
        sampled = default_trial(game, seats[number % len(seats)], trial.seed + number)
        for position in islice(_played(game, sampled), None, None, ROOM_STEP):
            viewer = position.number % (sampled.seats + 1)
            observation = Observation(game, position.state, viewer)
            scene = observation.scene()
            equals = equals_of(observation, scene)
            areas = [area for area in scene.areas if isinstance(area, Area)]
            yield position, [(area, _places(area, equals)) for area in areas]


def _places(area: Area, equals: Equals) -> int:
    return sum(not (area.counted and token in equals) for token in area.tokens)


def _played(game: Game[S], trial: Trial) -> Iterator[Position[S]]:
    return play(game, trial, partial(_choose, game))


def _choose(game: Game[S], state: S, rng: Random) -> int:
    return (
        choose(game, state, rng)
        if state.seat == CHANCE
        else game.heuristics.playout_action(state, rng)
    )


def left_out(view: View, catalogue: CardCatalogue, width: int, glyphs: Glyphs) -> list[str]:
    """Return the texts of a view that its plain text of a width lacks, in reading order.

    A text of several areas or players must be there as many times; like cards of an area are named
    once.
    """
    glyphs = glyphs.with_suits(catalogue.ascii)
    lines = [*table_lines(view, catalogue, width, glyphs), glyphs.text(prompt_text(view))]
    # A line may be broken at any blank, and within a word that is wider than the terminal.
    text = _without_blanks("".join(lines))
    needed = Counter(_texts(view)) | Counter(set(_cards(view, catalogue)))
    counts = {part: text.count(_without_blanks(glyphs.text(part))) for part in needed if part}
    return [part for part, times in counts.items() if times < needed[part]]


def _texts(view: View) -> Iterator[str]:
    yield from (view.title, view.status)
    if not view.is_over:
        yield view.prompt
    for player in view.players:
        yield from (player.name, player.bot, player.score, *player.badges)
    for area in view.areas:
        yield _heading(area)
    for counter in view.counters:
        yield f"{counter.caption} {counter.value}"
    for tally in view.tallies:
        for row in tally.rows:
            yield f"{tally.caption} {row.label}"
            yield from (*row.notes, *map(str, row.counts))
    yield from (choice.name for choice in view.choices)


def _heading(area: AreaView | GridView) -> str:
    if isinstance(area, GridView):
        return area.caption
    if any(card.head or card.foot for card in area.cards):
        return f"{area.caption} 1:"  # its cards are listed one by one
    caption = f"{area.caption} {area.note}".strip()
    if not area.count and (area.note or area.slots):
        return caption
    # A queue has more words between the parentheses.
    return f"{caption} ({area.count}" if caption else str(area.count)


def _cards(view: View, catalogue: CardCatalogue) -> Iterator[str]:
    for area in view.areas:
        stacks = area.stacks if isinstance(area, GridView) else (_named(area),)
        for card in chain.from_iterable(stacks):
            yield from (card.mark, card.head, card.foot)
            if card.face is None:
                # Its article is a number if there are several.
                yield catalogue.backs[card.back].title.partition(" ")[2]
            else:
                yield catalogue.faces[card.face].label


def _named(area: AreaView) -> Sequence[CardView]:
    """Return the cards of an area that are named: not those deep in a pile."""
    if area.look == "pile" and not any(card.head or card.foot for card in area.cards):
        return area.cards[-PILE_SHOWN:]
    is_row_of_backs = area.look == "queue" and all(card.face is None for card in area.cards)
    return () if is_row_of_backs else area.cards


def _without_blanks(text: str) -> str:
    return "".join(text.split())
