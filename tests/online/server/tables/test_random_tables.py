"""Random messages, restarts and kills: no leaks, valid tokens, no lost lines."""

from collections.abc import Callable
from pathlib import Path
from random import Random

import msgspec
import pytest
from tests.kit.soaking import count_examples
from tests.online.server.killing import play_through_kills
from tests.online.server.tables.conftest import REGISTRY, FakeClient, FakeServer

from cardhub.online.wire import client_messages as m
from cardhub.online.wire import server_messages as s
from cardhub.play import table_commands as c
from cardhub.play import table_messages as t
from cardhub.play.records.reading import read_record
from cardhub.play.records.replaying import open_record, replayed
from cardhub.view.building import build_view
from cardhub.view.view import AreaView, GridView, View

NAMES = ("Anna", "Bob", "Chris", "Dora", "Eva")


def cards(view: View) -> list[tuple[str, list[tuple[int, int | None]]]]:
    """Return the areas of a view with the tokens and faces in them."""
    areas = []
    for area in view.areas:
        match area:
            case AreaView(caption=caption, cards=shown):
                areas.append((caption, [(card.token, card.face) for card in shown]))
            case GridView(caption=caption, stacks=stacks):
                areas.append((caption, [(c.token, c.face) for stack in stacks for c in stack]))
    return areas


class RandomTable:
    """A table with random clients, and a model of its seats and tokens."""

    def __init__(self, server: FakeServer, game: str, rng: Random) -> None:
        self.server, self.rng = server, rng
        self.owner = server.create(game, name="Anna")
        self.clients = [self.owner]
        # By name: the token of the person.
        self.tokens = {"Anna": self.owner.token}

    def step(self) -> None:
        """Do one random thing, and check all messages."""
        moves: list[Callable[[], object]] = [
            *[self.act] * 12,
            *(self.enter, self.leave, self.sit, self.stand, self.start, self.undo, self.wait),
            *(self.take_back, self.answer, self.replace, self.give_back, self.chat, self.rematch),
            *(self.reissue, self.restart, self.hostile),
        ]
        self.rng.choice(moves)()
        self.check()

    def client(self) -> FakeClient:
        """Return any client that is connected; the owner enters if none is."""
        if not self.clients:
            self.clients.append(self.server.visit(self.owner, self.tokens["Anna"]))
        return self.rng.choice(self.clients)

    def seated(self) -> list[FakeClient]:
        """Return the clients with a seat."""
        self.client()
        return [client for client in self.clients if client.viewer < len(client.state.seats)]

    def act(self) -> None:
        """Act as the person to act."""
        for client in self.clients:
            if client.count(t.TableMessage) and client.table_message.view.choices:
                client.act(self.rng.randrange(len(client.table_message.view.choices)))
                return

    def enter(self) -> None:
        """Connect a person again, or a spectator."""
        token = self.rng.choice([*self.tokens.values(), ""])
        self.clients.append(self.server.visit(self.owner, token))

    def leave(self) -> None:
        """Close a connection."""
        client = self.client()
        self.clients.remove(client)
        client.leave()

    def sit(self) -> None:
        """Sit down under a new name."""
        client, free = self.client(), [name for name in NAMES if name not in self.tokens]
        if not free or client.viewer < len(client.state.seats):
            return
        before = client.viewer
        client.tell(m.Sit(name=free[0]))
        if client.viewer != before:
            self.tokens[free[0]] = client.token

    def stand(self) -> None:
        """Give up the seat of a person who is not the owner."""
        for client in self.seated():
            name = next((n for n, token in self.tokens.items() if token == client.token), "Anna")
            if name != "Anna" and self.rng.random() < 0.3:
                client.tell(m.Stand())
                token = self.tokens.pop(name)
                for client in self.clients:
                    client.token = "" if client.token == token else client.token
                return

    def start(self) -> None:
        """Start a game as the owner."""
        seats = self.owner.served.context.chairs
        self.as_owner(m.SetUp(bots=["" if seat.token else "random" for seat in seats]))
        self.as_owner(m.Start())

    def undo(self) -> None:
        """Take an action back."""
        self.client().tell(c.Undo())

    def wait(self) -> None:
        """Let time pass."""
        self.server.wait(self.rng.choice((1, 30, 70, 300)))

    def take_back(self) -> None:
        """Ask for a takeback."""
        self.client().tell(m.AskTakeback())

    def answer(self) -> None:
        """Answer any takeback."""
        self.client().tell(m.AnswerTakeback(agrees=self.rng.random() < 0.8))

    def replace(self) -> None:
        """Replace a person by a bot during a game."""
        client = self.client()
        if client.state.stage == "playing":
            seat = self.rng.randrange(len(client.state.seats))
            client.tell(m.Replace(seat=seat, bot="random"))

    def give_back(self) -> None:
        """Take a seat back from a bot."""
        for client in self.seated():
            if client.state.stage == "playing":
                client.tell(m.Replace(seat=client.viewer))

    def chat(self) -> None:
        """Write a line."""
        self.client().tell(m.Say(text="hello"))

    def rematch(self) -> None:
        """Request a rematch for all people."""
        for client in self.seated():
            client.tell(m.Rematch())

    def reissue(self) -> None:
        """Give a person a new token."""
        for client in self.seated():
            name = next((n for n, token in self.tokens.items() if token == client.token), "")
            if name and self.rng.random() < 0.3:
                client.tell(m.Reissue(seat=client.viewer))
                self.tokens[name] = client.last(s.Issued).token
                self.clients = [client for client in self.clients if not client.closed]
                return

    def restart(self) -> None:
        """Kill the server; all clients connect again."""
        before = [(client, cards(client.table_message.view)) for client in self.shown()]
        log = {id(client): [line.text for line in client.log] for client in self.clients}
        self.server.start()
        old, self.clients = self.clients, []
        again = {id(client): self.server.visit(self.owner, client.token) for client in old}
        self.clients = list(again.values())
        for client, shown in before:
            new = again[id(client)]
            texts = [line.text for line in new.log]
            assert texts[: len(log[id(client)])] == log[id(client)]
            # Bots that waited for a reader may have gone on.
            if texts == log[id(client)]:
                assert cards(new.table_message.view) == shown

    def hostile(self) -> None:
        """Send what no client may send."""
        client = self.client()
        client.tell(c.Act(action=self.rng.randrange(100), rev=self.rng.randrange(50)))
        self.server.visit(self.owner, "A" * 32)
        client.tell(c.AskPast(id=1, step=self.rng.randrange(100)))
        past = [message.view for message in client.messages if isinstance(message, t.PastView)]
        assert all(view is None or view.viewer == client.viewer for view in past[-1:])

    def as_owner(self, message: m.AnyClientMessage) -> None:
        """Send a message as the owner."""
        owner = self.server.visit(self.owner, self.tokens["Anna"])
        owner.tell(message)
        owner.leave()

    def shown(self) -> list[FakeClient]:
        """Return the clients that see a game."""
        return [client for client in self.clients if client.count(t.TableMessage)]

    def check(self) -> None:
        """Compare all that clients have with what their own seats may see."""
        host = self.owner.served.context.host
        for client in self.clients:
            names = [seat.replaced_person or seat.name for seat in client.state.seats]
            seats = {self.tokens[name]: names.index(name) for name in self.tokens}
            assert client.viewer == seats.get(client.token, len(names))
            if host is None or not client.count(t.TableMessage):
                continue
            session = host.session(client.viewer)
            assert client.table_message.view == session.view()
            assert client.log == list(session.log())
            viewer = None
            for message in client.messages:
                viewer = message.viewer if isinstance(message, s.Welcome) else viewer
                if isinstance(message, t.TableMessage):
                    assert message.view.viewer == viewer
                    others = {choice.action for choice in message.view.choices}
                    assert not others or message.view.to_act == viewer
            kept = {type(message): message for message in client.messages}
            client.messages[:] = kept.values()

    def check_record(self, path: Path) -> None:
        """Compare the views of all clients with a replay of the record."""
        record = read_record(path)
        referee = replayed(record, open_record(REGISTRY.game(record.header.game), record))
        names = [player.name for player in referee.players]
        for client in self.shown():
            observation = referee.observe(client.viewer)
            assert cards(client.table_message.view) == cards(build_view(observation, names))


