"""Slow: the server with the real model."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from resources import model_files
from resources.settings import Settings

from .serving import ROOT, Memory, until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]


@pytest.fixture(scope="module")
def models() -> Path:
    folder = ROOT / "models"
    model_files.ensure_bundled(folder, print)
    return folder


@pytest.fixture
def memory(settings: Settings, models: Path) -> Iterator[Memory]:
    with Memory(settings, embedder="bundled", models=models) as opened:
        yield opened


def test_meaning_finds_in_the_very_next_call(memory: Memory) -> None:
    for n, text in enumerate(
        ["周末喜欢爬山", "养了一只猫叫团子", "下周三去北京出差", "he plays the cello", "喜欢黑咖啡"]
    ):
        memory.store(text, "test_user", session_id=str(n))
    memory.store("用户对花生过敏", "test_user", session_id="s", category="constraint")
    page = memory.page("饮食禁忌", "test_user")
    assert page["memories"][0]["content"] == "用户对花生过敏"
    assert not page["partial"]


def test_after_a_burst_the_newest_are_embedded_first(memory: Memory) -> None:
    for n in range(400):
        memory.app.service.store([_note(n)]).result(10)
    started = time.monotonic()
    page = memory.page("旅行 399", "ana", top_k=20)
    assert time.monotonic() - started < 3
    assert page["partial"]
    newest = next(one for one in page["memories"] if "399" in one["content"])
    assert "similarity" in newest
    until(lambda: not memory.page("旅行", "ana")["partial"], 60)


def _note(n: int):  # type: ignore[no-untyped-def]
    from datetime import UTC, datetime

    from domain.records import NewEvent

    text = f"第{n}次旅行去了很远的地方，看了山和海，吃了当地的菜，住了{n % 9}晚，认识了新朋友，回来写了日记"
    return NewEvent(f"n{n}", "memory", "ana", "a", "global", "s", datetime.now(UTC), {"content": text})
