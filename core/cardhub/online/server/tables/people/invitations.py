"""New tokens of seats: for a person's other device, a friend, or a bot of another program."""

import msgspec

from cardhub.online.server.credentials import hash_token, new_token
from cardhub.online.server.tables.broadcasting.broadcasts import Broadcasts
from cardhub.online.server.tables.table_context import Client, RefusedError, TableContext
from cardhub.online.wire.client_messages import Reissue
from cardhub.online.wire.server_messages import Issued

ENDED = "this seat has a new link, so the old one has ended. fix: open the new one"


def reissue(
    context: TableContext, broadcasts: Broadcasts, client: Client, message: Reissue
) -> None:
    """Give a seat a new token and end the old one; raises RefusedError."""
    if message.seat >= len(context.chairs):
        raise RefusedError(f"there is no seat {message.seat}")
    chair = context.chairs[message.seat]
    old, is_own = chair.token, bool(client.token) and chair.token == client.token
    if not is_own:
        context.check_owner(client)
        if old and old == context.file.owner:
            raise RefusedError("this seat is yours")
    token = new_token()
    new = msgspec.structs.replace(chair, token=hash_token(token))
    chairs = context.chairs
    context.update(
        chairs=(*chairs[: message.seat], new, *chairs[message.seat + 1 :]),
        owner=new.token if old and old == context.file.owner else context.file.owner,
    )
    _end(context, old, client)
    if is_own:
        client.token = new.token
        broadcasts.welcome(client, token)
    client.visitor.send(Issued(seat=message.seat, token=token))


def _end(context: TableContext, old: str, client: Client) -> None:
    """Close all clients with an old token but the one that asked for the new token."""
    for other in list(context.clients.values()):
        if old and other.token == old and other is not client:
            del context.clients[other.visitor]
            other.visitor.close(ENDED)
