"""What a model's reply proposes: thinking set aside, lenient JSON read, entries turned into candidates. Pure.

The reply should be ``{"facts": [...]}``. What stands in thinking blocks is never an answer, and what ends too early is
never completed by guessing: a reply that cannot be read raises, so that it is not taken for "nothing to learn".
The reader is our own: json-repair 0.64.6 turns ``{"facts": [ ... ]}`` into no facts, closes what was cut off, does not
know ``：`` and ``“``, and took more than a minute for 100 kB of brackets and quotes.
"""

import json
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from domain.errors import HindsightError
from domain.facts import Candidate, Quote


class Unreadable(HindsightError):
    """A reply holds no answer; the message says in one sentence what is wrong with it, without the reply's words."""

    code = "unreadable_reply"


class Truncated(Unreadable):
    """A reply ends before its answer does."""

    code = "truncated_reply"


_MAX_DEPTH, _MAX_INNER_QUOTES = 50, 40
_MAX_STEPS = 200_000  # of attempts that fail, a third of a second; 100 kB of broken JSON needs 50 000

# `<think>` of most; `◁think▷` of Kimi; `[THINK]` of Mistral; START_THINKING of Cohere; channels of gpt-oss, whose
# markers some servers leave behind as "assistantfinal".
_NAMES = "thinking|think|thoughts?|analysis|reasoning|reflection|scratchpad"
_TAG_TEXT = (
    rf"(?i:[<◁](?P<close>/?)\s?(?:\w{{1,20}}:)?(?P<name>{_NAMES})\b[^<>▷]{{0,300}}[>▷])"
    r"|\[(?P<slash>/?)THINK\]|<\|(?P<edge>START|END)_THINKING\|>"
    r"|<\|channel\|>\s?(?P<channel>\w{1,20})|(?P<over><\|end\|>)|(?P<bare>assistantfinal)"
)
_TAG = re.compile(_TAG_TEXT)
_MARK = re.compile(rf"{_TAG_TEXT}|[{{\[｛［]")

_BLANKS = r"[\s\0\ufeff\u200b]{0,200}"
_GAP = re.compile(r"(?:[\s\0\ufeff\u200b]+|//[^\n]{0,300}|#[^\n]{0,300}|/\*[^*]{0,300}\*/)*")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?(?![\w.])|[mM]\d{1,9}\b")  # m3: an id without its quotes
_NAME = re.compile(r"[^\W\d][\w-]*")
_WORDS = {"true": True, "false": False, "null": None, "none": None, "undefined": None, "nan": None}
_WORD_CUT_OFF = re.compile(r"[\w.+-]{1,20}\Z")
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"} | {char: char for char in "\"'\\/“”‘’"}
_QUOTES = "\"'“”‘’＂"
_STOPS = {pair[0]: re.compile(rf"[{pair[1:]}\\]") for pair in ('""', "''", '“”“"', '””“"', "‘’‘'", "’’‘'", "＂＂")}
# A quote ends a string if what follows may follow there; otherwise it is a quote within it, as in 喜欢"三体"这本书.
_KEY_AHEAD = rf"[{_QUOTES}][^{_QUOTES}]{{0,60}}(?:[{_QUOTES}]{_BLANKS}(?:[:：]|\Z)|\Z)|\w{{1,60}}{_BLANKS}(?:[:：]|\Z)"
_AFTER_KEY = re.compile(rf"{_BLANKS}(?:[:：]|\Z)")
_AFTER_MEMBER = re.compile(rf"{_BLANKS}(?:[}}｝]|\Z|//|/\*|[,，、]{_BLANKS}(?:{_KEY_AHEAD}|[}}｝]|\Z|//|/\*))")
_AFTER_ITEM = re.compile(
    rf"{_BLANKS}(?:[\]］]|\Z|//|/\*|[,，、]{_BLANKS}(?:[{_QUOTES}{{｛\[［\]］\d-]|[mM]\d|true|false|null|None|\Z|//|/\*))"
)

_REFUSED = "the model refused to answer"
_REFUSAL = re.compile(
    r"\bI(?: a|['’]?)m (?:sorry|unable|not able)\b|\bI (?:can(?:not| not|['’]?t)|won['’]?t|must decline|apologi[sz]e)\b"
    r"|抱歉|对不起|對不起|无法|無法|不能(?:提供|协助|協助|帮|幫|回答|处理|處理|完成)|拒绝|拒絕",
    re.IGNORECASE,
)


