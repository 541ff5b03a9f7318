"""The `hindsight` command on a data folder of its own, with the real pipeline in process."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cli.main import app
from domain.errors import BadInput, BadSettings, Permanent
from resources import wiring
from resources.embedder import HashEmbedder

Say = Callable[..., str]

EVENTS = [
    {
        "user_id": "ana",
        "session_id": "s",
        "occurred_at": "2026-05-01T09:00:00+08:00",
        "role": "user",
        "content": "我对花生过敏",
    },
    {
        "user_id": "ana",
        "session_id": "s",
        "occurred_at": "2026-05-01T09:00:05+08:00",
        "role": "assistant",
        "content": "记住了",
    },
    {"user_id": "ben", "session_id": "t", "occurred_at": "2026-05-20T09:00:00-04:00", "content": "Ben moved to Leeds"},
]


@pytest.fixture
def hindsight(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Say:
    """Return a function that runs a command in an empty folder and gives back what it printed."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HINDSIGHT_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("HINDSIGHT_EMBEDDER", "hash")

    def run(*arguments: str) -> str:
        done = CliRunner().invoke(app, list(arguments), catch_exceptions=False)
        assert done.exit_code == 0, done.output
        return done.output

    return run


def written(folder: Path, records: list[dict[str, str]]) -> str:
    path = folder / "events.jsonl"
    path.write_text("".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records), encoding="utf-8")
    return str(path)


def test_the_same_import_again_adds_nothing(hindsight: Say, tmp_path: Path) -> None:
    path = written(tmp_path, EVENTS)
    assert "3 readable" in hindsight("import", path, "--dry-run")
    assert "3 stored" in hindsight("import", path)
    assert "3 repeated" in hindsight("import", path)


def test_a_bad_line_is_named_and_all_others_are_kept(hindsight: Say, tmp_path: Path) -> None:
    path = written(tmp_path, [*EVENTS[:2], {"user_id": "ana", "content": "no time"}, EVENTS[2]])
    with pytest.raises(BadInput, match=r"events\.jsonl, line 3: occurred_at must be a text"):
        hindsight("import", path)
    assert "3 events" in hindsight("doctor")


def test_a_file_that_is_not_utf8_is_named_and_a_windows_mark_is_passed_over(hindsight: Say, tmp_path: Path) -> None:
    line = json.dumps(EVENTS[0], ensure_ascii=False)
    (tmp_path / "gbk.jsonl").write_bytes(line.encode("gbk"))
    with pytest.raises(BadInput, match=r"gbk\.jsonl is not UTF-8"):
        hindsight("import", str(tmp_path / "gbk.jsonl"))
    (tmp_path / "bom.jsonl").write_bytes(line.encode("utf-8-sig"))
    assert "1 stored" in hindsight("import", str(tmp_path / "bom.jsonl"))


@pytest.mark.usefixtures("hindsight")
def test_a_data_folder_that_cannot_be_one_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("HINDSIGHT_DATA", str(tmp_path / "file"))
    for command in (["up"], ["doctor"], ["run"]):
        done = CliRunner().invoke(app, command)
        assert done.exit_code == 1
        assert "cannot be a folder" in f"{done.output}{done.exception}"


