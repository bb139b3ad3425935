"""Disks that are full, by the system's limit of file sizes."""

import resource
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def full_disk(free: int = 0) -> Iterator[None]:
    """Keep all files from growing beyond `free` bytes."""
    most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (free, most[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, most)
