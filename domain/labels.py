"""What a text looks like from outside: its language, its mood, and how much it is worth keeping. Pure.

All three look at the first ``READ_CHARS`` characters only.
"""

import re
from functools import lru_cache
from typing import Literal

from py3langid.langid import MODEL_FILE, LanguageIdentifier  # type: ignore[import-untyped]

from domain import emotion_lexicon as lexicon

Emotion = Literal["positive", "negative", "neutral"]

READ_CHARS = 2_000

# --- language

_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af]")
_KANA = re.compile("[\u3041-\u3096\u30a1-\u30fa\uff66-\uff9d]")
_LATIN_WORD = re.compile(r"[A-Za-z\u00c0-\u024f\u1e00-\u1eff][\w.'’\u0300-\u036f-]*")
_TITLE = re.compile("《[^》]*》|「[^」]*」")
_OTHER_SCRIPTS = {
    "ko": re.compile("[\uac00-\ud7a3\u1100-\u11ff\u3131-\u318e]"),
    "ru": re.compile("[\u0400-\u052f]"),
    "ar": re.compile("[\u0600-\u06ff\u0750-\u077f\ufb50-\ufdff\ufe70-\ufefc]"),
    "he": re.compile("[\u0590-\u05ff]"),
    "el": re.compile("[\u0370-\u03ff\u1f00-\u1fff]"),
    "hi": re.compile("[\u0900-\u097f]"),
    "bn": re.compile("[\u0980-\u09ff]"),
    "ta": re.compile("[\u0b80-\u0bff]"),
    "te": re.compile("[\u0c00-\u0c7f]"),
    "th": re.compile("[\u0e00-\u0e7f]"),
    "lo": re.compile("[\u0e80-\u0eff]"),
    "my": re.compile("[\u1000-\u109f]"),
    "ka": re.compile("[\u10a0-\u10ff]"),
    "am": re.compile("[\u1200-\u137f]"),
    "km": re.compile("[\u1780-\u17ff]"),
    "hy": re.compile("[\u0530-\u058f]"),
}
# Letters that only the second language of a script has.
_TELLTALE = {"ru": ("uk", re.compile("[іїєґІЇЄҐ]")), "ar": ("fa", re.compile("[پچژگ]"))}

_ENGLISH = frozenset(
    re.findall(
        r"\S+",
        "the and you my of with this that what how have are it can for not i'm don't it's i'll i've they we but your "
        "about "
        "would could should there their when where which who why from be been",
    )
)
# Below this many words a Latin text is English: py3langid takes "hello" for Breton (probability .07).
_MIN_WORDS_TO_ASK = 4
_MIN_PROBABILITY, _MIN_PROBABILITY_ACCENTED = 0.9, 0.7
_ASK_CHARS = 300  # 60 us; more changes no answer
# Languages in Latin letters that people chat in; py3langid knows 97 and mistakes code for the small ones.
_LATIN_LANGUAGES = frozenset(
    re.findall(r"\w+", "af ca cs da de en es et fi fr hr hu id is it lt lv ms nl no pl pt ro sk sl sq sv sw tl tr vi")
)


def language(text: str) -> str:
    """Return the ISO 639-1 code of a text's language, "und" where it has no letters.

    The script decides; a Han character weighs as much as a Latin word, so that Chinese with English names in it is
    "zh". Latin letters are "en" unless py3langid is sure of another language (0.9, or 0.7 with
    accented letters; four words at least).
    """
    text = text[:READ_CHARS]
    words = _LATIN_WORD.findall(text)
    if text.isascii():
        return _latin_language(text, words) if words else "und"
    outside_titles = _TITLE.sub("", text)
    n_kana, n_han = len(_KANA.findall(outside_titles)), len(_HAN.findall(text))
    if (n_han + n_kana) * 2 > len(text):  # nothing else can weigh more
        return "ja" if n_kana * 6 > n_han else "zh"
    counts = {code: len(script.findall(text)) / 3 for code, script in _OTHER_SCRIPTS.items()}
    counts["ja" if n_kana * 6 > n_han else "zh"] = n_han + n_kana
    best = max(counts, key=lambda code: counts[code])
    if counts[best] == 0 or counts[best] < len(words):
        return _latin_language(text, words) if words else "und"
    other, letters = _TELLTALE.get(best, (best, _HAN))
    return other if letters.search(text) else best


