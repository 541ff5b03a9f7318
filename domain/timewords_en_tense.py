"""What the words around an English date say of it: past, future or nothing. Pure.

The verb that governs the date decides: the last one before it in its clause, else the first one after it. Words of
arranging ("booked", "added", "moved to") point forward, whatever their form; a verb that only reports ("she said")
and a past participle in another clause say nothing. Without a governing verb the nearest reading is taken.
"""

import re

from domain import timewords_en_words as en
from domain.spans import Tense

NEAR_CHARS = 120
_BORDER = re.compile(
    r"[,.!?;:\n()](?:\s|$)|[，。！？；：（）→]| [-–] |—|\b(?:but|so|because|although|while|whereas)\b", en.FLAGS
)
_SENTENCE = re.compile(r"[.!?;\n](?:\s|$)|[。！？；]")
_DEADLINE = re.compile(r"\b(?:by|until|till|starting|deadline(?: is)?|due) ", en.FLAGS)
_FOR = re.compile(r"\b(?:for|to|onto|into)(?: (?:on|the|this))? $", en.FLAGS)  # "tickets for Friday", "moved to Friday"
_FEAST = re.compile(rf"(?:{en.NAMED})|weekend", en.FLAGS)  # "went home for Christmas"
_FUTURE = (
    r"'ll|(?:will|won't|shall|must|should|going to|gonna|have to|has to|need to|needs to|to be)"
    r"(?: (?:be|not|also|get|have)){0,2}(?: [a-z]+ed\b)?|(?:can|could|would) (?:you|we|i)|please|let me|might|may|can"
    r"|plans? to|planning|let's|upcoming|hop(?:e|ing)|wants?|would like|can't wait|looking forward|see you|due|remind"
    r"|excited for|(?:'m|'re|am|are|is)(?: \w+)? (?!amazing|interesting|exciting)[a-z]+ing(?: [a-z]+ed\b)?"
)
_ARRANGED = (
    r"(?:(?:was|were|is|are|got|get|been|be|have|has|'ve|had|just|already|now|'s|'re) ){0,3}"
    r"(?:added|(?:re|pre)?book(?:ed)?|(?:re)?schedul(?:ed?|ing)|confirm(?:ed)?|plan(?:s|ned)?|arranged?|reserved?|invited?"
    r"|moved|postponed|delayed|shifted|pushed|changed|switched|updated|brought forward|cancell?ed|slated|expected"
    r"|proposed|estimated|tentatively|signed up|registered|enrolled|pencill?ed|blocked|blocked off|fixed|set|put down"
    r"|marked|created|appointment|reminder|agreed (?:to|on)|(?:decided|promised|wanted|hoped|offered|suggested"
    r"|supposed|needed|asked|meant) to)"
)
_PRESENT = (
    r"(?:is|are|am|being)(?: (?:\w+ly|also|now|still))?(?: [a-z]+ed)?|(?:it|that|there|he|she|what|when|here)'s"
    r"|arrives?|leaves?|starts?|begins?|ends?|opens?|closes?|comes?|lands?|departs?|fl(?:y|ies)|meets?|moves?|returns?"
    r"|takes?|happens?|expires?|runs?|goes|gets|works?|needs?|have|has(?! been)|plays?|visits?|travels?|graduates?"
)
_REPORTED = (
    r"(?:told|said|heard|mentioned|noted|recorded|logged|saved|wrote|read|thought|knew|learned|asked|reminded"
    r"|explained|understood|remembered|realised|realized|forgot)"
)
_PAST = (
    r"was|wasn't|were|weren't|did|didn't|had|went|came|saw|met|got|took|made|been|bought|left|began|gave|felt|found"
    r"|flew|drove|ate|ran|won|lost|sent|spent|taught|brought|held|kept|became|broke|fell|built|paid|sold|slept|spoke"
    r"|rode|swam|sang|wore|chose|caught|couldn't|grew|woke|drank|"
    r"(?!(?:need|excited|interested|tired|used|feed|speed|indeed|bed|red|weed|seed|hundred|united|fred|ahmed|limited"
    r"|attached|enclosed|related|required|needed|sacred)\b)[a-z]{2,}ed"
)
_SIGN = re.compile(
    rf"(?<![\w'])(?:(?P<arranged>{_ARRANGED})|(?P<future>{_FUTURE})|(?P<present>{_PRESENT})|(?P<reported>{_REPORTED})"
    rf"|(?P<past>{_PAST}))\b|(?P<future_more>'ll|'(?:m|re)(?: \w+)? (?!amazing|interesting|exciting)[a-z]+ing)\b",
    en.FLAGS,
)
_GOES_ON = re.compile(r"\s*(?:and )?(?:then|to|from|in|at|with|including|before|after|where|when|which)\b", en.FLAGS)
_ONLY_LEAD = re.compile(r"[\s\"'*•>-]*(?:(?:and|then|but|so|well|oh|yes|ok|also|on|the|last|finally)\s+)*", en.FLAGS)
_NEW_SUBJECT = re.compile(r"\b(?:as|that|which|who|when|if|since|because|we|you|i|they|he|she)\b", en.FLAGS)
_PRONOUN = re.compile(r"\b(?:i|we|he|she|they|you)(?: (?:have|had|just|already|also|finally))*\s*$", en.FLAGS)
_SHORT_GAP = re.compile(r"(?: (?:me|you|him|her|us|them|it|this|about|from|to|with|[A-Z]\w+)){0,3} ?(?:on )?")


