"""Links as QR codes."""

from io import BytesIO

import segno

# Modules of light around the code, without which cameras do not find it.
BORDER = 4


def qr_svg(text: str) -> bytes:
    """Return a QR code as an SVG image, dark on light in every theme; raises ValueError."""
    code = segno.make(text, error="m", micro=False)
    image = BytesIO()
    code.save(image, kind="svg", border=BORDER, scale=4, dark="#000", light="#fff")
    return image.getvalue()
