"""Messages to programs contain all that their seat may know, and only that."""

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from tests.games.magpie import Magpie
from tests.games.throws import PAPER, Throws

from cardhub import Game
from cardhub.bots.external.messages import game_message, learned_cards, news, turn_message
from cardhub.model.hidden.observation import Observation
from cardhub.model.table.actions import UNSEEN_ACTION
from cardhub.model.table.faces import blanked
from cardhub.play.records.redaction import redact_game
from cardhub.play.referee import Referee
from cardhub.play.seating import NAMES, Player
from cardhub.play.setup import set_up
from cardhub.plugins.registry import find_plugins
from cardhub.testing.random_play import default_trial, play

INSTALLED = find_plugins()
GAMES: list[Game[Any]] = [Magpie(), *map(INSTALLED.game, INSTALLED.game_names())]
# The games of which there are records for one seat.
RECORDED = [game for game in GAMES if not game.state_type.views_field]
Seen = Observation[Any]


def sent_data(seen: Seen, before: Seen | None) -> str:
    """Return everything that a program receives for an observation in its sent form."""
    return json.dumps([game_message(seen, 1), turn_message(seen, before, 1)])


def turns(game: Game[Any], seed: int) -> Iterator[tuple[Seen, Seen | None]]:
    """Yield some turns of a random game, each with the turn before of the same seat."""
    rng, last = Random(seed), dict[int, Seen]()
    for position in play(game, default_trial(game, game.seats.default, seed)):
        seat = position.state.seat
        if seat >= 0:
            seen = Observation(game, position.state, seat, position.history)
            if not last or rng.random() < 0.2:
                yield seen, last.get(seat)
            last[seat] = seen


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_no_message_depends_on_what_the_seat_cannot_see(game: Game[Any]) -> None:
    rng, count = Random(2), 0
    for seen, before in turns(game, seed=4):
        world = seen.determinize(rng)
        elsewhere = Observation(game, world, seen.seat, seen.history)
        assert sent_data(seen, before) == sent_data(elsewhere, before)
        assert sent_data(seen, None) == sent_data(elsewhere, None)
        count += 1
    assert count > 0


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_cards_are_named_exactly_where_the_seat_knows_them(game: Game[Any]) -> None:
    """Every token occurs once, with its back, and with its card if the seat has seen it."""
    for seen, before in turns(game, seed=5):
        table = turn_message(seen, before, 1)["table"]
        cards = {
            token["token"]: token["card"]
            for zone in table["zones"].values()
            for token in _flat(zone)
        }
        faces = dict(enumerate(blanked(seen.state.face)))
        names = {token: game.cards.faces[f].name if f >= 0 else None for token, f in faces.items()}
        assert cards == {token: names[token] for token in cards}
        assert len(cards) == len(names)


def _flat(zone: list[Any]) -> Iterator[dict[str, Any]]:
    for item in zone:
        yield from item if isinstance(item, list) else [item]


@pytest.mark.parametrize("game", RECORDED, ids=lambda game: game.name)
def test_news_are_what_the_record_for_the_seat_says(game: Game[Any]) -> None:
    """The same actions in the same words, with the shuffles between them."""
    referee = _table(game)
    rng = Random(6)
    while not referee.is_over and len(referee.observe(0).history) < 50:
        seen = referee.observe(referee.seat)
        lines = redact_game(referee, referee.seat).splitlines()[1:]
        assert list(map(_line, news(seen, None))) == [_line(json.loads(line)) for line in lines]
        referee.apply(rng.choice(seen.legal()))


def _table(game: Game[Any]) -> Referee[Any]:
    players = [Player(name, "human") for name in NAMES[: game.seats.default]]
    referee = set_up(game, players, {}, seed=7)
    referee.proceed()
    return referee


def _line(line: dict[str, Any]) -> tuple[Any, ...]:
    """Return the common part of news and records; records name every token, too."""
    if "shuffle" in line:
        return (len(line["shuffle"]),)
    text = line["notation"] if "notation" in line else line["action"]
    return line["seat"], text.partition("#")[0]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_news_turn_by_turn_are_all_the_news(game: Game[Any]) -> None:
    referee = _table(game)
    rng, last = Random(8), dict[int, Seen]()
    heard: dict[int, list[Any]] = {}
    while not referee.is_over and len(referee.observe(0).history) < 50:
        seat = referee.seat
        seen = referee.observe(seat)
        heard.setdefault(seat, []).extend(news(seen, last.get(seat)))
        actions = [(line["seat"], line["action"]) for line in heard[seat] if "action" in line]
        known = [(s.seat, None if s.action == UNSEEN_ACTION else s.action) for s in seen.history]
        steps = [(seat if seat >= 0 else "chance", action) for seat, action in known]
        assert actions == steps
        shuffled = [tuple(line["shuffle"]) for line in heard[seat] if "shuffle" in line]
        assert shuffled == [shuffle.tokens for shuffle in seen.state.shuffle_log]
        last[seat] = seen
        referee.apply(rng.choice(seen.legal()))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_what_was_learned_makes_up_what_is_known(game: Game[Any]) -> None:
    """The faces learned at each turn, without those shuffled since, are the faces known."""
    referee = _table(game)
    rng, last = Random(9), dict[int, Seen]()
    known_cards: dict[int, dict[int, str]] = {}
    while not referee.is_over and len(referee.observe(0).history) < 50:
        seat = referee.seat
        seen = referee.observe(seat)
        mine = known_cards.setdefault(seat, {})
        for line in news(seen, last.get(seat)):
            for token in line.get("shuffle", ()):
                mine.pop(token, None)
        mine.update((item["token"], item["card"]) for item in learned_cards(seen, last.get(seat)))
        labels = seen.labels()
        tokens = range(len(seen.state.seen))
        assert mine == {t: labels.card_notation(t) for t in tokens if labels.is_known(t)}
        last[seat] = seen
        referee.apply(rng.choice(seen.legal()))


def test_every_seat_of_a_round_is_asked_as_if_nobody_had_chosen() -> None:
    game = Throws()
    referee = _table(game)
    messages = [sent_data(referee.observe(1), None)]
    referee.apply(PAPER)
    messages.append(sent_data(referee.observe(1), None))
    assert messages[0] == messages[1]
    turn = json.loads(messages[0])[1]
    assert (turn["news"], turn["table"]["seat"], turn["table"]["choosing"]) == ([], 1, [0, 1])


def test_only_a_round_of_choices_has_a_list_of_the_seats_that_choose() -> None:
    assert "choosing" not in turn_message(_table(Magpie()).observe(0), None, 1)["table"]
