"""A message of every type, with values in every field."""

from tests.play.host.conftest import Table

from cardhub.online.wire.client_messages import (
    WIRE_VERSION,
    AnswerNewcomer,
    AnswerTakeback,
    AnyClientMessage,
    AskTakeback,
    BeginPractice,
    EndPractice,
    Enter,
    InPractice,
    Ping,
    Reissue,
    Rematch,
    Replace,
    Say,
    SetUp,
    Sit,
    Stand,
    Start,
)
from cardhub.online.wire.server_messages import (
    AnyServerMessage,
    ChatLine,
    ChatMessage,
    ClockState,
    Closed,
    Issued,
    NewcomerState,
    OptionState,
    Pong,
    PracticeUpdate,
    SeatState,
    TableState,
    TakebackState,
    Welcome,
)
from cardhub.online.wire.session_messages import log_message, table_message
from cardhub.play.advice import HintedAction, RatedAction
from cardhub.play.table_commands import (
    Act,
    AskConsequence,
    AskExplain,
    AskHint,
    AskPast,
    AskRetry,
    AskReview,
    AskWhy,
    PaceCommand,
    PlayForced,
    SetPace,
    Undo,
)
from cardhub.play.table_messages import (
    AnswerMessage,
    GameInfo,
    HintMessage,
    PastView,
    Refused,
    ReviewedMove,
    ReviewMessage,
)
from cardhub.view.view import Spot


def client_messages() -> list[AnyClientMessage]:
    """Return a message of every type that clients send."""
    spot = _spot()
    return [
        Enter(version=WIRE_VERSION, token="t" * 32, last_step=3, chat=1),
        Sit(name="Anna", seat=1),
        Stand(),
        SetUp(options={"coins": 3, "a": True, "b": "x"}, seats=4, bots=["", "hard"], order=[1, 0]),
        Start(),
        Act(action=5, rev=7),
        Undo(),
        AskTakeback(),
        AnswerTakeback(agrees=True),
        AnswerNewcomer(name="Dora", agrees=True),
        AskHint(request="hurry"),
        AskReview(request="cancel"),
        AskExplain(id=1, spot=spot),
        AskWhy(id=2, subject=spot),
        AskWhy(id=3, subject="lay G1"),
        AskConsequence(id=4, action=5),
        AskPast(id=5, step=0),
        AskRetry(id=6, step=4, action=7),
        PaceCommand(command="pause"),
        SetPace(seconds=0.5),
        PlayForced(is_on=True),
        Replace(seat=1, bot="hard"),
        Reissue(seat=0),
        Rematch(),
        Say(text="hello"),
        BeginPractice(id=7, step=4),
        InPractice(command=Act(action=3, rev=9)),
        EndPractice(),
        Ping(),
    ]


def server_messages() -> list[AnyServerMessage]:
    """Return a message of every type that the server sends."""
    at = Table(people=(0, 1)).begin()
    session = at.host.session(0)
    at.host.only_choice_seats.add(0)
    for _ in range(4):
        at.act(at.referee.seat)
    actions = (HintedAction("lay G1", "It wins.", "About as good as “done”."),)
    move = ReviewedMove(step=4, taken="done", best="lay G1", comparison="It wins.")
    ratings = (RatedAction("lay G1", "+2", "40"),)
    return [
        Welcome(table="abc", viewer=1, is_owner=True, token="t"),
        GameInfo(
            game="garner",
            title="Garner",
            number=2,
            catalogue=session.catalogue,
            rules="# Rules",
            levels=("easy",),
            opponents={"easy": "Hob: plays by simple rules"},
        ),
        _table_state(),
        table_message(session),
        log_message(session.log(), 0),
        HintMessage(bot="hard", actions=actions, ratings=ratings, why="it gains"),
        HintMessage(why_none="no hints here"),
        ReviewMessage(bot="hard", done=1, total=3, moves=(move,)),
        AnswerMessage(id=1, text="a card"),
        PastView(id=2, view=session.view()),
        Refused(why="not your turn"),
        Issued(seat=1, token="t"),
        ChatMessage(since=0, lines=(ChatLine(seat=None, name="", text="hi"),)),
        PracticeUpdate(message=table_message(session), verdict="You chose “lay G1”."),
        PracticeUpdate(message=None),
        Pong(),
        Closed(why="over", is_final=False),
    ]


def _table_state() -> TableState:
    clock = ClockState(seconds_left=3.5, is_running=True)
    return TableState(
        table="abc",
        stage="over",
        game="garner",
        title="Garner",
        number=2,
        seats=(SeatState(name="Anna", clock=clock), SeatState(bot="hard", replaced_person="Bob")),
        fewest=2,
        most=4,
        owner=None,
        options=(OptionState(name="coins", value=3, least=1, most=9),),
        levels=("easy",),
        is_listed=True,
        has_chat=True,
        has_helps=False,
        shows_spectators=True,
        takeback=TakebackState(seat=1, missing=(0,)),
        newcomer=NewcomerState(seat=1, name="Dora", missing=(0,)),
        scores={"Anna": 2},
    )


def _spot() -> Spot:
    view = Table(people=(0, 1)).begin().host.session(0).view()
    return next(iter(view.spots()))
