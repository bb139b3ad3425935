"""The checks of error texts and of a server's messages, against leaks of the core itself."""

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace
from tests.games import leaking_magpies as leaking
from tests.games.magpie import Magpie
from tests.kit.soaking import FACTOR

from cardhub.base.errors import BotFaultError, IllegalActionError
from cardhub.model.hidden.labels import Labels
from cardhub.model.hidden.observation import EVERYTHING
from cardhub.model.table.faces import blanked
from cardhub.play.host.viewer_session import ViewerSession
from cardhub.play.records.reading import Record
from cardhub.play.referee import Referee
from cardhub.play.table_messages import TableMessage
from cardhub.plugins.registry import find_plugins
from cardhub.testing import probe_error_texts
from cardhub.testing.checking import ConformanceError
from cardhub.testing.game_checks.error_checks import error_exits
from cardhub.testing.game_checks.message_checks import check_same_messages
from cardhub.testing.random_play import Position, default_trial, play
from cardhub_gamon import Gamon
from cardhub_gamon.table import Table

INSTALLED = find_plugins()


@pytest.mark.parametrize("name", INSTALLED.game_names())
def test_no_error_reveals_hidden_information(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A sample of errors is enough here; the attack compares many more."""
    monkeypatch.setattr(error_exits, "SAMPLED_POSITIONS", min(FACTOR, 3))
    probes = probe_error_texts(INSTALLED.game(name), 120)
    assert probes.compared >= 120
    assert probes.leaks == ()


def test_a_game_that_names_any_card_is_found() -> None:
    """The error for dropping another seat's card reveals its face."""
    leaks = probe_error_texts(leaking.LabelsAnyCard(), 500).leaks
    assert leaks
    assert "refusal" in leaks[0]


def truly_named(self: Referee[Any], action: Any) -> int:
    """Check an action as a referee would that words it by the true state."""
    seen = self.observe(EVERYTHING)
    if action in seen.game.legal(seen.state):
        return int(action)
    raise IllegalActionError(seen.refusal(action), action)


def test_a_referee_that_names_the_true_cards_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The public error for an illegal action may name no card."""
    monkeypatch.setattr(Referee, "check", truly_named)
    assert probe_error_texts(Magpie(), 500).leaks


def test_a_bots_words_in_public_errors_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """An exception can quote the whole hand."""

    def error_with_words(player: object, fault: BotFaultError) -> str:
        return f"{player}: {fault}"

    monkeypatch.setattr(error_exits, "public_fault", error_with_words)
    leaks = probe_error_texts(Magpie(), 500).leaks
    assert any("fault" in leak for leak in leaks)


def test_a_record_error_that_names_cards_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The person who resumes a game may not know the deal."""
    monkeypatch.setattr(Record, "may_name_cards", True)
    leaks = probe_error_texts(Magpie(), 500).leaks
    assert any("record" in leak for leak in leaks)


@pytest.mark.interpreted("it replaces a method that compiled code calls directly")
def test_typed_words_that_are_read_by_the_true_cards_are_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Suggestions and lists contain only names that the seat knows."""
    faces: list[int] = []
    start, parse = Labels.__init__, Labels.parse

    def knowing(self: Labels, game: Any, known: Any, *more: Any) -> None:
        start(self, game, known, *more)
        # A leak is planted here: names from private faces.
        faces[:] = faces if any(face < 0 for face in self._faces) else self._faces

    def telling(self: Labels, text: str, legal: Any) -> int:
        try:
            return parse(self, text, legal)
        except IllegalActionError as error:
            raise IllegalActionError(f"{error} {faces}") from None

    monkeypatch.setattr(Labels, "__init__", knowing)
    monkeypatch.setattr(Labels, "parse", telling)
    leaks = probe_error_texts(Magpie(), 500).leaks
    assert any("typed" in leak for leak in leaks)


@pytest.fixture(scope="module")
def positions() -> list[Position[Table]]:
    """Return the positions of one random game."""
    return list(play(Gamon(), default_trial(Gamon(), 2, 1)))


def test_messages_of_a_game_are_the_same_in_all_worlds_a_viewer_takes_for_possible(
    positions: list[Position[Table]],
) -> None:
    for position in (*positions[::40], positions[-1]):
        check_same_messages(Gamon(), position, Random(1))


def test_a_planted_leak_is_found(
    positions: list[Position[Table]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A careless session sends the true cards."""
    table_message = ViewerSession.table_message

    def leaking(session: ViewerSession) -> TableMessage:
        leak = str(blanked(session._referee._state.face))
        return replace(table_message(session), seed=leak)

    monkeypatch.setattr(ViewerSession, "table_message", leaking)
    with pytest.raises(ConformanceError, match="the message table differs") as caught:
        check_same_messages(Gamon(), positions[3], Random(1))
    assert caught.value.check == "same_messages"
