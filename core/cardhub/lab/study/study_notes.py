"""Notes of a study: what is not applicable, and what to keep in mind."""

from collections.abc import Iterator

from msgspec.structs import replace

from cardhub.lab.study.study_schema import StudyResult

# Deals below which intervals rest on little.
FEW_DEALS = 20


def notes_of(result: StudyResult) -> StudyResult:
    """Return the result with its notes."""
    return replace(result, notes=tuple(_notes(result)))


def _notes(result: StudyResult) -> Iterator[str]:
    found = result.skilled
    if not result.is_whole:
        yield "Not all games are played yet: the same command continues."
    if result.excluded:
        yield (f"{result.excluded} games with a fault of a bot, or without an end, count nowhere.")
    if result.is_common:
        yield "All players share one score: there are no seats to compare, no leads and no draws."
    elif found.leads is None:
        yield "Scores do not tell before the end who leads: leads are not applicable."
    if found.luck is None:
        yield "All scores are equal, so that there is no variance to divide."
    if result.skill is None:
        yield "One bot alone has no ladder of strengths."
    elif result.skill.score_per_doubling is None:
        yield "Without two bots that search there is no gain by more search."
    if found.deals < FEW_DEALS:
        yield f"With {found.deals} deals all intervals are rough; --deals plays more."
