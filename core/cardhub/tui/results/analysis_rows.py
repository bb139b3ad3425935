"""The analysis of a player's decisions as rows."""

from collections.abc import Iterator

from cardhub.play.host.replays.results.game_analysis import GameAnalysis, RatedDecision
from cardhub.tui.results.result_rows import ResultRows
from cardhub.view.layout.canvas import Run, Style, TableGlyphs
from cardhub.view.text.glyphs import clip

BOLD, TEXT, MUTED = Style(is_bold=True), Style(), Style("muted")


def analysis_rows(analysis: GameAnalysis, width: int, glyphs: TableGlyphs) -> ResultRows:
    """Return the state of an analysis: progress, agreement, and the worst decisions."""
    rows: list[list[Run]] = []
    steps: dict[int, int] = {}
    for text in _heads(analysis):
        rows.append([Run(clip(f" {glyphs.texts.text(text)}", width, glyphs.more), BOLD)])
    for decision in analysis.worst:
        rows.append([])
        for number, text in enumerate(_lines(decision, analysis.bot)):
            steps[len(rows)] = decision.step
            style = MUTED if number else TEXT
            rows.append([Run(clip(f"  {glyphs.texts.text(text)}", width, glyphs.more), style)])
    return ResultRows(rows, steps)


def _heads(analysis: GameAnalysis) -> Iterator[str]:
    done, total = len(analysis.decisions), analysis.total
    yield f"Analysis by {analysis.bot}: {done} of {total} decisions"
    if done:
        share = 100 * analysis.agreed / done
        yield f"It would have done the same in {analysis.agreed} of {done} ({share:.0f} %)."
    if analysis.failure:
        yield analysis.failure
    elif done == total and not analysis.worst:
        yield "No decision lost anything by its ratings."


def _lines(decision: RatedDecision, bot: str) -> Iterator[str]:
    mine, best = decision.value_texts
    yield f"step {decision.step:<4} {decision.taken} ({mine})"
    yield f"          {bot}: {decision.best} ({best})"
