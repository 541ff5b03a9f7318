"""One real, small model behind the OpenAI protocol, both languages: whatever it answers, only what was said is kept."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from domain.episodes import from_row
from domain.reflection_checks import faults
from tests.pipeline_runs import Pipeline, event

ROOT = Path(__file__).parents[2]
SMALL_LLM = ROOT / "benchmarks" / "small_llm.py"
MODEL = "smollm2-135m"  # Apache-2.0, 98 MB from a package; it repeats itself, which tries what cuts answers off
SAID = {
    "maya": (
        "I'm allergic to shellfish, so please never book a seafood place.",
        "I live in Leeds and work as a nurse.",
    ),
    "lin": ("我对花生过敏，点餐的时候一定要注意。", "我住在杭州，是一名护士。"),
}

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def base_url() -> Iterator[str]:
    """Serve the model; its file is kept beside the embedding model, out of version control."""
    subprocess.run([sys.executable, SMALL_LLM, "fetch", MODEL, ROOT / "models"], check=True, capture_output=True)
    command = [sys.executable, str(SMALL_LLM), "serve", str(ROOT / "models" / f"{MODEL}.gguf"), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        try:
            assert server.stdout
            port = next(int(line) for line in server.stdout if line.strip().isdigit())
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            server.kill()  # its engine does not always end when asked to


def test_a_real_model_is_asked_understood_and_checked(base_url: str, new_pipeline: Callable[..., Pipeline]) -> None:
    pipeline = new_pipeline(
        llm_model=MODEL,
        llm_base_url=base_url,
        llm_output_tokens=300,
        llm_timeout_seconds=300.0,
        llm_concurrency=1,
        review="auto",
    )
    for user, lines in SAID.items():
        pipeline.say(*(event(text, user, f"2026-03-01T1{n}:00:00+00:00") for n, text in enumerate(lines)))
    pipeline.ingest()
    pipeline.reflect()
    pipeline.fold()
    calls = [e.payload for e in pipeline.log.read_kind("llm_call")]
    answered = [call for call in calls if call["outcome"] == "answered"]
    assert {e.user_id for e in pipeline.log.read_kind("llm_call")} == set(SAID)
    assert len(answered) >= 2
    assert all(
        call["input_tokens"] > 500 and call["output_tokens"] > 0 and call["mode"] == "json_schema" for call in answered
    )
    results = {e.user_id: e.payload["result"] for e in pipeline.log.read_kind("reflected")}
    assert set(results) == set(SAID)
    assert set(results.values()) <= {"ok", "failed", "given_up"}
    episodes = [from_row(row) for row in pipeline.rows("episodes", "2026-03-01")]
    accepted = [row for row in pipeline.extractions() if row["accepted"]]
    assert faults(accepted, episodes) == {}
    assert all(row["reason"] for row in pipeline.extractions() if not row["accepted"])
    n_calls = len(calls)
    for user in (user for user, result in results.items() if result == "ok"):
        pipeline.reflect(None, None, user)
    assert len(pipeline.log.read_kind("llm_call")) == n_calls  # what is known is not asked again