def parse(text: str, finish_reason: str) -> list[Candidate]:
    """Return the proposals of a reply; none for an explicit empty list of facts.

    Args:
        text: as the model wrote it, with thinking, fences and prose.
        finish_reason: as the server gave it; ``length`` and ``content_filter`` decide alone.

    Raises:
        Truncated: the reply ends before its answer does.
        Unreadable: it is a refusal, thinking without an end, or holds no list of facts.

    >>> parse('<think>{"facts": []}</think>{"facts": [{"subject": "user", "object": "茶"}]}', "stop")[0].object
    '茶'
    """
    if finish_reason == "content_filter":
        raise Unreadable(_REFUSED)
    if finish_reason == "length":
        raise Truncated("the reply was cut off at the limit of its length")
    if not text.strip():
        raise Unreadable("the reply is empty")
    try:
        entries = _entries(_answer(text))
        candidates = [_candidate(entry) for entry in entries]
    except RecursionError:
        raise Unreadable("the JSON of the reply is nested too deeply") from None
    if entries and not any(map(_fields, entries)):
        raise Unreadable('no entry of "facts" is an object with the fields that were asked for')
    return candidates


@dataclass
class _Answer:
    """What stands outside of thinking: complete values in their order, and what became of the others."""

    values: list[Any] = field(default_factory=list)
    text: str = ""  # after the last thinking
    is_broken: bool = False  # then what is complete may be a part only
    is_cut_off: bool = False


def _entries(answer: _Answer) -> list[Any]:
    if answer.is_cut_off:
        raise Truncated("the reply ends inside its JSON")
    if listed := [facts for value in answer.values for facts in _facts_in(value)]:
        return listed[-1]
    if answer.is_broken:
        raise Unreadable("the JSON of the reply is malformed: a quote, comma or bracket is missing or too many")
    if bare := [value for value in answer.values if isinstance(value, list) and any(map(_is_fact, value))]:
        return bare[-1]
    if alone := [value for value in answer.values if _is_fact(value)]:
        return alone
    if re.sub(r"[\s`]|(?i:json)", "", answer.text) == "[]":
        return []
    if any(isinstance(value, dict) for value in answer.values):
        raise Unreadable('the JSON object of the reply has no list "facts"')
    raise Unreadable(_REFUSED if _REFUSAL.search(answer.text) else "the reply holds no JSON object")


def _facts_in(value: Any, depth: int = 0) -> Iterator[list[Any]]:
    """Yield the list of facts of an object, or of one wrapped in another as tool calls do."""
    if not isinstance(value, dict):
        return
    named = [inner for key, inner in value.items() if key.strip().lower() == "facts"]
    yield from ([facts] if _is_fact(facts) else facts for facts in named if _is_fact(facts) or isinstance(facts, list))
    if not named and depth < 2:
        for inner in value.values():
            yield from _facts_in(inner, depth + 1)


def _answer(text: str) -> _Answer:
    found = _Answer()
    blocks: list[str] = []
    at = begin = n_steps = 0
    # within thinking, and after what is never closed, only a tag changes anything
    while mark := (_TAG if blocks or found.is_cut_off else _MARK).search(text, at):
        at = mark.end()
        if mark[0] not in "{[｛［":
            begin = at
            if _ends_all(mark, blocks):
                found = _Answer()
            continue
        reader = _Reader(text, mark.start())
        try:
            found.values.append(reader.complete())
            at = reader.at
            continue
        except _Malformed as error:
            found.is_cut_off = isinstance(error, _Ends)
            found.is_broken |= reader.n_members > 0
        n_steps += 10 + reader.n_steps + (reader.at - mark.start()) // 1000
        if n_steps > _MAX_STEPS:
            raise Unreadable("the reply holds too many brackets that are no JSON")
    if blocks:
        raise Unreadable("the thinking of the reply is never closed, so that nothing in it is the answer")
    found.text = text[begin:]
    return found


def _ends_all(tag: re.Match[str], blocks: list[str]) -> bool:
    """Note the tag in the open blocks; return whether all that stands before it was thinking."""
    if tag["channel"] == "final" or tag["bare"]:
        blocks.clear()
        return True
    name = "channel" if tag["channel"] or tag["over"] else (tag["name"] or "think").lower()
    name = "think" if name.startswith(("think", "thought")) else name
    if not (tag["close"] or tag["slash"] or tag["edge"] == "END" or tag["over"]):
        blocks += [] if tag[0].endswith("/>") else [name]
        return False
    if name in blocks:
        del blocks[len(blocks) - 1 - blocks[::-1].index(name) :]
        return False
    return not blocks and not tag["over"]  # a closing tag without an opening one: the server dropped that


