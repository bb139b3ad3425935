"""The tutor of a lesson: it follows the script and comments on the learner's decisions."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from cardhub.base.errors import IllegalActionError
from cardhub.model.hidden.observation import Observation
from cardhub.play.history_entries import Entry, Taken, TakenBack, Undone
from cardhub.play.host.lessons.lesson_file import Lesson
from cardhub.play.referee import Referee
from cardhub.view.action_spots import in_reading_order, spots_of
from cardhub.view.equal_cards import equals_of
from cardhub.view.view import AreaView, CardCatalogue, Spot, View

LEARNER = 0
LEFT_SCRIPT = "From here on you play by yourself, and the others play as they like."


class Comment(NamedTuple):
    """Paragraphs for the learner, in order, and the suggested action, None after the script.

    `suggestion` names the actions of the suggestion; `see` are areas, players and cards that the
    paragraphs are about.
    """

    lines: Sequence[str]
    suggested: int | None = None
    suggestion: str = ""
    see: Sequence[str] = ()


class ScriptPosition(NamedTuple):
    """A position in the script.

    `number` is the index of the step, None off the script; `remaining` are its actions that are
    still to come, `said` the comments since the learner's last action.
    """

    number: int | None
    remaining: tuple[str, ...]
    said: tuple[str, ...] = ()


class Tutor:
    """Follows the script of a lesson while its actions are taken, and suggests the next actions.

    Any other action leaves the script, unless it is taken back. The game then goes on without a
    script, so a lesson never gets stuck.
    """

    def __init__(self, lesson: Lesson, referee: Referee[Any]) -> None:
        self.lesson = lesson
        self._referee = referee
        self._names = [player.name for player in referee.players]
        self._past = [self._step(0, (lesson.intro,))]
        # By phase, the number of actions before the learner's first decision in it.
        self._first_seen: dict[int, int] = {}
        self._warned: tuple[int, int] | None = None
        self._expected = self._actions()
        referee.subscribe(self._follow)

    def move_to(self, referee: Referee[Any]) -> None:
        """Follow another referee of the same game, which has come to the same position."""
        self._referee = referee
        referee.subscribe(self._follow)

    def scripted(self) -> int | None:
        """Return the next action of the script for the seat to act, or None."""
        return next(iter(self._expected), None)

    def comment(self) -> Comment:
        """Return the lines for the learner at a decision; they may be empty."""
        position = self._position
        if position.number is None or not self._expected:
            return Comment((*position.said, *self._on_phase()))
        self._on_phase()
        step = self.lesson.steps[position.number]
        action, suggestion = next(iter(self._expected)), self._suggestion()
        if len(position.remaining) < len(step.actions):
            return Comment((*position.said, suggestion), action, suggestion)
        lines = [*position.said, *filter(None, [step.say]), f"{suggestion} {step.why}".strip()]
        return Comment(lines, action, suggestion, step.see)

    def objection(self, action: int) -> str | None:
        """Return why the suggestion is better than another action, the first time it is chosen."""
        position = self._position
        if position.number is None or not self._expected or action in self._expected:
            return None
        if self._warned == (self._referee.action_count, action):
            return None
        self._warned = (self._referee.action_count, action)
        step = self.lesson.steps[position.number]
        reason = step.instead or f"The lesson has another move in mind. {self._suggestion()}"
        return f"{reason} Choose it again to play it anyway."

    @property
    def _position(self) -> ScriptPosition:
        return self._past[-1]

    def _step(self, number: int, said: tuple[str, ...]) -> ScriptPosition:
        if number < len(self.lesson.steps):
            return ScriptPosition(number, self.lesson.steps[number].actions, said)
        return ScriptPosition(None, (), (*said, self.lesson.ending))

    def _follow(self, entry: Entry) -> None:
        if isinstance(entry, Taken) and entry.seat >= 0:
            self._past.append(self._after(entry))
        elif isinstance(entry, Undone) and len(self._past) > 1:
            self._past.pop()
        elif isinstance(entry, TakenBack):
            history = self._referee.observe(LEARNER).history
            del self._past[1 + sum(step.seat >= 0 for step in history) :]
        self._expected = self._actions()

    def _after(self, taken: Taken) -> ScriptPosition:
        """Return the position after an action, given the actions that were expected."""
        position = self._position
        said = () if taken.seat == LEARNER else position.said
        if position.number is None:
            return ScriptPosition(None, (), said)
        if taken.action not in self._expected:
            return ScriptPosition(None, (), (*said, LEFT_SCRIPT))
        text, step = self._expected[taken.action], self.lesson.steps[position.number]
        index = position.remaining.index(text)
        remaining = (*position.remaining[:index], *position.remaining[index + 1 :])
        if remaining:
            return ScriptPosition(position.number, remaining, said)
        if step.seat != LEARNER and step.say:
            said = (*said, step.say)
        return self._step(position.number + 1, said)

    def _actions(self) -> dict[int, str]:
        """Return the actions of the script that can be taken now, with their texts in the file."""
        position, referee = self._position, self._referee
        if position.number is None or referee.seat != self.lesson.steps[position.number].seat:
            return {}
        observation = referee.observe(referee.seat)
        labels, legal = observation.labels(self._names), _legal(observation)
        actions: dict[int, str] = {}
        for text in position.remaining:
            try:
                actions.setdefault(labels.parse(text, legal), text)
            except IllegalActionError:
                continue  # an action may be legal only after other actions of the step
            # Any of several equal cards is accepted.
            actions |= dict.fromkeys(labels.matching(text, legal), text) | actions
        return actions

    def _suggestion(self) -> str:
        observation = self._referee.observe(self._referee.seat)
        labels = observation.labels(self._names)
        names = {action: name for name, action in labels.choices(_legal(observation)).items()}
        shown: dict[str, str] = {}
        for action, text in self._expected.items():
            shown.setdefault(text, names[action])
        return f"Suggested: {', '.join(shown.values())}."

    def _on_phase(self) -> Sequence[str]:
        """Return the comment on a phase at the learner's first decision in it."""
        referee = self._referee
        if referee.seat != LEARNER or not referee.game.phases:
            return ()
        phase = referee.observe(LEARNER).state.phase
        count = referee.action_count
        if self._first_seen.setdefault(phase, count) != count:
            return ()
        text = self.lesson.phases.get(referee.game.phases[phase], "")
        return (text,) if text else ()


def find_spots(view: View, catalogue: CardCatalogue, names: Sequence[str]) -> Iterator[Spot]:
    """Yield the spots of the areas, players and cards with these names."""
    for seat, player in enumerate(view.players):
        if player.name in names:
            yield Spot("seat", seat)
    for index, area in enumerate(view.areas):
        if area.caption in names:
            yield Spot("area", 0, index)
        if isinstance(area, AreaView):
            cards = [(Spot("card", card.token, index), card) for card in area.cards]
        else:
            tops = [(site, stack[-1]) for site, stack in enumerate(area.stacks) if stack]
            cards = [(Spot("site", site, index), card) for site, card in tops]
        for spot, card in cards:
            label = "" if card.face is None else catalogue.faces[card.face].label
            if area.caption in names or label in names:
                yield spot


def _legal(observation: Observation[Any]) -> Sequence[int]:
    """Return the legal actions in the order of the view, on which names of equal cards depend."""
    scene = observation.scene()
    equals = equals_of(observation, scene)
    spots = spots_of(observation.game, scene, observation.legal(), observation.seat, equals)
    return in_reading_order(scene, spots, observation.seat)