def _latin_language(text: str, words: list[str]) -> str:
    if len(words) < _MIN_WORDS_TO_ASK:
        return "en"
    n_english = sum(word.lower().replace("’", "'") in _ENGLISH for word in words[:60])
    if n_english >= 2 or n_english * 6 >= len(words):
        return "en"
    code, probability = _identifier().classify(text[:_ASK_CHARS])
    enough = _MIN_PROBABILITY if text.isascii() else _MIN_PROBABILITY_ACCENTED
    return str(code) if probability >= enough and code in _LATIN_LANGUAGES else "en"


@lru_cache(maxsize=1)
def _identifier() -> LanguageIdentifier:
    """Return the model of py3langid, which takes half a second to load: only when a text needs it."""
    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)


# --- emotion

_ZH_CLAUSE = re.compile(r"[^，。！？；,!?;\n~…]+")
_ZH_NEGATION_REACH = 5  # characters: "没有那么不高兴", not the clause's far end
_EN_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?|[.!?;,]")
_EN_STOPS = frozenset(".!?;,")
_EN_NEGATION_REACH = 3  # words: "not really very happy"


def emotion(text: str) -> Emotion:
    """Return the mood that a text's words name; "neutral" where they name none, or both.

    A denied good feeling is negative ("not happy", 不开心); a denied bad one is neutral ("wasn't sad", 没有不高兴).
    """
    text = text[:READ_CHARS]
    signs = _signs_zh(text) if not text.isascii() and _HAN.search(text) else set()
    signs |= _signs_en(text.lower().replace("’", "'"))
    if len(signs) != 1:
        return "neutral"
    return "positive" if signs == {1} else "negative"


def _signs_zh(text: str) -> set[int]:
    signs = set()
    for clause in _ZH_CLAUSE.findall(lexicon.NO_FEELING_ZH.sub("", text)):
        for sign, pattern in ((1, lexicon.POSITIVE_ZH), (-1, lexicon.NEGATIVE_ZH)):
            for match in pattern.finditer(clause):
                before = clause[: match.start()]
                if match.group() in lexicon.OF_THE_SPEAKER_ZH and lexicon.OTHERS_ZH.search(before):
                    continue
                signs.add(_denied(sign, len(lexicon.NEGATORS_ZH.findall(before[-_ZH_NEGATION_REACH:]))))
    return signs - {0}


def _denied(sign: int, times: int) -> int:
    """Return the sign after so many negations; denying a denial, or a bad feeling, leaves none."""
    if times == 0:
        return sign
    return -1 if sign == 1 and times == 1 else 0


def _signs_en(text: str) -> set[int]:
    signs = set()
    text = lexicon.NO_FEELING_EN.sub(" ", text)
    for sign, phrases in ((-1, lexicon.NEGATIVE_EN_PHRASES), (1, lexicon.POSITIVE_EN_PHRASES)):
        text, n_found = phrases.subn(" ; ", text)
        if n_found:
            signs.add(sign)
    words = _EN_WORD.findall(text)
    for place, word in enumerate(words):
        sign = 1 if word in lexicon.POSITIVE_EN else -1 if word in lexicon.NEGATIVE_EN else 0
        if sign:
            before = words[max(0, place - _EN_NEGATION_REACH) : place]
            border = max((n for n, other in enumerate(before) if other in _EN_STOPS), default=-1)
            before = before[border + 1 :]
            signs.add(_denied(sign, sum(other in lexicon.NEGATORS_EN or other.endswith("n't") for other in before)))
    return signs - {0}


# --- salience

LOW_SALIENCE = 0.3  # below it a row is kept and found, but never reflected on
EMPTY, WEATHER, ORDINARY = 0.1, 0.2, 0.5
_MAX_SMALL_TALK_CHARS = 120  # a longer text says something, however politely

