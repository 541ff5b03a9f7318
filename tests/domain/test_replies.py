"""What is read from replies of models, sound ones and broken ones. No reply is ever taken for "nothing to learn"."""

import json
import re
import time
from collections.abc import Callable
from dataclasses import astuple
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from domain.facts import Candidate, Quote
from domain.replies import Truncated, Unreadable, parse

TEA = {
    "subject": "user",
    "attribute": "preference",
    "object": "乌龙茶",
    "value": "like",
    "content": "用户喜欢乌龙茶",
    "category": "preference",
    "confidence": "high",
    "valid_from": "2026-01-02",
    "quotes": [{"id": "1", "text": "我只喝乌龙茶"}],
    "sources": ["1"],
}
NUTS = TEA | {"attribute": "allergy", "object": "peanuts", "value": "yes", "content": "The user can't eat peanuts."}
TEA_READ = Candidate(
    "user", "preference", "乌龙茶", "like", "用户喜欢乌龙茶", "preference", "high", "2026-01-02",
    (Quote("1", "我只喝乌龙茶"),), ("1",),
)  # fmt: skip


def written(*facts: Any) -> str:
    return json.dumps({"facts": facts}, ensure_ascii=False)


DRAFT = written(NUTS)
ANSWER = written(TEA)


def read(text: str, finish_reason: str = "stop") -> list[Candidate]:
    return parse(text, finish_reason)


def one(**fields: Any) -> Candidate:
    """Return how one fact with these fields is read."""
    [candidate] = read(written(fields))
    return candidate


# --- thinking

ANALYSIS = "<|channel|>analysis<|message|>"
THINKING = {
    "A-01": f'<think>I sketch {{"facts": [], ...}} first.</think>{ANSWER}',
    "broken sketch": f'<think>{{"facts": [ ... ]}}</think>\n\n{ANSWER}',
    "sound sketch": f"<think>{DRAFT}</think>{ANSWER}",
    "two blocks": f"<think>{DRAFT}</think> <think>{DRAFT}</think>{ANSWER}",
    "block after the answer": f"{ANSWER}<think>Was it right? {DRAFT}</think>",
    "nested": f"<think>a <think>b</think> {DRAFT}</think>{ANSWER}",
    "nested of another name": f"<think>a <analysis>b</think>{ANSWER}",
    "attributes and case": f"<Thinking budget='3' >{DRAFT}</THINKING>{ANSWER}",
    "analysis": f"<analysis>{DRAFT}</analysis>{ANSWER}",
    "reasoning": f"<reasoning>{DRAFT}</reasoning>{ANSWER}",
    "reflection": f"<reflection>{DRAFT}</reflection>{ANSWER}",
    "scratchpad": f"<scratchpad>{DRAFT}</scratchpad>{ANSWER}",
    "opened as one and closed as another": f"<thinking>{DRAFT}</think>{ANSWER}",
    "prefixed": f"<seed:think>{DRAFT}</seed:think>{ANSWER}",
    "bare closing tag": f"Let me see: {DRAFT}\n</think>\n{ANSWER}",
    "bare closing tag after an unclosed sketch": f'So {{"facts": [{{"content": "x\n</think>{ANSWER}',
    "bare closing tag within an unclosed string": f'So {{"facts": [{{"content": "x </think>{ANSWER}',
    "several bare closing tags": f"{DRAFT}</think>{DRAFT}</think>{ANSWER}",
    "empty": f"<think/><think></think>{ANSWER}",
    "Kimi": f"◁think▷{DRAFT}◁/think▷{ANSWER}",
    "Mistral": f"[THINK]{DRAFT}[/THINK]{ANSWER}",
    "Cohere": f"<|START_THINKING|>{DRAFT}<|END_THINKING|>{ANSWER}",
    "gpt-oss": f"{ANALYSIS}{DRAFT}<|end|><|start|>assistant<|channel|>final<|message|>{ANSWER}<|return|>",
    "gpt-oss with a constraint": f"{ANALYSIS}{DRAFT}<|channel|>final <|constrain|>json<|message|>{ANSWER}",
    "gpt-oss with a comment": f"<|channel|>commentary<|message|>{DRAFT}<|end|>{ANSWER}",
    "gpt-oss without markers": f"analysis{DRAFT}assistantfinal{ANSWER}",
    "unclosed bracket": f"<think>[[[ {{ \"</think>{ANSWER}",
}  # fmt: skip