def tense(text: str, match: re.Match[str]) -> Tense:
    """Return "past" or "future" where the words around a date plainly say so, else None.

    Args:
        text: with ASCII apostrophes.
        match: the date in it, with the prepositions that belong to it.
    """
    before, after = text[max(0, match.start() - NEAR_CHARS) : match.start()], text[match.end() :][:NEAR_CHARS]
    word = match.group().lower()
    if word.startswith("since "):
        return "past"
    if _DEADLINE.search(before[-12:] + word):
        return "future"
    if (_FOR.search(before) or word.startswith("for ")) and not _FEAST.search(word):
        return "future"
    clauses = _BORDER.split(before)
    lead, sentence = clauses[-1], _SENTENCE.split(before)[-1]
    if len(clauses) > 1 and lead.strip() and _GOES_ON.match(lead):
        lead = sentence
    if signs := list(_SIGN.finditer(lead)):
        return _of_sign_before(signs[-1], lead[signs[-1].end() :], word)
    return _of_words_after(word, lead, after)


def _of_sign_before(sign: re.Match[str], gap: str, word: str) -> Tense:
    if sign["arranged"] or sign["future"] or sign["future_more"]:
        return "future"
    if sign["reported"]:
        return "past" if word.startswith("on ") and _SHORT_GAP.fullmatch(gap) else None
    return "past" if sign["past"] else None


def _of_words_after(word: str, lead: str, after: str) -> Tense:
    """Return the tense of the first verb after a date that no verb stands before: "On Friday we flew"."""
    leads = _ONLY_LEAD.fullmatch(lead) is not None
    parts = _BORDER.split(_SENTENCE.split(after)[0])
    clause, is_next = parts[0], False
    if leads and not clause.strip() and len(parts) > 1:
        clause, is_next = parts[1], True
    sign = _SIGN.search(clause)
    if sign is None:
        return None
    gap = clause[: sign.start()]
    if sign["future"] or sign["future_more"]:
        return "future"
    is_adverb = word.startswith(("on ", "last "))
    if sign["arranged"]:  # "On Monday I booked the flights", but "Monday at 10, I added it"
        return "past" if leads and _PRONOUN.search(gap) and (is_adverb or not is_next) else "future"
    if not (sign["past"] or sign["reported"]) or (is_next and not gap.strip()):
        return None
    return None if not leads and _NEW_SUBJECT.search(gap) else "past"


def clause_tense(clause: str) -> Tense:
    """Return what the verbs of a clause say: a request or plan in it, else a plain past."""
    signs = list(_SIGN.finditer(clause))
    if any(sign["future"] or sign["future_more"] or sign["arranged"] for sign in signs):
        return "future"
    if re.match(r"\W*(?:call|ring|text|meet|remind|wake|pick|join|come|be|book|add|set)\b", clause, en.FLAGS):
        return "future"
    return "past" if any(sign["past"] for sign in signs) else None
