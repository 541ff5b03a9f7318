"""The embedders: the fake one, the real bundled one (slow), and one behind a server that speaks OpenAI's protocol."""

import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from domain.errors import BadInput, BadSettings, Permanent, Temporary
from domain.similarity import similarity
from resources import embedding, model_files, sentence_embedder
from resources.embedder import Embedder, HashEmbedder, OpenAIEmbedder, SentenceTransformerEmbedder, build

ROOT = Path(__file__).parents[2]
MIXED = ["I moved to Lisbon last spring.", "我对花生过敏。", "The cat sleeps on the printer.", "明天上午十点开会。"]
Reply = tuple[int, Any]


# --- the setting


@pytest.mark.parametrize("spec", ["", "bundle", "st", "st:", "openai:", "e5:small", "hash:"])
def test_an_unknown_form_is_refused_with_the_forms_named(spec: str, tmp_path: Path) -> None:
    with pytest.raises(BadSettings, match="openai:MODEL"):
        build(spec, tmp_path)


def test_a_folder_that_is_not_there_is_refused_at_once(tmp_path: Path) -> None:
    with pytest.raises(BadSettings, match="no folder"):
        build(f"st:{tmp_path}/nothing", tmp_path)


def test_openai_without_key_and_address_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadSettings, match="HINDSIGHT_OPENAI_API_KEY"):
        build("openai:some-model", tmp_path)
    assert build("openai:some-model", tmp_path, openai_base_url="http://127.0.0.1:1/v1").name == "openai:some-model"


def test_building_and_comparing_fingerprints_loads_no_model(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from resources.embedder import build;"
        f"print(len(build('bundled', Path({str(tmp_path)!r})).fingerprint));"
        "sys.exit('torch' in sys.modules or 'openai' in sys.modules or 'sentence_transformers' in sys.modules)"
    )
    result = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "32"
    assert list(tmp_path.iterdir()) == []


# --- the fake one


def test_hash_vectors_are_unit_and_repeat() -> None:
    vectors = HashEmbedder(dim=64).embed_passages(MIXED)
    assert vectors.shape == (4, 64)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)
    np.testing.assert_array_equal(vectors[1], HashEmbedder(dim=64).embed_query("我对花生过敏。"))


@pytest.mark.parametrize("text", ["a", "茶", "?!", "😀", "broken \udc80"])
def test_hash_takes_any_text_with_something_in_it(text: str) -> None:
    assert np.isclose(np.linalg.norm(HashEmbedder().embed_query(text)), 1)


def test_hash_puts_common_spelling_nearer() -> None:
    embedder = HashEmbedder()
    query = embedder.embed_query("moving to Lisbon")
    assert int(np.argmax(embedder.embed_passages(MIXED) @ query)) == 0
    assert int(np.argmax(embedder.embed_passages(MIXED) @ embedder.embed_query("花生过敏吗"))) == 1


def test_hash_is_calibrated_and_known_by_its_dimension() -> None:
    unrelated, paraphrase = HashEmbedder().calibration
    assert unrelated < paraphrase
    assert HashEmbedder(64).fingerprint != HashEmbedder(32).fingerprint


@pytest.mark.parametrize("blank", ["", " ", "\n\t\u3000"])
def test_a_blank_text_is_the_callers_fault(blank: str) -> None:
    with pytest.raises(BadInput, match="text 1 of 2 is blank"):
        HashEmbedder().embed_passages(["words", blank])
    with pytest.raises(BadInput):
        HashEmbedder().embed_query(blank)


def test_no_texts_give_no_vectors() -> None:
    assert HashEmbedder().embed_passages([]).shape == (0, 64)


# --- turns and batches


def test_batches_hold_every_text_once_and_stay_in_their_bounds() -> None:
    texts = ["x" * n for n in (5, 3000, 100, 100, 1, 900, 5000, 100)] + ["短" * n for n in range(1, 80)]
    batches = list(embedding.batches(texts, 8, 1000))
    assert sorted(i for batch in batches for i in batch) == list(range(len(texts)))
    for batch in batches:
        longest = max(len(texts[i].encode()) for i in batch)
        assert len(batch) == 1 or (len(batch) <= 8 and len(batch) * longest <= 1000)


def test_a_waiting_query_goes_before_the_next_batch() -> None:
    turns = sentence_embedder._QueriesFirst()
    order: list[str] = []

    def passages() -> None:
        for _ in range(20):
            with turns.turn(is_query=False):
                order.append("batch")
                time.sleep(0.01)

    worker = threading.Thread(target=passages)
    worker.start()
    for _ in range(3):
        time.sleep(0.02)
        seen = len(order)
        with turns.turn(is_query=True):
            assert len(order) <= seen + 1
            order.append("query")
    worker.join()
    assert order.count("batch") == 20


