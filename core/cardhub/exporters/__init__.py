"""The formats that come with cardhub, registered like those of any plugin."""

from cardhub import Exporter, hookimpl
from cardhub.exporters.formats import as_csv, as_text


@hookimpl
def register_exporters() -> list[Exporter]:
    """Register a transcript and a table."""
    return [
        Exporter("text", "a transcript: the whole game in sentences", as_text),
        Exporter("csv", "a table: a line for each event, with who did what", as_csv),
    ]
