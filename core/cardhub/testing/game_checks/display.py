"""Checks of all that people see and type: notations, labels, stories, scenes and their layout."""

from collections.abc import Iterator
from typing import Any

from cardhub.base.errors import HiddenFaceError, IllegalActionError, SceneError
from cardhub.base.errors.source_lines import noting_lines
from cardhub.model.game.game import Game, S
from cardhub.model.game.scene import Area, Scene, Summary
from cardhub.model.game.scene_faults import area_tokens, target_faults
from cardhub.model.hidden.observation import (
    Observation,
    known_action,
    observe_step,
    observed_state,
)
from cardhub.model.table.beats import NO_MOMENTS, Moments, apply_watched
from cardhub.model.table.state import CHANCE, OVER
from cardhub.play.announcing.recent_beats import view_of_beat
from cardhub.play.seating import NAMES
from cardhub.plugins.bot_index import LEVELS
from cardhub.testing.checking import error_line, freeze
from cardhub.testing.game_checks.display_checks.table_plan import left_out
from cardhub.testing.random_play import Position
from cardhub.view.action_spots import spot_tokens
from cardhub.view.building import build_view
from cardhub.view.card_catalogue import build_catalogue
from cardhub.view.explain.action_texts import summarize, tell_action
from cardhub.view.explain.reasons import Reasons
from cardhub.view.text import ASCII, UNICODE, Glyphs
from cardhub.view.view import Spot, decode_view, encode

# The standard terminal, and a narrow one with the other set of characters.
WIDTHS: tuple[tuple[int, Glyphs], ...] = ((80, UNICODE), (40, ASCII))

# The step between the action numbers that are asked about at one position.
WHY_NOT_STEP = 7


def check_notations(game: Game[S], position: Position[S]) -> None:
    """Check that legal actions have distinct notations, each parsed back to its action."""
    state = position.state
    if state.seat == OVER:
        return
    # Chance has no view: its actions are named as for a spectator.
    viewer = state.seats if state.seat == CHANCE else state.seat
    labels, legal = Observation(game, state, viewer).labels(), game.legal(state)
    notations = labels.notations(legal)
    if len(notations) < len(legal):
        position.fail(game, "notations", f"two actions have the same notation: {list(notations)}")
    choices = labels.choices(legal)
    if len(choices) < len(legal):
        position.fail(game, "notations", f"two actions have the same name: {list(choices)}")
    for text, action in (*notations.items(), *choices.items()):
        try:
            parsed = labels.parse(text, legal)
        except IllegalActionError as error:
            position.fail(game, "notations", f"{text!r} cannot be read back: {error}")
        if parsed != action:
            problem = f"{text!r} stands for action {action} but is read as {parsed}"
            position.fail(game, "notations", problem)


def check_labels(game: Game[S], position: Position[S]) -> None:
    """Check that every legal action has a label and a notation for every viewer."""
    state = position.state
    legal = [] if state.seat == OVER else game.legal(state)
    for viewer in range(state.seats + 1):
        labels = Observation(game, state, viewer).labels()
        for action in legal:
            if not labels.label(action).strip() or not labels.notation(action, legal).strip():
                position.fail(game, "labels", f"action {action} has no words for seat {viewer}")


def check_narration(game: Game[S], position: Position[S]) -> None:
    """Check that the narration of the last action has sentences of one line for every viewer.

    The narration may be empty while the same seat goes on: a later action of the turn may cover
    both.
    """
    moments = NO_MOMENTS
    if position.before is not None:
        moments = apply_watched(game, position.before.clone(), position.history[-1].action)
    for viewer in range(position.state.seats + 1):
        try:
            lines = _last_story(game, position, viewer, moments)
        except HiddenFaceError as error:
            position.fail(game, "narration", f"the story for seat {viewer}: {error_line(error)}")
        # The deal has no action to describe.
        if not position.before:
            continue
        # A seat that acts again may tell the whole story after its last action.
        is_silent = not lines and position.history[-1].seat != position.state.seat
        if is_silent or not all(_is_sentence(line) for line in lines):
            position.fail(game, "narration", f"seat {viewer} is told {lines!r}")


def check_summary(game: Game[S], position: Position[S]) -> None:
    """Check that a summary of the last action has a title and rows of equal length."""
    for viewer in range(position.state.seats + 1):
        try:
            summary = _last_summary(game, position, viewer)
        except HiddenFaceError as error:
            position.fail(game, "summary", f"the summary for seat {viewer}: {error_line(error)}")
        if summary is not None and not _is_table(summary):
            position.fail(game, "summary", f"seat {viewer} gets {summary!r}")


