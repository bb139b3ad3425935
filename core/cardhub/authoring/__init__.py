"""Writing the first files of a game of one's own."""

from cardhub.authoring.names import check_name
from cardhub.authoring.package import Written, write_package

__all__ = ["Written", "check_name", "write_package"]
