"""The parameters of a league, which are saved in its folder, and the bots in its pool."""

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from cardhub.base.errors import OptionError
from cardhub.base.files import replace_text
from cardhub.model.table.settings import Value

PLAN = "league.json"
POOL = "pool"
MATCHES = "matches"
# For each rival's seat, the number of rivals that rotate in the games of one round.
DRAWN_RIVALS = 12


class Member(NamedTuple):
    """A bot of the pool: its id in matches, its spec, and its training steps (0 for a rival)."""

    id: str
    spec: str
    steps: int = 0


@dataclass(frozen=True, slots=True)
class LeaguePlan:
    """The parameters of a league: the parameters of `League` except the folder and the trainer.

    `learner`: the trainer's parameters, or None if they are unknown.
    """

    game: str
    every: int
    rivals: tuple[str, ...]
    players: int | None
    options: Mapping[str, Value]
    environment: Mapping[str, Any]
    seed: int
    blocks: int
    opponents: int
    learner: Mapping[str, Any] | None = None
    format: int = field(default=1)

    def path(self, folder: Path, number: int) -> Path:
        """Return the file of a checkpoint; numbers count from 1."""
        return folder / POOL / f"step_{number * self.every:08}.zip"

    def fixed(self) -> list[Member]:
        """Return the rivals that do not learn."""
        names: dict[str, Member] = {}
        for spec in self.rivals:
            name = re.sub(r"\W+", "_", spec).strip("_") or "rival"
            while name in names:
                name += "_"
            names[name] = Member(name, spec)
        return [*names.values()]

    def checkpoint(self, folder: Path, number: int) -> Member:
        """Return the bot of a checkpoint."""
        path = self.path(folder, number)
        return Member(path.stem, f"model:{path}", number * self.every)

    def rivals_of(self, folder: Path, number: int, seats: int) -> list[str]:
        """Return the specs of the bots that a checkpoint is trained against, with repetitions.

        Half of them are the last checkpoint, if there is one; the others are drawn from the earlier
        checkpoints and the rivals that do not learn.
        """
        rng = Random(f"{self.seed} rivals {number}")
        others = [member.spec for member in self.fixed()]
        others += [self.checkpoint(folder, n).spec for n in range(1, number - 1)]
        drawn = [rng.choice(others) for _ in range(DRAWN_RIVALS * (seats - 1))]
        if number > 1:
            drawn[::2] = [self.checkpoint(folder, number - 1).spec] * len(drawn[::2])
        rng.shuffle(drawn)
        return drawn

    def opponents_of(self, folder: Path, number: int) -> list[Member]:
        """Return the bots that a checkpoint meets in its rating match.

        They are the rivals that do not learn, some earlier checkpoints, and the last one.
        """
        rng = Random(f"{self.seed} opponents {number}")
        earlier = range(1, number - 1)
        drawn = sorted(rng.sample(earlier, min(self.opponents, len(earlier))))
        last = [number - 1] if number > 1 else []
        return [*self.fixed(), *(self.checkpoint(folder, n) for n in (*drawn, *last))]

    def save(self, folder: Path) -> None:
        """Write the plan into a new folder; raises OptionError if the folder has another plan."""
        (folder / POOL).mkdir(parents=True, exist_ok=True)
        (folder / MATCHES).mkdir(exist_ok=True)
        path, mine = folder / PLAN, json.loads(json.dumps(asdict(self)))
        if not path.exists():
            replace_text(path, json.dumps(mine, indent=1) + "\n")
            return
        theirs = json.loads(path.read_text("utf-8"))
        for name in sorted({*mine, *theirs}):
            if mine.get(name) != theirs.get(name):
                raise OptionError(
                    f"the league of {folder} was begun with {name}={theirs.get(name)!r}, not "
                    f"{mine.get(name)!r}. fix: use the same value, or another folder"
                )
