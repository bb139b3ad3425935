"""`cardhub replay`: print a recorded game, as text or JSON, with a bot's review on request."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import click

from cardhub.cli.console import echo
from cardhub.cli.output import print_json
from cardhub.cli.params import (
    AS_JSON,
    ASCII,
    BOT,
    PLAIN,
    VIEWER,
    new_file_option,
    number_option,
    parse_theme,
)
from cardhub.cli.records.access import (
    as_recorded_option,
    choose_viewer,
    run_as_recorded,
    warn_changed,
    warn_damaged,
    write_new,
)
from cardhub.cli.records.saved_listing import SAVED, print_saved
from cardhub.cli.records.text_replay import PlainReplay
from cardhub.cli.root import registry_of
from cardhub.cli.session.front_end import checked_bot, is_terminal
from cardhub.cli.session.painter import Painter, check_glyphs, choose_glyphs
from cardhub.model.game.game import Game
from cardhub.model.game.scene import Summary
from cardhub.model.hidden.observation import EVERYTHING
from cardhub.play.advice import RatedAction
from cardhub.play.announcing.events import Event
from cardhub.play.host.opening import PACE, Opener, recorded_game
from cardhub.play.host.replays.event_replay import EventReplay, is_played_out, recorded_rounds
from cardhub.play.host.replays.replay import Replay, open_replay
from cardhub.play.host.replays.results.game_result import build_result
from cardhub.play.host.replays.stepping.replay_session import ReplaySession
from cardhub.play.host.replays.viewpoints import viewer_name
from cardhub.play.host.saved.preferences import load_preferences
from cardhub.play.host.saved.saved_list import list_saved
from cardhub.play.host.scheduler import LoopScheduler
from cardhub.play.pages.building_data import build_replay_data
from cardhub.play.pages.replay_page import replay_html, shared_html
from cardhub.play.records.reading import Record, read_record
from cardhub.play.records.replaying import open_record
from cardhub.play.review import DecisionReview, Reviewer, costliest, reviewing_bots
from cardhub.play.seating import Player
from cardhub.play.setup import closing
from cardhub.plugins.registry import PluginRegistry
from cardhub.tui.replay.run_replay import run_replay
from cardhub.view.building import build_view
from cardhub.view.card_catalogue import build_catalogue
from cardhub.view.text import Glyphs
from cardhub.view.text.glyphs import cells, pad


def seats_to_analyse(players: Sequence[Player], viewer: int) -> list[int]:
    """Return the seats whose decisions a viewer may see with all information they had."""
    seats = range(len(players))
    return [seat for seat in seats if viewer in (EVERYTHING, seat)]


def omission_note(players: Sequence[Player], viewer: int) -> str:
    """Return a string on the decisions that are not analysed, empty if all are."""
    if viewer == EVERYTHING:
        return ""
    if viewer >= len(players):
        return "No decision is analysed: a spectator does not see what players decide on."
    name = players[viewer].name
    return f"Only {name}'s decisions are analysed: {name} does not see what others decide on."


def review_line(bot: str, review: DecisionReview) -> str:
    """Return a string on whether a bot agrees with a decision, with its ratings."""
    best, taken, move = review.texts[0], review.on_taken, review.decision.move
    if review.decision.agrees:
        return f"{bot}: {move.taken}, too{_rating(best)}"
    rating = _rating(taken) if taken else ""
    return f"{bot}: {move.best}{_rating(best)}, not {move.taken}{rating}"


def agreement_lines(players: Sequence[Player], bot: str, reviewer: Reviewer) -> Iterator[str]:
    """Yield a heading, then a string for each player on how often the bot agrees."""
    names = {seat: str(players[seat]) for seat in reviewer.seats}
    width = max(map(cells, names.values()), default=0)
    yield f"Agreement with {bot}:"
    for seat, name in names.items():
        total, agreed = reviewer.decisions[seat], reviewer.agreed[seat]
        # A seat without decisions has no percentage.
        share = f", {100 * agreed / total:.0f} %" if total else ""
        yield f"  {pad(name, width)}  {agreed} of {total} decisions{share}"


def costly_lines(
    players: Sequence[Player], bot: str, reviews: Sequence[DecisionReview]
) -> Iterator[str]:
    """Yield for each player the costliest moves."""
    for seat, player in enumerate(players):
        costly = costliest(review.decision for review in reviews if review.seat == seat)
        if costly:
            yield from ("", f"Costliest moves of {player.name}:")
        for place, (move, *_) in enumerate(costly, 1):
            yield f"  {place}. Event {move.step + 1}: {move.taken}."
            yield f"     The {bot} bot would choose “{move.best}”. {move.comparison}"


def review_facts(review: DecisionReview | None) -> dict[str, Any] | None:
    """Return a review as a dict; visits and values are None if the bot does not rate actions."""
    if review is None:
        return None
    pairs = zip(review.decision.rated, review.texts, strict=True)
    return {
        "taken": review.notation,
        "agrees": review.decision.agrees,
        "actions": [
            {
                "action": text.name,
                "visits": rated.visits if text.value_text else None,
                "value": rated.value if text.value_text else None,
            }
            for rated, text in pairs
        ],
    }


def agreement_facts(players: Sequence[Player], bot: str, reviewer: Reviewer) -> dict[str, Any]:
    """Return how often the bot agrees with each player, as a dict of JSON values."""
    return {
        "bot": bot,
        "players": [
            {
                "name": players[seat].name,
                "decisions": reviewer.decisions[seat],
                "agreed": reviewer.agreed[seat],
            }
            for seat in reviewer.seats
        ],
    }


def _rating(text: RatedAction) -> str:
    return f" ({text.value_text}, {text.tries})" if text.value_text else ""


def write_page(game: Game[Any], record: Record, who: str | None, out: Path) -> None:
    """Write the replay of a record to a new HTML file; raises RecordError or UsageError.

    With `who` the page shows only what this viewer saw, otherwise what all permitted viewers saw.
    """
    viewer = choose_viewer(game, record, who)
    replay = open_replay(game, record)
    if who is not None:
        text = replay_html(build_replay_data(replay.limited((viewer,), viewer)))
    else:
        text = shared_html(replay, viewer)
    write_new(out, text)
    echo(f"{game.title}: {out}", err=True)


def list_rounds(
    game: Game[Any], record: Record, viewer: int, glyphs: Glyphs, *, as_json: bool
) -> None:
    """Print a record's round summaries as the viewer saw them."""
    rounds = recorded_rounds(game, record, viewer)
    if as_json:
        facts = [{"first": r.first, "last": r.last, **summary_facts(r.summary)} for r in rounds]
        print_json([{"round": number, **row} for number, row in enumerate(facts, 1)])
        return
    painter = Painter(glyphs).for_game(build_catalogue(game))
    for number, played in enumerate(rounds, 1):
        painter.say(f"Round {number}, events {played.first} to {played.last}")
        painter.say(*(f"  {line}" for line in painter.summarize(played.summary)), "")
    if not rounds:
        painter.say("This record does not contain summaries of rounds.")


