"""External bots: programs in any language that speak the protocol of docs/bot-protocol.md."""

from cardhub.bots.external.external_bot import CMD, ExternalBot, ProgramPool, start_program
from cardhub.bots.external.messages import PROTOCOL
from cardhub.bots.external.program import check_command

__all__ = ["CMD", "PROTOCOL", "ExternalBot", "ProgramPool", "check_command", "start_program"]
