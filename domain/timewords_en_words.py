"""The patterns of English time words, for ``domain.timewords_en``: each date, clock time and tense. Pure data."""

import re

from domain import named_days

# Every time word holds a digit or one of these.
HINT = re.compile(
    r"\d|day|night|tomorrow|morning|evening|week|month|year|\bago\b|minute|hour|noon|clock|half past|quarter"
    r"|spring|summer|autumn|fall|winter|christmas|easter|halloween|juneteenth|thanksgiving|new year"
    r"|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun)",
    re.IGNORECASE,
)

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
WD = "|".join(WEEKDAYS)
WD_SHORT = r"(?:mon|tues?|wed|thu(?:rs?)?|fri|sat|sun)\b\.?"
MON = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december"
    r"|(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b\.?)"
)
DAY = r"(?:3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)?"
YEAR = r"(?:1[89]|20)\d\d"
NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
NUM = rf"(?:\d{{1,5}}|{'|'.join(NUMBERS[1:])}|an?|a couple(?: of)?)"
UNIT = r"(?:minute|min|hour|day|weekend|week|fortnight|month|year|yr|decade)s?"
NAMED = "|".join(sorted(named_days.EN, key=len, reverse=True))
PART_OF = r"(?:the )?(?:early|mid|late|beginning of|start of|middle of|end of)"

_NEAR_DAY = (
    r"(?:the )?day before yesterday|(?:the )?day after tomorrow|yesterday|tomorrow|(?<!usa )"
    r"(?!(?<=\bin )today's)today"
)
_PART = (
    r"(?:this|yesterday|tomorrow) (?:morning|afternoon|evening)|(?:last|yesterday|tomorrow) (?:night"
    r"|evening)|tonight"
)
_NEAR = (
    r"(?:(?<!the )(?:last|next)|this(?: past| coming)?|(?:in|of|by|at) (?:the )?(?:last|next|this)) "
    r"(?:week|month|year)\b(?!-)|the (?:week|month|year) before last"
)
_WEEKEND = (
    r"(?:(?<!the )(?:last|next)|this(?: past| coming)?|the coming|the past|over the|at the|for the"
    r"|on the) weekend\b(?! (?:of|before|after)\b)|the weekend before last"
)
_PART_NEAR = rf"{PART_OF} (?:(?:of )?(?:this|next|last|the) (?:month|year))"
_WEEKDAY = (
    r"(?:(?:(?:on|by|until|till|since|from) )?(?:last|next|this(?: past| coming)?|the coming|coming) "
    rf"(?:{WD}|{WD_SHORT})|(?:on|by|until|till|since) {WD_SHORT}"
    r"|(?<!black )(?<!good )(?<!ash )(?<!cyber )(?<!palm )(?<!easter )(?:(?:on|by|until|till|since|from"
    rf"|this) )?(?:{WD}))\b(?! (?:times|telegraph|mirror|post|roast|night live|the 13th|before|after"
    r"|of (?:each|every|the))\b)"
)
_DATE = (
    rf"(?:(?:on|by|until|till|since|from) )?(?:(?:{WD}|{WD_SHORT}),? (?P<open>\()?)?"
    rf"(?:(?:the )?(?:{DAY})(?: ?[-–] ?{DAY})?(?: day)? (?:of )?{MON}(?:,? {YEAR})?\b"
    rf"|(?:on |by |until |till |since |from )?{MON} (?:the )?{DAY}(?: ?(?:[-–]|to) ?{DAY})?\b(?![:.]\d|%)"
    rf"(?:(?:,|, | ){YEAR}\b)?)(?(open)\)?)(?:,? (?:\((?:{WD}|{WD_SHORT})\)|(?:{WD})\b))?"
)
_MONTH_YEAR = rf"(?:{PART_OF}[ -])?{MON},?(?: of)? {YEAR}\b"
_MONTH = (
    rf"(?:{PART_OF}[ -]|(?:in|by|since|until|till|during|last|this|this past|next|before|after|around) )(?:"
    rf"(?:early|mid|late|last|this|next)[ -])?{MON}\b(?! \d)"
)
_NTH = r"(?:3[01]|[12]\d|[1-9])(?:st|nd|rd|th)"
_DAY_OF_MONTH = (
    rf"(?:(?:(?:on|by|until|till|since|from) )?(?:{WD}|{WD_SHORT}),? (?!(?<=friday )(?<!on friday )the 13th)"
    rf"the {_NTH}\b(?! (?:of|floor|time)\b)"
    rf"|(?:on|by|until|till|since|before|after|for|to|from) the {_NTH}"
    r"(?: of (?:this|next|last|the) month\b|(?=[\s,.!?;:]*$|[,.!?;]|\s+(?:at|and|for|we|i|you|he|she|they|in|with"
    r"|to|is|was|will)\b)))"
)
_SEASON = (
    r"(?:(?:last|this(?: past)?|next) (?:spring|summer|autumn|fall|winter)|(?:in the )?(?:spring|summer"
    rf"|autumn|fall|winter)(?: of)? {YEAR})\b"
)
_NAMED = (
    rf"(?:(?:last|this(?: past)?|next) )?\b(?:{NAMED})\b(?! (?:tree|card|song|carol|movie|light|cookie"
    rf"|sweater|ornament|egg)s?\b)(?:,? (?:of )?{YEAR}\b)?"
)
_YEAR = (
    r"(?:(?:in|since|back in|until|till|by|during|from|of)(?: early| mid| late)?|early|mid|late"
    rf"|(?:the )?(?:beginning|start|middle|end) of)[ -]{YEAR}\b(?![-/:.,]?\d|%"
    r"|\s+(?!was|is|has|his|its|this|as|us)[a-z]+s\b)"
)
_INSTANT = r"(?<![\w./-])\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:Z|[+-]\d\d:\d\d)?(?!\w)"
_ISO = r"(?<![\w./-])\d{4}(?P<sep>[-/])\d{1,2}(?P=sep)\d{1,2}(?![\w/-]|\.\w)"
_SLASHES = r"(?<![\w./-])\d{1,2}/\d{1,2}/\d{4}(?![\w/-]|\.\w)"

