"""Bots with one fault each, planted on purpose, and some good ones that look as if they had one."""

import gc
import inspect
import logging
import random
import sys
from collections import namedtuple
from collections.abc import Callable
from random import Random, SystemRandom
from typing import Any, ClassVar

from typing_extensions import override

from cardhub.model.hidden.observation import Observation
from cardhub.model.table.faces import BLANK, blanked
from cardhub.play.referee import Referee

Seen = Observation[Any]


class Fair:
    """Draws any legal action."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng

    def choose(self, seen: Seen, /) -> int:
        """Return the legal action that `prefer` numbers."""
        legal = seen.legal()
        return legal[self.prefer(seen) % len(legal)]

    def prefer(self, seen: Seen) -> int:
        """Return the number of an action; too high a number begins again with the first."""
        return self.rng.randrange(100)


class Remembers(Fair):
    """Keeps hashes of its information states in an attribute, which is allowed."""

    def __init__(self, rng: Random) -> None:
        super().__init__(rng)
        self.memory: list[int] = []

    @override
    def prefer(self, seen: Seen) -> int:
        self.memory.append(hash(seen.information_state()))
        return sum(self.memory)


class Dreams(Fair):
    """Looks at the faces of determinizations."""

    @override
    def prefer(self, seen: Seen) -> int:
        return sum(token * face for token, face in enumerate(seen.determinize(self.rng).face))


class Doubts(Fair):
    """Has probabilities with the sum 2."""

    def policy(self, seen: Seen, /) -> dict[int, float]:
        """Return its probabilities."""
        legal = seen.legal()
        return dict.fromkeys(legal, 2 / len(legal))


class Overdraws(Doubts):
    """Has a negative probability."""

    @override
    def policy(self, seen: Seen, /) -> dict[int, float]:
        legal = seen.legal()
        return dict.fromkeys(legal, 1 / len(legal)) | {legal[0]: -1.0}


class Pretends(Doubts):
    """Takes other actions than its probabilities say."""

    @override
    def policy(self, seen: Seen, /) -> dict[int, float]:
        return {seen.legal()[0]: 1.0}


class Fails(Fair):
    """Divides by zero, but not at first."""

    @override
    def prefer(self, seen: Seen) -> int:
        return 7 // max(0, 9 - len(seen.history))


class Leaves(Fair):
    """Ends the program it runs in."""

    @override
    def prefer(self, seen: Seen) -> int:
        sys.exit("I give up")


class ReadsBlanks(Fair):
    """Reads the faces of all cards."""

    @override
    def prefer(self, seen: Seen) -> int:
        return sum(seen.state.face)


class OutOfTurn(Fair):
    """Now and then takes an action that the rules have, but not now."""

    def choose(self, seen: Seen, /) -> int:
        """Return the first action that is not legal."""
        if self.rng.random() < 0.9:
            return super().choose(seen)
        return next(a for a in range(seen.game.actions.size) if a not in seen.legal())


class Talks(Fair):
    """Answers in words."""

    def choose(self, seen: Seen, /) -> Any:
        """Return the label of an action."""
        return seen.labels().label(super().choose(seen))


class Tidies(Fair):
    """Sorts its hand on the table it is shown."""

    @override
    def prefer(self, seen: Seen) -> int:
        seen.state.hand[seen.seat].reverse()
        return 0


class Forgets(Fair):
    """Clears the history it is shown."""

    @override
    def prefer(self, seen: Seen) -> int:
        seen.history = ()
        return 0


class SharesLots(Fair):
    """Draws from the module-level generator of `random`."""

    @override
    def prefer(self, seen: Seen) -> int:
        return random.randrange(100)


class Reseeds(Fair):
    """Seeds the module-level generator of `random`, and so always draws the same."""

    def __init__(self, rng: Random) -> None:
        super().__init__(rng)
        random.seed(5)


class DrawsAnywhere(Fair):
    """Draws from the system's source of randomness."""

    @override
    def prefer(self, seen: Seen) -> int:
        return SystemRandom().randrange(100)


class Learns(Fair):
    """Stores observed states in a class attribute."""

    games: ClassVar[dict[str, list[int]]] = {"seen": []}

    @override
    def prefer(self, seen: Seen) -> int:
        self.games["seen"].append(seen.seat)
        return len(self.games["seen"])


NOTES: list[int] = []


class TakesNotes(Fair):
    """Stores observed states in a global variable."""

    @override
    def prefer(self, seen: Seen) -> int:
        NOTES.append(seen.seat)
        return len(NOTES)


class Counts(Fair):
    """Keeps in its class how many bots of this kind there were."""

    made: ClassVar[int] = 0

    def __init__(self, rng: Random) -> None:
        super().__init__(rng)
        type(self).made += 1

    @override
    def prefer(self, seen: Seen) -> int:
        return self.made