@pytest.mark.parametrize("text", THINKING.values(), ids=THINKING.keys())
def test_thinking_is_no_answer(text: str) -> None:
    assert read(text) == [TEA_READ]


@pytest.mark.parametrize(
    "text",
    [
        f"<think>{ANSWER}",
        f"<think>a</think>{ANSWER}<think>",
        f"<think>{ANSWER}</analysis>",
        f"<think><think></think>{ANSWER}",
        f"<|channel|>analysis<|message|>{ANSWER}",
        f"[THINK]{written()}",
        f"◁think▷{written()}",
    ],
)
def test_thinking_without_an_end_is_no_success(text: str) -> None:
    with pytest.raises(Unreadable, match="never closed"):
        read(text)


@pytest.mark.parametrize("text", [f"{ANSWER}</think>", f"<think>{ANSWER}</think>", f"<think>{written()}</think> Done."])
def test_an_answer_within_thinking_only_is_none(text: str) -> None:
    with pytest.raises(Unreadable):
        read(text)


@pytest.mark.parametrize("around", ["{}", "Sure: {}", "```json\n{}\n```"])
@pytest.mark.parametrize("comma", ["", ","])
def test_tags_within_words_are_words(around: str, comma: str) -> None:
    text = written(TEA | {"content": "writes <think> and </think>"})[:-2] + f"{comma}]}}"
    [candidate] = read(around.replace("{}", text))
    assert candidate.content == "writes <think> and </think>"


# --- around the object

WRAPPED = {
    "bare": ANSWER,
    "fence": f"```json\n{ANSWER}\n```",
    "fence and prose": f"Here it is:\n```\n{ANSWER}\n```\nAnything else?",
    "Chinese prose": f"好的，结果如下：{ANSWER}。如有需要请告诉我！",
    "braces in prose": f"The set {{a, b}} and [3] and [see: {ANSWER}",
    "brackets in prose": f"[1], [note] and {{placeholder}}: {ANSWER} [end]",
    "last of several": f"{DRAFT}\nBetter:\n{ANSWER}",
    "last complete one": f'{{"facts": [ ... ]}} {ANSWER} as in {{"facts": [...]}}',
    "other objects": f'{{"mode": "x"}} {ANSWER} {{"done": true}}',
    "list": f"[{json.dumps(TEA)}]",
    "one fact": json.dumps(TEA),
    "one fact as facts": json.dumps({"facts": TEA}),
    "case of the key": json.dumps({" Facts ": [TEA]}),
    "tool call": f'<tool_call>{{"name": "save", "arguments": {ANSWER}}}</tool_call>',
    "byte order mark": f"\ufeff{ANSWER}",
}


@pytest.mark.parametrize("text", WRAPPED.values(), ids=WRAPPED.keys())
def test_the_object_is_found(text: str) -> None:
    assert read(text) == [TEA_READ]


def test_single_facts_one_a_line_are_all_read() -> None:
    text = f"{json.dumps(NUTS)}\n{json.dumps(TEA)}"
    assert [candidate.object for candidate in read(text)] == ["peanuts", "乌龙茶"]


@pytest.mark.parametrize(
    "text", [written(), "[]", "```json\n[ ]\n```", '<think>x</think>{"facts": [],}', "{facts: []}"]
)
def test_nothing_to_learn_is_said_by_an_empty_list(text: str) -> None:
    assert read(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "", " \n\t", "null", "{}", '{"facts": null}', '{"facts": {}}', '{"facts": "none"}', '{"result": []}', "true",
        "Nothing to learn.", "没有内容。", "- [ ]", '{"facts": [ ... ]}', '{"facts": [,]}', '{"facts": [null]}',
        '{"facts": ["likes tea", 3]}', '{"facts": [{}]}', '{"facts": [{"foo": 1}]}', "{'facts': [],, }", "\0", "[[]]",
        '{"facts": null, "draft": {"facts": []}}',
    ],
)  # fmt: skip
def test_what_says_nothing_is_not_nothing_to_learn(text: str) -> None:
    with pytest.raises(Unreadable) as caught:
        read(text)
    assert not isinstance(caught.value, Truncated)


