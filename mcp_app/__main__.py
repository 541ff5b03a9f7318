"""``python -m mcp_app``: serve over HTTP, or over stdio with ``--stdio``."""

import argparse
import logging
import socket
import sys

import uvicorn
from starlette.middleware import Middleware
from starlette.types import ASGIApp, Receive, Scope, Send

from domain.errors import HindsightError
from mcp_app.server import App, build
from resources.settings import Settings, load

_log = logging.getLogger("hindsight")


def main() -> None:
    """Serve until told to stop."""
    parser = argparse.ArgumentParser(prog="python -m mcp_app", description="Hindsight's MCP server")
    parser.add_argument("--stdio", action="store_true", help="speak MCP on standard input and output")
    over_stdio = parser.parse_args().stdio
    logging.basicConfig(stream=sys.stderr, format="%(asctime)s %(levelname)s %(name)s %(message)s")
    for ours in ("hindsight", "mcp_app", "resources"):  # the protocol's library has a line for every request
        logging.getLogger(ours).setLevel(logging.INFO)
    try:
        settings = load()
        app = build(settings)
    except HindsightError as error:
        sys.exit(f"hindsight: {error}")
    try:
        if over_stdio:
            app.mcp.run("stdio", show_banner=False)
        else:
            _serve_http(app, settings)
    except KeyboardInterrupt:
        _log.info("Stopped")  # asked for; no trace of it belongs in the log
    finally:
        app.close()


def _serve_http(app: App, settings: Settings) -> None:
    host = settings.mcp_host
    # Stateless: plain curl works without a handshake, and a restart loses no session.
    web = app.mcp.http_app(
        path="/mcp",
        stateless_http=True,
        json_response=True,
        host_origin_protection=True,
        allowed_hosts=[host],  # beside localhost and its addresses, on any port
        middleware=[Middleware(_AcceptAnything)],
    )
    _Server(uvicorn.Config(web, host=host, port=settings.mcp_port, log_level="warning", access_log=False)).run()


class _AcceptAnything:
    """Takes a request without an Accept header for one that accepts anything, as RFC 9110 §12.5.1 has it."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not any(name == b"accept" for name, _ in scope["headers"]):
            scope = {**scope, "headers": [*scope["headers"], (b"accept", b"*/*")]}
        await self._app(scope, receive, send)


class _Server(uvicorn.Server):
    """Says that it listens once it does, with the port that it got."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        for server in self.servers if self.started else ():
            for listening in server.sockets:
                _log.info("MCP Server listening on %s:%d", *listening.getsockname()[:2])


if __name__ == "__main__":
    main()