_CLAUSE = re.compile(r"[^，。！？；、,.!?;:：\n~～…—()（）]+")
_PADDING = re.compile(r"[\W_]+")
_GREETING_ZH = re.compile(
    "(?:你好|您好|大家好|嗨|哈喽|哈啰|嘿|喂|在吗|在不在|早上好|早安|早啊?|上午好|中午好|下午好|晚上好|晚安|做个好梦"
    "|好梦|再见|拜拜|回见|回头聊|明天见"
    "|好的?|好好|好呀|好嘞|好吧|行|可以|没问题|嗯+|哦+|噢+|喔+|啊+|呃+|额+|哈+|嘿+|呵+|嘻+|收到|了解|明白|知道|懂|对"
    "|是的?|没事|不客气|不用谢|客气"
    "|谢谢?|多谢|感谢|辛苦|麻烦你|太好|太棒|真棒|厉害|不错|赞|加油|谢谢大家|6+|ok|没关系|打扰|你呢|吃了吗|最近怎么样"
    "|最近好吗|祝你|周末愉快|生日快乐|新年快乐"
    "|了|啦|呀|哟|哦|您|你|啊|的|吗|呢)+"
)
_GREETING_EN = re.compile(
    r"(?:(?:hi|hello|hey|hiya|yo|howdy|there|all|everyone|guys|ok|okay|k|kk|thanks?|thank you|thx|ty|cheers|ta|please"
    r"|so|very|"
    r"much|a|lot|again|good|morning|afternoon|evening|night|day|how are you|how are you doing|how's it going|what's "
    r"up|sup|"
    r"bye|goodbye|see|you|ya|soon|later|talk to you|then|take care|have|nice|great|one|weekend|too|yes|yeah|yep|yup"
    r"|no|nope|"
    r"sure|got it|i see|right|alright|fine|cool|awesome|perfect|wow|wonderful|amazing|that's|that is|it's|sounds"
    r"|looks|lol|lmao|"
    r"rofl|(?:ha)+h?|(?:he){2,}|h+m+|uh+|um+|oh+|ah+|you're welcome|welcome|no problem|np|no worries|my pleasure"
    r"|anytime|"
    r"sorry|excuse me|well done|congrats|congratulations|understood|noted|exactly|indeed|absolutely|of course|really"
    r"|glad|"
    r"for|your|the|help|nice to meet you|long time no see)(?:\s+|$))+"
)
_WEATHER_ZH = re.compile(
    "天气|下雨|下雪|刮风|太阳|晴天|阴天|好冷|好热|太热|太冷|真冷|真热|降温|升温|气温|多云|雾霾|凉快|闷热|暖和"
)
_WEATHER_EN = re.compile(
    r"\b(?:weather|rain(?:ing|y)?|snow(?:ing|y)?|sunny|cloudy|windy|foggy|humid|chilly|freezing|(?:so|too|very"
    r"|pretty) (?:cold|hot"
    r"|warm)|(?:cold|hot|warm) (?:outside|today))\b"
)
_OWN_ZH = re.compile("[我俺咱]")
_OWN_EN = re.compile(r"\b(?:i|i'm|i've|i'd|i'll|my|mine|me|myself|we|our|we're)\b")

