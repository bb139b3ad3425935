"""Lines about the table: other players, presence, and takebacks that others agreed to."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.games.lanterns import Lanterns
from tests.games.magpie import Magpie
from tests.games.pockets import Pockets, box
from tests.kit.redacting import redact
from tests.kit.soaking import count_examples

from cardhub import Game, State
from cardhub.base.errors import IllegalActionError, RecordError, SeatingError
from cardhub.model.hidden.observation import EVERYTHING
from cardhub.model.hidden.shuffles.segments import face_snapshots
from cardhub.model.table.faces import BLANK
from cardhub.play.announcing.announcer import follow, past_events
from cardhub.play.announcing.events import Event
from cardhub.play.history_entries import NOTES
from cardhub.play.records.reading import Record, parse_record
from cardhub.play.records.recording import as_record
from cardhub.play.records.replaying import open_record, replay, replayed
from cardhub.play.records.verification import verify_record, verify_redacted
from cardhub.play.redrawing import Redraw
from cardhub.play.referee import Referee, find_redraw
from cardhub.play.seating import Player
from cardhub.play.seeds import commitment_to
from cardhub.play.setup import set_up
from cardhub_gargon import Gargon

NAMES = ("Anna", "Bob", "Chris")
OTHERS = ("Dora", "Emil", "Fritz", "Anna", "Bob", "Chris")
PATH = Path("game.jsonl")


class SmallPockets(Pockets):
    """Mixed hands, denials and gathered cards."""

    name, title = "small_pockets", "Small pockets"
    cards = box("A0", "A0", "A1", "A1", "A2", "B0", "B1", "B1", "B2")


GAMES: list[Game[Any]] = [Magpie(), Lanterns(), SmallPockets()]


class Moment(NamedTuple):
    """The game after a line: its state, the history, the players, and whose turn it is."""

    state: State
    history: tuple[Any, ...]
    players: tuple[Player, ...]


def moment_of(referee: Referee[Any]) -> Moment:
    """Return the present moment."""
    seen = referee.observe(EVERYTHING)
    return Moment(seen.state, seen.history, referee.players)


def start(game: Game[Any], seed: str | int = 3) -> Referee[Any]:
    """Return a game of three people."""
    players = [Player(name, "human") for name in NAMES]
    commitment = commitment_to(seed) if isinstance(seed, str) else None
    return set_up(game, players, {}, seed, commitment)


def act(referee: Referee[Any], rng: Random) -> None:
    """Take any legal action."""
    referee.apply(rng.choice(referee.observe(referee.seat).legal()))


def disturb(referee: Referee[Any], rng: Random) -> None:
    """Take an action back, seat another player or note that one left, if that is possible."""
    seat = rng.randrange(3)
    kind = rng.randrange(4)
    if kind == 0 and referee.can_undo(seat):
        referee.undo(seat)
    elif kind == 1 and not referee.why_no_takeback(seat):
        agreed = [other for other in range(3) if other != seat and rng.random() < 0.7]
        is_anew = rng.random() < 0.5 and not find_redraw(referee, seat).why_not
        referee.take_back(seat, agreed, is_anew=is_anew)
    elif kind == 2:
        name = rng.choice(OTHERS)
        others = [p.name for other, p in enumerate(referee.players) if other != seat]
        if name not in others:
            referee.seat_player(seat, Player(name, rng.choice(("human", "random"))))
    elif kind == 3:
        referee.note(seat, rng.choice(NOTES))


def play(referee: Referee[Any], rng: Random, steps: int) -> Iterator[None]:
    """Play with disturbances for `steps` steps, then without them to the end."""
    referee.proceed()
    while not referee.is_over and len(referee.entries) < 900:
        if steps and rng.random() < 0.4:
            disturb(referee, rng)
        else:
            act(referee, rng)
        steps = max(steps - 1, 0)
        yield


def recorded(referee: Referee[Any]) -> Record:
    """Write the record of a running game, and return it as it is read again."""
    return parse_record(PATH, as_record(referee).encode())


def read_whole(text: str) -> Referee[Any]:
    """Return the game of a record of Gargon."""
    record = parse_record(PATH, text.encode())
    return replayed(record, open_record(Gargon(), record))


CASES = given(st.sampled_from(GAMES), st.integers(0, 2**32))


@settings(max_examples=count_examples(10), deadline=None)
@CASES
def test_a_record_replays_to_the_same_game_line_by_line(game: Game[Any], number: int) -> None:
    """States, history, players, events of all viewers, and the record that is written again."""
    referee, rng = start(game), Random(number)
    moments = [moment_of(referee)]
    referee.subscribe(lambda _: moments.append(moment_of(referee)))
    events_by_viewer: dict[int, list[Event]] = {viewer: [] for viewer in (0, 1, 2, 3, EVERYTHING)}
    for viewer, events in events_by_viewer.items():
        follow(referee, viewer, events.append)
    for _ in play(referee, rng, rng.randrange(60)):
        pass
    record = recorded(referee)
    again = open_record(game, record)
    assert moment_of(again) == moments[0]
    for count, _ in enumerate(replay(record, again), 1):
        assert moment_of(again) == moments[count]
    assert as_record(again) == as_record(referee)
    assert {viewer: past_events(again, viewer) for viewer in events_by_viewer} == events_by_viewer


@settings(max_examples=count_examples(6), deadline=None)
@CASES
def test_a_game_goes_on_in_the_same_way_from_any_line(game: Game[Any], number: int) -> None:
    """Killed after any line, it draws the outcomes of chance that it would have drawn."""
    referee, rng = start(game), Random(number)
    settled: dict[int, Moment] = {}
    for _ in play(referee, rng, 25):
        settled[len(referee.entries)] = moment_of(referee)
        if len(referee.entries) > 60:
            break
    lines = as_record(referee).encode().splitlines(keepends=True)
    ends = sorted(settled)
    for count in range(1, len(lines) + 1):
        record = parse_record(PATH, b"".join(lines[:count]))
        again = replayed(record, open_record(game, record))
        again.proceed()
        end = next((end for end in ends if end >= count), None)
        if end is not None and len(again.entries) == end:
            assert moment_of(again) == settled[end]
            assert as_record(again) == b"".join(lines[:end]).decode()


@settings(max_examples=count_examples(6), deadline=None)
@CASES
def test_a_whole_game_follows_from_its_seed(game: Game[Any], number: int) -> None:
    referee, rng = start(game, f"{number:032x}"), Random(number)
    for _ in play(referee, rng, 30):
        pass
    assert referee.is_over
    assert list(verify_record(game, recorded(referee))) == []


@settings(max_examples=count_examples(6), deadline=None)
@CASES
def test_a_redacted_record_has_exactly_the_faces_that_its_viewer_has_seen(
    game: Game[Any], number: int
) -> None:
    referee, rng = start(game), Random(number)
    seen: dict[int, set[int]] = {viewer: set() for viewer in range(4)}

    def look(_: object) -> None:
        for viewer, tokens in seen.items():
            dealt = face_snapshots(referee.observe(viewer).state)[0]
            tokens |= {token for token, face in enumerate(dealt) if face != BLANK}

    look(None)
    referee.subscribe(look)
    for _ in play(referee, rng, rng.randrange(50)):
        pass
    whole = recorded(referee)
    for viewer, tokens in seen.items():
        text = redact(game, whole, viewer)
        record = parse_record(PATH, text.encode())
        assert redact(game, record, viewer) == text
        again = replayed(record, open_record(game, record))
        assert again.observe(viewer).state == referee.observe(viewer).state
        assert list(verify_redacted(game, whole, record)) == []
        backs = {back.unknown for back in game.cards.backs}
        assert {t for t, name in enumerate(record.header.deal) if name not in backs} == tokens
        assert [e.lines for e in past_events(again, viewer)] == [
            event.lines for event in past_events(referee, viewer)
        ]


def test_a_takeback_goes_back_to_before_the_last_action_of_a_seat() -> None:
    """Over actions of other seats and of chance."""
    referee, rng = start(Magpie()), Random(5)
    referee.proceed()
    before = moment_of(referee)
    while referee.seat != 1:
        act(referee, rng)
    while referee.seat != 2:
        before = moment_of(referee) if referee.seat == 1 else before
        act(referee, rng)
    while referee.seat != 0:
        act(referee, rng)
    count = len(referee.observe(3).history) - len(before.history)
    referee.take_back(1, [0, 2])
    assert moment_of(referee) == before
    last = json.loads(as_record(referee).splitlines()[-1])
    assert last == {"seat": 1, "takeback": count, "agreed": [0, 2]}


def test_chance_repeats_its_outcomes_after_a_takeback() -> None:
    referee, rng = start(Magpie()), Random(5)
    referee.proceed()
    while referee.action_count < 12:
        act(referee, rng)
    seat = next(seat for seat in (0, 1, 2) if not referee.why_no_takeback(seat))
    action = next(s.action for s in reversed(referee.observe(3).history) if s.seat == seat)
    thrown = [step for step in referee.observe(3).history if step.seat < 0]
    referee.take_back(seat, [])
    referee.apply(action)
    again = [step for step in referee.observe(3).history if step.seat < 0]
    assert again == thrown[: len(again)]


def test_chance_draws_anew_after_a_takeback_if_the_record_says_so() -> None:
    """Dice come from another generator, and an old record without the word repeats them."""
    thrown: set[tuple[int, ...]] = set()
    for is_anew in (False, True):
        referee, rng = start(Magpie()), Random(5)
        referee.proceed()
        while referee.action_count < 12:
            act(referee, rng)
        seat = next(seat for seat in (0, 1, 2) if not referee.why_no_takeback(seat))
        referee.take_back(seat, [], is_anew=is_anew)
        last = [json.loads(line) for line in as_record(referee).splitlines() if "takeback" in line]
        assert last[-1].get("chance") == ("anew" if is_anew else None)
        while not referee.is_over and referee.action_count < 60:
            act(referee, rng)
        thrown.add(tuple(s.action for s in referee.observe(3).history if s.seat < 0))
    assert len(thrown) == 2


def test_a_hidden_card_that_was_seen_is_drawn_anew() -> None:
    """Nobody knows which card comes next, and the cards in play stay the same."""
    drawn_anew = 0
    for number in range(8):
        referee, rng = start(Lanterns(), f"{number:032x}"), Random(number)
        referee.proceed()
        redraw, before = Redraw(is_needed=False), referee.observe(EVERYTHING).state
        while not redraw.pools and not referee.is_over:
            seat, before = referee.seat, referee.observe(EVERYTHING).state
            act(referee, rng)
            redraw = find_redraw(referee, seat)
        drawn = {token for pool in redraw.pools for token in pool}
        assert drawn
        assert not any(before.seen[token] for token in drawn)
        referee.take_back(seat, [], is_anew=True)
        after = referee.observe(EVERYTHING).state
        pairs = list(enumerate(zip(before.face, after.face, strict=True)))
        assert sorted(after.face) == sorted(before.face)
        assert {token for token, (old, new) in pairs if old != new} <= drawn
        assert (after.back, after.seen) == (before.back, before.seen)
        assert not referee.can_undo(seat)
        drawn_anew += list(after.face) != list(before.face)
    assert drawn_anew > 0


def test_the_seats_that_agreed_are_others_in_order() -> None:
    referee, rng = start(Gargon()), Random(1)
    referee.proceed()
    first = referee.seat
    with pytest.raises(IllegalActionError, match=r"nothing can be taken back: \w+ has not acted"):
        referee.take_back(first, [])
    act(referee, rng)
    for agreed in ([first], [7], [2, 1], [1, 1]):
        with pytest.raises(IllegalActionError, match="the seats that agree must be other seats"):
            referee.take_back(first, agreed)


def test_the_name_of_another_player_is_checked_like_any() -> None:
    referee = start(Gargon())
    referee.proceed()
    for name in ("A" * 10_000, "\u3164", "Bоb", "", "chance", "Zalgo" + "\u0301" * 5):
        with pytest.raises(SeatingError):
            referee.seat_player(0, Player(name, "human"))
    referee.seat_player(0, Player("Anna", "random"))
    with pytest.raises(IllegalActionError, match="there is no seat 3"):
        referee.seat_player(3, Player("Dora", "human"))
    assert [player.kind for player in referee.players] == ["random", "human", "human"]


def test_after_the_end_no_line_can_follow() -> None:
    referee, rng = start(Lanterns()), Random(1)
    for _ in play(referee, rng, 0):
        pass
    with pytest.raises(IllegalActionError, match="the game is over"):
        referee.seat_player(0, Player("Dora", "human"))
    with pytest.raises(IllegalActionError, match="the game is over"):
        referee.note(0, "left")
    with pytest.raises(IllegalActionError, match="the game is over"):
        referee.take_back(0, [])


def test_the_log_tells_who_sits_and_who_is_there() -> None:
    referee, rng = start(Gargon()), Random(1)
    referee.proceed()
    act(referee, rng)
    seat = referee.observe(3).history[-1].seat
    name = NAMES[seat]
    for note in NOTES:
        referee.note(seat, note)
    referee.seat_player(seat, Player(name, "random"))
    referee.seat_player(seat, Player(name, "human"))
    referee.seat_player(seat, Player("Dora", "greedy"))
    seats = [other for other in range(3) if other != seat]
    referee.seat_player(seat, Player("Emil", "human"), seats)
    referee.seat_player(seat, Player("Emil", "random"), by=seats[0])
    referee.take_back(seat, seats)
    others = [other for other in NAMES if other != name]
    for viewer in (0, 1, 2, 3):
        lines = [line for event in past_events(referee, viewer) for line in event.lines]
        assert lines[0].startswith(name)
        assert lines[-14:] == [
            f"{name} leaves the table",
            f"{name} is back at the table",
            f"{name} has run out of time",
            f"{name} pauses the bots",
            f"{name} lets the bots continue",
            f"{name} makes a bot act immediately",
            f"{name} ends the turn of a bot that does not answer",
            f"{name} changes the speed of the bots",
            f"A bot (random) plays for {name}",
            f"{name} plays again",
            f"Dora (greedy) takes {name}'s seat",
            f"Emil takes Dora's seat with the consent of {' and '.join(others)}",
            f"A bot (random) plays for Emil at the request of {others[0]}",
            f"Emil takes back 1 action with the consent of {' and '.join(others)}",
        ]


VISITOR = '{"seat": 0, "player": {"name": "Dora", "kind": "human"}, %s}'


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ('{"seat": 0, "player": {"name": "Dora"}}', "a player has a 'name' and a 'kind'"),
        ('{"seat": 0, "player": "Dora"}', "a player has a 'name' and a 'kind'"),
        ('{"seat": 0, "player": {"name": "Bob", "kind": "human"}}', "two players are called"),
        ('{"seat": 0, "player": {"name": "a\\u0007", "kind": "human"}}', "invalid player name"),
        ('{"seat": 9, "player": {"name": "Dora", "kind": "human"}}', "there is no seat 9"),
        (VISITOR % '"agreed": [0]', "the seats that agree must be other seats"),
        (VISITOR % '"agreed": 1', "'agreed' is a list, not 1"),
        (VISITOR % '"by": 3', "there is no seat 3"),
        (VISITOR % '"agreed": [1], "by": 1', "a line holds seat and one of"),
        ('{"seat": "chance", "note": "left"}', "there is no seat 'chance'"),
        ('{"seat": 0, "note": "asleep"}', "'note' is left, back, timeout, paused, resumed"),
        ('{"seat": 0, "note": ["left"]}', "'note' is left, back, timeout"),
        ('{"seat": 0, "takeback": 1, "agreed": [], "chance": 1}', "'chance' is anew, or left out"),
        ('{"seat": 0, "takeback": 1}', "a line holds seat and one of"),
        ('{"seat": 0, "takeback": true, "agreed": []}', "'takeback' is a whole number"),
        ('{"seat": 0, "takeback": 9, "agreed": []}', "a takeback of 1 actions here, not of 9"),
        ('{"seat": 0, "takeback": -1, "agreed": []}', "a takeback of 1 actions here, not of -1"),
        ('{"seat": 0, "takeback": 1, "agreed": [0]}', "the seats that agree must be other seats"),
        ('{"seat": 0, "takeback": 1, "agreed": ["Bob"]}', "'agreed' holds a whole number"),
        ('{"seat": 1, "takeback": 1, "agreed": []}', "has not acted yet"),
        ('{"seat": 0, "takeback": 1, "agreed": [], "answers": [true]}', "only a redacted record"),
    ],
)
def test_invalid_lines_are_refused_with_their_number(line: str, wrong: str) -> None:
    referee = start(Gargon())
    referee.proceed()
    assert referee.seat == 0
    act(referee, Random(1))
    text = as_record(referee) + line + "\n"
    with pytest.raises(RecordError, match=re.escape(wrong)) as caught:
        read_whole(text)
    assert str(caught.value).startswith("game.jsonl:3: ")