class _Malformed(Exception):
    """What stands here is no JSON, however leniently read."""


class _Ends(_Malformed):
    """The text ends inside the value."""


_STRICT = json.JSONDecoder(parse_int=str, parse_float=str, parse_constant=str, strict=False)


class _Reader:
    """Reads the one value that starts at a bracket; ``at`` is where it ended or failed."""

    def __init__(self, text: str, at: int) -> None:
        self.text, self.at = text, at
        self.n_members = self.n_steps = 0

    def complete(self) -> Any:
        try:
            value, self.at = _STRICT.raw_decode(self.text, self.at)
        except ValueError:
            return self._value(_AFTER_ITEM, 0)
        return value

    def _value(self, after: re.Pattern[str], depth: int) -> Any:
        if depth > _MAX_DEPTH:
            raise _Malformed
        char = self._next()
        if char in "[［":
            return [self._value(_AFTER_ITEM, depth + 1) for _ in self._turns("]］")]
        if char in "{｛":
            return self._object(depth)
        if char in _QUOTES:
            return self._string(after)
        if number := _NUMBER.match(self.text, self.at):
            self.at = number.end()
            return number[0]
        return self._word()

    def _object(self, depth: int) -> dict[str, Any]:
        made: dict[str, Any] = {}
        for _ in self._turns("}｝"):
            key = self._key()
            self.n_members += 1
            made[key] = self._value(_AFTER_MEMBER, depth + 1)
        return made

    def _turns(self, closers: str) -> Iterator[None]:
        self.at += 1
        while self._next() not in closers:
            yield
            last = self.text[self.at - 1]
            if self._next() in ",，、":
                self.at += 1
            elif self.text[self.at] not in closers and last not in "}]｝］":  # "} {" may lack its comma
                raise _Malformed
        self.at += 1

    def _next(self) -> str:
        self.n_steps += 1
        gap = _GAP.match(self.text, self.at)
        self.at = gap.end() if gap else self.at
        if self.at == len(self.text):
            raise _Ends
        return self.text[self.at]

    def _key(self) -> str:
        if self._next() in _QUOTES:
            key = self._string(_AFTER_KEY)
        elif name := _NAME.match(self.text, self.at):
            key, self.at = name[0], name.end()
        else:
            raise _Malformed
        if self._next() not in ":：":
            raise _Malformed
        self.at += 1
        return key

    def _word(self) -> Any:
        word = _NAME.match(self.text, self.at)
        if not word or word[0].lower() not in _WORDS:
            raise _Ends if _WORD_CUT_OFF.match(self.text, self.at) else _Malformed
        self.at = word.end()
        return _WORDS[word[0].lower()]

    def _string(self, after: re.Pattern[str]) -> str:
        stops = _STOPS[self.text[self.at]]
        begin = at = self.at + 1
        n_inner = 0
        while stop := stops.search(self.text, at):
            at = self.at = stop.end() + (stop[0] == "\\")
            self.n_steps += 1
            if stop[0] != "\\":
                if after.match(self.text, at):
                    break
                n_inner += 1
            if n_inner > _MAX_INNER_QUOTES:
                raise _Malformed
        else:
            raise _Ends
        raw = self.text[begin : stop.start()]
        if n_inner and ("\n" in raw or _TAG.search(raw)):
            raise _Malformed  # more likely two strings, the first without its end
        return _ESCAPE.sub(_unescaped, raw)


def _unescaped(escape: re.Match[str]) -> str:
    return chr(int(escape[1], 16)) if escape[1] else _ESCAPED.get(escape[2], escape[0])


_TEXTS = tuple(name for name in Candidate.__slots__ if name not in {"quotes", "sources"})
_FIELD_NAMES = {name: name for name in Candidate.__slots__} | {"quote": "quotes", "source": "sources"}


def _by_word(*lines: str) -> dict[str, str]:
    return {word.replace("_", " "): line.split()[0] for line in lines for word in line.split()}


