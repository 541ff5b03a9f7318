"""English tables of health, medicines and the body. Pure data."""

# ruff: noqa: E501 - one pattern, one line: broken in two it would be read wrongly

from domain.rules_en_life import AM, CAPITAL, HAVE, STOP, THING, WHO_DOES, WHO_IS, I, rule

_CONDITION = (
    r"(?:(?:type\s+[12]|mild|severe|chronic|bad|seasonal|high|low|gestational|a bit of|early|stage \w+)\s+)*"
    r"(?:diabetes|asthma|hypertension|blood pressure|cholesterol|migraines?|adhd|add|autism|epilepsy|arthritis|rheumatoid"
    r" arthritis|eczema|psoriasis|ibs|crohn's(?: disease)?|coeliac disease|celiac disease|celiac|anxiety(?: disorder)?|depression|insomnia|ptsd|ocd"
    r"|bipolar(?: disorder)?|tinnitus|gout|anemia|anaemia|hypothyroidism|hyperthyroidism|sleep apn(?:o)?ea|acid reflux|gerd"
    r"|endometriosis|pcos|osteoporosis|sciatica|scoliosis|vertigo|glaucoma|cancer|lupus|multiple sclerosis|back pain"
    r"|a (?:heart condition|heart murmur|pacemaker|bad (?:back|knee)|herniated disc|slipped disc)"
    r"|heart disease|kidney stones|hay fever|fibromyalgia|dyslexia|color blindness|ulcerative colitis|rosacea|a stomach ulcer)"
)
_IS_CONDITION = (
    r"(?:(?:type\s+[12]|\w+ weeks|\w+ months)\s+)?(?:diabetic|pregnant|asthmatic|anemic|anaemic|epileptic|dyslexic|autistic"
    r"|colou?r[- ]?blind|short-?sighted|near-?sighted|hypertensive|prediabetic|bipolar|hard of hearing|deaf|visually impaired)"
)
_DRUG = (
    r"(?:[a-z]+(?:pril|statin|sartan|formin|cillin|prazole|olol|oxetine|azepam|dipine|thyroxine|triptan|gliptin|mycin|lukast)"
    r"|insulin|ibuprofen|aspirin|warfarin|lithium|ritalin|adderall|xanax|prozac|zoloft|lexapro|antidepressants|antihistamines"
    r"|blood thinners|beta blockers|birth control|the pill|statins|steroids|prednisone|sertraline|escitalopram|ventolin"
    r"|citalopram|melatonin|iron supplements?|vitamin d|blood pressure (?:meds|medication|pills)|ozempic|methotrexate)"
)

RULES = (
    # health
    rule(
        rf"{HAVE}(?P<health_condition>{_CONDITION}(?:(?:\s*,\s*|\s+and\s+|,\s+and\s+){_CONDITION})*)(?!\s+(?:cuff|monitor|about|over))\b"
    ),
    rule(rf"{I}suffer\s+from\s+(?P<health_condition>{THING}){STOP}"),
    rule(
        rf"i(?:\s+was|'ve\s+been|\s+got|\s+have\s+been|\s+am)\s+(?:just\s+|recently\s+)?diagnosed\s+with\s+(?P<health_condition>{THING})(?=\s*(?:last|in\s|this|at\s|when|two|three|a\s(?:few|year|month)|\d|years)|{STOP[3:]}"
    ),
    rule(rf"{AM}(?:an?\s+)?(?P<health_condition>{_IS_CONDITION})(?=\s*(?:$|[.,!;]|\b(?:and|so|but|since|now|in)\b))"),
    rule(rf"{WHO_DOES}has\s+(?P<health_condition>{_CONDITION})"),
    rule(rf"{WHO_IS}(?P<health_condition>{_IS_CONDITION})(?=\s*(?:$|[.,!;]|\b(?:and|so|but|since|with)\b))"),
    rule(
        rf"(?:i\s+(?:take|use|am\s+on|inject)|i'?m\s+(?:on|taking))\s+(?:\d+\s?m?c?g\s+(?:of\s+)?)?(?P<medication>{_DRUG}(?:\s+and\s+{_DRUG})*)\b"
    ),
    # body and things
    rule(rf"{AM}(?P<height>\d(?:'\d{{1,2}}\"?|\.\d+\s?m)|\d{{3}}\s?cm)(?:\s+tall)?"),
    rule(rf"{I}weigh\s+(?:about\s+|around\s+)?(?P<weight>\d{{2,3}}(?:\.\d)?\s?(?:kg|kilos?|lbs?|pounds)?)"),
    rule(
        rf"{I}drive\s+an?\s+(?P<vehicle>(?:(?:\d{{4}}|red|blue|white|black|old)\s+)*{CAPITAL}(?:\s+(?:{CAPITAL}|\d))*)"
    ),
)