@pytest.mark.parametrize(
    ("game", "seed", "steps"),
    [("kuhn", 1, 80), ("pig", 3, 40), ("gamon", 4, 40), ("garner", 5, 20), ("gin_rummy", 6, 20)],
)
def test_random_visits_keep_every_secret_and_every_seat(
    server: FakeServer, game: str, seed: int, steps: int
) -> None:
    """Joins, leaves, actions, takebacks, stand-ins and restarts in any order."""
    table = RandomTable(server, game, Random(seed))
    for _ in range(count_examples(steps)):
        table.step()
    table.client()
    table.start()
    table.check()
    file = table.owner.served.context.file
    assert file.number > 0
    path = server.folder / file.table / f"game-{file.number}.jsonl"
    if table.owner.served.context.host is not None:
        table.check_record(path)
    assert msgspec.json.decode((server.folder / file.table / "table.json").read_bytes())


def test_a_server_that_is_killed_goes_on_with_all_its_people(tmp_path: Path) -> None:
    """Every published line of the log still exists, and every token is valid."""
    folder = tmp_path / "tables"
    players = play_through_kills(folder, kills=2, seed=1, game="hearts", people=3, bots=1)
    assert [error for player in players for error in player.errors] == []
    assert sum(player.acts for player in players) > 0
    assert all(player.visits >= 3 for player in players)
