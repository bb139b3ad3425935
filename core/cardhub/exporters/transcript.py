"""A game in sentences, for people."""

from collections.abc import Iterator

from cardhub import Playthrough


def as_text(game: Playthrough) -> Iterator[str]:
    """Yield the lines of a transcript."""
    yield f"{_title(game)}\n"
    yield f"At the table: {', '.join(_player(*player) for player in game.players)}\n"
    yield f"As seen by: {game.viewer}\n\n"
    for moment in game.moments:
        for line in moment.lines:
            yield f"{moment.number:4}  {line}\n"
    yield "\n"
    yield from _result(game)


def _title(game: Playthrough) -> str:
    usual = {name: option.default for name, option in game.game.options.items()}
    chosen = [f"{name}={_written(v)}" for name, v in game.settings.items() if v != usual[name]]
    seed = [] if game.seed is None else [f"seed {game.seed}"]
    return ", ".join([game.game.title, *chosen, *seed])


def _result(game: Playthrough) -> Iterator[str]:
    if game.places is None or game.scores is None:
        yield "The game is not over yet.\n"
        return
    yield "Result:\n"
    ranked = zip(game.places, range(len(game.players)), game.scores, strict=True)
    for place, seat, score in sorted(ranked):
        yield f"  {place}. {game.player(seat)}  {score}\n"


def _player(name: str, kind: str) -> str:
    return name if kind == "human" else f"{name} ({kind})"


def _written(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
