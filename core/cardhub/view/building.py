"""The view of one viewer, built from an observation and the game's scene of it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any

from msgspec import UNSET

from cardhub.base.errors import CardhubError, HiddenFaceError
from cardhub.base.writing import capitalized
from cardhub.model.game.display_values import as_text
from cardhub.model.game.game import Game
from cardhub.model.game.scene import Counter, Scene, SeatLine, Tally, TallyRow
from cardhub.model.game.sides import KnownSides, complete_sides, known_sides
from cardhub.model.hidden.observation import NamedStep, Observation
from cardhub.model.table.state import OVER
from cardhub.view.action_spots import in_reading_order, spots_of
from cardhub.view.amount_ranges import Run, build_range, find_runs
from cardhub.view.area_views import AreaViews, Origins, ShownTokens
from cardhub.view.equal_cards import equals_of, merged_actions
from cardhub.view.view import (
    ChoiceView,
    PlayerView,
    Spot,
    Tone,
    View,
)

_NO_LINE = SeatLine()


def build_view(
    observation: Observation[Any],
    players: Sequence[str],
    *,
    revision: int = 0,
    bots: Sequence[str] = (),  # the bot spec of each seat, if any
    origins: Origins | None = None,
    earlier: ShownTokens | None = None,  # the tokens shown just after the viewer acted
    can_undo: bool = False,
    own: int | None = None,  # the seat at the bottom, by default the viewer's
    scene: Scene | None = None,
    has_choices: bool = True,
    areas: AreaViews | None = None,
) -> View:
    """Return the viewer's view."""
    areas, game, state = areas or AreaViews(), observation.game, observation.state
    scene = scene or observation.scene(areas.check)
    with NamedStep(observation):
        return View(
            revision=revision,
            game=game.name,
            title=game.title,
            viewer=observation.seat,
            own=_own_seat(observation) if own is None else own,
            players=_players(observation, scene, players, bots),
            to_act=state.seat,
            is_over=state.seat == OVER,
            prompt=capitalized(scene.prompt),
            status=scene.status,
            phases=tuple(game.phases),
            phase=game.phases[state.phase] if game.phases else "",
            areas=areas.of(observation, scene, origins or {}, earlier),
            counters=tuple(map(_counter, scene.counters)),
            tallies=tuple(map(_tally, scene.tallies)),
            choices=_choices(observation, scene, players) if has_choices else (),
            can_undo=can_undo,
            chapter=_chapter(observation),
            unit=game.unit,
            goal=game.goal,
        )


def _own_seat(observation: Observation[Any]) -> int:
    """Return the viewer's seat, or the first seat for a viewer without a seat."""
    return observation.seat if 0 <= observation.seat < observation.state.seats else 0


def _chapter(observation: Observation[Any]) -> str:
    game: Any = observation.game  # compiled code would check the text, with another error
    return as_text(game, "chapter", game.display.chapter(observation.state))


def _players(
    observation: Observation[Any], scene: Scene, names: Sequence[str], bots: Sequence[str]
) -> tuple[PlayerView, ...]:
    state, lines = observation.state, scene.seats
    sides = known_sides(observation.game, state)
    teams = complete_sides(sides) or observation.game.teams(state.settings, state.seats)
    return tuple(
        [
            _player(
                names[seat],
                bots[seat] if bots else "",
                lines.get(seat, _NO_LINE),
                teams[seat],
                _side_badges(observation, sides, seat) if sides else (),
            )
            for seat in range(state.seats)
        ]
    )


def _player(
    name: str, bot: str, line: SeatLine, team: int, side_badges: Iterable[str]
) -> PlayerView:
    badges = (*line.badges, *side_badges)
    return PlayerView(name=name, bot=bot, score=line.score, badges=badges, team=team)


def _side_badges(observation: Observation[Any], sides: KnownSides, seat: int) -> Iterator[str]:
    """Yield the side of a seat, and that it is the viewer's, as far as the viewer knows both."""
    side, viewer = sides[seat], observation.seat
    if side is not None:
        yield observation.game.sides[side]
        if viewer in range(len(sides)) and viewer != seat and sides[viewer] == side:
            yield "partner"


def _counter(counter: Counter) -> Counter:
    return Counter(counter.caption, counter.value, counter.seat, counter.pips, UNSET)


def _tally(tally: Tally) -> Tally:
    # A copy, because a game may have passed a list of its state, which goes on changing.
    rows = [
        TallyRow(row.label, tuple(row.counts), row.goal, tuple(row.notes), row.colour)
        for row in tally.rows
    ]
    return Tally(tally.caption, tuple(rows), UNSET)