def test_up_names_a_wrong_model_before_it_writes_anything(
    hindsight: Say, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HINDSIGHT_EMBEDDER", "bge")
    with pytest.raises(BadSettings, match="HINDSIGHT_EMBEDDER is 'bge'"):
        hindsight("up")
    assert not (tmp_path / "data").exists()


def test_run_then_sql_gives_the_episodes(hindsight: Say, tmp_path: Path) -> None:
    hindsight("import", written(tmp_path, EVENTS))
    assert "release" in hindsight("run")
    rows = hindsight("sql", "SELECT user_id, user_said, agent_did, content FROM episodes ORDER BY user_id", "--csv")
    assert rows.splitlines()[1:] == ["ana,我对花生过敏,记住了,", "ben,,,Ben moved to Leeds"]


def test_run_does_only_what_lacks_events(hindsight: Say, tmp_path: Path) -> None:
    hindsight("import", written(tmp_path, EVENTS))
    hindsight("run")
    assert "interactions" not in hindsight("run")
    assert "interactions" in hindsight("run", "--from", "2026-05-01", "--to", "2026-05-02")


def test_another_model_is_named_and_embedding_everything_again_heals(
    hindsight: Say, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hindsight("import", written(tmp_path, EVENTS[:2]))
    hindsight("run")
    monkeypatch.setattr(wiring, "open_embedder", lambda _settings: HashEmbedder(dim=32))
    hindsight("import", written(tmp_path, EVENTS[2:]))
    with pytest.raises(Permanent, match="hindsight run embeddings --all"):
        hindsight("run")
    hindsight("run", "embeddings", "--all")
    hindsight("run")
    made = hindsight("sql", "SELECT DISTINCT fingerprint, len(vector) AS dim FROM episode_vectors", "--csv")
    assert made.splitlines()[1:] == [f"{HashEmbedder(dim=32).fingerprint},32"]
    assert "ok    release" in hindsight("doctor")


def test_an_unknown_stage_is_refused_with_the_known_ones(hindsight: Say) -> None:
    with pytest.raises(BadInput, match="all, ingest, embeddings, reflect, publish"):
        hindsight("run", "everything")


def test_a_query_that_fails_says_why(hindsight: Say) -> None:
    with pytest.raises(BadInput, match="no_such_table"):
        hindsight("sql", "SELECT * FROM no_such_table")


def test_doctor_names_a_folder_made_with_another_zone(hindsight: Say, monkeypatch: pytest.MonkeyPatch) -> None:
    hindsight("doctor")
    monkeypatch.setenv("HINDSIGHT_TIMEZONE", "Asia/Shanghai")
    done = CliRunner().invoke(app, ["doctor"])
    assert done.exit_code == 1
    assert "FAIL  data folder      HINDSIGHT_TIMEZONE is Asia/Shanghai" in done.output


def test_a_wrong_setting_stops_in_one_sentence(hindsight: Say, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HINDSIGHT_BATCHEVENTS", "5")
    with pytest.raises(BadSettings, match="did you mean HINDSIGHT_BATCH_EVENTS"):
        hindsight("doctor")


def test_eval_scores_a_set_from_import_to_answers(hindsight: Say, tmp_path: Path) -> None:
    folder = tmp_path / "set"
    folder.mkdir()
    said = [
        "I adopted a grey cat called Momo",
        "The boiler was repaired on Monday",
        "Lunch was noodles again",
        "猫咪今天打针了",
    ]
    lines = [
        {
            "event_id": f"e{n}",
            "user_id": "ana",
            "session_id": "s",
            "occurred_at": f"2025-0{n + 1}-10T10:00:00+08:00",
            "role": "user",
            "speaker": "Ana",
            "content": text,
            "record_id": f"r{n}",
        }
        for n, text in enumerate(said)
    ]
    (folder / "interactions.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    queries = [
        {
            "query_id": "1",
            "user_id": "ana",
            "query": "grey cat Momo",
            "as_of": None,
            "relevant": ["r0"],
            "type": "fact",
        },
        {"query_id": "2", "user_id": "ana", "query": "猫咪打针", "as_of": "2025-04", "relevant": ["r3"], "type": "zh"},
        {
            "query_id": "3",
            "user_id": "ana",
            "query": "猫咪打针",
            "as_of": "2025-03",
            "relevant": ["r3"],
            "type": "too early",
        },
    ]
    (folder / "queries.jsonl").write_text("".join(json.dumps(query) + "\n" for query in queries), encoding="utf-8")
    printed = hindsight("eval", str(folder), "--ranking", str(tmp_path / "ranking.jsonl"))
    scores = {line[:28].strip(): line[28:].split() for line in printed.splitlines() if "." in line and " s" not in line}
    assert scores["fact"][-1] == "1.0000"
    assert scores["zh"][-1] == "1.0000"
    assert scores["too early"][-1] == "0.0000"  # said after the month in which the query is asked
    assert len((tmp_path / "ranking.jsonl").read_text().splitlines()) == 3
