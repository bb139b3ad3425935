"""The formats that come with cardhub: a plugin like any other."""

from cardhub import Exporter, hookimpl
from cardhub.exporters.actions import as_csv
from cardhub.exporters.transcript import as_text


@hookimpl
def register_exporters() -> list[Exporter]:
    """Offer a transcript and a table."""
    return [
        Exporter("text", "a transcript: the whole game in sentences", as_text),
        Exporter("csv", "a table: a line for each event, with who did what", as_csv),
    ]
