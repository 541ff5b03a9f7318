"""Settings: each wrong value is named in one sentence, with the variable's name."""

from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path

import pytest

from domain.errors import BadSettings
from resources.settings import Settings, load

Write = Callable[[str], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def put(text: str) -> Path:
        (tmp_path / ".env").write_text(text)
        return tmp_path / ".env"

    return put


def test_the_file_is_read_and_the_environment_wins(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write("HINDSIGHT_BUCKETS=7\nHINDSIGHT_BATCH_EVENTS=9\nOTHER=1\n")
    monkeypatch.setenv("HINDSIGHT_BATCH_EVENTS", "11")
    made = load(path)
    assert (made.buckets, made.batch_events, made.embedder) == (7, 11, "hash")


def test_paths_follow_from_the_data_folder(tmp_path: Path) -> None:
    made = Settings(data=tmp_path / "d")
    assert made.lake_dir == tmp_path / "d" / "lake"
    assert made.index_dir == tmp_path / "d" / "lake" / "index"
    assert made.log_url == f"sqlite:///{tmp_path}/d/events.db"
    assert Settings(lake=tmp_path / "l", database_url="sqlite:///x").log_url == "sqlite:///x"
    assert Settings(lake=tmp_path / "l").index_dir == tmp_path / "l" / "index"


def test_what_shapes_the_tables_has_another_hash(tmp_path: Path) -> None:
    base = Settings(data=tmp_path)
    same = Settings(data=tmp_path / "elsewhere", batch_events=1, mcp_port=1)
    others = [
        {"timezone": "Asia/Tokyo"},
        {"buckets": 5},
        {"embedder": "hash"},
        {"first_day": date(2021, 1, 1)},
        {"vector_index": "ivf_rq"},
    ]
    assert base.config_hash == same.config_hash
    made = {Settings(data=tmp_path, **({"embedder": "bundled"} | o)).config_hash for o in others}  # type: ignore[arg-type]
    assert len(made - {Settings(data=tmp_path, embedder="bundled").config_hash}) == 5


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("NIGHTLY_CRON=61 2 * * *", "not a cron line of five fields, such as 0 2 * * *"),
        ("NIGHTLY_CRON=@daily", "not a cron line"),
        ("NIGHTLY_CRON=0 2 * * * *", "not a cron line"),
        ("TIMEZONE=Asia/Beijing", "no such time zone; give an IANA name"),
        ("TIMEZONE=../../etc/passwd", "no such time zone"),
        ("BUCKETS=0", "greater than or equal to 1"),
        ("BUCKETS=many", "valid integer"),
        ("FIRST_DAY=2026-02-30", "valid date"),
        ("FIRST_DAY=1969-12-31", "between 1970-01-01 and today"),
        (f"FIRST_DAY={date.today() + timedelta(days=2)}", "between 1970-01-01 and today"),  # noqa: DTZ011 - two days clear
        ("VECTOR_INDEX=hnsw", "'none' or 'ivf_rq'"),
        ("MCP_PORT=70000", "less than or equal to 65535"),
        ("BATCH_SECONDS=-1", "greater than or equal to 0"),
        ("KEEP_RELEASES=0", "greater than or equal to 1"),
    ],
)
def test_a_wrong_value_is_one_sentence_with_its_variable(write: Write, line: str, sentence: str) -> None:
    with pytest.raises(BadSettings) as raised:
        load(write(f"HINDSIGHT_{line}\n"))
    message = str(raised.value)
    name, _, value = line.partition("=")
    assert message.startswith(f"HINDSIGHT_{name}={value} is wrong: ")
    assert sentence in message
    assert "\n" not in message
    assert message.endswith(".")


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("HINDSIGHT_EMBEDER", "did you mean HINDSIGHT_EMBEDDER?"),
        ("hindsight_bucket", "HINDSIGHT_BUCKETS"),
        ("HINDSIGHT_XYZZY", "docs/settings.md"),
    ],
)
def test_a_variable_that_is_no_setting_stops_the_start(
    write: Write, name: str, hint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(BadSettings, match=rf"{name} is no setting of Hindsight; .*{hint[:20]}"):
        load(write(f"{name}=1\n"))
    monkeypatch.setenv(name, "1")
    with pytest.raises(BadSettings, match="is no setting of Hindsight"):
        load(write(""))


def test_a_key_is_not_shown(write: Write) -> None:
    made = load(write("HINDSIGHT_OPENAI_API_KEY=sk-secret\n"))
    assert "sk-secret" not in repr(made)
    assert made.openai_api_key.get_secret_value() == "sk-secret"
