"""The command `cardhub mcp`: let an assistant play."""

import click

from cardhub.cli.root import registry_of

EPILOG = """\b
An assistant starts this program itself. Its settings need the command:
  {"mcpServers": {"cardhub": {"command": "cardhub", "args": ["mcp"]}}}"""


@click.command(epilog=EPILOG)
@click.pass_context
def mcp(ctx: click.Context) -> None:
    """Let an assistant play at a table.

    It speaks the Model Context Protocol over stdin and stdout. It opens tables against bots, or
    sits down at a table of a server, and knows what its seat knows.
    """
    # Imported here, because `--help` must work without the extra that it needs.
    from cardhub.online.assistant.mcp_server import make_server

    make_server(registry_of(ctx)).run()
