"""``python -m mcp_app``: serve over HTTP, or over stdio with ``--stdio``."""

import argparse
import ipaddress
import logging
import sys

import uvicorn

from domain.errors import BadSettings, HindsightError
from mcp_app.server import App, build
from resources.settings import Settings, load

_log = logging.getLogger("hindsight")


def main() -> None:
    """Serve until told to stop."""
    parser = argparse.ArgumentParser(prog="python -m mcp_app", description="Hindsight's MCP server")
    parser.add_argument("--stdio", action="store_true", help="speak MCP on standard input and output")
    over_stdio = parser.parse_args().stdio
    logging.basicConfig(level=logging.INFO, stream=sys.stderr, format="%(asctime)s %(levelname)s %(name)s %(message)s")
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
    finally:
        app.close()


def _serve_http(app: App, settings: Settings) -> None:
    host = settings.mcp_host
    _require_loopback(host)
    # Stateless: plain curl works without a handshake, and a restart loses no session.
    web = app.mcp.http_app(
        path="/mcp",
        stateless_http=True,
        json_response=True,
        host_origin_protection=True,
        allowed_hosts=[host, "localhost", "127.0.0.1", "[::1]"],
    )
    _log.info("MCP Server listening on %s:%d", host, settings.mcp_port)
    uvicorn.run(web, host=host, port=settings.mcp_port, log_level="warning", access_log=False)


def _require_loopback(host: str) -> None:
    try:
        is_loopback = host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        is_loopback = False
    if not is_loopback:
        raise BadSettings(
            f"HINDSIGHT_MCP_HOST={host} would open every memory to the network: there are no tokens yet, so only "
            "127.0.0.1, ::1 and localhost are allowed."
        )


if __name__ == "__main__":
    main()