# --- fingerprints of folders


def _model_folder(path: Path, weights: bytes, prompt: str = "") -> Path:
    (path / "1_Pooling").mkdir(parents=True)
    (path / "modules.json").write_text(json.dumps([{"path": ""}, {"path": "1_Pooling"}, {"path": "2_Normalize"}]))
    (path / "config.json").write_text('{"hidden_size": 4}')
    (path / "config_sentence_transformers.json").write_text(json.dumps({"prompts": {"query": prompt}}))
    (path / "1_Pooling" / "config.json").write_text('{"pooling_mode_mean_tokens": true}')
    (path / "model.safetensors").write_bytes(weights)
    return path


def test_a_folder_is_known_by_what_its_vectors_depend_on(tmp_path: Path) -> None:
    large = bytes(3_000_000)
    folders = {
        "one": _model_folder(tmp_path / "one", large),
        "other weights": _model_folder(tmp_path / "two", large[:-1] + b"\1"),
        "longer weights": _model_folder(tmp_path / "three", large + b"\0"),
        "other prompt": _model_folder(tmp_path / "four", large, prompt="query: "),
        "other pooling": _model_folder(tmp_path / "five", large),
    }
    (folders["other pooling"] / "1_Pooling" / "config.json").write_text('{"pooling_mode_cls_token": true}')
    found = {name: build(f"st:{folder}", tmp_path).fingerprint for name, folder in folders.items()}
    assert len(set(found.values())) == len(folders)
    (folders["one"] / "README.md").write_text("words about the model")
    folders["one"].rename(tmp_path / "moved")
    assert build(f"st:{tmp_path / 'moved'}", tmp_path).fingerprint == found["one"]


def test_a_folder_without_a_model_is_named(tmp_path: Path) -> None:
    with pytest.raises(Permanent, match=r"config\.json"):
        _ = build(f"st:{tmp_path}", tmp_path).fingerprint


def test_prompts_are_the_models_own_and_e5_gets_those_it_forgot() -> None:
    prompts = sentence_embedder._prompts
    assert prompts("st:m", {"query": "q ", "document": "d "}) == {"query": "q ", "passage": "d "}
    assert prompts("st:org/multilingual-e5-base", {"query": "", "document": ""})["passage"] == "passage: "
    assert prompts("st:org/bge-m3", {"query": "", "document": ""}) == {"query": "", "passage": ""}


# --- the real one


@pytest.fixture(scope="module")
def bundled() -> Embedder:
    return build("bundled", ROOT / "models", threads=2)


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_the_bundled_model_finds_meaning_in_both_languages(bundled: Embedder) -> None:
    vectors = bundled.embed_passages(MIXED)
    assert vectors.shape == (4, bundled.dim) == (4, 384)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    questions = [
        "Where does she live now?",
        "他不能吃什么?",
        "What is the pet doing?",
        "会议几点开始?",
        "When is the meeting?",
    ]
    nearest = [int(np.argmax(vectors @ bundled.embed_query(question))) for question in questions]
    assert nearest == [0, 1, 2, 3, 3]


