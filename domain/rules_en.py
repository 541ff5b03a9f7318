"""English statements about oneself in a text: which clauses may be read, and what counts as an object. Pure.

The tables of patterns are in ``rules_en_tastes``, ``rules_en_life`` and ``rules_en_asks``.
"""

# ruff: noqa: E501 - one pattern, one line: broken in two it would be read wrongly

import re
from collections.abc import Iterator
from itertools import chain

from domain import rules_en_asks, rules_en_health, rules_en_life, rules_en_tastes, rules_en_work
from domain.rules_en_objects import objects, subject
from domain.rules_found import MAX_SENTENCE_CHARS, Clause, Found, blanked, matches

_RULES = (
    *rules_en_tastes.RULES,
    *rules_en_life.RULES,
    *rules_en_work.RULES,
    *rules_en_health.RULES,
    *rules_en_asks.RULES,
)
_F = re.IGNORECASE

# A text without any of these holds no statement that a table knows.
_HINT = re.compile(
    r"\b(?:i|im|i'm|ive|my|me|we|our|not a|never|don'?t|do not|no|only|always|please|answer|reply|respond|speak|talk|use|keep|be"
    r"|due|deadline|budget|stop|set|big fan|huge fan|allergic|can'?t stand|moved|relocated|grew|born|vegan|vegetarian|based|living|working|started|joined|adopted|love|hate|prefer|give|got|skip|temperatures?|distances?|prices?|weights?|here|expires?)\b",
    _F,
)
_SENTENCE = re.compile(
    r"(?:[^.!?。！？;\n]|\.(?=\w)|(?<=\b(?:Dr|Mr|Ms|St|vs))\.|(?<=\b(?:Mrs|a\.m|p\.m|e\.g|i\.e))\.)+[.!?。！？;\n]*"
)
# Words in quotation marks are somebody else's if they speak of themselves; else they are a title or a name.
_QUOTED = re.compile(
    r"\"[^\"\n]*?\b(?:i|i'm|im|my|me|we|you)\b[^\"\n]*(?:\"|$)|(?<![\w])'[^'\n]*?\b(?:i|my|me)\b[^\n]*?'(?!\w)", _F
)
# From here on a text is not about its writer.
_NOT_ONESELF = re.compile(
    r"\b(?:translat\w+|proofread\w*|paraphrase|rephrase|rewrite|role-?play\w*|pretend\w*|act as|fix (?:the|my) grammar"
    r"|(?:correct|check) (?:the|this|my) (?:grammar|sentence|spelling)|(?:once upon a time)|lyrics|hypothetical\w*"
    r"|in (?:this|the|my) (?:story|novel|game|scenario|dream)|imagine|practi[cs]e sentences?|dating profiles?|fictional|fictitious"
    r"|made-up|make up an?|made up an?|invent an?|testimonial|monologue|dialogue|screenplay|slogan|tagline|persona"
    r"|(?:fix|correct|check|edit|polish|improve|shorten|simplify|summari[sz]e|grade) (?:the|this|these|my|following|the following)\b[^.;:\n]{0,30}"
    r"\b(?:sentences?|text|paragraph|grammar|english|wording|essay|spelling|typos?|mistakes?|bio|summary|line|passage)|grammar (?:mistakes?|errors?|check)"
    r"|(?:write|draft|create|generate|compose|come up with|give me|help me with|need|make)\b[^.;:!?\n]{0,30}"
    r"\b(?:bio|profile|poem|haiku|limerick|story|novel|song|script|speech|caption|advert|ad|jokes?|sentences|examples|character|rap|toast|sketch"
    r"|diary entry|blog post|cover letter|role|lines))\b",
    _F,
)
# The words before were a text to look at.
_REFERS_BACK = re.compile(
    r"\b(?:is|was|does|are) (?:this|that|the|my) (?:sentences?|english|grammar|text|paragraph|wording|phrase)\b|\b(?:translate|rewrite|rephrase|proofread|correct) (?:this|that|it)\b"
    r"|\bhow (?:do|would|can) (?:you|i) say (?:that|this)\b|\bgrammatically\b|\bdoes (?:this|that) sound (?:natural|right|ok)\b",
    _F,
)
# Nobody chats like that.
_NOTICE = re.compile(
    r"^\W*(?:newsletter|ad|advert\w*|sponsored|promo\w*|promotion|notification|digest|press release)\b\s*[\]:|)]|\bunsubscribe\b|\breply stop\b"
    r"|^\W*dear (?:valued )?(?:customer|member|guest|subscriber|shopper|client|user)|\bopt out\b|\d\s?% off\b|\bclick (?:here|below|the link)\b"
    r"|\blimited[- ]time\b|\b(?:shop|order|buy|book|call|sign up|subscribe|download) (?:now|today)\b|\bpromo code\b|\buse code\b|\bfree (?:shipping|delivery|trial)\b",
    _F,
)
_JOKE = re.compile(
    r"\b(?:just kidding|kidding|jk|j/k|just joking|joking aside|(?:am|was|'m) joking|sarcasm)\b|/s\b", _F
)