def check_why_not(game: Game[S], position: Position[S]) -> None:
    """Check that the seat to act gets reasons for illegal actions, and none for legal ones."""
    state, number = position.state, position.number
    if state.seat < 0:
        return
    observation = Observation(game, state, state.seat)
    labels, legal = observation.labels(NAMES[: state.seats]), observation.legal()
    # A part of the actions at each position: over a game all of them are checked.
    asked = range(number % WHY_NOT_STEP, game.actions.size, WHY_NOT_STEP)
    for action in [*legal, *filter(labels.is_action, asked)]:
        try:
            reason = game.display.why_not(observation.state, action, labels)
        except Exception as error:  # noqa: BLE001  # the method of a faulty game may raise anything
            problem = f"why_not() for {labels.label(action)!r}: {error_line(error)}"
            position.fail(game, "why_not", problem)
        if reason is not None and (action in legal or not _is_sentence(reason)):
            legality = "is legal" if action in legal else "is not"
            problem = f"{labels.label(action)!r} {legality}, and why_not() returns {reason!r}"
            position.fail(game, "why_not", problem)
    _check_hand_is_explained(game, position, observation)


def _check_hand_is_explained(
    game: Game[S], position: Position[S], observation: Observation[S]
) -> None:
    """Check that a card in hand has an action, or a reason against all of them."""
    reasons = Reasons(observation, NAMES[: position.state.seats])
    for index, area in enumerate(observation.scene().areas):
        is_hand = isinstance(area, Area) and area.look == "hand" and area.seat == observation.seat
        # One card at each position: over a game all of them are checked.
        tokens = area_tokens(area) if is_hand else []
        for token in tokens[position.number % max(1, len(tokens)) :][:1]:
            text = reasons.here(Spot("card", token, index))
            if not _is_sentence(text):
                card = observation.labels().card(token)
                position.fail(game, "why_not", f"the explanation of {card} in hand is {text!r}")


def check_scene(game: Game[S], position: Position[S]) -> None:
    """Check that every viewer has a scene that refers to existing tokens, sites and seats only."""
    verbs = {group.verb for group in game.actions.groups}
    display = game.display
    unknown = {*display.needs_confirmation, *display.primary} - verbs
    # A sentence may be for one value of its verb: "pay 0".
    unknown |= {
        text
        for text in display.sentences
        if not any(f"{text} ".startswith(f"{verb} ") for verb in verbs)
    }
    if unknown:
        fields = "`needs_confirmation`, `primary` or `sentences`"
        problem = f"{fields} has unknown verbs: {', '.join(sorted(unknown))}"
        position.fail(game, "scene", problem)
    if strange := {*game.display.opponents} - {*LEVELS}:
        problem = f"`opponents` has unknown levels: {', '.join(sorted(strange))}"
        position.fail(game, "scene", problem)
    for viewer in range(position.state.seats + 1):
        observation = Observation(game, position.state, viewer)
        problem = f"the scene for seat {viewer}"
        try:
            with noting_lines():
                faults = list(_faults(observation, observation.scene()))
        except (HiddenFaceError, SceneError) as error:
            position.fail(game, "scene", f"{problem}: {error_line(error)}")
        if faults:
            position.fail(game, "scene", f"{problem}: {'; '.join(faults)}")


def check_beats(game: Game[S], position: Position[S]) -> None:
    """Check that every viewer has a view of each beat of the last action, with a sentence.

    Viewers must not change the result of the action.
    """
    if position.before is None:
        return
    names, history = NAMES[: position.trial.seats], position.history
    watched = position.before.clone()
    beats = apply_watched(game, watched, history[-1].action).beats
    if position.applied is None or freeze(watched) != freeze(position.applied):
        position.fail(game, "beats", "the action changes the state in another way if it is watched")
    for beat in beats:
        if not _is_sentence(beat.text) or ("{player}" in beat.text and beat.by is None):
            problem = f"pause() has the text {beat.text!r}, and its `by` is {beat.by}"
            position.fail(game, "beats", problem)
        for viewer in range(len(names) + 1):
            observation = Observation(game, beat.state, viewer, history)
            try:
                view_of_beat(observation, beat, names)
            except (HiddenFaceError, IndexError, SceneError) as error:
                problem = f"seat {viewer} cannot see the table at {beat.text!r}"
                position.fail(game, "beats", f"{problem}: {error_line(error)}")


