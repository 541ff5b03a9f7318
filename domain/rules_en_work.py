"""English tables of what somebody does: work, studies, languages. Pure data."""

# ruff: noqa: E501 - one pattern, one line: broken in two it would be read wrongly

from domain.rules_en_life import ADV, AM, CAPITAL, CITY, END, WHO_DOES, WHO_IS, I, rule

_JOB_HEAD = (
    r"(?:engineer|developer|programmer|nurse|doctor|teacher|lawyer|designer|manager|accountant|scientist|researcher|writer"
    r"|editor|chef|cook|baker|barista|waiter|waitress|student|professor|lecturer|analyst|consultant|architect|artist|musician"
    r"|photographer|journalist|pharmacist|dentist|vet|veterinarian|psychologist|therapist|physiotherapist|counsel(?:l)?or"
    r"|electrician|plumber|carpenter|mechanic|driver|pilot|paramedic|firefighter|police officer|cop|officer|soldier|librarian"
    r"|translator|interpreter|salesperson|salesman|marketer|recruiter|entrepreneur|founder|freelancer|illustrator|animator"
    r"|surgeon|radiologist|cardiologist|pediatrician|midwife|technician|administrator|sysadmin|secretary|assistant"
    r"|receptionist|cashier|hairdresser|farmer|gardener|florist|tutor|coach|trainer|instructor|actor|actress|director"
    r"|producer|economist|biologist|chemist|physicist|mathematician|statistician|geologist|historian|social worker|banker"
    r"|trader|broker|realtor|real estate agent|paralegal|attorney|judge|ceo|cto|cfo|data scientist|product owner|intern|postdoc"
    r"|flight attendant|stay-at-home (?:mom|dad|mum)|homemaker|tailor|welder|bus driver|truck driver|software dev|dev"
    r"|copywriter|youtuber|podcaster|dancer|singer|novelist|optometrist|dietitian|nutritionist|clerk|auditor|bookkeeper|zookeeper)"
)
JOB = rf"(?:[\w-]+\s+){{0,3}}?{_JOB_HEAD}(?!\s+(?:of|fan|in the making|type|person|at heart|yet)\b)(?!')\b"
_COMPANY = r"(?:(?:an?|the)\s+)?[\w&'.\u00c0-\u024f\u4e00-\u9fff-]+(?:\s+[\w&'\u00c0-\u024f-]+){0,4}?"
_COMPANY_END = (
    r"(?=\s*(?:$|[.,!;:()]|\s[-–—]|\b(?:as|and|but|so|in|on|since|for|now|because|which|where|right now|near|doing|until|while|with"
    r"|these days|this|last|next|two|three|a (?:few|year|month)|after|before|from|,)\b))"
)

_LANGUAGE = (
    r"(?:english|spanish|french|german|italian|portuguese|chinese|mandarin(?: chinese)?|cantonese|japanese|korean|russian|arabic|hindi"
    r"|urdu|bengali|turkish|dutch|swedish|norwegian|danish|finnish|polish|czech|greek|hebrew|vietnamese|thai|indonesian|malay"
    r"|tagalog|swahili|persian|farsi|ukrainian|hungarian|romanian|catalan|tamil|punjabi|sign language|asl|hokkien|shanghainese)"
)
_FLUENCY = r"(?:(?:fluent|native|a (?:little|bit of)|some|basic|conversational|both|good|only|decent|broken)\s+)*"
_LANGUAGES = rf"{_LANGUAGE}(?:(?:\s*,\s*(?:and\s+)?|\s+and\s+|\s*&\s*){_FLUENCY}{_LANGUAGE})*"
_FIELD = r"[a-z][\w-]*(?:\s+(?:and\s+)?[a-z][\w-]*){0,3}?"