@pytest.mark.parametrize(
    "text",
    [
        "I'm sorry, but I can't help with that.", "I’m sorry, I can’t do this", "I cannot assist with this request.",
        "I won't extract this.", "抱歉，我无法提供帮助。", "对不起，我不能回答", "很抱歉，無法處理",
        "<think>bad</think>I must decline.",
    ],
)  # fmt: skip
def test_a_refusal_is_named(text: str) -> None:
    with pytest.raises(Unreadable, match="refused"):
        read(text)


def test_a_filtered_reply_is_a_refusal() -> None:
    with pytest.raises(Unreadable, match="refused"):
        read(ANSWER, "content_filter")


def test_an_apology_around_an_answer_is_none() -> None:
    assert read(f"Sorry, I can't be sure: {ANSWER}") == [TEA_READ]


def test_messages_hold_no_words_of_the_reply() -> None:
    for text in ("secret words", '{"secret": 1}', '{"facts": ["secret"]}', '{"facts": [{"content": "secret'):
        with pytest.raises(Unreadable) as caught:
            read(text)
        assert "secret" not in str(caught.value)


# --- truncation


@pytest.mark.parametrize(
    "text", [written(TEA, NUTS), f"```json\n{written(TEA, NUTS)}", json.dumps([TEA, NUTS], indent=1)]
)
def test_wherever_it_ends_too_early_nothing_is_guessed(text: str) -> None:
    for n in range(text.index("s") + 1 if "{" not in text[:1] else 1, len(text)):
        with pytest.raises((Truncated, Unreadable)):
            read(text[:n])
    for n in range(text.index("subject"), len(text) - 1):
        with pytest.raises(Truncated):
            read(text[:n])


@pytest.mark.parametrize(
    "text",
    [
        '{"facts": [', "{facts: [{subject: 'user', 'obj", '{"facts"：[{“subject”：“us', '{"facts": [],',
        f"{ANSWER}\n{DRAFT[:50]}", '{"facts": [{"value": tru', '{"facts": [{"content": "a \\',
    ],
)  # fmt: skip
def test_lenient_reading_sees_the_end_too(text: str) -> None:
    with pytest.raises(Truncated):
        read(text)


@pytest.mark.parametrize("text", ["", ANSWER, "<think>very long", written()])
def test_the_limit_of_the_server_is_believed(text: str) -> None:
    with pytest.raises(Truncated):
        read(text, "length")


def test_a_broken_object_is_not_read_in_part() -> None:
    with pytest.raises(Unreadable, match="malformed"):
        read(f'{{"facts": [{json.dumps(TEA)}, {{"subject": oops}}, {json.dumps(NUTS)}]}}')
    with pytest.raises(Unreadable, match="malformed"):
        read(f'{{"facts": [], "note": {{a b}}, "more": [{json.dumps(TEA)}]')


# --- broken JSON

BROKEN: dict[str, Callable[[str], str]] = {
    "trailing commas": lambda text: text.replace("]", ",]").replace("}", " ,}"),
    "single quotes": lambda text: text.replace('"', "'"),
    "smart quotes": lambda text: text.replace(' "', " “").replace('["', "[“").replace('{"', "{“").replace('"', "”"),
    "one kind of smart quote": lambda text: text.replace('"', "”"),
    "full-width quotes": lambda text: text.replace('"', "＂"),
    "full-width punctuation": lambda text: text.translate(str.maketrans(":,{}[]", "：，｛｝［］")),
    "unquoted keys": lambda text: "".join(
        part.strip('"') if i % 2 else part for i, part in enumerate(re.split(r'("\w+"(?=:))', text))
    ),
    "comments": lambda text: text.replace(", ", ", // more, [see] \"this\"\n").replace("[", "[ /* a {list} */ "),
    "hash comments": lambda text: text.replace("{", "{ # an object\n"),
    "missing comma between objects": lambda text: text.replace("}, {", "} {"),
    "spread out": lambda text: text.replace(" ", " \n\t\u3000\u200b"),
}  # fmt: skip