def check_sight(game: Game[S], position: Position[S], viewer: int) -> None:
    """Check that the scene and the texts for one viewer read no unseen face, also at each beat."""
    names, display = NAMES[: position.trial.seats], game.display
    try:
        observation = Observation(game, position.state, viewer, position.history)
        display.scene(observation.state, viewer)
        display.chapter(observation.state)
        if observation.is_to_act:
            legal = observation.legal()
            action, labels = legal[position.number % len(legal)], observation.labels(names)
            display.consequence(observation.state, action, labels)
            display.action_label(observation.state, action)
            display.is_costly(observation.state, action)
        if position.before is None:
            return
        moments = apply_watched(game, position.before.clone(), position.history[-1].action)
        for beat in moments.beats:
            display.scene(observed_state(beat.state, viewer), viewer)
        _last_story(game, position, viewer, moments)
        _last_summary(game, position, viewer)
    except HiddenFaceError as error:
        problem = f"seat {viewer} cannot see this step: {error_line(error)}"
        position.fail(game, "sight", problem)


def check_layout(game: Game[S], position: Position[S]) -> None:
    """Check that the text of every view is complete, with each legal action at a spot of it."""
    catalogue = build_catalogue(game)
    for viewer in range(position.state.seats + 1):
        observation = Observation(game, position.state, viewer)
        legal = sorted(observation.legal()) if observation.is_to_act else []
        try:
            view = build_view(observation, NAMES[: position.trial.seats])
        except (HiddenFaceError, SceneError) as error:
            position.fail(game, "layout", f"no view for seat {viewer}: {error_line(error)}")
        if decode_view(encode(view)) != view:
            position.fail(game, "layout", f"the view of seat {viewer} is changed by its JSON form")
        shown = set(view.spots())
        at_spots = [c for c in view.choices if c.spots and shown.issuperset(c.spots)]
        offered = sorted(action for choice in at_spots for action in choice.actions())
        if offered != legal:
            problem = f"seat {viewer} can choose {offered} on the screen where {legal} are legal"
            position.fail(game, "layout", problem)
        for width, glyphs in WIDTHS:
            missing = left_out(view, catalogue, width, glyphs)
            if missing:
                problem = f"the text for seat {viewer} lacks {', '.join(map(repr, missing))}"
                position.fail(game, "layout", problem)


def _last_story(
    game: Game[S], position: Position[S], viewer: int, moments: Moments
) -> tuple[str, ...]:
    if position.before is None or position.applied is None:
        return ()
    seat, action = position.history[-1]
    before, after = observe_step(game, position.before, action, position.applied, viewer)
    action = known_action(game, seat, action, viewer)
    return tell_action(before, seat, action, after, NAMES[: position.trial.seats], moments)


def _last_summary(game: Game[S], position: Position[S], viewer: int) -> Summary | None:
    if position.before is None or position.applied is None:
        return None
    seat, action = position.history[-1]
    before, after = observe_step(game, position.before, action, position.applied, viewer)
    action = known_action(game, seat, action, viewer)
    return summarize(before, action, after, NAMES[: position.trial.seats])


def _is_table(summary: Summary) -> bool:
    # A string is a sequence of strings, too: it would be shown letter by letter.
    rows = [row for row in summary.rows if not isinstance(row, str)]
    cells = [cell for row in rows for cell in row]
    return (
        _is_sentence(summary.title)
        and len(rows) == len(summary.rows) > 0
        and len({len(row) for row in rows}) == 1
        and any(cells)
        and all(isinstance(cell, str) and (not cell or _is_sentence(cell)) for cell in cells)
    )


def _is_sentence(line: object) -> bool:
    return isinstance(line, str) and line.strip() == line != "" and line.isprintable()


def _faults(observation: Observation[Any], scene: Scene) -> Iterator[str]:
    if not scene.prompt.strip() or not scene.prompt.isprintable():
        yield f"{scene.line}: its prompt is {scene.prompt!r}"
    labels = observation.labels()
    for action in observation.legal() if observation.is_to_act else []:
        yield from target_faults(scene, action, labels.label(action))
        token = observation.game.actions.token(action)
        areas = [area for area in scene.areas if token in spot_tokens(area)]
        if len(areas) > 1 and not scene.targets(action):
            captions = " and ".join(repr(area.caption) for area in areas)
            yield (
                f"{areas[-1].line}: {labels.label(action)!r} is about a card that is drawn in "
                f"{captions}. fix: give one of them the look 'count'"
            )