# Before a statement, in its sentence: it is supposed, doubted, reported, wished, or a text to write.
_DOUBTED = re.compile(
    r"\b(?:if|unless|whether|suppos\w+|assum\w+|as though|wish\w*|hope|hoping|would|might|may|maybe|perhaps|probably"
    r"|possibly|could|not sure|unsure|doubt\w*|think|thought|guess|wonder\w*|seems?|apparently|used to|not that"
    r"|you (?:should|must|have to|can|could|need to)|it's not|it isn't|doesn't mean|not because|until|when|whenever|back then|as a (?:kid|child|teenager)|growing up|once"
    r"|(?<!i )(?<!i've )(?:said|saying|says?|tells?|told|telling|claim\w*|insist\w*|joke\w*|ask\w*|mention\w*"
    r"|hear|heard|believes?|swears?|assumes?|write|writes|wrote|writing|draft\w*|compose|reads?|quote\w*|texted)"
    r"|sentence|phrase|example|e\.g\.|for instance|like:|character|protagonist|story|poem|tweet|caption|song)\b",
    _F,
)
# What opens a sentence without doubting it.
_TOLD_YOU = re.compile(
    r"\bi(?:'ve)? (?:already |also )?(?:told you|said|mentioned)\b|\b(?:to )?tell you\b|\bas i (?:said|told|mentioned)\b"
    r"|\b(?:i (?:should|must|have to|forgot to|want to|wanted to|need to|'d like to) (?:mention|say|add|tell you|note)|worth (?:mentioning|saying|noting))\b"
    r"|\b(?:(?:i )?(?:think |thought |guess )?you should know|just so you know|i think i (?:already )?(?:told you|mentioned|said))\b"
    r"|\b(?:if|when|whenever|in case|before|while|as) (?:you(?!'d)|it (?:helps|matters|makes)|anyone asks|that (?:helps|matters)|this (?:helps|matters))\b[^,:;.]{0,60}[,:-]",
    _F,
)
# After it: the words were another's, or they are a question for consent.
_REPORTED_AFTER = re.compile(
    r"[,\"]\s*(?:(?:he|she|they|my \w+|(?-i:[A-Z])[a-z]+)\s+(?:said|says|told|joked|whispered|replied|wrote)|said\b|says\b)"
    r"|,\s*(?:right|correct|no|yeah|huh|or not|isn't it|don't i|am i|do i|eh)\s*\?",
    _F,
)
# Tastes and diets of the moment; a home or an employer may well be of today.
_MOMENTARY = re.compile(
    r"\b(?:today|tonight|right now|at the moment|this (?:morning|evening|afternoon|time|week|round)|for (?:now|once|lunch"
    r"|dinner|breakfast)|in the mood|feel(?:ing)? like|tomorrow|yesterday|last night|just (?:had|ate|finished))\b",
    _F,
)
_LASTING = frozenset({"preference", "diet", "hobby", "habit", "smoking", "alcohol", "reply_style"})
_REQUEST = re.compile(
    r"^\W*(?:(?:hey|hi|ok|please|also|and)\W+)*(?:can|could|would|will) you (?:please )?(?:always )?(?:remind me|answer|reply|respond|speak|talk)\b",
    _F,
)
_ASKS = re.compile(
    r"^\W*(?:(?:so|and|but|then|ok|okay|hey|hi|well|please|also)\W+)*(?:can|could|would|will|should|shall|may|do|does|did"
    r"|is|are|am|was|were|have|has|what|what's|whats|which|who|how|where|when|why|any|got|suggest\w*|recommend\w*|anything"
    r"|know|ideas?|mind|think you|is there)\b(?!\s+(?:that|this|it|i)\b\s*(?:\?|right|correct))",
    _F,
)


