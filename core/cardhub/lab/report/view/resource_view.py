"""What the bots of a match with limits have used, in sentences of its report."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from cardhub.base.writing import amount, listed, number
from cardhub.lab.report.resources import BotUse

USES = (
    "Memory is the highest in any game. Times are in seconds: of computing and of waiting for a "
    "processor in all games, and of answers."
)


def memory_text(size: int) -> str:
    """Return a number of bytes in MiB."""
    return f"{size / 2**20:,.0f} MiB"


def limits_sentence(limits: Mapping[str, Any] | None) -> str:
    """Return what each bot could use, or an empty text; `limits`: the section of a match file."""
    limits = limits or {}
    parts = [
        *([f"{memory_text(limits['memory'])} of memory"] if limits.get("memory") else []),
        *([_processors(limits["processors"])] if limits.get("processors") else []),
        *([amount(limits["processes"], "process", "processes")] if limits.get("processes") else []),
    ]
    return f"Each bot could use {listed(parts)}." if parts else ""


def late_sentences(uses: Sequence[BotUse]) -> Iterator[str]:
    """Yield how much of their time bots computed that did not answer in time."""
    for use in uses:
        if use.late_seconds is not None:
            late, computed, waited = (
                number(seconds, 2)
                for seconds in (
                    use.late_seconds,
                    use.late_processor_seconds,
                    use.late_waited_seconds,
                )
            )
            yield (
                f"{use.bot} was asked for {late} s without an answer in time: it computed for "
                f"{computed} s, and waited for a processor for {waited} s."
            )


def _processors(number_of: float) -> str:
    return "1 processor" if number_of == 1 else f"{number_of:g} processors"
