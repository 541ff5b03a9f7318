"""What counts as an object in an English statement: which words are cut off, and which are no object. Pure."""

# ruff: noqa: E501 - one pattern, one line: broken in two it would be read wrongly

import re
from collections.abc import Iterator
from itertools import pairwise

_F = re.IGNORECASE

_ARTICLE = re.compile(
    r"^(?:(?:a|an|the|any|some|all|my|our|a (?:little|bit of)|bit of|little|basic|fluent|native|severe|serious|mild|bad|both|both of"
    r"|eating|drinking|to eat|to drink|listening to|watching|to)\s+)+",
    _F,
)
_DETERMINER = re.compile(r"^(?:an?|the|my)\s+", _F)
_NO_OBJECT = re.compile(
    r".*\b(?:it|its|it's|this|that|these|those|them|him|her|you|ya|u|your|yours|his|hers|mine|theirs|their|we|us|our|i|me|myself"
    r"|what|how|where|why|who|one|ones|someone|somebody|everyone|idea|ideas|plan|concept|suggestion|vibes?|photo|pic"
    r"|picture|way|fact|point|question|answer|news|anything|everything|something|nothing|stuff|things?)\b.*|.*\0.*",
    _F | re.DOTALL,
)
_NO_TASTE = re.compile(
    r"(?:(?:in|at|through|of|as)\b.*|to (?:be|say|see|hear|know|think|bother|ask|admit|go|do|have|get|make|keep|help|take|wait|leave|tell|break|believe"
    r"|sound|complain|look|watch)|being able|hearing|seeing|knowing|having|saying|asking|waiting to|my|escaping|another|so|too|(?:short|shorter|brief|concise|detailed|direct|long) (?:answers|replies|responses|explanations)|(?:metric|imperial|celsius|fahrenheit|kilomet)|when|if|such"
    r"|more|less|either|neither|each|and|but|or|not|the (?:first|second|third|last|latter|former|new|color|colour"
    r"|design|look|sound of (?:your|that)|name|title|layout|draft|result|option|version|part|end\w*|outfit|dress)"
    r"|most|much|lots?|very|(?:big|huge|massive|great|total|real|major|good|biggest|true|both)$|here|there|work with|all (?:the|of))\b.*",
    _F,
)
_THE = re.compile(
    r"the\s+(?!(?-i:[A-Z])|ocean|sea|beach|mountains?|outdoors|snow|rain|countryside|city|sun|cold|heat|winter|summer"
    r"|smell|taste|texture|gym|theat|opera|forest|desert|sound of)",
    _F,
)
_NO_ALLERGEN = re.compile(
    r".*\b(?:mornings?|mondays?|work|stupid\w*|bullshit|bs|drama|nonsense|idiots?|exercise|math|people|meetings?|running"
    r"|bad|lies|lying|fun|commitment|losing|failure|small talk|certain|a few|foods?|lots?|many|some)\b.*",
    _F,
)
_NO_PLACE = re.compile(
    r"(?:(?:a|an|my|our|this|that|here|there|fear|constant|hope|peace|denial|sin|style|luxury|poverty|harmony|apartment"
    r"|house|town|dorms?|person|love|charge|trouble|general|with|next|first|second|last|one|another|different|bed|work"
    r"|accounting|marketing|sales|hr|it|management|and|on|in)\b.*|the\s+(?!(?-i:[A-Z])|uk|us|usa|bay|netherlands).*)",
    _F,
)
_NO_NAME = re.compile(
    r"(?:later|back|tomorrow|tonight|now|maybe|crazy|old|asap|anytime|please|when\w*|soon|today|first|again|if|at|after"
    r"|before|on|in|an?|the|by|from|not|out|up|over|your?|that|this|when|biased|names?|old-?fashioned|weird|stupid|lazy|so"
    r"|monday|tuesday|wednesday|thursday|friday|saturday|sunday|mine|it|what\w*|every\w*|any\w*)\b.*",
    _F,
)
_NO_TASK = re.compile(
    r".*\b(?:it|this|that|them|these|those)\s*$|.*\0.*|(?:of|about (?:it|this|that)|why|how|what|later)\b.*", _F
)
_NO_EMPLOYER = re.compile(
    r"(?:(?:a|an|the)\s+(?:same|living|long|bit|while|moment|time|few|week|month|year|day|night|weekend|best|new company"
    r"|moment|office)|home|night|nights|least|all|my|our|it|this|that|them|him|her|you|free|both|the weekend|school"
    r"|a (?:new|different) (?:place|job|company)|work|once|\d.*|myself|fun|hours?|days?|years?|months?|pm|am|full|part)\b.*",
    _F,
)
_REFUSED = {
    "preference": (_NO_OBJECT, _NO_TASTE, _THE),
    "allergy": (_NO_OBJECT, _NO_ALLERGEN),
    "diet": (
        _NO_OBJECT,
        re.compile(
            r"(?:much|enough|out|at|well|so|too|a lot|before|after|there|here|lunch|breakfast|dinner|when)\b.*", _F
        ),
    ),
    "name": (_NO_NAME,),
    "call_me": (_NO_NAME,),
    "partner": (_NO_NAME,),
    "child": (_NO_NAME,),
    "pet": (_NO_NAME, _NO_OBJECT),
    "lives_in": (_NO_PLACE, _NO_OBJECT),
    "hometown": (_NO_PLACE, _NO_OBJECT),
    "moved_from": (_NO_PLACE, _NO_OBJECT),
    "trip": (_NO_PLACE, _NO_OBJECT),
    "employer": (_NO_EMPLOYER, _NO_OBJECT),
    "task": (_NO_TASK,),
    "plan": (_NO_TASK, re.compile(r"(?:use|store|implement|test|manually|add|deploy|do|make|create)\b", _F)),
    "field_of_study": (
        _NO_OBJECT,
        re.compile(r"(?:a lot|lots?|hard|late|alone|here|abroad|every|for|with|at|in|too|much|best|better)\b", _F),
    ),
    "goal": (_NO_TASK,),
    "constraint": (re.compile(r".*(?:\0|\b(?:him|her|them|it|that|this|these|those)\b).*", _F | re.DOTALL),),
    "deadline": (
        _NO_OBJECT,
        re.compile(r".*\b(?:package|movie|film|album|baby|order|delivery|train|flight|he|she|bus|game)$", _F),
    ),
}
_UNFINISHED = re.compile(r".*\b(?:to|of|with|in|on|at|for|about|from|by|the|an?|as|and|or|than|like)$", _F | re.DOTALL)
_ANY = (_NO_OBJECT,)
_LISTS = frozenset(
    {"allergy", "diet", "preference", "speaks", "hobby", "medication", "health_condition", "pet", "child"}
)
_WHOLE = frozenset({"task", "constraint", "habit", "goal", "plan", "child", "sibling", "pet", "reply_style"})
_MAX_WORDS = {"task": 16, "constraint": 16, "goal": 14, "plan": 14, "habit": 12}
_MAX_WORDS_ELSE = 6
_AROUND = " \t\n\"'*_~.,;:!()[]<>《》「」"
_TAIL = re.compile(
    r"(?:[^\w)\]%+#'\"$€£¥°]|\s+(?:too|here|either|anymore|now|please|thanks|though|lol|haha|so much|a lot|the most|very much|at all|myself|personally|in general|and|or|but|most|best))+$",
    _F,
)
_BETWEEN = re.compile(r"\s*,\s*(?:and|or|nor|&)\s+|\s*,\s*|\s+(?:and|or|nor|&)\s+", _F)


