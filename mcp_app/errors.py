"""Every failure as ``{status, code, message}``: what went wrong and what to do next, never a trace or a path."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import uuid_utils
from fastmcp.exceptions import NotFoundError, ToolError
from fastmcp.server.middleware import CallNext, Middleware, MiddlewareContext
from fastmcp.tools.base import ToolResult
from mcp.types import CallToolRequestParams
from pydantic import ValidationError

from domain.errors import BadInput, HindsightError
from mcp_app.arguments import shown

_log = logging.getLogger(__name__)

_MAX_MESSAGE_CHARS = 600  # whatever a message quotes, it stays one that a model reads
_FORMS = {
    "string": "it must be text",
    "list": 'it must be a list such as ["a", "b"]',
    "dict": 'it must be a JSON object such as {"key": "value"}',
    "int": "it must be a whole number",
    "float": "it must be a number",
    "bool": "it must be true or false",
}


class PlainErrors(Middleware):
    """Turns what a tool raises into an answer that a language model can act on."""

    async def on_call_tool(
        self, context: MiddlewareContext[CallToolRequestParams], call_next: CallNext[CallToolRequestParams, ToolResult]
    ) -> ToolResult:
        """Return the tool's answer, or the error's. An argument of null is one that was not given."""
        given = context.message.arguments or {}
        arguments = {name: value for name, value in given.items() if value is not None}
        try:
            return await call_next(context.copy(message=context.message.model_copy(update={"arguments": arguments})))
        except NotFoundError:
            return failure("unknown_tool", f"There is no tool {shown(context.message.name)}.")
        except Exception as error:  # noqa: BLE001 - the outermost door: a bug must not show its trace to an agent
            return _failed(error, context.message.name)


@contextmanager
def refusals() -> Iterator[None]:
    """Hand on what was raised on purpose as something that FastMCP does not log with its trace.

    Raises:
        ToolError: in place of the error, which is its cause.
    """
    try:
        yield
    except HindsightError as error:
        raise ToolError(str(error), log_level=logging.DEBUG) from error


def failure(code: str, message: str) -> ToolResult:
    """Return the answer of a call that failed."""
    if len(message) > _MAX_MESSAGE_CHARS:
        message = message[: _MAX_MESSAGE_CHARS - 1] + "…"
    answer: dict[str, Any] = {"status": "error", "code": code, "message": message}
    return ToolResult(structured_content=answer, is_error=True)


def _failed(error: Exception, tool: str) -> ToolResult:
    cause: BaseException | None = error
    while cause is not None:  # FastMCP wraps what a tool raises
        if isinstance(cause, HindsightError):
            return failure(cause.code, str(cause))
        if isinstance(cause, ValidationError):
            return failure(BadInput.code, _first_fault(cause))
        cause = cause.__cause__
    reference = str(uuid_utils.uuid7())
    _log.error("Unexpected %s in %s, told as %s", type(error.__cause__ or error).__name__, tool, reference)
    return failure("internal", f"Something unexpected went wrong; the server's log has it as {reference}.")


def _first_fault(error: ValidationError) -> str:
    fault = error.errors(include_url=False, include_input=False)[0]
    name = shown(".".join(map(str, fault["loc"]))).strip("'\"") or "the arguments"
    kind = str(fault["type"])
    if kind.startswith("missing"):
        return f"{name} is missing; it must be given."
    if kind == "unexpected_keyword_argument":
        return f"{name} is no parameter of this tool; leave it out."
    form = _FORMS.get(kind.partition("_")[0]) or str(fault["msg"]).removeprefix("Value error, ")
    return f"{name} is not understood: {form}."