@pytest.mark.parametrize("broken", BROKEN.values(), ids=BROKEN.keys())
def test_broken_json_is_read(broken: Callable[[str], str]) -> None:
    two = [TEA, TEA | {"object": "红茶", "sources": ["2", "3"]}]
    assert read(broken(written(*two))) == read(written(*two))
    assert len(read(broken(written(*two)))) == 2


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ('{"facts": [{"content": "line\none", "sources": []}]}', "line\none"),
        ('{"facts": [{"content": "line\none", "sources": [],}]}', "line\none"),
        ('{"facts": [{"content": "用户喜欢"三体"这本书", "sources": []}]}', '用户喜欢"三体"这本书'),
        ('{"facts": [{"content": "says "so", then goes"}]}', 'says "so", then goes'),
        ('{"facts": [{"content": "says "so""}]}', 'says "so"'),
        ("{'facts': [{'content': 'doesn't eat nuts', 'value': 'yes'}]}", "doesn't eat nuts"),
        ('{"facts": [{"content": "“好”，他说", "value": "yes",}]}', "“好”，他说"),
        ('{"facts": [{"content": "a \\"b\\" \\u8336 \\ud83c\\udf75 C:\\\\x \\d", }]}', 'a "b" 茶 🍵 C:\\x \\d'),
        ('{"facts": [{"content": True, }]}', "true"),
        ('{"facts": [{"content": None, "object": "x"}]}', ""),
        ('{"facts": [{"content": "https://a.example/#b // c", }]}', "https://a.example/#b // c"),
    ],
)
def test_strings_are_read(text: str, content: str) -> None:
    [candidate] = read(text)
    assert candidate.content == content


def test_two_strings_are_not_read_as_one() -> None:
    with pytest.raises(Unreadable):
        read('{"facts": [{"content": "its end is missing,\n"object": "tea", "value": "yes"}]}')


# --- entries


def test_ids_are_the_numbers_of_the_prompt() -> None:
    ids = [
        1,
        "2",
        "m3",
        "[4]",
        "#5",
        "id 6",
        7.0,
        "ID: 8",
        "（9）",
        "１０",
        "[m11]",
        "episode 12",
        "第13条",
        1,
        "1",
        None,
    ]
    assert one(object="x", sources=ids).sources == tuple(str(n) for n in range(1, 14))


def test_other_ids_stay_to_be_named() -> None:
    ids = ["mem_01HX", "999", "-3", 1.5, "1-4", "x, 3", True]
    assert one(object="x", sources=ids).sources == ("mem_01HX", "999", "-3", "1.5", "1-4", "x, 3", "true")


@pytest.mark.parametrize(
    ("sources", "expected"),
    [(3, "3"), ("3", "3"), ("1, m4", "14"), ("[1，2]", "12"), ("1、2", "12"), (None, ""), ("", "")],
)
def test_sources_need_not_be_a_list(sources: Any, expected: str) -> None:
    assert one(object="x", sources=sources).sources == tuple(expected)
    assert one(object="x", source=sources).sources == tuple(expected)


def test_quotes_of_all_kinds() -> None:
    quotes = [
        {"id": 2, "text": "a"},
        {"source": "m3", "quote": "b"},
        "c",
        {"text": "d"},
        {"id": 4},
        None,
        {"id": "zz", "text": "e"},
    ]
    expected = [Quote("2", "a"), Quote("3", "b"), Quote("1", "c"), Quote("1", "d"), Quote("zz", "e")]
    assert list(one(object="x", quotes=quotes, sources=[1, "1"]).quotes) == expected
    assert one(object="x", quotes="c", sources=[1, 2]).quotes == (Quote("", "c"),)
    assert one(object="x", quotes={"id": 1, "text": "c"}).quotes == (Quote("1", "c"),)
    assert one(object="x").quotes == ()


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        *((raw, "yes") for raw in (True, "true", "Yes", "是", None, "", " ", "有", "对。")),
        *((raw, "no") for raw in (False, "FALSE", "No.", "not", "否", "没有", "沒有")),
        *((raw, "like") for raw in ("likes", "LOVE", "prefers", "喜欢", "喜歡", "爱")),
        *((raw, "dislike") for raw in ("hates", "doesn’t like", "讨厌", "討厭", "不喜欢")),
        *((raw, "ended") for raw in ("no longer", "No_Longer", "not any more", "不再", "結束")),
        ("maybe", "maybe"), ("180 cm", "180 cm"), (3, "3"),
    ],
)  # fmt: skip
def test_values(value: Any, expected: str) -> None:
    assert one(object="x", value=value).value == expected


