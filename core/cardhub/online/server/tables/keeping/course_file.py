"""The file of a game's course: the times of its clock, which changes too often for `table.json`."""

import msgspec


class CourseFile(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The content of `course.json`.

    `left` has the seconds of each seat at the time `at`, in seconds since the epoch; `turn` is the
    seat whose time runs. `called` is the seat
    whose person was called for the present turn, if need be.
    """

    number: int = 0
    left: tuple[float, ...] = ()
    turn: int | None = None
    at: float = 0
    called: int = -1
