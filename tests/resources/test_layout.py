"""What a data folder was made with does not change under its files."""

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from domain.errors import BadSettings, Temporary
from resources import layout, wiring
from resources.settings import Settings


def test_a_folder_is_pinned_once_and_opens_again(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path / "new")
    layout.check(settings)
    before = (tmp_path / "new" / "layout.json").read_bytes()
    layout.check(settings)
    layout.check(Settings(data=tmp_path / "new", batch_events=1, embedder="hash", nightly_cron="1 1 * * *"))
    assert (tmp_path / "new" / "layout.json").read_bytes() == before


@pytest.mark.parametrize(
    ("name", "value", "was", "way_out"),
    [
        ("timezone", "Asia/Shanghai", "UTC", "set it back, or stop everything, delete"),
        ("buckets", 8, "4", "set it back, or stop everything, delete"),
        ("first_day", date(2019, 1, 1), "2020-01-01", "set it back, or stop everything, delete"),
        ("first_day", date(2021, 1, 1), "2020-01-01", "it can only move to an earlier day"),
    ],
)
def test_a_setting_that_differs_stops_the_start(tmp_path: Path, name: str, value: Any, was: str, way_out: str) -> None:
    wiring.open_log(Settings(data=tmp_path)).close()
    with pytest.raises(BadSettings) as raised:
        wiring.open_log(Settings(data=tmp_path, **{name: value}))
    message = str(raised.value)
    assert message.startswith(f"HINDSIGHT_{name.upper()} is {value}, but the data folder {tmp_path}")
    assert was in message
    assert way_out in message


def test_a_broken_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "layout.json").write_text("{")
    with pytest.raises(BadSettings, match=r"layout\.json is not readable as JSON"):
        layout.check(Settings(data=tmp_path))


def test_one_publish_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = Settings(data=tmp_path)
    with layout.publish_lock(settings):
        own = layout.locked
        monkeypatch.setattr(layout, "locked", lambda path, _seconds, what: own(path, 0.05, what))
        with (
            pytest.raises(Temporary, match="Publishing is under way in another process"),
            layout.publish_lock(settings),
        ):
            pass
