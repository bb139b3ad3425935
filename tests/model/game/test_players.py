"""Actions on players in notation, records, masks and layouts."""

from random import Random

from tests.games.raiders import ACTIONS, RAID, TAKE, Raiders, Table

from cardhub.bots.asking import ask
from cardhub.bots.external.messages import game_message, turn_message
from cardhub.bots.search.search_bot import SearchBot
from cardhub.bots.search.search_budget import SearchBudget
from cardhub.learning.adapters.pettingzoo import raw_env
from cardhub.model.table.actions import Players
from cardhub.play.records.reading import parse_record
from cardhub.play.records.recording import as_record
from cardhub.play.records.redaction import redact_game
from cardhub.play.records.replaying import open_record, replayed
from cardhub.play.referee import Referee
from cardhub.play.seating import Player
from cardhub.play.setup import set_up
from cardhub.testing import check_game
from cardhub.testing.game_checks.error_checks.error_exits import FILE

PLAYERS = [Player("seat1", "human"), Player("0", "human"), Player("Bob Lee", "human")]


def played(actions: int) -> Referee[Table]:
    """Return a game of players with misleading names after some actions."""
    referee = set_up(Raiders(), PLAYERS, {}, seed=1)
    referee.proceed()
    rng = Random(1)
    for _ in range(actions):
        referee.apply(rng.choice(referee.observe(referee.seat).legal()))
    return referee


def test_a_game_with_actions_on_players_passes_all_checks() -> None:
    """Records, secrecy, notations and layout are checked with every number of players."""
    check_game(Raiders(), games=1)


def test_a_group_has_an_action_for_each_seat() -> None:
    """The range is fixed for learners and does not depend on the number of players."""
    assert ACTIONS.starts == (RAID, TAKE) == (0, 4)
    assert ACTIONS.verb_and_index[RAID + 2] == ("raid", 2)
    assert [ACTIONS.seat(action) for action in (RAID, RAID + 3, TAKE, -1, ACTIONS.size)] == [
        0,
        3,
        None,
        None,
        None,
    ]
    assert isinstance(ACTIONS.groups[0], Players)


def test_records_name_seats_and_so_replay_with_any_names() -> None:
    """`seat1` is the seat of the player called 0, and not the player called seat1."""
    referee = played(4)
    text = as_record(referee)
    assert '"raid seat' in text
    record = parse_record(FILE, text.encode())
    again = replayed(record, open_record(referee.game, record))
    assert again.observe(3).history == referee.observe(3).history
    redacted = parse_record(FILE, redact_game(referee, 3).encode())
    assert replayed(redacted, open_record(referee.game, redacted)).action_count == 4


def test_programs_learn_that_a_group_is_of_seats() -> None:
    seen = played(0).observe(0)
    groups = game_message(seen, 1)["actions"]
    assert groups[0] == {"first": 0, "count": 4, "verb": "raid", "of": "seat"}
    legal = turn_message(seen, None, 1)["legal"]
    assert legal[0] == {"action": 1, "notation": "raid seat1", "label": "raid seat 1"}


def test_search_and_learners_act_on_players() -> None:
    """Masks have one entry per seat of the largest table."""
    seen = played(0).observe(0)
    bot = SearchBot(Random(1), budget=SearchBudget(20))
    assert ask(bot, seen).action in (RAID + 1, RAID + 2)
    environment = raw_env(Raiders(), 3)
    environment.reset(seed=1)
    mask = environment.observe(environment.agent_selection)["action_mask"]
    assert mask[:4].tolist() == [0, 1, 1, 0]
