"""The editions that saved games were played with: kept, and compared with the installed games."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cardhub.base.errors import RecordError
from cardhub.model.game.game import Game
from cardhub.play.history_entries import EditionChanged
from cardhub.play.host.saved.saves import home
from cardhub.play.records.edition import Edition, changes_of, edition_of, shortened
from cardhub.play.records.edition_files import KeptEdition, keep_edition, read_edition
from cardhub.play.records.reading import Record
from cardhub.play.records.recording import Sync
from cardhub.play.records.replaying import resume
from cardhub.play.referee import Referee

AS_RECORDED, WITH_CHANGES = "--as-recorded", "--with-changes"
RESUME_FIX = (
    f"fix: `cardhub resume {{path}} {AS_RECORDED}` plays the game as it was; with {WITH_CHANGES} "
    "it goes on with the present cards and rules, which the record notes"
)


def _report_nothing(text: str) -> None:
    """Ignore a change, where a front end describes it itself."""


@dataclass(frozen=True, slots=True)
class Editions:
    """A folder of editions, and whether games may go on with other cards or rules.

    `folder` is None for the folder beside the saved games. `fix` is what people can do if a game
    may not go on; `{path}` in it is the record. `report` is called with a sentence about each
    opened record of a game that has changed since.
    """

    folder: Path | None = None
    accepts_changes: bool = False
    fix: str = RESUME_FIX
    report: Callable[[str], object] = _report_nothing

    @property
    def place(self) -> Path:
        """The folder of the editions."""
        return self.folder or home() / "editions"

    def begin(self, referee: Referee[Any]) -> None:
        """Have the record of a new game begin with the game's edition, and keep the edition."""
        referee.edition = edition_of(referee.game)
        with suppress(OSError):
            # Without the file only the details of a later change are missing.
            keep_edition(referee.game, self.place)

    def find_kept(self, game: str, edition: Edition) -> KeptEdition | None:
        """Return the file of an edition, or None if it was not kept."""
        return read_edition(self.place, game, edition)

    def changes_since(self, game: Game[Any], edition: Edition | None) -> tuple[str, ...]:
        """Return how a game differs from a recorded edition; empty if that is not recorded."""
        if edition is None or edition == edition_of(game):
            return ()
        kept = self.find_kept(game.name, edition)
        return changes_of(game, edition, kept.cards if kept else None)

    def describe_changes(self, game: Game[Any], record: Record) -> str:
        """Return a sentence about what changed since a record; empty if nothing did."""
        changes = self.changes_since(game, record.edition)
        if not changes:
            return ""
        return f"{record.path}: {game.title} has changed since this game: {shortened(changes)}"

    def resume(self, game: Game[Any], record: Record, sync: Sync | None) -> Referee[Any]:
        """Continue an unfinished game as `replaying.resume` does, and note accepted changes.

        Raises RecordError also if the game has other cards or rules and that is not accepted.
        """
        changes = self.changes_since(game, record.edition)
        if changes and not record.is_finished and not self.accepts_changes:
            text = self.describe_changes(game, record)
            raise RecordError(f"{text}.\n{self.fix.format(path=record.path)}")
        with self.explained(game, record):
            referee = resume(game, record, sync)
        # Chance first: nothing can be noted between an action and its shuffles.
        referee.proceed()
        if changes and not referee.is_over:
            self.begin(referee)
            referee.apply_entry(EditionChanged(edition_of(game), changes))
        return referee

    @contextmanager
    def explained(self, game: Game[Any], record: Record) -> Iterator[None]:
        """Report what changed since a record, and add it to a RecordError of the block."""
        text = self.describe_changes(game, record)
        if text:
            self.report(text)
        try:
            yield
        except RecordError as error:
            raise RecordError(f"{error}\n{text}" if text else str(error)) from error