def test_a_missing_value_is_yes() -> None:
    assert astuple(one(object="x")) == ("", "", "x", "yes", "", "", "", "", (), ())


@pytest.mark.parametrize(
    ("confidence", "expected"),
    [
        *((raw, "high") for raw in ("High", 0.9, "0.8", 1.0, 8, 10, 95, "90%", "9/10", "高", "較高", "确定")),
        *((raw, "medium") for raw in ("MEDIUM", 0.5, 0.79, 5, 7, 60, "50%", "中", "中等")),
        *((raw, "low") for raw in ("low", 0, 0.49, 1, 3, 20, "低", "較低", 101, -1)),
        (None, ""), ("sure", "sure"),
    ],
)  # fmt: skip
def test_confidences(confidence: Any, expected: str) -> None:
    assert one(object="x", confidence=confidence).confidence == expected


@pytest.mark.parametrize("valid_from", [None, "", "null", "Unknown", "N/A", "未知", "无"])
def test_an_open_date_is_none(valid_from: str | None) -> None:
    assert one(object="x", valid_from=valid_from).valid_from == ""


def test_texts_of_other_types() -> None:
    made = one(subject=3, object=["茶", "tea", 2], content={"zh": "茶"}, attribute=True, Category="FACT", category_=1)
    assert (made.subject, made.object, made.content) == ("3", "茶, tea, 2", '{"zh": "茶"}')
    assert (made.attribute, made.category) == ("true", "fact")


def test_a_malformed_entry_among_sound_ones_stays_visible() -> None:
    made = read(written("likes tea", TEA, 3, {}))
    assert made[1] == TEA_READ
    assert [astuple(made[i]) for i in (0, 2, 3)] == [
        ("", "", "", "", text, "", "", "", (), ()) for text in ("likes tea", "3", "{}")
    ]


def test_no_text_is_beyond_utf8() -> None:
    made = one(object="a\ud800b\0c", content="\ud83c\udf75", quotes=["\udfff"], sources=["\ud800"])
    assert (made.object, made.content) == ("a\ufffdbc", "🍵")
    assert (made.quotes, made.sources) == ((Quote("\ufffd", "\ufffd"),), ("\ufffd",))


# --- size

