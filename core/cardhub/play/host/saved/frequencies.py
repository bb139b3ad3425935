"""The frequencies that a game counts, added up over saved games."""

from collections.abc import Iterable
from typing import Any

from cardhub.base.errors import CardhubError
from cardhub.model.game.game import Game
from cardhub.model.game.played_steps import Frequency
from cardhub.play.host.saved.personal_results import PersonalResult
from cardhub.play.records.game_notes import record_notes
from cardhub.play.records.reading import read_record


def count_frequencies(game: Game[Any], results: Iterable[PersonalResult]) -> dict[str, str]:
    """Return the counts of a game for the persons of finished games, as text by its caption.

    Records that cannot be replayed are left out.
    """
    total: dict[str, Frequency] = {}
    for result in results:
        try:
            record = read_record(result.saved.path)
            found = record_notes(game, record, result.saved.people[0])
        except CardhubError:
            continue  # another version of the game, which its row in the list of replays tells
        for caption, frequency in found.items():
            total[caption] = total[caption] + frequency if caption in total else frequency
    return {caption: frequency_text(frequency) for caption, frequency in total.items()}


def frequency_text(frequency: Frequency) -> str:
    """Return a frequency: `9 of 14 (64%)`, or `3` without a total."""
    count, total = frequency.count, frequency.of
    return f"{count} of {total} ({count / total:.0%})" if total else str(count)