# None of these is among the pairs that the calibration was measured with.
HELD_OUT = {
    "en": [
        ("What is her profession?", "She has been a nurse for ten years."),
        ("The train was two hours late.", "Our train got delayed by two hours."),
        ("What colour is his car?", "He drives a dark blue car."),
        ("I can't sleep because of the heat.", "It is so hot at night that I lie awake."),
        ("Where do they keep the spare key?", "The spare key is under the flowerpot."),
    ],
    "zh": [
        ("她是做什么工作的?", "她当护士已经十年了。"),
        ("火车晚点了两个小时。", "我们坐的火车迟到了两小时。"),
        ("他的车是什么颜色?", "他开一辆深蓝色的车。"),
        ("天太热,我睡不着。", "晚上热得我一直醒着。"),
        ("备用钥匙放在哪里?", "备用钥匙在花盆底下。"),
    ],
}


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("language", HELD_OUT)
def test_the_calibration_holds_for_other_pairs(bundled: Embedder, language: str) -> None:
    pairs = HELD_OUT[language]
    queries = np.stack([bundled.embed_query(query) for query, _ in pairs])
    passages = bundled.embed_passages([passage for _, passage in pairs])
    scores = similarity(queries @ passages.T, bundled.calibration)
    assert np.median(np.diag(scores)) > 0.8
    assert np.median(scores[~np.eye(len(pairs), dtype=bool)]) < 0.2


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_a_vector_does_not_depend_on_its_batch(bundled: Embedder) -> None:
    texts = [f"{text} {'very ' * n}long" for n, text in enumerate(MIXED * 12)]
    steps: list[int] = []
    together = bundled.embed_passages(texts, steps.append)
    assert sum(steps) == len(texts)
    assert len(steps) > 1
    for i in (0, 17, 47):
        np.testing.assert_allclose(together[i], bundled.embed_passages([texts[i]])[0], atol=1e-3)


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_the_bundled_model_takes_odd_texts(bundled: Embedder) -> None:
    texts = ["\ud83d half an emoji", "?", "词" * 20_000, "a\0b", "\u200b"]
    assert np.isfinite(bundled.embed_passages(texts)).all()
    with pytest.raises(BadInput):
        bundled.embed_query("  ")


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_queries_get_answers_while_passages_are_embedded(bundled: Embedder) -> None:
    bundled.embed_query("warm")
    worker = threading.Thread(target=bundled.embed_passages, args=([f"{n} {'words ' * 300}" for n in range(40)],))
    worker.start()
    waits = []
    while worker.is_alive() and len(waits) < 5:
        begun = time.monotonic()
        bundled.embed_query("where is it?")
        waits.append(time.monotonic() - begun)
    assert worker.is_alive()
    worker.join()
    assert max(waits) < 1.5


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_another_models_calibration_is_measured_once(bundled: Embedder, tmp_path: Path) -> None:
    bundled.embed_query("make sure that the folder is there")
    folder = tmp_path / "plain"
    folder.mkdir()
    for part in (ROOT / "models" / model_files.FOLDER).iterdir():
        if part.name not in {model_files.META_FILE, model_files.CENTRING_FILE}:
            (folder / part.name).symlink_to(part)
    plain = SentenceTransformerEmbedder(f"st:{folder}", tmp_path)
    assert plain.fingerprint != bundled.fingerprint
    assert (plain.dim, plain.calibration[0] > 0.7) == (384, True)  # the narrow cone that centring opens
    again = SentenceTransformerEmbedder(f"st:{folder}", tmp_path)
    assert again.calibration == plain.calibration
    assert again._model is None


# --- behind a server


