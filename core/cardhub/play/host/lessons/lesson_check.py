"""The check of a lesson: its script plays through, and names things that the learner can see."""

from collections.abc import Iterator
from typing import Any

from rich.cells import cell_len

from cardhub.base.errors import CardhubError
from cardhub.model.game.game import Game
from cardhub.play.host.lessons.lesson_file import Lesson, LessonStep, read_lesson
from cardhub.play.host.lessons.tutor import LEARNER, Tutor
from cardhub.play.referee import Referee
from cardhub.play.seating import Player
from cardhub.play.setup import set_up
from cardhub.view.building import build_view
from cardhub.view.card_catalogue import build_catalogue
from cardhub.view.explain.card_texts import cards_in_sight

# A suggestion has to fit on two lines next to the table at 80 by 24.
MOST_SUGGESTION = 400


def lesson_faults(game: Game[Any]) -> list[str]:
    """Return the faults of a game's lesson, each with its line in the file; none without one."""
    path = game.display.lesson()
    if path is None:
        return []
    try:
        lesson = read_lesson(path, game.phases)
        players = [Player(name, lesson.bot) for name in lesson.players]
        referee = set_up(game, players, lesson.options, lesson.seed, None)
        referee.proceed()
        return list(_played_through(lesson, referee))
    except CardhubError as error:
        return [str(error)]


def _played_through(lesson: Lesson, referee: Referee[Any]) -> Iterator[str]:
    """Yield the faults of the script; the first action that is not legal ends it."""
    tutor = Tutor(lesson, referee)
    for step in lesson.steps:
        where = f"{lesson.path}:{step.line}"
        if step.seat == LEARNER:
            yield from _comment_faults(where, step, tutor, referee)
        for _ in step.actions:
            action = tutor.scripted()
            if action is None:
                yield f"{where}: {_refusal(lesson, step, referee)}"
                return
            referee.apply(action)
    if referee.is_over:
        yield f"{lesson.path}: the game ends with the script. fix: leave some of it to the learner"


def _refusal(lesson: Lesson, step: LessonStep, referee: Referee[Any]) -> str:
    if referee.seat != step.seat:
        player = lesson.players[referee.seat] if referee.seat >= 0 else "nobody"
        return f"{player} is to act, not {lesson.players[step.seat]}"
    observation = referee.observe(step.seat)
    legal = ", ".join(observation.labels(lesson.players).choices(observation.legal()))
    return f"{', '.join(step.actions)} is not legal. Legal: {legal}"


def _comment_faults(
    where: str, step: LessonStep, tutor: Tutor, referee: Referee[Any]
) -> Iterator[str]:
    comment = tutor.comment()
    if comment.suggested is not None and not step.why:
        yield f"{where}: missing key 'why' (the reason for the suggestion)"
    if any(cell_len(line) > MOST_SUGGESTION for line in comment.lines):
        yield f"{where}: a comment is wider than {MOST_SUGGESTION} cells"
    shown = _names_in_sight(referee)
    for name in step.see:
        if name not in shown:
            yield f"{where}: the learner does not see {name!r}. fix: one of {', '.join(shown)}"


def _names_in_sight(referee: Referee[Any]) -> list[str]:
    """Return the captions, players and cards that the learner sees."""
    names = [player.name for player in referee.players]
    view = build_view(referee.observe(LEARNER), names, revision=0, bots=[""] * len(names))
    catalogue = build_catalogue(referee.game)
    parts = [*view.areas, *view.counters, *view.tallies]
    faces = {card.face for card in cards_in_sight(view) if card.face is not None}
    labels = [catalogue.faces[face].label for face in sorted(faces)]
    return list(dict.fromkeys([*(part.caption for part in parts), *names, *labels]))
