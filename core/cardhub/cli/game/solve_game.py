"""`cardhub solve`: near-perfect play of a small game; its policy and its tree as files."""

from pathlib import Path
from typing import Any

import click

from cardhub.base.writing import amount, number
from cardhub.bots.solving.gambit_file import gambit_lines
from cardhub.bots.solving.game_tree import MOST_NODES, Tree
from cardhub.bots.solving.policy_table import policy_text
from cardhub.bots.solving.sequence_form import exploit, sequence_form
from cardhub.bots.solving.sequence_form import solve as find_solution
from cardhub.cli.console import echo
from cardhub.cli.output import print_json
from cardhub.cli.params import (
    AS_JSON,
    GAME,
    SETTINGS,
    new_file_option,
    number_option,
    players_option,
)
from cardhub.cli.records.access import write_new
from cardhub.cli.root import registry_of
from cardhub.model.game.initial_state import game_scoring, resolve_options
from cardhub.model.table.goal import Goal


@click.command()
@click.argument("name", metavar="GAME", type=GAME, help="A small game.")
@players_option()
@SETTINGS
@number_option("--iterations", "Iterations of CFR+; more come closer to perfect.", default=1000)
@number_option("--nodes", "Refuse games whose tree has more nodes.", default=MOST_NODES)
@new_file_option(
    "--policy", "Write the policy to this new CSV file, for the bot policy:FILE.", metavar="FILE"
)
@new_file_option("--efg", "Write the tree to this new file, in Gambit's format.", metavar="FILE")
@AS_JSON
@click.pass_context
def solve(
    ctx: click.Context,
    name: str,
    players: int | None,
    settings: tuple[tuple[str, str], ...],
    iterations: int,
    nodes: int,
    policy: Path | None,
    efg: Path | None,
    as_json: bool,
) -> None:
    """Find near-perfect play of a small game.

    The whole tree of the game is solved by CFR+. With two seats and a constant sum, the policy
    approaches an equilibrium; for other games there is no guarantee.
    """
    game = registry_of(ctx).game(name)
    seats = players or game.seats.default
    options = resolve_options(game, dict(settings), seats)
    scoring = game_scoring(game, options, seats)
    form = sequence_form(game, seats, options, nodes)
    strategies = find_solution(form, iterations).strategies
    if policy is not None:
        write_new(policy, policy_text(game, form, strategies))
    if efg is not None:
        write_new(efg, "\n".join(gambit_lines(Tree(game, seats, options), scoring.returns, nodes)))
    gain = exploit(form, strategies)
    facts: dict[str, Any] = {
        "nodes": form.nodes,
        "information_sets": len([state for plex in form.treeplexes for state in plex.number]),
        "iterations": iterations,
        "unit": scoring.unit_of_scores if scoring.goal is Goal.SCORE else "return",
        "values": gain.values,
        "exploitability": gain.exploitability,
    }
    if as_json:
        table_facts = {"game": game.name, "players": seats, "options": dict(options.items())}
        print_json({**table_facts, **facts})
    else:
        _print(f"{game.title}, {amount(seats, 'player')}", facts, policy, efg)


def _print(table: str, facts: dict[str, Any], policy: Path | None, efg: Path | None) -> None:
    sets = amount(facts["information_sets"], "information set")
    echo(f"{table}: {amount(facts['nodes'], 'node')}, {sets}")
    unit, effort = facts["unit"], amount(facts["iterations"], "iteration")
    for seat, value in enumerate(facts["values"]):
        echo(f"Seat {seat} gets {number(value, 4)} {unit} a game.")
    echo(f"After {effort} a best response gains {facts['exploitability']:.2g} {unit} a game.")
    if policy is not None:
        echo(f"Policy: {policy}")
    if efg is not None:
        echo(f"Tree: {efg}")
