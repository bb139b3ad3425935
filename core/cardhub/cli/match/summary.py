"""What a match has come to, told from `result.json` and nothing else."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from cardhub.cli.console import echo
from cardhub.cli.listing import print_table
from cardhub.report.figures import interval

Data = Mapping[str, Any]

OPEN = "the blocks leave open who is better"


def tell(result: Data, folder: object) -> None:
    """Print the ratings of all games, the verdict of the test, and where everything is."""
    statistics = result["statistics"]
    for game in statistics["games"]:
        _tell_game(game, statistics["level"])
    if statistics["overall"] is not None:
        _tell_overall(statistics["overall"])
    for note in statistics["notes"]:
        echo(note)
    for bot, games in result["withdrawn"].items():
        echo(f"{bot} was withdrawn after {games} games: it was at fault too often.")
    if result["test"] is not None:
        echo(_verdict(result["test"], statistics["test"]))
    echo(f"{result['games']} games in {result['blocks']} blocks: {folder}")


def _tell_game(game: Data, level: float) -> None:
    told = f"{game['games']} games in {game['blocks']} blocks"
    echo(f"{game['game']}: {told}; Elo with its interval at {level * 100:g}%")
    faults: dict[str, list[str]] = {}
    for row in game["faults"]:
        faults.setdefault(row["bot"], []).append(f"{row['count']} {row['fault']}")
    rows = [
        (
            row["bot"],
            *_elo(row["elo"]),
            _range(row),
            str(row["games"]),
            _share(row["points"]),
            ", ".join(faults.get(row["bot"], [])),
        )
        for row in game["bots"]
    ]
    print_table(("bot", "Elo", "from", "to", "rank", "games", "points", "faults"), rows)
    for line in _remarks(game):
        echo(line)
    echo()


def _remarks(game: Data) -> Iterator[str]:
    """Yield what a table of ratings cannot say."""
    if len(game["pairs"]) == 1 and game["pairs"][0]["blocks"]:
        yield _pair(game["pairs"][0])
    raced = [pair["race"] for pair in game["pairs"] if pair["race"] is not None]
    if raced:
        yield f"{len(raced) - raced.count('open')} of {len(raced)} pairs are settled."
    for three in (game["ladder"] or {}).get("certified_cycles", ()):
        yield f"No ladder: {' beats '.join([*three, three[0]])}."
    audit = game["audit"]
    wrong = [key.replace("_", " ") for key in ("other_cards", "uneven_seats", "uneven_points")]
    for key, what in zip(("other_cards", "uneven_seats", "uneven_points"), wrong, strict=True):
        if audit[key]:
            yield f"Wrong in {audit[key]} blocks: {what} (see game {audit['game_ids'][0]})."
    yield from game["notes"]


def _pair(pair: Data) -> str:
    """Return how the only two bots stand, whenever somebody stopped; the better one first."""
    a, b = pair["a"], pair["b"]
    score, low, high = (pair["score"][key] for key in ("value", "low", "high"))
    if score < 0.5:
        a, b, score, low, high = b, a, 1 - score, 1 - high, 1 - low
    told = f"{a} scores {score:.3f} ({low:.3f} to {high:.3f} whenever one stops) against {b}"
    return f"{told}: {OPEN if pair['verdict'] == 'open' else f'{a} is better'}."


def _tell_overall(overall: Data) -> None:
    """Print the views side by side; no single number is fair."""
    views = overall["views"]
    echo("All games, by " + ", ".join(view["title"] for view in views))
    heads, rows = ["bot"], []
    for view in views:
        heads += [view["view"], "rank"] if view["view"] != "kemeny" else ["kemeny rank"]
    for bot in [row["bot"] for row in views[0]["bots"]]:
        cells = [bot]
        for view in views:
            (row,) = (row for row in view["bots"] if row["bot"] == bot)
            cells += [_range(row)] if row["elo"] is None else [_elo(row["elo"])[0], _range(row)]
        rows.append(cells)
    print_table(heads, rows)
    if any(view["view"] == "nash" for view in views):
        shares = ((row["game"], row["share"]["value"]) for row in overall["game_mixture"])
        mixture = ", ".join(f"{share:.0%} {game}" for game, share in shares if share > 0)
        echo(f"Nash averaging looks at {mixture}.")
    for sentence in overall["disagreements"]:
        echo(sentence)
    echo()


def _verdict(test: Data, estimated: Data | None) -> str:
    told = f"{test['a']} against {test['b']} in {test['game']}: {test['verdict']}"
    told += f" after {test['blocks']} blocks, LLR {test['llr']:.2f}"
    return f"{told}{_strength(estimated) if estimated else ''}."


def _strength(estimated: Data) -> str:
    """Return the Elo after a test, or its interval and why there is no more."""
    elo, note = estimated["elo"], estimated["elo_note"]
    if note is None:
        value, low, high = _elo(elo)
        return f"; Elo {value} ({low} to {high}), allowing for the stop" if elo else ""
    if elo is None:
        always = interval(estimated["elo_always"])
        return f"; Elo {always} whenever one stops. {note.removesuffix('.')}"
    return f"; Elo {interval(elo)}, allowing for the stop. {note.removesuffix('.')}"


def _elo(elo: Data | None) -> Sequence[str]:
    """Return an estimate in Elo and its interval, as text."""
    if elo is None:
        return "unrated", "", ""
    value, low, high = (
        endless if elo[key] is None else f"{round(elo[key])}"
        for key, endless in (("value", "endless"), ("low", "-∞"), ("high", "∞"))
    )
    return (value, "", "") if low == value == high else (value, low, high)


def _range(row: Data) -> str:
    """Return the range of a rank, such as 2-4."""
    best, worst = row["best"], row["worst"]
    return "" if best is None else f"{best}" if best == worst else f"{best}-{worst}"


def _share(points: float | None) -> str:
    return "" if points is None else f"{points:.3f}"
