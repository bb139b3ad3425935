"""`cardhub replay --rounds`: the rounds of a recorded game."""

from typing import Any

from cardhub.cli.output import print_json
from cardhub.cli.records.recorded_events import summary_facts
from cardhub.cli.session.painter import Painter
from cardhub.model.game.game import Game
from cardhub.play.host.replays.event_replay import recorded_rounds
from cardhub.play.records.reading import Record
from cardhub.view.card_catalogue import catalogue_of
from cardhub.view.log import summary_view
from cardhub.view.text import Glyphs


def list_rounds(
    game: Game[Any], record: Record, viewer: int, glyphs: Glyphs, *, as_json: bool
) -> None:
    """Print the rounds of a record with their summaries, as a viewer was told of them."""
    rounds = recorded_rounds(game, record, viewer)
    if as_json:
        facts = [{"first": r.first, "last": r.last, **summary_facts(r.summary)} for r in rounds]
        print_json([{"round": number, **each} for number, each in enumerate(facts, 1)])
        return
    painter = Painter(glyphs).for_game(catalogue_of(game))
    for number, each in enumerate(rounds, 1):
        painter.say(f"Round {number}, events {each.first} to {each.last}")
        painter.say(*(f"  {line}" for line in painter.summarize(summary_view(each.summary))), "")
    if not rounds:
        painter.say("This record has no summary of a round.")