def _choices(
    observation: Observation[Any], scene: Scene, players: Sequence[str]
) -> tuple[ChoiceView, ...]:
    # Only the seat to act has legal actions: asking for another seat raises an error.
    if not observation.is_to_act or observation.seat < 0:
        return ()
    game, labels = observation.game, observation.labels(players)
    legal = observation.legal()
    runs = {run.actions[0]: run for run in find_runs(game, legal)}
    in_runs = {action for run in runs.values() for action in run.actions} - set(runs)
    spots, equal = _placed(observation, scene, [a for a in legal if a not in in_runs])
    legal = [*spots]
    can_undo = _revocable(observation, legal)
    single = [action for action in legal if action not in runs]
    notations = {action: notation for notation, action in labels.notations(single).items()}
    names = {action: name for name, action in labels.choices(single).items()}
    choices = []
    for action in legal if runs else names:
        verb = game.actions.by_action[action][0].verb
        if action in runs:
            choices.append(_range_choice(observation, runs[action], spots[action]))
            continue
        choices.append(
            ChoiceView(
                action=action,
                name=names[action],
                notation=notations[action],
                verb=verb,
                object=labels.label(action).removeprefix(verb).strip(),
                spots=spots[action],
                can_undo=action in can_undo,
                tone=_tone(observation, action, action in can_undo),
                counts=scene.counts.get(action, {}),
                equal=equal.get(action, ()),
            )
        )
    return tuple(choices)


def _placed(
    observation: Observation[Any], scene: Scene, legal: Iterable[int]
) -> tuple[dict[int, tuple[Spot, ...]], Mapping[int, tuple[int, ...]]]:
    """Return the spots by action in reading order, and by action those on cards equal to its own.

    An action on a card that another one stands for is in the second result only.
    """
    equals = equals_of(observation, scene)
    spots = spots_of(observation.game, scene, legal, observation.seat, equals)
    ordered = in_reading_order(scene, spots, observation.seat)
    if not equals:
        return {action: spots[action] for action in ordered}, {}
    merged = merged_actions(observation, equals, ordered)
    equal = {first: tuple(actions[1:]) for first, actions in merged.items()}
    return {action: spots[action] for action in merged}, equal


def _range_choice(observation: Observation[Any], run: Run, spots: tuple[Spot, ...]) -> ChoiceView:
    """Return the choice of a run of amounts; it can be undone if its first and last amount can."""
    verb = run.group.verb
    can_undo = len(_revocable(observation, [run.actions[0], run.actions[-1]])) == 2
    amounts = build_range(observation, run, can_undo=can_undo)
    name = run.group.label_of(f"{amounts.low}–{amounts.high}")
    return ChoiceView(
        action=run.actions[0],
        name=name,
        notation=f"{verb} {amounts.low}–{amounts.high}",
        verb=verb,
        object=name.removeprefix(verb).strip(),
        spots=spots,
        can_undo=can_undo,
        tone=_tone(observation, run.actions[0], can_undo),
        amounts=amounts,
    )


def _tone(observation: Observation[Any], action: int, can_undo: bool) -> Tone:
    game = observation.game
    if not can_undo and game.display.is_costly(observation.state, action):
        return "costly"
    is_usual = game.actions.by_action[action][0].verb in game.display.primary
    return "primary" if is_usual else "plain"


def _revocable(observation: Observation[Any], legal: Iterable[int]) -> frozenset[int]:
    """Return the legal actions after which the same seat acts and no seat has learned a face.

    An action whose rules read unseen faces is tried on a determinization of the observation; if
    that fails, this action and the ones after it are not revocable.
    """
    before, revocable = observation.state, []
    if before.views_field:
        return frozenset()  # nothing can be undone, because secrets may have been learned
    try:
        for action in legal:
            try:
                is_revocable = _is_revocable(observation.game, before, action)
            except HiddenFaceError:
                # A fixed seed: the same observation must always give the same view.
                before = observation.determinize(Random(0))
                is_revocable = _is_revocable(observation.game, before, action)
            if is_revocable:
                revocable.append(action)
    except CardhubError:
        pass
    return frozenset(revocable)


def _is_revocable(game: Game[Any], before: Any, action: int) -> bool:
    after = before.clone()
    game.apply(after, action)
    return bool(
        after.seat == before.seat
        and not after.pending_shuffles
        and after.answers == before.answers
        # Fast path: most actions reveal no card, and equal lists compare fast.
        and (
            after.seen == before.seen
            or not any(new & ~old for old, new in zip(before.seen, after.seen, strict=True))
        )
    )