def objects(attribute: str, raw: str) -> Iterator[tuple[str, int]]:
    """Yield the bare things that the words of a group name, and where in them each stands."""
    parts = _parts(raw) if attribute in _LISTS else [(raw, 0)]
    refused = (*_REFUSED.get(attribute, _ANY), _UNFINISHED)
    for part, place in parts:
        words = _TAIL.sub("", part).strip(_AROUND)
        if attribute == "pet":
            words = _DETERMINER.sub("", words)
        if not words or any(pattern.match(words) for pattern in refused):
            return  # what is listed after no object is none either
        bare = (
            words
            if attribute in _WHOLE
            else (_DETERMINER if attribute == "health_condition" else _ARTICLE).sub("", words)
        )
        if bare and len(bare.split()) <= _MAX_WORDS.get(attribute, _MAX_WORDS_ELSE) and re.search(r"\w", bare):
            yield bare, place + part.find(bare)


# "Trips with friends and family" is no list of two.
_HANGS_ON = re.compile(r"\w+\s+(?:with|about|in|on|for|to|from|at|into|around)\s", _F)


_ADJECTIVES = re.compile(r"\ban?\s+\w+,\s+(?!(?:and|or|but|call|my|me|you|i|it|then|we|so|no|not|especially)\b)", _F)


def _parts(raw: str) -> list[tuple[str, int]]:
    """Return the parts of a list that ends in "and" or "or"; a comma before anything else ends the object."""
    marks = list(_BETWEEN.finditer(raw))
    is_list = bool(marks) and re.search(r"\b(?:and|or|nor)\b|&", marks[-1].group(), _F) is not None
    if marks and _ADJECTIVES.search(raw[: marks[0].end() + 12]):
        return []  # "a safe, inviting place"
    if not is_list:
        return [(raw[: marks[0].start()] if marks else raw, 0)]
    if _HANGS_ON.search(raw[: marks[0].start()]):
        return [(raw.split(",", maxsplit=1)[0], 0)]
    borders = [(0, 0), *((mark.start(), mark.end()) for mark in marks), (len(raw), len(raw))]
    parts = [(raw[a[1] : b[0]], a[1]) for a, b in pairwise(borders)]
    if any(len(part.split()) > 4 for part, _ in parts[1:]):
        return parts[:1]
    return parts


_USUAL = {"mommy": "mom", "mummy": "mum", "daddy": "dad", "hubby": "husband"}


def subject(who: str) -> str:
    """Return a relative as people call them."""
    return _USUAL.get(who.lower(), who.lower())