def show_steps(
    registry: PluginRegistry, replay: Replay, viewer: int, *, plain: bool, ascii_only: bool
) -> int:
    """Show a replay step by step; return the exit code."""
    liked = load_preferences()
    choice = "ascii" if ascii_only else liked.glyphs
    if plain or os.environ.get("TERM") == "dumb":
        _step_through(registry, replay, viewer, choose_glyphs(choice))
        return 0
    opener = Opener(registry, LoopScheduler(), pace=PACE if liked.pace is None else liked.pace)
    theme = parse_theme(liked.theme) if liked.theme else None
    return run_replay(replay, opener, viewer=viewer, glyphs=check_glyphs(choice), theme=theme)


def _step_through(registry: PluginRegistry, replay: Replay, viewer: int, glyphs: Glyphs) -> None:
    session = ReplaySession(replay, viewer=viewer)
    painter = Painter(glyphs).for_game(session.catalogue)
    painter.say(f"{replay.game.title}: {replay.last} steps; `help` lists the commands")
    PlainReplay(session, registry, painter).run()


@click.command()
@click.argument(
    "file",
    type=SAVED,
    required=False,
    help="A record, or the number of a saved game. Without it, the saved games are listed.",
)
@VIEWER
@number_option("--from", "First event to print, counted from 0.", "first", least=0)
@number_option("--to", "Last event to print.", "last", least=0)
@click.option("--rounds", "listing", is_flag=True, help="List the rounds instead, with summaries.")
@click.option("--analyse", "bot", type=BOT, help="Print at every decision what this bot would do.")
@PLAIN
@new_file_option(
    "--html",
    "Write a page to watch the game in a browser, without a network, to this new file.",
    "page",
    metavar="OUT",
)
@as_recorded_option()
@ASCII
@AS_JSON
@click.pass_context
def replay(
    ctx: click.Context,
    file: Path | None,
    who: str | None,
    first: int | None,
    last: int | None,
    listing: bool,
    bot: str | None,
    plain: bool,
    page: Path | None,
    as_recorded: bool,
    ascii_only: bool,
    as_json: bool,
) -> None:
    """Replay a recorded game; without FILE, list the saved games.

    At a terminal the table is shown step by step, with --plain in plain text by commands. Options
    for events, and any other output, print the game event by event. A finished game is shown with
    all cards, an unfinished one as a person at the table or a spectator saw it. --analyse asks a
    bot at every decision, given only what the player had observed.
    """
    if file is None:
        print_saved(list_saved(), as_json=as_json, none="There are no saved games.")
        return
    has_events = (first, last, bot) != (None, None, None)
    _refuse(page is not None and (has_events or listing or as_json), "--html", "printing")
    _refuse(listing and has_events, "--rounds", "single events")
    game, record, viewer = _read_game(ctx, file, who, as_recorded=as_recorded)
    if page is not None:
        write_page(game, record, who, page)
    elif is_terminal() and not (has_events or listing or as_json):
        opened = open_replay(game, record)
        ctx.exit(show_steps(registry_of(ctx), opened, viewer, plain=plain, ascii_only=ascii_only))
    elif listing:
        list_rounds(game, record, viewer, _text_glyphs(ascii_only), as_json=as_json)
    else:
        with _open_reviewer(registry_of(ctx), record, viewer, bot) as reviewer:
            referee = open_record(game, record)
            replay = EventReplay(record, referee, viewer, first or 0, last, bot or "", reviewer)
            _print_replay(replay, _text_glyphs(ascii_only), as_json=as_json)