def find(text: str) -> Iterator[tuple[Found, int, int]]:
    """Yield the statements of a plain text, each with the place of its sentence: first and last character.

    Args:
        text: as ``rules_found.plain`` returns it.
    """
    if not _HINT.search(text) or _JOKE.search(text) or _NOTICE.search(text) or _REFERS_BACK.search(text):
        return
    read = blanked(text, _QUOTED)
    if other := _NOT_ONESELF.search(read):
        # What stands in earlier sentences is the writer's own.
        read = read[: max(read.rfind(mark, 0, other.start()) for mark in ".!?\n") + 1]
    for sentence in _SENTENCE.finditer(read):
        words = sentence.group()
        if len(words) <= MAX_SENTENCE_CHARS and _HINT.search(words):
            yield from _of_sentence(words, sentence.start())


def _of_sentence(words: str, first: int) -> Iterator[tuple[Found, int, int]]:
    told = words.rstrip()
    if told.endswith("?") and not _REQUEST.match(told):
        told = _before_question(told)
    if not told or _REPORTED_AFTER.search(words):
        return
    starts = sorted({match.end() for match in rules_en_life.BEGIN.finditer(told)})
    is_momentary = _MOMENTARY.search(told) is not None
    stated = chain(matches(Clause(told, first), starts, _RULES, objects, subject), _continued(told, first))
    for found, place in stated:
        before = _TOLD_YOU.sub(" ", told[:place])
        if _DOUBTED.search(before) or (is_momentary and found.attribute in _LASTING):
            continue
        yield found, first, first + len(told)


def _continued(told: str, first: int) -> Iterator[tuple[Found, int]]:
    """Yield what is said of "I" without the word: "Just moved to Oslo", "I'm from Cork but live in Rome"."""
    for mark in _GOES_ON.finditer(told):
        place = mark.end()
        before = told[:place]
        subjects = _SUBJECTS.findall(before)
        if (subjects and not _ONESELF.fullmatch(subjects[-1])) or _TO_DO.search(before):
            continue
        am = _WHAT_I_AM.match(told, place)
        if not (am or _WHAT_I_DID.match(told, place)) or (subjects and _A_NOUN_TOO.match(told, mark.start())):
            continue
        if not subjects and _SOMETHING_IS.match(told, place):
            continue
        for words in ("i'm ", "i ") if am else ("i ",):
            read = Clause(words + told[place:], first + place - len(words))
            for found, _ in matches(read, (0,), _RULES, objects, subject):
                if found.attribute in _CARRIED and not found.subject:
                    yield found, place


