"""Pages of finished games, built once and kept beside their records."""

import asyncio
import sys

from cardhub.online.server.visited_table import FinishedGame

# Seconds after which a build is given up.
BUILD_WITHIN = 60.0


class PageBuildError(Exception):
    """A page of a finished game that cannot be built; the text is for the log."""


class ReplayPages:
    """Returns pages of finished games; a missing one is built by a process of low priority."""

    def __init__(self) -> None:
        # One at a time: a page takes about a second of a processor.
        self._building = asyncio.Semaphore(1)

    async def page(self, game: FinishedGame) -> bytes:
        """Return the page of a game; raises PageBuildError."""
        if not game.page.is_file():
            async with self._building:
                # Several may have asked for it meanwhile.
                if not game.page.is_file():
                    await _build(game)
        return game.page.read_bytes()


async def _build(game: FinishedGame) -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-P",  # no module in the working folder is imported instead of an installed one
        "-m",
        "cardhub.online.server.web.replay_builder",
        str(game.record),
        str(game.page),
        *map(str, game.directories),
        stdin=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
        start_new_session=True,  # Ctrl-C ends the server, which leaves a build to its end
    )
    try:
        _, error = await asyncio.wait_for(process.communicate(), BUILD_WITHIN)
    except TimeoutError as late:
        process.kill()
        await process.wait()
        raise PageBuildError(f"{game.record}: no page after {BUILD_WITHIN:.0f} seconds") from late
    if process.returncode:
        raise PageBuildError(f"{game.record}: {error.decode(errors='replace')}")