# In the order in which they are tried at a place.
DATES: tuple[tuple[str, str], ...] = (
    ("near_day", _NEAR_DAY),
    ("part", _PART),
    ("near", _NEAR),
    ("weekend", _WEEKEND),
    ("part_near", _PART_NEAR),
    ("date", _DATE),
    ("day_of_month", _DAY_OF_MONTH),
    ("weekday", _WEEKDAY),
    ("month_year", _MONTH_YEAR),
    ("month", _MONTH),
    ("season", _SEASON),
    ("named", _NAMED),
    ("year", _YEAR),
    ("instant", _INSTANT),
    ("iso", _ISO),
    ("slashes", _SLASHES),
)
DATE = "(?:" + "|".join(f"(?P<{name}>{pattern})" for name, pattern in DATES) + ")"
CLOCK = (
    r"(?:(?:1[0-2]|0?[1-9])(?::[0-5]\d)? ?(?:am\b|pm\b|a\.m\.?|p\.m\.?)|(?:[01]?\d"
    r"|2[0-3]):[0-5]\d(?::[0-5]\d)?(?![\d%:])"
    r"|half past (?:\d{1,2}|HOUR)|(?:a )?quarter (?:past|to) (?:\d{1,2}|HOUR)|(?:\d{1,2}|HOUR) o'clock|\bnoon)"
).replace("HOUR", f"(?:{'|'.join(NUMBERS[1:])})")
DAY_PART = r"(?:morning|afternoon|evening|night)\b"
FLAGS = re.IGNORECASE | re.ASCII

ANY = re.compile(
    rf"\b{DATE}(?:(?:'s)?,? (?:in the |at )?(?P<day_part>{DAY_PART}))?"
    rf"(?:,?(?: at| around| about| by| from)? (?P<clock>{CLOCK})|,? (?:at|around) (?P<hour>1[0-2]"
    rf"|[1-9])\b(?![:%/.]?\d|[a-z]))?",
    FLAGS,
)
BEFORE_DATE = re.compile(rf"(?P<clock>{CLOCK})(?: in the {DAY_PART})?,? (?:on )?$", FLAGS)
CLOCK_ALONE = re.compile(
    rf"(?P<lead>\b(?:at|by|from|until|till|around|about|before|after|between|(?:earlier|later) than) |@ ?)?"
    rf"(?<![\w.:/$€£#-])(?P<clock>{CLOCK})(?: in the (?P<part>{DAY_PART}))?",
    FLAGS,
)
# An hour that only a date near by makes a time: "at 4".
HOUR_ALONE = re.compile(
    r"\bat (?P<clock>1[0-2]|[1-9])"
    r"(?=[\s.!?]*$|[,.!?;](?!\d)|\s(?:and|for|with|in|then|sharp|if|so|on|today|tomorrow)\b)",
    FLAGS,
)
# Bounds of what recurs, as opening hours are: "before 10 am", "from 8:30", "5 pm or later"; "from 3 to 5 pm" is none.
BOUND = re.compile(r"(?:from|until|till|before|after|between|(?:earlier|later) than) ", FLAGS)
RANGE_AFTER = re.compile(rf" ?(?:to|until|till|[-–]) ?{CLOCK}", FLAGS)
BETWEEN = re.compile(rf"\bbetween {CLOCK} and $", FLAGS)
ONWARDS = re.compile(r" (?:onwards?|or (?:later|earlier|after|before)|at the (?:latest|earliest))\b", FLAGS)
HOURS_OF = re.compile(r"\b(?:(?:office|opening|business|working) hours|opens?|opened|closes?)\b[^.!?;\n]{0,30}$", FLAGS)
BESIDE = re.compile(rf"\bthe (?P<what>{WD}|weekend|week|day|month) (?P<way>before|after|of) (?=\S)", FLAGS)
AWAY = re.compile(
    rf"\b(?:(?P<n>{NUM}|half an?)(?P<half> and a half)? (?P<unit>{UNIT})(?P<half_more> and a half)?"
    r" (?P<way>ago|from (?:now|today))"
    rf"|in (?P<n_in>{NUM}|half an?) (?P<unit_in>{UNIT})(?:'s?)?(?: time)?)\b(?P<today> today)?",
    FLAGS,
)

# What recurs has no one time: "every other Friday", "daily at 7am"; and neither have scores.
EVERY = re.compile(rf"\b(?:every|each|most|any)\s(?:(?:other|single|second|and|or|{WD}),?\s){{0,5}}$", FLAGS)
RECURS = re.compile(
    r"\b(?:every|each)\b[^.!?;\n]{0,36}$|\b(?:usually|always|daily|weekly|other)\b[^.!?;,\n]{0,30}$|\b(?:won|lost"
    r"|beat|scored?|score of|led"
    r"|ratio(?: of)?) $",
    FLAGS,
)
RANGE_OF_WEEKDAYS = re.compile(rf"\b(?:{WD}|{WD_SHORT})(?: to | through | thru |-| - |–)(?:{WD}|{WD_SHORT})", FLAGS)