class HasDefault(Fair):
    """Stores observed states in a mutable default argument."""

    def prefer(self, seen: Seen, notes: list[int] = []) -> int:  # noqa: B006  # the fault planted
        """Count the notes."""
        notes.append(seen.seat)
        return len(notes)


def hidden(seen: Seen, referee: Referee[Any]) -> int:
    """Add up the true faces that a seat has not seen, the later ones counting for more."""
    truth = referee.observe(-1).state.face
    known = enumerate(blanked(seen.state.face))
    return sum(token * truth[token] for token, face in known if face == BLANK)


class SearchesMemory(Fair):
    """Finds the referee in memory and looks at its cards."""

    @override
    def prefer(self, seen: Seen) -> int:
        return hidden(seen, next(o for o in gc.get_objects() if isinstance(o, Referee)))


class SearchesCallers(Fair):
    """Finds the referee among the variables of who asks it."""

    @override
    def prefer(self, seen: Seen) -> int:
        frame = sys._getframe()
        while True:
            for value in frame.f_locals.values():
                if isinstance(value, Referee):
                    return hidden(seen, value)
            assert frame.f_back is not None
            frame = frame.f_back


class DealsAgain(Fair):
    """Finds the seed of the game."""

    @override
    def prefer(self, seen: Seen) -> int:
        seed = next(o for o in gc.get_objects() if isinstance(o, Referee)).seed
        return Random(seed).getrandbits(30)


class PeeksOnce(Remembers):
    """Looks at the cards when it is first asked, and makes no use of it in its first answers."""

    @override
    def prefer(self, seen: Seen) -> int:
        if not self.memory:
            referee = next(o for o in gc.get_objects() if isinstance(o, Referee))
            self.memory = [0, 0, 0, hidden(seen, referee)]
        return self.memory.pop(0) if len(self.memory) > 1 else self.memory[0]


class Slow(Fair):
    """Delays one answer by a call of `wait`."""

    wait: ClassVar[Callable[[float], None]]

    @override
    def prefer(self, seen: Seen) -> int:
        type(self).wait(2.0 if len(seen.history) > 20 else 0.1)
        return 0


class Unmade(Fair):
    """Cannot be made."""

    def __init__(self, rng: Random) -> None:
        raise LookupError("no weights")


class Stuck(Fair):
    """Cannot be closed."""

    def close(self) -> None:
        """Fail."""
        raise OSError("still writing")


class Held(Fair):
    """Registers itself in a class attribute until it is closed."""

    held: ClassVar[set[int]] = set()

    def __init__(self, rng: Random) -> None:
        super().__init__(rng)
        self.held.add(id(self))

    def close(self) -> None:
        """Remove itself from the class attribute."""
        self.held.remove(id(self))


class Unreadable:
    """An object whose methods raise what usually ends a program."""

    def __index__(self) -> int:
        raise SystemExit(0)

    def __repr__(self) -> str:
        raise KeyboardInterrupt


class AnswersUnreadably(Fair):
    """Answers with an object that can be neither parsed nor printed."""

    def choose(self, observation: Observation[Any], /) -> Any:
        """Return an object that is not a number."""
        return Unreadable()


class AsksInspect(Fair):
    """Looks at who calls it, by the library made for that."""

    @override
    def prefer(self, seen: Seen) -> int:
        assert inspect.stack()
        return 0


class ReadsTraceback(Fair):
    """Gets at a frame by an exception."""

    @override
    def prefer(self, seen: Seen) -> int:
        try:
            raise ValueError
        except ValueError as error:
            trace = error.__traceback__
        return int(trace is None or trace.tb_frame.f_back is None)


class RunsText(Fair):
    """Runs code from a string, which a check of its source cannot see."""

    @override
    def prefer(self, seen: Seen) -> int:
        exec("import gc; gc.get_" + "objects()")  # noqa: S102  # this is its fault
        return 0


class Replaces(Fair):
    """Replaces a function of the core."""

    @override
    def prefer(self, seen: Seen) -> int:
        original = Referee.check

        def check(self: Referee[Any], action: object) -> Any:
            return original(self, action)

        # A method of a compiled class has no module.
        if getattr(original, "__module__", "") != __name__:
            Referee.check = check  # type: ignore[method-assign]  # what is wrong with it
        return 0


class WouldReach(Fair):
    """Would search memory, but not now."""

    @override
    def prefer(self, seen: Seen) -> int:
        if len(seen.history) > 10**6:
            return len(getattr(gc, "get_referrers")(seen))  # noqa: B009  # hidden a little
        return 0


class HasHelper(Fair):
    """Leaves the choice to a function of its module."""

    @override
    def prefer(self, seen: Seen) -> int:
        return _help(seen)


def _help(seen: Seen) -> int:
    return int(isinstance(seen, Referee))


class Logs(Fair):
    """Uses libraries that read stack frames for a legitimate purpose."""

    @override
    def prefer(self, seen: Seen) -> int:
        logging.getLogger("bots").debug("asked")
        kind = namedtuple("kind", "value")  # as old code does
        return int(kind(0).value)
