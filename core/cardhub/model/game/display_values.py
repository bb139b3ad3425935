"""The values that a game's display methods return, checked for their type before they are shown."""

from collections.abc import Sequence
from typing import Any

from cardhub.base.errors import SceneError
from cardhub.model.game.game import Game
from cardhub.model.game.scene import BreakdownSection, Scene, Summary


def as_text(game: Game[Any], method: str, value: object) -> str:
    """Return the text of `consequence`, `hint` or `chapter`; raises SceneError if it is not one."""
    if isinstance(value, str):
        return value
    raise _fault(game, method, value, "a text")


def as_reason(game: Game[Any], value: object) -> str | None:
    """Return the text of `why_not`, or None; raises SceneError."""
    return None if value is None else as_text(game, "why_not", value)


def as_story(game: Game[Any], value: object) -> Sequence[str] | None:
    """Return the sentences of `narration`, or None; raises SceneError."""
    # A text is a sequence of texts as well, of its characters.
    is_list = isinstance(value, list | tuple) and all(
        isinstance(sentence, str) for sentence in value
    )
    if value is None or is_list:
        return value  # type: ignore[return-value]  # just checked
    raise _fault(game, "narration", value, "a list of texts or None")


def as_summary(game: Game[Any], value: object) -> Summary | None:
    """Return the `summary`, or None; raises SceneError."""
    if value is None or isinstance(value, Summary):
        return value
    raise _fault(game, "summary", value, "a Summary or None")


def as_scene(game: Game[Any], value: object) -> Scene:
    """Return the `scene`; raises SceneError."""
    if isinstance(value, Scene):
        return value
    raise _fault(game, "scene", value, "a Scene")


def as_breakdown(game: Game[Any], value: object) -> Sequence[BreakdownSection]:
    """Return the sections of `breakdown`; raises SceneError."""
    is_list = isinstance(value, list | tuple)
    if is_list and all(isinstance(section, BreakdownSection) for section in value):  # type: ignore[attr-defined]  # a list or tuple
        return value  # type: ignore[return-value]  # just checked
    raise _fault(game, "breakdown", value, "a list of BreakdownSection")


def _fault(game: Game[Any], method: str, value: object, wanted: str) -> SceneError:
    code = getattr(getattr(type(game.display), method), "__code__", None)
    where = f"{code.co_filename}:{code.co_firstlineno}: " if code else ""
    # Without the value, which may name hidden cards.
    kind = type(value).__name__
    return SceneError(f"{where}{method}() of {game.name} returns {kind}. fix: return {wanted}")
