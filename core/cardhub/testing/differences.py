"""Where two things that should be the same first differ."""

from cardhub.game.scene import Scene


def first_difference(one: object, other: object) -> tuple[str, str]:
    """Return the smallest parts of two scenes, texts or sequences that are not the same."""
    for mine, theirs in zip(_parts(one), _parts(other), strict=False):
        if mine != theirs:
            return (str(mine).strip(), str(theirs).strip())
    return str(one), str(other)


def _parts(whole: object) -> list[object]:
    if isinstance(whole, Scene):
        return [f"the prompt {whole.prompt!r}", *whole.areas, whole.points]
    return list(whole.splitlines()) if isinstance(whole, str) else [whole]