_GOES_ON = re.compile(
    r"^\W*(?:(?:hey|hi|hello|so|ok|okay|well|yeah|yes|btw|fyi|also|and|oh|honestly|actually|personally|update|sorry|ugh|finally|news|then|anyway)\W+){0,3}"
    r"|\s[-–—]+\s*|[,;:]\s+(?:(?:and|but|so)\s+)?|\s(?:and|but|plus)\s+",
    _F,
)
_SUBJECTS = re.compile(
    r"\b(?:i'm|i've|i|im|ive|he|she|they|you|it|who|that|which|my|our|his|her|their|your|this|these|those|someone|everyone|everybody|people|there|we|we're"
    r"|we've|they're|he's|she's|it's|someone's|him|them|us|for|with)\b|(?<=[.,;] )(?-i:[A-Z])[a-z]+(?= (?:and|is|has|was)\b)",
    _F,
)
_A_NOUN_TOO = re.compile(r"\s(?:and|plus)\s+(?:love|work|live|need|prefer)\b(?!\s+(?:in|at|for|to)\b)", _F)
# "Living in Rome must be nice"
_SOMETHING_IS = re.compile(
    r"[^,;:]{0,60}?\b(?:is|was|are|were|must|can|would|will|has|seems?|makes|takes|requires|should|sounds)\b|from\b", _F
)
_ONESELF = re.compile(r"i|i'm|i've|im|ive", _F)
_TO_DO = re.compile(
    r"\b(?:(?:want|wants|wanted|going|plan|planning|plans|like|love|try|trying|hope|hoping|need|needs|have|has|had|decided|able|happy|ready|used|how|where|what"
    r"|tend|supposed|prefer|hate|got|looking|about)\s+to|will|'ll|i'd|can|could|gonna|wanna|let|let's|please|don't let|never)\s(?:[^,;]*)$",
    _F,
)
_WHAT_I_AM = re.compile(
    r"(?:(?:just|also|now|currently|originally|still|happily|very|super|highly|both|mostly|always|deathly|severely|a|an)\s+){0,3}"
    r"(?:allergic|based|living|working|from|vegan|vegetarian|pescatarian|married|divorced|single|engaged|lactose|gluten|retired|studying|learning|fluent|diabetic"
    r"|pregnant|self-employed|colou?r|intolerant|training for|not a (?:big |huge )?fan|into|obsessed|doing (?:a|my)|on (?:a|an|my)|moving|flying|prone|claustrophobic"
    r"|freelanc\w+|[\w-]+ (?:engineer|developer|teacher|nurse|designer|student|lawyer|doctor|manager|by trade)|teetotal|bilingual|left-handed)\b",
    _F,
)
_WHAT_I_DID = re.compile(
    r"(?:(?:just|now|currently|recently|finally|also|only|actually|already|originally|definitely|really|absolutely|personally|honestly|still)\s+){0,2}"
    r"(?:moved|relocated|grew\s+up|was\s+born|started\s+(?:at|working|a|my)|joined|adopted|rescued|got\s+(?:a|an|my|married|divorced|engaged|diagnosed|laid|promoted|two|hired|into)"
    r"|quit\s+(?:my|smoking|drinking|the)|left\s+my|gave\s+up|turned\s+\d|have\s+(?:a|an|two|three|to)|had\s+to|been|live|work|(?:love|hate)(?!\s+(?:is|are|and|of|can|will|was|you|this|it)\b)|prefer|study|teach|run\s+(?:a|an|my)|own\s+(?:a|an|two)|play|enjoy(?=\s+\w+ing\b)|take|drive|never\s+go|go\s+(?:by|to\s+bed)|get\s+(?:up|\w*\s?sick)|can'?t\s+stand|cannot\s+stand"
    r"|dislike|adore|don'?t|do\s+not|speak|booked|promised|signed\s+up|need\s+to|must|never\s+(?:eat|drink|touch|smoke|liked)|can'?t\s+(?:eat|have))\b",
    _F,
)
_CARRIED = frozenset(
    {
        "allergy",
        "diet",
        "age",
        "employer",
        "occupation",
        "lives_in",
        "moved_from",
        "hometown",
        "school",
        "field_of_study",
    }
    | {"preference", "health_condition", "medication", "speaks", "smoking", "alcohol", "marital_status", "hobby", "pet"}
    | {
        "child",
        "sibling",
        "appointment",
        "task",
        "deadline",
        "trip",
        "work_schedule",
        "commute",
        "wake_time",
        "sleep_time",
    }
    | {"plan", "goal", "time_zone", "skill", "call_me"}
)


def _before_question(words: str) -> str:
    """Return what is told before a question in the same sentence ("I'm vegan, what can I eat?"), "" for nothing."""
    for comma in re.finditer(r"[,:]\s+|\s[-–—]+\s+|\s+(?=(?:so|and|but)\s)", words):
        if _ASKS.match(words[comma.end() :]):
            return "" if _ASKS.match(words) else words[: comma.start()]
    return ""
