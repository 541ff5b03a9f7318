"""Every failure as ``{status, code, message}``: what went wrong and what to do next, never a trace or a path."""

import logging
from typing import Any

import uuid_utils
from fastmcp.exceptions import NotFoundError
from fastmcp.server.middleware import CallNext, Middleware, MiddlewareContext
from fastmcp.tools.base import ToolResult
from mcp.types import CallToolRequestParams
from pydantic import ValidationError

from domain.errors import BadInput, HindsightError

_log = logging.getLogger(__name__)


class PlainErrors(Middleware):
    """Turns what a tool raises into an answer that a language model can act on."""

    async def on_call_tool(
        self, context: MiddlewareContext[CallToolRequestParams], call_next: CallNext[CallToolRequestParams, ToolResult]
    ) -> ToolResult:
        """Return the tool's answer, or the error's."""
        try:
            return await call_next(context)
        except NotFoundError:
            return failure("unknown_tool", f"There is no tool {context.message.name!r}.")
        except ValidationError as error:
            return failure(BadInput.code, _first_fault(error))
        except Exception as error:  # noqa: BLE001 - the outermost door: a bug must not show its trace to an agent
            known = _known(error)
            if known is not None:
                return failure(known.code, str(known))
            reference = str(uuid_utils.uuid7())
            _log.exception("Unexpected error %s in %s", reference, context.message.name)
            return failure("internal", f"Something unexpected went wrong; the server's log has it as {reference}.")


def failure(code: str, message: str) -> ToolResult:
    """Return the answer of a call that failed."""
    answer: dict[str, Any] = {"status": "error", "code": code, "message": message}
    return ToolResult(structured_content=answer, is_error=True)


def _known(error: BaseException | None) -> HindsightError | None:
    """Return the Hindsight error in a chain: FastMCP wraps what a tool raises."""
    while error is not None:
        if isinstance(error, HindsightError):
            return error
        error = error.__cause__
    return None


def _first_fault(error: ValidationError) -> str:
    fault = error.errors(include_url=False)[0]
    name = ".".join(str(part) for part in fault["loc"] if not str(part).startswith("function-")) or "the arguments"
    if fault["type"] in {"missing", "missing_argument"}:
        return f"{name} is missing; it must be given."
    if fault["type"] in {"unexpected_keyword_argument", "extra_forbidden"}:
        return f"{name} is no parameter of this tool; leave it out."
    return f"{name} is not understood: {fault['msg'].lower()}."
