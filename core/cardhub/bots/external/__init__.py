"""External bots: programs in any language that speak the protocol of docs/bot-protocol.md."""

from cardhub.bots.external.bot import CMD, ExternalBot
from cardhub.bots.external.command import check_command
from cardhub.bots.external.handshake import PROTOCOL
from cardhub.bots.external.pool import Lender, Programs

__all__ = ["CMD", "PROTOCOL", "ExternalBot", "Lender", "Programs", "check_command"]
