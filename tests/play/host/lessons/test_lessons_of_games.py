"""The lessons of the three games, played as suggested and otherwise."""

from collections.abc import Iterator
from contextlib import closing
from random import Random

import pytest

from cardhub.play.host.lessons.lesson_check import lesson_faults
from cardhub.play.host.lessons.lesson_table import LessonHost, open_lesson
from cardhub.play.host.lessons.tutor import LEFT_SCRIPT
from cardhub.play.host.scheduler import BlockingScheduler
from cardhub.play.view_matching import read_choice
from cardhub.plugins.registry import find_plugins

GAMES = ("gargon", "gamon", "garner")


class Learner:
    """A learner at the table of a lesson."""

    def __init__(self, host: LessonHost, scheduler: BlockingScheduler) -> None:
        self.host = host
        self.session = host.model(0)
        self.heard: list[str] = []
        self.refusals: list[str] = []
        self._scheduler = scheduler
        host.stops_at_summaries = False
        host.begin()
        self.wait()

    def wait(self) -> None:
        """Wait until the learner is to act."""
        self._scheduler.run_until(lambda: self.host.is_waiting_for_people)

    def act(self, action: int) -> None:
        """Choose an action; it may be refused."""
        self.session.act(action, self.session.view().revision, self.refusals.append)
        self.wait()

    def suggested(self) -> int | None:
        """Hear the comment, and return the suggested action."""
        comment = self.host.tutor.comment()
        self.heard += comment.lines
        return comment.suggested

    def read(self, text: str) -> int | str:
        """Return the action that a text means, or why it means none."""
        return read_choice(self.session.view(), text)

    def type(self, text: str) -> None:
        """Choose an action by its name."""
        action = self.read(text)
        assert isinstance(action, int), action
        self.act(action)


@pytest.fixture(params=GAMES)
def learner(request: pytest.FixtureRequest) -> Iterator[Learner]:
    """Return a learner of each game."""
    yield from opened(request.param)


@pytest.fixture
def gargon() -> Iterator[Learner]:
    """Return a learner of Gargon."""
    yield from opened("gargon")


@pytest.fixture
def gamon() -> Iterator[Learner]:
    """Return a learner of Gamon."""
    yield from opened("gamon")


def opened(game: str) -> Iterator[Learner]:
    """Open the table of a lesson."""
    scheduler = BlockingScheduler()
    with closing(open_lesson(find_plugins(), game, scheduler)) as host:
        yield Learner(host, scheduler)


@pytest.mark.parametrize("game", GAMES)
def test_the_scripts_play_through(game: str) -> None:
    """The check of `cardhub check`: all actions are legal, all texts fit."""
    assert lesson_faults(find_plugins().game(game)) == []


def test_the_suggested_actions_lead_to_the_end_of_the_script(learner: Learner) -> None:
    """The introduction first, the ending at the first decision after the script."""
    while (action := learner.suggested()) is not None:
        learner.act(action)
    assert learner.refusals == []
    lesson = learner.host.tutor.lesson
    assert learner.heard[0] == lesson.intro
    assert lesson.ending in learner.heard
    assert learner.heard.count(lesson.ending) == 1
    assert LEFT_SCRIPT not in learner.heard
    assert not learner.host.is_over


def test_no_choice_ends_a_lesson(learner: Learner) -> None:
    """Random choices, each made twice if it is refused, lead to the end of the game."""
    rng = Random(1)
    while not learner.host.is_over:
        choices = learner.session.view().choices
        action = rng.choice(choices).action
        learner.suggested()
        before = learner.host.revision
        learner.act(action)
        if learner.host.revision == before:
            learner.act(action)
        assert learner.host.revision > before
    assert LEFT_SCRIPT in learner.heard


def test_another_choice_is_refused_once_with_the_reason(gargon: Learner) -> None:
    """The same choice again is accepted, and the game goes on without a script."""
    gargon.type("lay R14")
    [refusal] = gargon.refusals
    assert refusal.startswith("Strong cards like R14 win battles")
    assert refusal.endswith("Choose it again to play it anyway.")
    assert gargon.host.tutor.scripted() is not None
    gargon.type("lay R14")
    assert len(gargon.refusals) == 1
    assert gargon.host.tutor.scripted() is None
    assert gargon.suggested() is None
    assert gargon.heard[0] == LEFT_SCRIPT


def test_actions_of_one_step_are_accepted_in_any_order(gargon: Learner) -> None:
    """A mix is laid card by card."""
    for card in ("lay Y3", "lay B1", "lay B4"):
        gargon.type(card)
    assert gargon.refusals == []
    assert gargon.suggested() == gargon.read("fight blue")


@pytest.mark.parametrize("typed", ["place Corsair", "place Corsair 2"])
def test_of_two_equal_cards_either_is_accepted(gamon: Learner, typed: str) -> None:
    """The suggestion names the one that has this name at the table."""
    for text in ("prize 3", "place Gunner", "call 4", "gamon"):
        gamon.type(text)
    assert gamon.host.tutor.comment().suggestion == "Suggested: place Corsair."
    assert gamon.suggested() == gamon.read("place Corsair")
    gamon.type(typed)
    assert gamon.refusals == []
    assert gamon.host.tutor.scripted() is not None


def test_an_undo_leads_back_into_the_script(gargon: Learner) -> None:
    gargon.type("lay R14")
    gargon.type("lay R14")
    gargon.session.undo(gargon.refusals.append)
    assert gargon.host.tutor.scripted() is not None
    assert gargon.suggested() == gargon.read("lay B4")


def test_after_the_script_each_phase_is_commented_once(gargon: Learner) -> None:
    gargon.type("lay R14")
    gargon.type("lay R14")
    phases = gargon.host.tutor.lesson.phases
    for _ in range(40):
        gargon.suggested()
        if gargon.host.is_over:
            break
        gargon.act(gargon.session.view().choices[0].action)
    assert gargon.heard.count(phases["fighting"]) == 1
    assert gargon.heard.count(phases["drawing"]) == 1
