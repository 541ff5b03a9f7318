"""Store and retrieve a memory over MCP; start the server with `make up` first.

Run it with ``.venv/bin/python examples/agent.py [URL]``.
"""
# ruff: noqa: INP001 - a script, not a package

import asyncio
import sys
from typing import Any

from fastmcp import Client

URL = "http://localhost:8080/mcp"
USER = "demo-agent-user"


async def call(client: Client[Any], tool: str, **arguments: Any) -> dict[str, Any]:
    """Return the answer of a tool; it says itself whether it is an error."""
    result = await client.call_tool(tool, arguments, raise_on_error=False)
    return dict(result.structured_content or {})


async def main(url: str) -> None:
    """Say something, and ask for it in other words at once: no pipeline run lies between the two."""
    async with Client(url) as client:
        stored = await call(
            client,
            "memory_store",
            user_id=USER,
            session_id="demo-session",
            user_said="I moved to Lisbon last week, so please book nothing before 9 am Lisbon time.",
            agent_did="Changed the working hours in the calendar.",
            category="preference",
        )
        sys.stdout.write(f"memory_store: {stored}\n")
        found = await call(client, "memory_retrieve", user_id=USER, query="In which city does the user live?", top_k=3)
        if found["status"] != "success":
            sys.exit(f"{found['code']}: {found['message']}")
        for memory in found["memories"]:
            sys.stdout.write(f"{memory['score']:.2f}  {memory['age']}  {memory['content']!r}\n")


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1] if len(sys.argv) > 1 else URL))