def _text_glyphs(ascii_only: bool) -> Glyphs:
    """Return the characters of printed events, which no setting changes."""
    return choose_glyphs("ascii" if ascii_only else "auto")


def _read_game(
    ctx: click.Context, path: Path, who: str | None, *, as_recorded: bool
) -> tuple[Game[Any], Record, int]:
    """Return a game, its record and the viewer; or run the command as recorded, and exit."""
    if as_recorded:
        run_as_recorded(ctx, registry_of(ctx), path)
    record = warn_damaged(read_record(path))
    game = recorded_game(registry_of(ctx), record)
    warn_changed(game, record)
    return game, record, choose_viewer(game, record, who)


def _refuse(is_wrong: bool, option: str, purpose: str) -> None:
    if is_wrong:
        raise click.UsageError(f"{option} and options for {purpose} are mutually exclusive")


@contextmanager
def _open_reviewer(
    registry: PluginRegistry, record: Record, viewer: int, bot: str | None
) -> Iterator[Reviewer | None]:
    if bot is None:
        yield None
        return
    header = record.header
    game, seats = header.game, seats_to_analyse(record.players, viewer)
    checked_bot(registry, f"--analyse {bot}", bot, game)
    bots = reviewing_bots(seats, header.seed or 0, partial(registry.make_bot, bot, game))
    with closing(bots):
        yield Reviewer(seats, bots, [player.name for player in record.players])


def _print_replay(replay: EventReplay, glyphs: Glyphs, *, as_json: bool) -> None:
    if as_json:
        print_json(replay_facts(replay))
        return
    referee, viewer = replay.referee, replay.viewer
    painter = Painter(glyphs).for_game(build_catalogue(referee.game))
    painter.say(_title(replay))
    note = omission_note(referee.players, viewer) if replay.reviewer else ""
    painter.say(*filter(None, [note]), "")
    reviews: list[DecisionReview] = []
    for event, review in replay.events():
        for line in event.lines:
            painter.say(f"{event.number:4}  {line}")
        if review:
            reviews.append(review)
            painter.say(f"      {review_line(replay.bot, review)}")
        if event.summary is not None:
            painter.say("", *painter.summarize(event.summary), "")
    observation = referee.observe(viewer)
    view = build_view(observation, [player.name for player in referee.players])
    painter.show_view(view, build_catalogue(observation.game))
    if referee.is_over:
        result = build_result(open_replay(referee.game, replay.record), viewer)
        painter.show_result_view(result, build_catalogue(referee.game))
    if replay.reviewer and replay.reviewer.seats:
        painter.say("", *agreement_lines(referee.players, replay.bot, replay.reviewer))
        painter.say(*costly_lines(referee.players, replay.bot, reviews))


def _title(replay: EventReplay) -> str:
    record, referee, viewer = replay.record, replay.referee, replay.viewer
    players = ", ".join(map(str, referee.players))
    seed = f", seed {record.header.seed}" if viewer == EVERYTHING else ""
    state = "" if is_played_out(referee.game, record) else ", not over yet"
    name = viewer_name(referee.players, viewer)
    return f"{referee.game.title}{seed}{state}: {players}; as seen by {name}"


def replay_facts(replay: EventReplay) -> dict[str, Any]:
    """Replay a record; return game, players, events and result as JSON values."""
    record, referee, reviewer = replay.record, replay.referee, replay.reviewer
    events = [_event_facts(replay, *pair) for pair in replay.events()]  # before `is_over` is read
    analysis = (
        {"analysis": agreement_facts(referee.players, replay.bot, reviewer)} if reviewer else {}
    )
    return {
        "game": referee.game.name,
        "version": referee.game.version,
        # The deal could be computed from the seed.
        "seed": record.header.seed if replay.viewer == EVERYTHING else None,
        "options": dict(referee.settings),
        "players": [{"name": p.name, "kind": p.kind} for p in referee.players],
        "viewer": viewer_name(referee.players, replay.viewer),
        "finished": record.is_finished or referee.is_over,
        "events": events,
        "scores": referee.scores() if referee.is_over else None,
        "places": referee.places() if referee.is_over else None,
    } | analysis


def _event_facts(
    replay: EventReplay, event: Event, review: DecisionReview | None
) -> dict[str, Any]:
    facts = {
        "number": event.number,
        "kind": event.kind,
        "player": replay.referee.players[event.seat].name if event.seat >= 0 else None,
        "lines": list(event.lines),
        "summary": summary_facts(event.summary) if event.summary else None,
    }
    return facts | ({"analysis": review_facts(review)} if replay.reviewer else {})


def summary_facts(summary: Summary) -> dict[str, Any]:
    """Return a summary as JSON values."""
    return {"title": summary.title, "rows": [list(row) for row in summary.rows]}