N = 1_000_000
HUGE = {
    "brackets": "[" * N,
    "braces": "{" * N,
    "keys": '{"a":' * (N // 5),
    "strings": "['" * (N // 2),
    "odd strings": '[" ' * (N // 3),
    "strings and spaces": ('["' + " " * 2000) * 500,
    "backslashes": '["' + "\\" * N,
    "apostrophes": "{'facts': ['" + "don't " * (N // 6),
    "comments": "[/*" * (N // 3),
    "line comments": "[//" * (N // 3),
    "pairs": '{"a":1,' * (N // 7),
    "tags": "<think>" * (N // 7),
    "closing tags": "</think>" * (N // 8),
    "cut off and closed": "[“</think>" * (N // 10),
    "channels": "<|channel|>x" * (N // 12),
    "less": "<" * N,
    "long tags": ("<think " + "a" * 295) * (N // 300),
    "spaces": " " * N + "x",
    "nul": "\0" * N,
    "spaces in an id": json.dumps({"facts": [{"object": "x", "sources": ["(" + " " * N + "x"]}]}),
    "digits": '{"facts": [{"sources": [' + "9" * N + "]}]}",
    "lone surrogates": '{"facts": [{"object": "' + "\\ud800" * (N // 6) + '"}]}',
    "deep": '{"facts": [{"object": ' + "[" * 900 + "]" * 900 + "}]}",
    "sound": written(*[TEA] * (N // len(ANSWER))),
    "lenient": written(*[TEA] * (N // len(ANSWER)))[:-1] + ",}",
    "broken at its end": written(*[TEA] * (N // len(ANSWER)))[:-1] + "oops",
}


@pytest.mark.parametrize("text", HUGE.values(), ids=HUGE.keys())
def test_a_megabyte_takes_no_time(text: str) -> None:
    begun = time.process_time()
    try:
        candidates = read(text)
    except Unreadable:
        candidates = []
    assert time.process_time() - begun < 1.5  # mostly 0.3; the machine may be slower
    assert len(candidates) in {0, 1, N // len(ANSWER)}


# --- properties

WORDS = st.text(
    st.characters(codec="utf-8", exclude_characters='\0"\\{}[]｛｝［］<>◁▷“”‘’＂', exclude_categories=["Cc", "Cs"]),
    max_size=12,
)
ANY = st.one_of(WORDS, st.text(max_size=12), st.sampled_from(["<think>", 'a "b", "c": d', "</think>", DRAFT, "'}]"]))
FACTS = st.lists(
    st.fixed_dictionaries(
        dict.fromkeys(("subject", "attribute", "object", "value", "content", "category", "valid_from"), ANY)
        | {"confidence": st.sampled_from(["high", "medium", "low"])}
        | {"quotes": st.lists(st.fixed_dictionaries({"id": st.integers(1, 99), "text": ANY}), max_size=2)}
        | {"sources": st.lists(st.integers(1, 99), max_size=3)}
    ),
    max_size=3,
)
NOISE = st.lists(
    st.one_of(
        WORDS,
        st.sampled_from(
            ["```json\n", "```", " [3] ", "{a, b} ", "好的：", "Sure! ", "\n\n", '{"facts": [ ... ]} ', "{}", "[1, 2]"]
        ),
        st.sampled_from(["think", "Thinking", "analysis"]).map(lambda name: f"<{name}>{{ {DRAFT} [</{name}>"),
    ),
    max_size=4,
).map("".join)
SOUND = ["trailing commas", "full-width quotes", "comments", "missing comma between objects"]


@given(FACTS, NOISE, NOISE, st.booleans())
@settings(max_examples=100)
def test_noise_around_an_object_changes_nothing(facts: list[Any], before: str, after: str, bare: bool) -> None:  # noqa: FBT001
    text = written(*facts)
    before = f"{before}{DRAFT}</think>{before}" if bare else before
    assert read(f"{before} {text} {after}") == read(text)


@given(FACTS, st.integers(0, 2))
@settings(max_examples=100)
def test_lenient_reading_is_the_same(facts: list[Any], indent: int) -> None:
    text = json.dumps({"facts": facts}, ensure_ascii=False, indent=indent or None)
    assert read(f"{text[:-1]},}}") == read(text)


PIECES = st.sampled_from(
    [
        *"{}[]:,\"'“”：，｛｝/#\\<> \n3",
        *(
            "facts",
            '"facts": [',
            "<think>",
            "</think>",
            "<|channel|>final",
            '{"subject": "user",',
            "null",
            "\\u",
            "\ud800",
        ),
    ]
)


@given(st.one_of(st.text(), st.lists(PIECES, max_size=40).map("".join)), st.sampled_from(["stop", "", "length", "odd"]))
@example("[" * 100_000, "stop")
@example('{"facts": [{"object": ' + "[" * 990 + "]" * 990 + "}]}", "stop")
@settings(max_examples=250)
def test_any_text_is_read_or_unreadable(text: str, finish_reason: str) -> None:
    try:
        candidates = parse(text, finish_reason)
    except Unreadable:
        return
    assert all(isinstance(candidate, Candidate) for candidate in candidates)
    "".join(candidate.object for candidate in candidates).encode()


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        max_leaves=20,
    )
)
@settings(max_examples=100)
def test_any_json_as_facts_is_read_or_unreadable(value: Any) -> None:
    for text in (json.dumps({"facts": value}), json.dumps({"facts": [TEA | {"quotes": value, "sources": value}]})):
        try:
            read(text)
        except Unreadable:
            assert value != []
