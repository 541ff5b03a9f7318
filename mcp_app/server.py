"""The MCP server: tools over streamable HTTP (stateless) or stdio, and pages that say whether it is well."""

import asyncio
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

from fastmcp import FastMCP
from starlette.requests import Request
from starlette.responses import JSONResponse

from domain.errors import HindsightError
from mcp_app.embedding import EmbeddingWorker
from mcp_app.errors import PlainErrors
from mcp_app.retrieval import Retrieval
from mcp_app.service import Service
from mcp_app.tools import Tools
from resources import wiring
from resources.lake import Lake
from resources.settings import Settings

_INSTRUCTIONS = (
    "Hindsight is long-term memory about users. Retrieve before you answer when a user's past could matter; "
    "store what should still be known in later sessions."
)


@dataclass(frozen=True, slots=True)
class App:
    """A server and the parts behind it."""

    mcp: FastMCP
    service: Service

    def close(self) -> None:
        """Finish what is being written and let go of all files."""
        self.service.worker.close()
        self.service.log.close()


def build(settings: Settings) -> App:
    """Return the server for these settings; the model is loaded in the background from now on.

    Raises:
        BadSettings: a setting is wrong, or differs from what the data folder was made with.
    """
    log = wiring.open_log(settings)
    worker = EmbeddingWorker(wiring.open_embedder(settings), wiring.open_vector_cache(settings))
    retrieval = Retrieval(log, Lake(settings.lake_dir), settings, worker)
    service = Service(log, retrieval, worker)
    mcp: FastMCP = FastMCP(
        "hindsight", version=version("hindsight-pipeline"), instructions=_INSTRUCTIONS, middleware=[PlainErrors()]
    )
    Tools(service, settings.day_rule.zone).register(mcp)
    _add_pages(mcp, service)
    return App(mcp, service)


def _add_pages(mcp: FastMCP, service: Service) -> None:
    @mcp.custom_route("/health", methods=["GET"])
    async def health(_request: Request) -> JSONResponse:
        """Say that the process answers."""
        return JSONResponse({"status": "ok"})

    @mcp.custom_route("/ready", methods=["GET"])
    async def ready(_request: Request) -> JSONResponse:
        """Say whether everything a retrieve needs is there; 503 names what is not."""
        state = await asyncio.to_thread(_state, service)
        return JSONResponse(state, status_code=503 if state["troubles"] else 200)


def _state(service: Service) -> dict[str, Any]:
    """Return what is wrong, in words, and where the release and the embedding are."""
    troubles = _model_troubles(service)
    release = 0
    try:
        service.log.last_seq()
    except HindsightError as error:
        troubles.append(str(error))
    try:
        manifest = service.retrieval.manifest()
    except HindsightError as error:
        troubles.append(str(error))
    else:
        release = manifest.release if manifest else 0
        model = service.worker.queries.model
        if manifest and model and manifest.embedder["fingerprint"] != model.fingerprint:
            troubles.append(
                f"The release was embedded by {manifest.embedder['name']}, the settings say "
                f"{service.worker.embedder.name}: run `hindsight run embeddings --all`; until then it is searched by "
                "words only."
            )
    return {
        "status": "not ready" if troubles else "ready",
        "troubles": troubles,
        "release": release,
        "texts_to_embed": service.worker.pending(),
    }


def _model_troubles(service: Service) -> list[str]:
    ready = service.worker.ready
    if service.worker.queries.is_stuck() and ready.done():
        return ["The embedding model does not answer; until it does, retrieval goes by words only."]
    if service.worker.queries.model is not None:
        return []
    if not ready.done():
        return ["The embedding model is still loading; until then retrieval goes by words only."]
    error = ready.exception()
    why = str(error) if isinstance(error, HindsightError) else type(error).__name__
    return [f"The embedding model does not work, so retrieval goes by words only: {why}"]
