"""Huge texts in overlapping pieces, cut where a reader would pause; and what is no text at all. Pure."""

import re
import unicodedata
from dataclasses import dataclass

from domain.errors import BadInput

# Where a piece may end, best first: after a paragraph, a line, a sentence, a clause, a word.
_BORDERS = (
    re.compile(r"\n[^\S\n]*\n\s*"),
    re.compile(r"\n\s*"),
    re.compile(r"""(?:[。！？!?…‼⁇⁈⁉｡।؟]|\.(?=[\s"'”’)\]]))+[”’"'」』）)\]】》]*\s*"""),
    re.compile(r"[，；、：,;:､،؛]\s*"),
    re.compile(r"\s+"),
)
_SENTENCE = 3  # the first three of them end a sentence

_BLOB_WORD = re.compile(r"[A-Za-z0-9+/_=-]{40,}")
_HEX_LINE = re.compile(r"^[ \t]*(?:(?:0x)?[0-9A-Fa-f]{4,16}[: \t]+)?(?:[0-9A-Fa-f]{2,8}[ \t]+){5,}.*$", re.MULTILINE)
_HEX_WORDS = re.compile(r"(?:(?:0x|\\x)?[0-9A-Fa-f]{2}[ \t,:]*){64,}")
_CONTROL = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f-\x84\x86-\x9f\ufffd\ufffe\uffff]")
_MIN_BLOB_CHARS = 128  # a SHA-512 in hex is that long; anything shorter may be a token somebody talks about
_MAX_CLUSTER_CHARS = 32  # a longer combining sequence is no letter anybody typed, and is cut


@dataclass(frozen=True, slots=True)
class Chunk:
    """One piece of a text: ``text`` stands in it at ``start_char`` (code points, from 0)."""

    start_char: int
    text: str


def split(text: str, max_chars: int = 1200, overlap_chars: int = 150) -> list[Chunk]:
    """Return overlapping pieces of 1 to ``max_chars`` characters, ascending; [] for a text of white space only.

    Each character that is not white space is in a piece. A piece ends after a paragraph, else a line, sentence, clause
    or word, in the second half of its room; the next starts at a border within the last ``overlap_chars`` of it.

    Args:
        text: any text, of any length.
        max_chars: >= 1.
        overlap_chars: >= 0 and less than half of ``max_chars``.

    Raises:
        BadInput: a length is outside its range.
    """
    if max_chars < 1 or not 0 <= overlap_chars * 2 < max_chars:
        raise BadInput(
            f"cannot split with max_chars={max_chars}, overlap_chars={overlap_chars}: need 0 <= 2*overlap < max"
        )
    found: list[Chunk] = []
    start = 0
    while start < len(text):
        end = _end(text, start, max_chars)
        piece = text[start:end]
        if not piece.isspace():
            found.append(Chunk(start, piece))
        start = end if end == len(text) or not overlap_chars else _next_start(text, start, end, overlap_chars)
    return found


def _end(text: str, start: int, max_chars: int) -> int:
    if start + max_chars >= len(text):
        return len(text)
    first, last = start + (max_chars + 1) // 2, start + max_chars
    for border in _BORDERS:
        ends = [match.end() for match in border.finditer(text, first, last)]
        if ends:
            return _outside_cluster(text, ends[-1], first)
    return _outside_cluster(text, last, first)


def _next_start(text: str, start: int, end: int, overlap_chars: int) -> int:
    """Return where the next piece starts, in (start, end]: as early in the overlap as a good border allows."""
    first = max(end - overlap_chars, start + 1)
    for borders in (_BORDERS[:_SENTENCE], _BORDERS[_SENTENCE:]):
        starts = [match.end() for border in borders for match in border.finditer(text, first, end) if match.end() < end]
        if starts:
            return _outside_cluster(text, min(starts), first)
    return _outside_cluster(text, first, start + 1)


def _outside_cluster(text: str, cut: int, lowest: int) -> int:
    """Return ``cut``, or the last place before it, not below ``lowest``, that parts no combined character."""
    for place in range(cut, max(lowest, cut - _MAX_CLUSTER_CHARS) - 1, -1):
        if not _is_inside_cluster(text, place):
            return place
    return cut


def _is_inside_cluster(text: str, place: int) -> bool:
    if not 0 < place < len(text):
        return False
    before, after = text[place - 1], text[place]
    if after.isascii():
        return before == "\r" and after == "\n"
    return (
        unicodedata.category(after)[0] == "M"
        or "\u200d" in {before, after}  # joins emoji into families and letters into ligatures
        or "\U0001f3fb" <= after <= "\U0001f3ff"  # skin tones
        or (_is_regional(before) and _is_regional(after))
        or ("\ud800" <= before <= "\udbff" and "\udc00" <= after <= "\udfff")  # a pair that nobody joined
    )


def _is_regional(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"


def is_binary_looking(text: str) -> bool:
    """Return whether most of a text is no language: base64, a hex dump, or bytes read as characters.

    Control and replacement characters count from a tenth of the text; encoded words (40 characters and more) and hex
    from half of it and 128 characters. A hash, a key or a long link inside a sentence does not make it binary.
    """
    n_chars = len(text)
    if len(_CONTROL.findall(text)) * 10 > n_chars:
        return True
    if n_chars < _MIN_BLOB_CHARS:
        return False
    words = sum(len(word) for word in _BLOB_WORD.findall(text) if _is_encoded(word))
    dumps = max(_hex_chars(_HEX_LINE, text), _hex_chars(_HEX_WORDS, text))
    return max(words, dumps) >= max(_MIN_BLOB_CHARS, n_chars / 2)


def _hex_chars(pattern: re.Pattern[str], text: str) -> int:
    """Return how much of a text the pattern covers; 0 if it has next to no letters: columns of numbers are text."""
    found = "".join(match.group() for match in pattern.finditer(text))
    return len(found) if len(re.findall("[A-Fa-f]", found)) * 20 > len(found) else 0


def _is_encoded(word: str) -> bool:
    """Return whether a long unbroken word has digits, and upper and lower case letters, or is hex throughout."""
    if len(set(word)) < 8:  # a ruler of dashes, aaaaaaaa
        return False
    has_digit = any("0" <= char <= "9" for char in word)
    is_hex = all(char in "0123456789abcdefABCDEF" for char in word)
    is_mixed = any("A" <= char <= "Z" for char in word) and any("a" <= char <= "z" for char in word)
    return has_digit and (is_hex or is_mixed)