# What makes a text worth keeping, and by how much; the sum is capped at 1.
_WEIGHTS: tuple[tuple[float, re.Pattern[str]], ...] = (
    (  # who somebody is
        0.3,
        re.compile(
            r"我叫|我的?名字|我是[^不吗？?]|我姓|我住|我家|家住|我的?(?:生日|电话|地址|邮箱|工作|职业|公司|专业|老家)"
            r"|我在[^，。]{1,10}(?:工作|上班|上学|读书|做)"
            r"|my (?:name|birthday|phone|address|e-?mail|job|hometown|age)\b|call me\b|i(?:'m| am) (?:a|an|from)\b"
            r"|i(?:'m| am) \w+ from\b"
            r"|i (?:live|work|was born|grew up|study|moved)\b"
        ),
    ),
    (  # likes and dislikes
        0.25,
        re.compile(
            r"喜欢|讨厌|最爱|偏好|习惯|爱吃|爱喝|不吃|不喝|不爱|受不了|戒了|忌口"
            r"|\bi (?:\w+ )?(?:love|like|prefer|enjoy|hate|dislike|adore|can't stand)\b|\b(?:i )?(?:don't|do not"
            r"|never|can't|cannot) "
            r"(?:eat|drink|like|smoke|use|want|stand)\b|\bfavou?rite\b|\bi(?:'m| am) (?:a )?(?:vegan|vegetarian|fan of)"
        ),
    ),
    (  # health
        0.3,
        re.compile(
            r"过敏|血压|血糖|糖尿病|怀孕|手术|医生|确诊|吃药|住院|失眠|生病|症|近视|孕"
            r"|\b(?:allerg\w+|diabet\w+|pregnan\w+|surgery|doctor|diagnos\w+|blood pressure|asthma|medication"
            r"|insomnia|celiac|illness)\b"
        ),
    ),
    (  # standing wishes
        0.3,
        re.compile(
            r"以后[^，。]{0,8}(?:都|要|不要|别|请)|不要再|千万|必须|务必|禁止|永远不|总是要|记住|别忘"
            r"|\b(?:never|always|must(?:n't)?|remember|don't ever|from now on|make sure|do not)\b"
        ),
    ),
    (  # plans
        0.2,
        re.compile(
            r"打算|计划|准备|要去|想去|预约|订了|报名|考研|搬家|辞职|结婚|出差|目标"
            r"|\b(?:plan(?:ning|s)?|going to|gonna|i'll|i will|booked|appointment|want to|hope to|flying|moving to"
            r"|deadline|goal)\b"
        ),
    ),
    (  # the people of a life
        0.2,
        re.compile(
            r"我(?:的)?(?:女儿|儿子|妈|爸|老婆|老公|妻子|丈夫|爱人|孩子|哥|姐|弟|妹|爷爷|奶奶|外公|外婆|男朋友|女朋友"
            r"|对象|同事|老板|朋友|猫|狗)"
            r"|\bmy (?:\w+ )?(?:daughter|son|mom|mum|mother|dad|father|wife|husband|partner|kids?|child(?:ren)?"
            r"|brother|sister|"
            r"girlfriend|boyfriend|friend|boss|dog|cat|family)\b"
        ),
    ),
    (  # numbers and dates
        0.1,
        re.compile(
            r"\d|[一二三四五六七八九十两]+(?:岁|点|号|月|年|天|个|次|元|块|公里)|[下上这本]周|周[一二三四五六日末]"
            r"|今[天年]|明[天年]|后天|昨天|去年"
            r"|\b(?:tomorrow|yesterday|next|last|monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b"
        ),
    ),
)
_OWN_WEIGHT = 0.1


def salience(text: str, category: str | None) -> float:
    """Return how much a text is worth keeping, in [0, 1]; below ``LOW_SALIENCE`` it is small talk.

    A constraint is 1. Greetings, thanks, laughter and politeness are ``EMPTY``, talk about the weather ``WEATHER``, a
    sentence ``ORDINARY``; what the speaker says of themselves, their people, tastes, health, plans and dates adds up.
    """
    if category == "constraint":
        return 1.0
    text = text[:READ_CHARS].lower().replace("’", "'")
    worth = sum(weight for weight, pattern in _WEIGHTS if pattern.search(text))
    if worth <= 0.11 and len(text) <= _MAX_SMALL_TALK_CHARS:
        small_talk = _small_talk(text)
        if small_talk is not None:
            return small_talk
    if _OWN_EN.search(text) or _OWN_ZH.search(text):
        worth += _OWN_WEIGHT
    return min(1.0, round(ORDINARY + worth, 2))


def _small_talk(text: str) -> float | None:
    """Return the salience of a text whose every clause says nothing, else None."""
    worth = EMPTY
    for clause in _CLAUSE.findall(text):
        bare = _PADDING.sub(" ", clause.replace("'", "\u02bc")).replace("\u02bc", "'").strip()
        if not bare or _GREETING_ZH.fullmatch(bare.replace(" ", "")) or _GREETING_EN.fullmatch(bare):
            continue
        if not (_WEATHER_ZH.search(bare) or _WEATHER_EN.search(bare)) or _OWN_ZH.search(bare) or _OWN_EN.search(bare):
            return None
        worth = WEATHER
    return worth
