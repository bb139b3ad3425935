"""Answers that clients ask for again and again: compressed once, and not sent again unchanged."""

import gzip
from hashlib import sha256

from starlette.requests import Request
from starlette.responses import Response


class PackedAnswer:
    """Answers with the latest content; a client that has it already gets its status only.

    The content is compressed when it has changed, not for each request.
    """

    def __init__(self, media_type: str) -> None:
        self._media_type = media_type
        self._content = self._packed = b""
        self._tag = ""

    def to(self, request: Request, content: bytes) -> Response:
        """Return the answer to a request."""
        if content != self._content:
            self._content, self._packed = content, gzip.compress(content, 6, mtime=0)
            self._tag = f'W/"{sha256(content).hexdigest()[:32]}"'
        headers = {"Cache-Control": "no-cache", "ETag": self._tag, "Vary": "Accept-Encoding"}
        known = request.headers.get("if-none-match", "").split(",")
        if self._tag in (tag.strip() for tag in known):
            return Response(status_code=304, headers=headers)
        if "gzip" not in request.headers.get("accept-encoding", ""):
            return Response(content, headers=headers, media_type=self._media_type)
        headers["Content-Encoding"] = "gzip"
        return Response(self._packed, headers=headers, media_type=self._media_type)
