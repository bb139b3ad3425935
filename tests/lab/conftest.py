"""Processes of bots that the matches of a module share."""

from collections.abc import Iterator

import pytest

from cardhub.lab.match.run import playing
from cardhub.lab.match.run.match_bots import end_bot_processes


@pytest.fixture(autouse=True, scope="module")
def bot_processes() -> Iterator[None]:
    """Keep the processes of bots for the matches after theirs: each takes half a second to start.

    Every game is played in a fork of them, so nothing of a match is left.
    """

    def end_commands() -> None:
        for registry in vars(playing)["_REGISTRIES"]:
            registry.close()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("cardhub.lab.match.run.executors.end_programs", end_commands)
        yield
    end_bot_processes()
