"""``hindsight reflect``: a request to the running pipeline, and how far it is."""

import json
import time
from datetime import date

import typer

from domain.records import GLOBAL_SCOPE
from mcp_app.service import shown_state, utc_now
from resources import wiring
from resources.reflect_requests import ReflectRequests
from resources.settings import load

_AGENT = "command"


def reflect_on(user_id: str, since: date | None, request_id: str, wait_seconds: int) -> None:
    """Print where the reflection on a user stands, as one JSON object; a new one is asked for without an id."""
    log = wiring.open_log(load())
    try:
        requests = ReflectRequests(log)
        state = (
            requests.state(user_id, request_id) if request_id else requests.ask(user_id, GLOBAL_SCOPE, since, _AGENT)
        )
        deadline = time.monotonic() + wait_seconds
        while state.status != "finished" and time.monotonic() < deadline:
            time.sleep(0.5)
            state = requests.state(user_id, state.request_id)
        typer.echo(json.dumps(shown_state(state, utc_now()), ensure_ascii=False, indent=1))
    finally:
        log.close()
