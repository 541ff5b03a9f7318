"""The words that keyword search compares, the same for a stored text and for a query. Pure."""

import re
import unicodedata
from functools import lru_cache

from snowballstemmer.english_stemmer import EnglishStemmer

# Scripts that are written without spaces, as ranges of a regex character class. Hangul has spaces, but its particles
# stick to the words, so that pairs of syllables find more than whole words do.
_UNSPACED = (
    "\u0e00-\u0e4e\u0e80-\u0ece\u0edc-\u0edf"  # Thai and Lao letters and marks, without their digits
    "\u1000-\u103f\u1050-\u108f\u109a-\u109f\ua9e0-\ua9ef\ua9fa-\ua9fe\uaa60-\uaa7f"  # Myanmar
    "\u1780-\u17b3\u17b6-\u17d3\u17d7\u17dc\u17dd"  # Khmer
    "\u1100-\u11ff\u3131-\u318e\ua960-\ua97c\uac00-\ud7fb"  # Hangul
    "\u3005-\u3007\u3021-\u3029\u3038-\u303b\u3041-\u3096\u3099\u309a\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"
    "\u2e80-\u2fdf\u3105-\u312f\u31a0-\u31bf\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"  # Han, radicals, Bopomofo
    "\U0001b000-\U0001b16f\U00020000-\U000323af"  # old kana, Han extensions B and on
)
# Vowel signs and accents belong to the word they stand in, but `\w` of `re` knows letters and digits only.
_MARKS = "".join(chr(code) for code in range(0x10000) if unicodedata.category(chr(code))[0] == "M")
_RUN = re.compile(rf"([{_UNSPACED}]+)|((?:(?![{_UNSPACED}])[^\W_][{_MARKS}]*)+)")
_ASCII_WORD = re.compile(r"[a-z0-9]+")
# Joiners, soft hyphen and variation selectors: shown as nothing, typed or not by chance.
_INVISIBLE = re.compile("[\u00ad\u034f\u200b-\u200f\u2060-\u2064\ufe00-\ufe0f\ufeff\U000e0100-\U000e01ef]")

STOP_WORDS = frozenset(
    re.findall(
        r"\w+",
        "a an and are as at be been but by did do does for from had has have he her him his i if in into is it its me "
        "my of on or our she so that the their them then there these they this to us was we were will with you your "
        "s t ll ve re",
    )
)


def tokens(text: str) -> list[str]:
    """Return the words to compare, in order, repeated as often as they stand there.

    Words are NFKC, casefolded and cut at what is neither letter nor digit; words of ASCII letters are stemmed as
    English, without ``STOP_WORDS`` unless nothing else is there. A run of a script without spaces (Han, kana, Hangul,
    Thai, Lao, Khmer, Myanmar) gives its overlapping pairs of characters; a run of one character gives that character.

    >>> tokens("The cats, 下周去北京")
    ['cat', '下周', '周去', '去北', '北京']
    """
    found = [_stem(word) for word in _ASCII_WORD.findall(text.lower())] if text.isascii() else _mixed(text)
    return [word for word in found if word] or _stop_words_only(text)


def _mixed(text: str) -> list[str]:
    found: list[str] = []
    for unspaced, word in _RUN.findall(_folded(text)):
        if not unspaced:
            found.append(_stem(word))
        elif len(unspaced) == 1:
            found.append(unspaced)
        else:
            found += map(str.__add__, unspaced, unspaced[1:])
    return found


def _folded(text: str) -> str:
    """Return the text without invisible characters, NFKC and casefolded; the order is Unicode's NFKC_Casefold."""
    composed = unicodedata.normalize("NFKC", unicodedata.normalize("NFD", _INVISIBLE.sub("", text)).casefold())
    return unicodedata.normalize("NFKC", composed.casefold())


def _stop_words_only(text: str) -> list[str]:
    return [word for word in _ASCII_WORD.findall(_folded(text)) if word in STOP_WORDS]


@lru_cache(maxsize=65_536)
def _stem(word: str) -> str:
    """Return the stem of a folded word, or "" for a stop word; words that are not ASCII letters stay as they are."""
    if word in STOP_WORDS:
        return ""
    if not (word.isascii() and word.isalpha()):
        return word
    # A stemmer keeps the word in itself while it works; one for each word (0.2 us) makes threads safe.
    return str(EnglishStemmer().stemWord(word))
