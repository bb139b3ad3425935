"""Lines of the log are printed as soon as no further step can change them."""

from typing import cast

import pytest

from cardhub import CHANCE
from cardhub.cli.session.painter import Painter
from cardhub.cli.session.text_table import TextTable
from cardhub.play.host.scheduler import BlockingScheduler
from cardhub.play.table_model import TableModel
from cardhub.view.text import ASCII
from cardhub.view.view import LogLine


class Log:
    """The log of a spectator, which grows."""

    viewer = 2

    def __init__(self, seat: int = 0) -> None:
        self.texts: list[str] = []
        self._seat = seat

    def log(self, since: int = 0) -> list[LogLine]:
        lines = enumerate(self.texts[since:], since + 1)
        seat = self._seat
        return [LogLine(step=step, seat=seat, kind="action", text=text) for step, text in lines]


def test_settled_lines_are_printed_once_and_the_last_line_when_the_table_waits(
    capsys: pytest.CaptureFixture[str],
) -> None:
    text = TextTable(BlockingScheduler(), Painter(ASCII), lambda: False)
    log = Log()
    model = cast("TableModel", log)
    printed = []
    for news in (["Anna bids 1"], ["Bob bids 2"], ["Anna wins", "Bob passes"]):
        log.texts += news
        text.print_settled_news(model)
        printed.append(capsys.readouterr().out)
    text.print_news(model)
    assert [*printed, capsys.readouterr().out] == [
        "",
        "Anna bids 1\n",
        "Bob bids 2\nAnna wins\n",
        "Bob passes\n",
    ]


@pytest.mark.parametrize(
    ("seat", "printed"), [(CHANCE, "Hand 1 is dealt\nBob passes\n"), (0, "Bob passes\n")]
)
def test_the_deal_of_a_new_game_is_printed_and_the_steps_of_a_resumed_game_are_not(
    seat: int, printed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text = TextTable(BlockingScheduler(), Painter(ASCII), lambda: False)
    log = Log(seat)
    log.texts.append("Hand 1 is dealt")
    text.skip_news(cast("TableModel", log))
    log.texts.append("Bob passes")
    text.print_news(cast("TableModel", log))
    assert capsys.readouterr().out == printed
