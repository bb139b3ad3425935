"""The overview of a report: ranks of all bots over all games and by game, and warnings."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from shlex import quote
from typing import NamedTuple

from cardhub.base import writing
from cardhub.base.writing import amount, listed
from cardhub.lab.analysis.schema import (
    AllGames,
    BotLead,
    BotRow,
    GameStatistics,
    MatchResult,
    RankedBot,
    Ranking,
)
from cardhub.lab.match.match_spec import Salt, could_remember
from cardhub.lab.match.secret import salt_text
from cardhub.lab.report import number_format as fmt
from cardhub.lab.report.view.game_view import GameView
from cardhub.lab.report.view.verdict import QUESTIONS

OVERALL = "overall"
# The ranking in the overview; another part of the report has all rankings.
FIRST_VIEW = "mean"


class RankCell(NamedTuple):
    """A range of ranks and a rating as strings; `link` is the HTML id of a list, or empty."""

    rank: str
    value: str
    link: str


class RankColumn(NamedTuple):
    """A column of ranks, with the anchor of its part of the report and the unit of its values.

    `cells` has the bots that are rated there.
    """

    title: str
    anchor: str
    unit: str
    cells: Mapping[str, RankCell]


class Standings(NamedTuple):
    """The ranks of all bots; `faults` has the number of faults by bot, the best bot first."""

    columns: tuple[RankColumn, ...]
    faults: Mapping[str, int]


def build_standings(games: Sequence[GameView], overall: Sequence[AllGames]) -> Standings:
    """Return the standings in each game and, if there are rankings, over several games."""
    overall = [data for data in overall if data.leads or _first_view(data)]
    columns = [_overall_column(data, len(games)) for data in overall]
    columns += [_column(game, is_only=len(games) == 1) for game in games]
    bots = [row.bot for data in overall for row in _ranked(data)]
    bots += [row.bot for game in games for row in game.stats.bots]
    if not any(game.stats.blocks for game in games):
        bots = []
    faults = {bot: sum(game.stats.fault_count(bot) for game in games) for bot in bots}
    return Standings(tuple(columns), faults)


def _first_view(data: AllGames) -> Ranking | None:
    views = [view for view in data.views if view.bots]
    return next((view for view in views if view.view == FIRST_VIEW), views[0] if views else None)


def _ranked(data: AllGames) -> Sequence[BotLead | RankedBot]:
    """Return the bots by the question of the match, or by the first view without one."""
    view = _first_view(data)
    return data.leads or (view.bots if view else ())


def _overall_column(data: AllGames, games: int) -> RankColumn:
    view = _first_view(data)
    title = QUESTIONS[data.question] if data.leads else view.title if view else ""
    unit = "" if len(data.games) == games else f"over {writing.amount(len(data.games), 'game')}"
    cells = {row.bot: _overall_cell(row) for row in _ranked(data)}
    return RankColumn(writing.capitalized(title), OVERALL, unit, cells)


def _overall_cell(row: BotLead | RankedBot) -> RankCell:
    value = writing.signed(row.lead, 3) if isinstance(row, BotLead) else fmt.elo(row.elo)
    return RankCell(fmt.rank(row.best, row.worst), "" if value == writing.NONE else value, "")


def _column(game: GameView, *, is_only: bool) -> RankColumn:
    stats = game.stats
    unit = "Elo"
    if stats.is_common:
        unit = stats.unit
    elif stats.scoring == fmt.POINTS:
        unit = f"{stats.unit} a game"
    # The headline has the name of a single game.
    cells = {
        row.bot: RankCell(
            fmt.rank(row.best, row.worst),
            _value(game, row, is_only=is_only),
            game.bot_links[row.bot],
        )
        for row in stats.bots
        if row.best is not None
    }
    return RankColumn("Rank" if is_only else stats.game, game.anchor, unit, cells)


def _value(game: GameView, row: BotRow, *, is_only: bool) -> str:
    if game.stats.is_common:
        return fmt.value(row.points, 2)
    if game.stats.scoring == fmt.POINTS:
        text = fmt.score(row.points.value if row.points else None, fmt.POINTS)
        span = fmt.score_span(row.points, fmt.POINTS)
    else:
        text, span = fmt.elo(row.elo), fmt.elo_range(row.elo)
    if text == writing.NONE:
        return ""
    # Only the table of a single game has room for intervals.
    return f"{text} ({span})" if is_only and span not in (writing.NONE, "") else text


def ranking_notes(data: AllGames) -> Iterator[str]:
    """Yield sentences on the weights of games and bots, and on bots that are not compared."""
    if data.game_mixture:
        weights = ", ".join(f"{row.game} {fmt.share(row.share)}" for row in data.game_mixture)
        yield f"Weights of games in Nash averaging: {weights}."
    if data.lottery:
        shares = ", ".join(
            f"{row.bot} {writing.percent(row.share)}" for row in data.lottery if row.share > 0.005
        )
        yield f"The mixture that no bot beats in most games: {shares}."
    for row in data.left_out:
        yield f"{row.bot} is not compared here: it is not rated in {listed(row.games)}."
    for row in data.assumed:
        yield f"{row.bot} does not play {listed(row.games)}: this counts as losses."


@dataclass(frozen=True)
class ReportWarning:
    """A warning with a title; `is_loud`: the results may be wrong.

    `command`: a command line that the text announces, or empty. `link`: the part of the report that
    lists what the warning is about, or empty.
    """

    title: str
    text: str
    is_loud: bool = False
    command: str = ""
    link: str = ""


def warnings_of(result: MatchResult, file: str = "FILE") -> list[ReportWarning]:
    """Return the warnings of a match, loud ones first; `file`: the path of its match file."""
    warnings = [
        *_state(result),
        *_secret(result, file),
        *_notices(result),
    ]
    # The sort is stable, so both groups keep the order above.
    return sorted(warnings, key=lambda warning: not warning.is_loud)


def _state(result: MatchResult) -> Iterator[ReportWarning]:
    if not result.is_finished:
        text = (
            f"The match is unfinished: this report covers the "
            f"{amount(result.games, 'game')} played so far. The same command continues it."
        )
        yield ReportWarning("Unfinished", text, is_loud=True)
    if result.not_reproducible:
        unsure = listed(result.not_reproducible)
        text = (
            f"If the match is played again, {unsure} may play otherwise, because these bots are "
            "programs or language models, or use the clock. The games of this run can still be "
            "verified."
        )
        yield ReportWarning("Not reproducible", text)
    if could_remember(result.spec):
        text = (
            "Programs, and Python bots on systems without forks or with isolate: no, lived on from "
            "game to game, and the games of a block have the same deal. The results rest on trust "
            "that no bot used what it knew of a deal from an earlier game."
        )
        # Not loud, if the match file says `fresh: no`, because then the bots are trusted.
        yield ReportWarning("Bots lived on", text, is_loud="fresh" not in result.spec)
    # Not loud, because an end by the test or after a withdrawal follows the match file.
    if result.stop:
        yield ReportWarning("Ended early", f"{result.stop}.")


def _secret(result: MatchResult, file: str) -> Iterator[ReportWarning]:
    """Yield the warning that another run of the match file has other deals."""
    if result.salt is None:
        return
    text = (
        "The deals follow from the seed and a secret, which is drawn anew for each run unless you "
        "choose one. So another run of the match file has other deals and may have another verdict."
    )
    if salt := _revealed(result):
        command = f"cardhub match {quote(file)} --salt {salt_text(salt)} --out FOLDER"
        same = "the same deals" if result.not_reproducible else "this match, byte for byte,"
        text += f" This command plays {same} again:"
        yield ReportWarning("Drawn deals", text, command=command)
    elif result.is_finished:
        end = "A run was killed, and its secret is lost, so no command repeats this match."
        yield ReportWarning("Drawn deals", f"{text} {end}")
    else:
        end = "The secret is revealed when the match is over, with the command that repeats it."
        yield ReportWarning("Drawn deals", f"{text} {end}")


def _revealed(result: MatchResult) -> Salt | None:
    """Return the secrets of a match, None unless all are known."""
    if result.salt is None:
        return None
    later = tuple((row.block, Salt(row.sha256, row.revealed or "")) for row in result.salt.later)
    salt = Salt(result.salt.sha256, result.salt.revealed or "", later)
    return salt if salt.is_known else None


def _notices(result: MatchResult) -> Iterator[ReportWarning]:
    """Yield warnings of uneven blocks, bots that did not play to the end, and the statistics."""
    for game in result.statistics.games:
        if text := audit_failures(game):
            yield ReportWarning("Uneven blocks", f"{game.game}: {text}", is_loud=True)
    for bot, reason in result.spec.get("absent", {}).items():
        text = f"{bot} could not play here, and the others played without it: {reason}"
        yield ReportWarning("Absent", text, is_loud=True)
    for bot, games in result.withdrawn.items():
        text = (
            f"{bot} was withdrawn after {amount(games, 'game')}, because it was at fault too "
            f"often{_faults_of(bot, result)}. It has no rank, and the verdicts on the other bots "
            "are as without it."
        )
        yield ReportWarning("Withdrawn", text, is_loud=True, link="faults")
    for note in result.statistics.notes:
        yield ReportWarning("Note", note)


def _faults_of(bot: str, result: MatchResult) -> str:
    """Return the faults of a bot in all games: `: crash, 4 times`."""
    counts = Counter[str]()
    for fault in (row for game in result.statistics.games for row in game.faults if row.bot == bot):
        counts[fault.fault] += fault.count
    parts = [f"{fault}, {amount(count, 'time')}" for fault, count in counts.most_common()]
    return f": {'; '.join(parts)}" if parts else ""


def audit_failures(game: GameStatistics) -> str:
    """Return a sentence on the failed checks of the blocks of a game, empty if there are none."""
    audit = game.audit
    kinds = (
        (audit.other_cards, "the deal was not the same in all games"),
        (audit.uneven_seats, "a bot did not sit everywhere equally often"),
        (audit.uneven_scores, "scores did not have the mean ½"),
    )
    failures = [f"in {amount(blocks, 'block')} {kind}" for blocks, kind in kinds if blocks]
    return f"{listed(failures)}. Game, seeds or seatings are at fault." if failures else ""
