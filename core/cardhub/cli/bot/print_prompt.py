"""`cardhub bot prompt`: what a language model reads at a decision."""

from pathlib import Path
from random import Random
from typing import Any, get_args

import click

from cardhub.base.errors import OptionError
from cardhub.base.writing import amount, count
from cardhub.bots.language.prompt import Choices, Memory, Prompt, build_prompt
from cardhub.cli.console import echo
from cardhub.cli.output import print_json
from cardhub.cli.params import (
    AS_JSON,
    GAME,
    RECORD,
    SETTINGS,
    number_option,
    players_option,
    seed_option,
)
from cardhub.cli.records.access import choose_viewer, warn_damaged
from cardhub.cli.root import registry_of
from cardhub.model.game.game import Game
from cardhub.model.game.initial_state import initial_state, resolve_options, shuffled_pack
from cardhub.model.hidden.chance import advance, sample_action
from cardhub.model.hidden.observation import Observation, Step
from cardhub.model.table.state import CHANCE, OVER
from cardhub.play.records.reading import read_record
from cardhub.play.records.replaying import open_record, replay
from cardhub.play.referee import Referee, seats_to_act


@click.command()
@click.argument("name", metavar="GAME", type=GAME, help="A game.")
@players_option()
@SETTINGS
@seed_option("Seed of the deal and of the random actions.")
@click.option(
    "--actions",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    metavar="N",
    help="Number of random actions before the decision, without the actions of chance.",
)
@click.option("--record", type=RECORD, help="Show a decision of this record instead.")
@number_option("--step", "With --record: the line of the record with the decision.", least=2)
@click.option("--seat", type=click.IntRange(min=0), metavar="SEAT", help="The seat, from 0.")
@click.option("--memory", type=click.Choice(get_args(Memory)), default="log", help="The past.")
@click.option(
    "--choices",
    type=click.Choice(get_args(Choices)),
    default="listed",
    help="Whether the prompt lists the legal actions.",
)
@AS_JSON
@click.pass_context
def prompt(
    ctx: click.Context,
    name: str,
    players: int | None,
    settings: tuple[tuple[str, str], ...],
    seed: int,
    actions: int,
    record: Path | None,
    step: int | None,
    seat: int | None,
    memory: Memory,
    choices: Choices,
    as_json: bool,
) -> None:
    """Print what a language model reads at a decision.

    By default it is the first decision of a game; --actions plays on at random. With --seat it is
    the next decision of that seat.
    """
    game = registry_of(ctx).game(name)
    if record is not None:
        observation = _recorded(game, record, step, seat)
    else:
        observation = _random(
            game, players or game.seats.default, dict(settings), seed, actions, seat
        )
    text = build_prompt(observation, memory, choices)
    if as_json:
        print_json(_facts(text))
        return
    echo(text.text)
    echo(f"\n{_lengths(text)}", err=True)


def _random(
    game: Game[Any], seats: int, options: dict[str, str], seed: int, actions: int, seat: int | None
) -> Observation[Any]:
    """Return the observation of the seat to act after random actions."""
    settings = resolve_options(game, options, seats)
    if seat is not None and seat >= seats:
        raise OptionError(f"there is no seat {seat} with {seats} players. fix: count seats from 0")
    rng = Random(f"{seed} play")
    faces = shuffled_pack(game, settings, seats, Random(f"{seed} deal"))
    state, history = initial_state(game, settings, seats, faces), list[Step]()
    while state.seat != OVER:
        if state.seat >= 0 and actions <= 0 and seat in (None, state.seat):
            return Observation(game, state, state.seat, history)
        by_chance = state.seat == CHANCE
        action = sample_action(game, state, rng) if by_chance else rng.choice(game.legal(state))
        actions -= not by_chance
        history.append(Step(state.seat, action))
        advance(game, state, action, rng)
    raise OptionError(
        f"the game is over after {amount(len(history), 'action')}. fix: fewer --actions"
    )


def _recorded(game: Game[Any], path: Path, step: int | None, seat: int | None) -> Observation[Any]:
    """Return the observation of the seat to act before a line of a record."""
    record = warn_damaged(read_record(path))
    if record.header.game != game.name:
        raise OptionError(f"{path} is a record of {record.header.game}. fix: name that game")
    referee = open_record(game, record)
    viewer = _asked_seat(referee, seat) if step is None else None
    lines = () if viewer is not None else replay(record, referee)
    for number in lines:
        is_reached = step is None or number >= step - 1
        viewer = _asked_seat(referee, seat) if is_reached else None
        if viewer is not None:
            break
    if viewer is None:
        raise OptionError(f"{path}: no seat is to act there. fix: another --step or --seat")
    # The cards of a game that is not over are for its people only.
    choose_viewer(game, record, record.players[viewer].name)
    return referee.observe(viewer)


def _asked_seat(referee: Referee[Any], seat: int | None) -> int | None:
    """Return the seat to act: `seat` if given, else the first; None if it is not to act."""
    seats = [number for number in seats_to_act(referee) if number >= 0]
    if seat is None:
        return seats[0] if seats else None
    return seat if seat in seats else None


def _lengths(text: Prompt) -> str:
    return (
        f"{count(len(text.text))} characters: {count(len(text.constant))} are equal in all turns "
        f"of this seat, {count(len(text.log))} are the log, {count(len(text.table))} the table."
    )


def _facts(text: Prompt) -> dict[str, Any]:
    return {
        "constant": text.constant,
        "log": text.log,
        "table": text.table,
        "characters": len(text.text),
        "actions": list(text.names),
    }