RULES = (
    # work
    rule(
        rf"{I}(?:work|am employed|intern)\s+(?:part[- ]time\s+|full[- ]time\s+|in\s+(?:\w+\s+){{1,2}}?)?(?:at|for)\s+(?P<employer>{_COMPANY})(?:\s+as\s+(?:an?\s+|the\s+)?(?P<occupation>{JOB})|{_COMPANY_END})"
    ),
    rule(
        rf"{AM}(?:currently\s+)?working\s+(?:as\s+(?:an?\s+)?(?P<occupation>{JOB})\s+)?(?:at|for)\s+(?P<employer>{CAPITAL}(?:\s+{CAPITAL})*){_COMPANY_END}"
    ),
    rule(
        rf"i(?:'?ve|\s+have)\s+(?:been\s+(?:working|employed)|worked)\s+(?:at|for)\s+(?P<employer>{CAPITAL}(?:\s+{CAPITAL})*)(?=.*\b(?:since|for)\b)"
    ),
    rule(
        rf"i\s+(?:just\s+|recently\s+|finally\s+)?(?:started\s+(?:(?:working|a (?:new\s+)?job|a new role|my new job|work)\s+)?(?:at|with)|joined|got\s+(?:a|the|my)\s+(?:new\s+)?job\s+at|accepted\s+(?:a|the)\s+(?:job|position|offer)\s+(?:at|from))\s+(?P<employer>{CAPITAL}(?:\s+{CAPITAL})*){_COMPANY_END}"
    ),
    rule(
        rf"(?:i|i've|i have)\s+(?:just\s+|recently\s+|finally\s+)?(?:quit|left|resigned\s+from|was\s+laid\s+off\s+(?:from|by)|got\s+laid\s+off\s+(?:from|by)|got fired from)\s+(?:my\s+(?:job|position|role)\s+(?:at|with)\s+)?(?P<employer>{CAPITAL}(?:\s+{CAPITAL})*)(?=\s*(?:$|[.,!;]|\b(?:last|in|this|and|after|yesterday|to|because|so)\b))",
        "ended",
        "medium",
    ),
    rule(
        rf"i\s+(?:no\s+longer|(?:don'?t|do\s+not)(?=.*any\s?(?:more|longer)))\s+work\s+(?:at|for)\s+(?P<employer>{_COMPANY})(?:\s+any\s?more)?{_COMPANY_END}",
        "ended",
    ),
    rule(
        rf"(?:i'?m|i\s+am)\s+(?:no\s+longer|not(?=.*any\s?(?:more|longer)))\s+(?:at|with|working\s+(?:at|for))\s+(?P<employer>{CAPITAL})(?:\s+any\s?more)?{_COMPANY_END}",
        "ended",
        "medium",
    ),
    rule(rf"i\s+used\s+to\s+work\s+(?:at|for)\s+(?P<employer>{CAPITAL}(?:\s+{CAPITAL})*){_COMPANY_END}", "ended"),
    rule(rf"my\s+(?:current\s+)?(?:employer|company)\s+is\s+(?P<employer>{CAPITAL}(?:\s+{CAPITAL})*)"),
    rule(
        rf"i(?:'?ve|\s+have)\s+(?:worked|been\s+working)\s+as\s+an?\s+(?P<occupation>{JOB})(?=.*\b(?:for|since)\b)(?!.*\b(?:before|once)\b)"
    ),
    rule(rf"{I}work\s+as\s+(?:an?\s+)?(?P<occupation>{JOB})(?!\s+(?:at|for)\b)"),
    rule(
        rf"{AM}(?:currently\s+)?(?:working as\s+)?an?\s+(?P<occupation>{JOB})(?=\s*(?:$|[.,!;)]|\b(?:and|at|in|for|by|based|with|from|but|so|who|working|on|here|living|now|these)\b))"
    ),
    rule(rf"(?:as\s+an?\s+(?P<occupation>{JOB})),\s+i\b", confidence="medium"),
    rule(rf"i\s+(?:just\s+)?(?:got\s+(?:a\s+)?(?:promoted\s+to|job\s+as\s+an?)|became\s+an?)\s+(?P<occupation>{JOB})"),
    rule(rf"my\s+(?:job|occupation|profession|job\s+title)\s+is\s+(?:an?\s+)?(?P<occupation>{JOB})"),
    rule(rf"{AM}(?P<occupation>retired|self-employed|unemployed)(?=\s*(?:$|[.,!;]|\b(?:and|now|since|from|but|so)\b))"),
    rule(
        r"i\s+(?:just\s+|recently\s+)?(?P<occupation>retired)(?=\s*(?:$|[.,!;]|\b(?:last|in|this|from|and)\b))",
        fixed="retired",
    ),
    rule(rf"{WHO_IS}an?\s+(?P<occupation>{JOB})(?=\s*(?:$|[.,!;)]|\b(?:and|at|in|for|by|with|but|so|who)\b))"),
    rule(rf"{WHO_DOES}works\s+as\s+an?\s+(?P<occupation>{JOB})"),
    rule(rf"{WHO_DOES}works\s+(?:at|for)\s+(?P<employer>{CAPITAL}(?:\s+{CAPITAL})*){_COMPANY_END}"),
    rule(rf"{WHO_DOES}lives\s+in\s+(?P<lives_in>{CITY})"),
    rule(
        rf"{I}work\s+(?P<work_schedule>from\s+home|remotely|night\s+shifts?|nights|weekends|part[- ]time|full[- ]time|(?:from\s+)?\d{{1,2}}(?:\s?[ap]m)?\s?(?:to|-)\s?\d{{1,2}}(?:\s?[ap]m)?)(?=\s*(?:$|[.,!;]|\b(?:and|on|every|most|so|but|in|at|now)\b))"
    ),
    rule(
        rf"{I}(?P<commute>(?:bike|cycle|walk|drive|commute|take\s+the\s+(?:bus|train|subway|metro|tube|tram))\s+(?:\w+\s+)?to\s+(?:work|the office))\b"
    ),
    # studies
    rule(
        rf"(?:i\s+(?:study|major\s+in|am\s+majoring\s+in)|i'?m\s+(?:currently\s+)?(?:studying|majoring\s+in|doing\s+(?:a|my)\s+(?:phd|master'?s|degree|bachelor'?s)\s+in))\s+(?P<field_of_study>{_FIELD})(?:\s+at\s+(?P<school>(?:the\s+)?{CAPITAL}(?:\s+(?:of\s+)?{CAPITAL})*))?(?=\s*(?:$|[.,!;]|\b(?:and|but|so|in|now|with|as)\b))"
    ),
    rule(
        r"(?:i'?m|i\s+am)\s+an?\s+(?P<field_of_study>[a-z]+(?:\s+(?:and\s+)?[a-z]+)?)\s+major(?=\s*(?:$|[.,!;]|\b(?:and|at|but|so|in)\b))"
    ),
    rule(rf"my\s+major\s+is\s+(?P<field_of_study>{_FIELD}){END}"),
    rule(
        rf"(?:i\s+(?:go\s+to|attend|study\s+at)|i'?m\s+(?:an?\s+)?(?:[\w-]+\s+){{0,2}}?(?:student|freshman|sophomore|junior|senior|studying)\s+at)\s+(?P<school>(?:the\s+)?{CAPITAL}(?:\s+(?:of\s+)?{CAPITAL})*(?:\s+(?:university|college|school))?)(?=\s*(?:$|[.,!;]|\b(?:and|but|so|in|where|now)\b))"
    ),
    # languages
    rule(
        rf"i\s+(?:can\s+)?{ADV}speak\s+{_FLUENCY}(?P<speaks>{_LANGUAGES})(?=\s*(?:$|[.,!;]|\b(?:and|but|at|with|fluently|so|too|as|because|well)\b))"
    ),
    rule(rf"{AM}(?:fluent|conversational)\s+in\s+(?P<speaks>{_LANGUAGES})"),
    rule(rf"{AM}learning\s+(?:to\s+speak\s+)?(?P<speaks>{_LANGUAGES})"),
    rule(rf"my\s+(?:native\s+language|mother\s+tongue|first\s+language)\s+is\s+(?P<speaks>{_LANGUAGES})"),
    rule(rf"(?P<speaks>{_LANGUAGE})\s+is\s+my\s+(?:first|native|second)\s+language"),
    rule(rf"{AM}a\s+native\s+(?P<speaks>{_LANGUAGE})\s+speaker"),
)