class _Server(ThreadingHTTPServer):
    """An embeddings server on loopback, which answers as the test says and keeps the requests."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.reply: Callable[[list[str]], Reply] = lambda texts: (200, embeddings(texts))
        self.requests: list[dict[str, Any]] = []
        self.url = f"http://127.0.0.1:{self.server_port}/v1"

    def handle_error(self, *_: object) -> None:
        """Say nothing: a client that gave up waiting has closed its end."""


class _Handler(BaseHTTPRequestHandler):
    server: _Server

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.requests.append({**body, "path": self.path, "authorization": self.headers["Authorization"]})
        status, answer = self.server.reply(body["input"])
        data = answer.encode() if isinstance(answer, str) else json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "text/html" if isinstance(answer, str) else "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        pass


def embeddings(texts: list[str], dim: int = 3, scale: float = 1.0) -> dict[str, Any]:
    rows = [[scale * (1 + len(text)), scale, *[0.0] * (dim - 2)] for text in texts]
    data = [{"object": "embedding", "index": i, "embedding": row} for i, row in enumerate(rows)]
    return {"object": "list", "model": "m", "data": data[::-1], "usage": {"prompt_tokens": 1, "total_tokens": 1}}


@pytest.fixture
def server() -> Iterator[_Server]:
    made = _Server()
    thread = threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield made
    made.shutdown()
    thread.join()
    made.server_close()


@pytest.fixture
def remote(server: _Server, tmp_path: Path) -> OpenAIEmbedder:
    return OpenAIEmbedder("m", tmp_path, base_url=server.url, api_key="key-1", timeout_seconds=5, n_retries=0)


def test_texts_go_out_and_unit_vectors_come_back_in_order(remote: OpenAIEmbedder, server: _Server) -> None:
    vectors = remote.embed_passages(["茶", "longer text", "mid \ud800"])
    expected = np.array([[2, 1, 0], [12, 1, 0], [6, 1, 0]]) / np.sqrt([[5], [145], [37]])
    np.testing.assert_allclose(vectors, expected, atol=1e-6)
    assert server.requests[-1]["model"] == "m"
    assert server.requests[-1]["path"] == "/v1/embeddings"
    assert server.requests[-1]["authorization"] == "Bearer key-1"


def test_many_texts_go_out_in_batches(remote: OpenAIEmbedder) -> None:
    steps: list[int] = []
    assert remote.embed_passages([f"text {n}" for n in range(300)], steps.append).shape == (300, 3)
    assert steps == [128, 128, 44]


def test_the_dimension_is_asked_once_for_ever(remote: OpenAIEmbedder, server: _Server, tmp_path: Path) -> None:
    assert (remote.dim, len(server.requests)) == (3, 1)
    again = OpenAIEmbedder("m", tmp_path, base_url=server.url)
    assert (again.dim, again.fingerprint, len(server.requests)) == (3, remote.fingerprint, 1)


def test_fingerprints_tell_models_hosts_and_dimensions_apart(tmp_path: Path) -> None:
    made = {
        OpenAIEmbedder(model, tmp_path, base_url=url, dim=dim).fingerprint
        for model in ("a", "b")
        for url in ("http://one/v1", "http://two/v1")
        for dim in (3, 4)
    }
    assert len(made) == 8


def test_the_calibration_is_measured_once_for_ever(remote: OpenAIEmbedder, server: _Server, tmp_path: Path) -> None:
    first = remote.calibration
    asked = len(server.requests)
    assert OpenAIEmbedder("m", tmp_path, base_url=server.url).calibration == first
    assert len(server.requests) == asked


@pytest.mark.parametrize("status", [429, 500, 502, 503, 408])
def test_a_busy_or_broken_server_may_answer_later(remote: OpenAIEmbedder, server: _Server, status: int) -> None:
    server.reply = lambda _: (status, {"error": {"message": "not now"}})
    with pytest.raises(Temporary, match=f"HTTP {status}"):
        remote.embed_query("text")


@pytest.mark.parametrize("status", [400, 401, 403, 404, 422])
def test_a_server_that_refuses_will_refuse_again(remote: OpenAIEmbedder, server: _Server, status: int) -> None:
    server.reply = lambda _: (status, {"error": {"message": "no such model"}})
    with pytest.raises(Permanent, match=f"openai:m at http.*HTTP {status}.*no such model"):
        remote.embed_passages(["text"])


def test_passages_are_tried_again(server: _Server, tmp_path: Path) -> None:
    remote = OpenAIEmbedder("m", tmp_path, base_url=server.url, dim=3, n_retries=1)
    server.reply = lambda texts: (200, embeddings(texts)) if len(server.requests) > 1 else (500, {})
    assert remote.embed_passages(["text"]).shape == (1, 3)


def test_a_query_gives_up_on_a_server_that_hangs(server: _Server, tmp_path: Path) -> None:
    let_go = threading.Event()

    def hang(texts: list[str]) -> Reply:
        let_go.wait(10)
        return 200, embeddings(texts)

    server.reply = hang
    remote = OpenAIEmbedder("m", tmp_path, base_url=server.url, dim=3, query_timeout_seconds=0.2)
    begun = time.monotonic()
    with pytest.raises(Temporary, match="cannot be reached"):
        remote.embed_query("text")
    assert time.monotonic() - begun < 3
    let_go.set()


def test_no_server_at_all(tmp_path: Path) -> None:
    remote = OpenAIEmbedder("m", tmp_path, base_url="http://127.0.0.1:1/v1", dim=3, n_retries=0)
    with pytest.raises(Temporary, match="Is the server up"):
        remote.embed_passages(["text"])


@pytest.mark.parametrize(
    "answer",
    [
        {"data": []},
        {"data": [{"index": 0}]},
        {"data": [{"index": 0, "embedding": [1, 0, 0]}] * 2},
        {"data": [{"index": 0, "embedding": "zzz"}]},
        {"data": [{"index": 0, "embedding": []}]},
        {"something": "else"},
        ["a", "list"],
        "<html>a login page</html>",
    ],
)
def test_an_answer_out_of_protocol_is_permanent(server: _Server, tmp_path: Path, answer: Any) -> None:
    server.reply = lambda _: (200, answer)
    with pytest.raises(Permanent, match="openai:m"):
        OpenAIEmbedder("m", tmp_path, base_url=server.url, dim=3, n_retries=0).embed_query("text")


def test_another_dimension_than_before_is_permanent(remote: OpenAIEmbedder, server: _Server) -> None:
    assert remote.dim == 3
    server.reply = lambda texts: (200, embeddings(texts, dim=4))
    with pytest.raises(Permanent, match="gave vectors of 4 numbers, expected 3"):
        remote.embed_query("text")


@pytest.mark.parametrize("scale", [0.0, float("nan"), float("inf")])
def test_vectors_without_direction_are_permanent(remote: OpenAIEmbedder, server: _Server, scale: float) -> None:
    server.reply = lambda texts: (200, embeddings(texts, scale=scale))
    with pytest.raises(Permanent, match="openai:m gave 1 of 1 vectors"):
        remote.embed_passages(["text"])


def test_a_blank_text_costs_no_call(remote: OpenAIEmbedder, server: _Server) -> None:
    with pytest.raises(BadInput):
        remote.embed_passages(["text", " "])
    assert server.requests == []