_VALUES = _by_word(
    "yes true y 是 有 对 對",
    "no false n not never 否 不 不是 没有 沒有 无 無 从不 從不",
    "like likes liked love loves loved enjoy enjoys prefer prefers favorite favourite"
    " 喜欢 喜歡 喜爱 喜愛 热爱 熱愛 爱 愛 偏好 偏爱 偏愛 爱吃 愛吃",
    "dislike dislikes disliked hate hates hated does_not_like doesn't_like don't_like not_like"
    " 讨厌 討厭 不喜欢 不喜歡 不爱 不愛 厌恶 厭惡 反感 不爱吃 不愛吃",
    "ended end no_longer not_any_more not_anymore any_more anymore stopped former formerly previously past used_to quit"
    " 不再 已结束 已結束 结束 結束 曾经 曾經 以前 停止 已停止 终止 終止",
)
_CONFIDENCES = _by_word(
    "high very_high certain 高 很高 较高 較高 确定 確定",
    "medium moderate mid 中 中等",
    "low very_low uncertain 低 很低 较低 較低 不确定 不確定",
)
_SHARE = re.compile(r"(-?\d{1,9}(?:\.\d{1,20})?)\s*(%|/\s*(?:5|10|100)\Z)?")
_ID = re.compile(
    r"[\s\[(<#【]*(?:(?:id|no|number|episode|memory|m|e|第|编号|編號)?[\s.:#_]*)0*(\d{1,9})(?:\.0+)?[\s\])>】条條号號.]*",
    re.IGNORECASE,
)


def _fields(entry: Any) -> dict[str, Any]:
    if not isinstance(entry, dict):
        return {}
    named = ((key.strip().lower().replace(" ", "_").replace("-", "_"), value) for key, value in entry.items())
    return {_FIELD_NAMES[name]: value for name, value in named if name in _FIELD_NAMES}


def _is_fact(value: Any) -> bool:
    return len(_fields(value)) >= 2


def _candidate(entry: Any) -> Candidate:
    fields = _fields(entry)
    if not fields:  # malformed: to be seen among the rejected ones
        return Candidate(**dict.fromkeys(_TEXTS, "") | {"content": _text(entry)}, quotes=(), sources=())
    texts = {name: _text(fields.get(name)) for name in _TEXTS}
    value = texts["value"] or "yes"
    texts["value"] = _VALUES.get(_word_of(value), value)
    texts["category"] = texts["category"].lower()
    texts["confidence"] = _confidence(texts["confidence"])
    if _word_of(texts["valid_from"]) in {"null", "none", "unknown", "n/a", "未知", "无", "無"}:
        texts["valid_from"] = ""
    sources = _ids(fields.get("sources"))
    return Candidate(**texts, quotes=_quotes(fields.get("quotes"), sources), sources=sources)


def _text(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return {None: "", True: "true", False: "false"}[value]
    if isinstance(value, list) and not any(isinstance(inner, (dict, list)) for inner in value):
        return ", ".join(map(_text, value))
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    # halves of a pair that escapes wrote one by one join; what stays half, no table takes
    whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return whole.replace("\0", "").strip()


def _word_of(text: str) -> str:
    return " ".join(text.lower().replace("_", " ").replace("’", "'").strip(" .!。！").split())


def _confidence(text: str) -> str:
    # a number over 1 counts as of ten or of a hundred; a bare 1 could be of one or of ten: low
    number = _SHARE.fullmatch(unicodedata.normalize("NFKC", text))
    if not number:
        return _CONFIDENCES.get(_word_of(text), text)
    share = float(number[1])
    if number[2]:
        share /= float(number[2].lstrip("/ ").replace("%", "100"))
    elif share > 1 or number[1] == "1":
        share /= 10 if share <= 10 else 100
    return "high" if 0.8 <= share <= 1 else "medium" if 0.5 <= share <= 1 else "low"


def _ids(value: Any) -> tuple[str, ...]:
    """Return ids as the prompt numbered them, each once; what is no number stays as it is, to be named later."""
    found: list[str] = []
    for item in value if isinstance(value, list) else [value]:
        text = _text(item["id"] if isinstance(item, dict) and "id" in item else item)
        parts = re.split(r"[,，、;；]", text.strip(" []"))
        numbers = [len(part) < 40 and _ID.fullmatch(unicodedata.normalize("NFKC", part)) for part in parts]
        found += [number[1] for number in numbers if number] if all(numbers) else [text]
    return tuple(dict.fromkeys(filter(None, found)))


def _quotes(value: Any, sources: tuple[str, ...]) -> tuple[Quote, ...]:
    only = sources[0] if len(sources) == 1 else ""
    found = []
    for item in value if isinstance(value, list) else [value]:
        named = item if isinstance(item, dict) else {"text": item}
        text = _text(next((named[key] for key in ("text", "quote", "content") if key in named), ""))
        ids = _ids(next((named[key] for key in ("id", "source", "source_id") if key in named), None))
        found.append(Quote(ids[0] if ids else only, text))
    return tuple(quote for quote in found if quote.text)
