"""Texts of games are shown literally on the screen, and never interpreted."""

from typing import Any

from tests.games.magpie import Magpie, MagpieDisplay
from typing_extensions import override

from cardhub.base.errors.quoting import UNSAFE

EVIL = "\x1b[2J\x9b2J\u202e[red]x[/]"


class EvilMagpieDisplay(MagpieDisplay):
    """A game whose texts contain control characters and markup."""

    @override
    def rules(self) -> str:
        return f"# Rules {EVIL}\n\nSome {EVIL}."

    @override
    def scene(self, state: Any, viewer: int) -> Any:
        scene = super().scene(state, viewer)
        scene.prompt = f"do {EVIL}"
        return scene


class EvilMagpie(Magpie):
    """A game whose texts contain control characters and markup."""

    title = f"Magpie {EVIL}"
    display_type = EvilMagpieDisplay


async def test_markup_in_a_name_is_text(setting: Any) -> None:
    table = setting(humans=("[red]x[/]",), seats=3, kind=f"random:{EVIL}", pace=60)
    async with table.running((100, 30)) as terminal:
        assert "[red]x[/] (you)" in terminal.text
        await terminal.press("enter", "1")
        assert "[red]x[/] la" in terminal.text
        assert raw(terminal.text) == []


async def test_no_text_of_a_game_reaches_the_terminal_raw(setting: Any) -> None:
    table = setting(EvilMagpie(), humans=("Anna",), seats=2, pace=60)
    async with table.running((100, 70)) as terminal:
        assert raw(terminal.text) == []
        await terminal.press("question_mark")
        assert "Rules" in terminal.text
        assert raw(terminal.text) == []
        await terminal.press("escape", "colon", *"x\x1by", "enter")
        assert "is not one of the choices" in terminal.text
        assert raw(terminal.text) == []


def raw(text: str) -> list[str]:
    """Return the characters on a screen that a terminal would interpret."""
    return UNSAFE.findall(text.replace("\n", ""))
