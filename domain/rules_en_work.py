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
    r"|butcher|sommelier|curator|archaeologist|astronomer|anthropologist|sociologist|linguist|diplomat|stylist|make-?up artist|comedian|composer|conductor|carer|caregiver|nanny|babysitter"
    r"|childminder|cleaner|janitor|security guard|postman|mail carrier|courier|barber|fisherman|sailor|bricklayer|roofer|locksmith|seamstress|dressmaker|jewel(?:l)?er|potter|optician"
    r"|orthodontist|ana?esthesiologist|ana?esthetist|dermatologist|neurologist|oncologist|obstetrician|gyna?ecologist|psychiatrist|pathologist|epidemiologist|ecologist|botanist|microbiologist"
    r"|biochemist|neuroscientist|surveyor|urban planner|event planner|wedding planner|operator|supervisor|contractor|handyman|inspector|investigator|adviser|advisor|strategist|specialist"
    r"|coordinator|representative|sales rep|buyer|actuary|underwriter|archivist|headteacher|principal|teaching assistant|phd candidate|tech lead|magistrate|notary|priest|pastor|rabbi"
    r"|bartender|caterer|pastry chef|brewer|winemaker|beekeeper|forester|park ranger|tester|hygienist|radiographer|sonographer|chiropractor|masseuse|hairstylist|beautician|nail technician"
    r"|travel agent|tour guide|proofreader|ghostwriter|screenwriter|playwright|critic|reporter|columnist|blogger|streamer|decorator|landscaper|cabinet ?maker|teaching fellow|civil servant"
    r"|lifeguard|stewardess|train driver|taxi driver|dispatcher|logistician|controller|treasurer|geophysicist|meteorologist|oceanographer|zoologist|copy editor|sound engineer"
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
    r"|icelandic|irish|welsh|gaelic|basque|afrikaans|zulu|yoruba|amharic|georgian|armenian|serbian|croatian|bulgarian|slovak|slovenian|lithuanian|latvian|estonian|mongolian|nepali|marathi|telugu"
    r"|gujarati|malayalam|khmer|burmese|esperanto|latin|flemish|albanian|kazakh|pashto|kurdish|bsl|swiss german|brazilian portuguese|taiwanese|hakka|teochew|tagalog|swahili|persian|farsi|ukrainian|hungarian|romanian|catalan|tamil|punjabi|sign language|asl|hokkien|shanghainese)"
)
_FLUENCY = r"(?:(?:fluent|native|a (?:little|bit of)|some|basic|conversational|both|good|only|decent|broken)\s+)*"
_LANGUAGES = rf"{_LANGUAGE}(?:(?:\s*,\s*(?:and\s+)?|\s+and\s+|\s*&\s*){_FLUENCY}{_LANGUAGE})*"
_FIELD = r"[a-z][\w-]*(?:\s+(?:and\s+)?[a-z][\w-]*){0,3}?"

RULES = (
    # work
    rule(
        rf"{I}work(?:\s+\w+[- ]time)?\s+as\s+(?:an?\s+|the\s+)?(?P<occupation>{JOB})\s+(?:at|for|with)\s+(?P<employer>{CAPITAL}(?:\s+{CAPITAL})*|(?:an?|the)\s+[\w' -]{{3,30}}?{_COMPANY_END})"
    ),
    rule(
        rf"{AM}(?:currently\s+)?(?:an?|the)\s+(?P<occupation>{JOB})\s+(?:at|with|for)\s+(?P<employer>{CAPITAL}(?:\s+{CAPITAL})*)"
    ),
    rule(
        rf"(?:i\s+|i'?m\s+|i'?ll\s+be\s+|i\s+will\s+be\s+){ADV}(?:started|start|starting|joined|join|joining|begin|beginning|began)\s+(?:(?:my|a)\s+new\s+job\s+|working\s+|work\s+)?(?:at\s+|with\s+|for\s+)?(?P<employer>{CAPITAL}(?:\s+{CAPITAL})*)(?:\s+(?:on\s+(?-i:[A-Z])\w+|next\s+\w+|last\s+\w+|this\s+\w+|in\s+\w+|tomorrow|today|yesterday))?(?:,)?\s+as\s+(?:an?|the|their)\s+(?:new\s+)?(?P<occupation>{JOB})"
    ),
    rule(
        rf"(?:i\s+|i'?m\s+|i'?ll\s+be\s+|i\s+will\s+be\s+){ADV}(?:(?:start|starting)\s+(?:(?:my|a)\s+new\s+job\s+|work(?:ing)?\s+)?(?:at|with)|join|joining)\s+(?P<employer>{CAPITAL}(?:\s+{CAPITAL})*)(?=\s*(?:$|[.,!;]|\b(?:on|next|this|in|tomorrow|as|soon|from)\b))"
    ),
    rule(
        rf"i\s+{ADV}(?:got|was|have\s+been)\s+hired\s+(?:by|at)\s+(?P<employer>{CAPITAL}(?:\s+{CAPITAL})*)(?:\s+as\s+an?\s+(?P<occupation>{JOB}))?"
    ),
    rule(
        rf"i\s+{ADV}(?P<occupation>teach\s+(?!myself|him|her|them|you|my|kids\s+to|people\s+to|how)[a-z]+(?:\s+(?:and\s+)?(?!at\b|in\b|to\b|for\b)[a-z]+){{0,2}}?)(?=\s*(?:$|[.,!;]|\b(?:at|in|to|for|and|so|but|part|full|online|on|since|there|here)\b))"
    ),
    rule(
        rf"(?:i|we)\s+{ADV}(?P<occupation>(?:run|own|manage|have|co-own)\s+(?:an?|my\s+own|our\s+own|my)\s+(?:[\w-]+\s+){{0,3}}?(?:bookshop|bookstore|shop|store|bakery|café|cafe|restaurant|bar|salon|studio|farm|business|company|agency|start-?up|gym|hotel|hostel|guesthouse|b&b|practice|clinic|gallery|nursery|workshop|brewery|food\s+truck|pub|garage|consultancy|stall|vineyard|bistro|deli|pharmacy|kindergarten|dance\s+school|language\s+school|barbershop|launderette|laundromat|florist'?s?|kiosk))(?!\s+(?:idea|plan|trip|meeting|class|card|membership|name|course|exam|voucher|reservation))\b"
    ),
    rule(r"i\s+(?P<occupation>(?!do\b)[a-z]+\s+(?:[a-z-]+\s+){0,3}?)(?:for\s+a\s+living|professionally)\b"),
    rule(
        rf"{I}work\s+in\s+(?P<occupation>finance|tech|it|hr|human\s+resources|marketing|sales|advertising|construction|health\s?care|insurance|publishing|logistics|hospitality|education|real\s+estate|law|banking|retail|consulting|biotech|academia|accounting|film|television|tv|journalism|agriculture|pharma|manufacturing|customer\s+(?:service|support)|software|cyber\s?security|local\s+government|aviation|shipping|nursing|tourism|fashion|architecture|gaming|procurement|the\s+civil\s+service)(?=\s*(?:$|[.,!;]|\b(?:and|so|but|for|here|now|as)\b))"
    ),
    rule(
        rf"(?:i|i've|i\s+have)\s+{ADV}(?:quit|left|resigned\s+from|lost|gave\s+up|walked\s+out\s+of|handed\s+in\s+my\s+notice\s+at|was\s+let\s+go\s+from|got\s+fired\s+from|was\s+fired\s+from|was\s+laid\s+off\s+from|was\s+made\s+redundant\s+(?:at|by))\s+(?:my\s+(?:\w+\s+)?(?:job|position|role|post)\s+(?:at|with|in)\s+)(?P<employer>{_COMPANY}){_COMPANY_END}",
        "ended",
    ),
    rule(
        rf"(?:i|i've|i\s+have)\s+{ADV}(?:handed\s+in\s+my\s+notice\s+at|was\s+let\s+go\s+(?:from|by)|got\s+let\s+go\s+(?:from|by)|got\s+fired\s+(?:from|by)|was\s+fired\s+(?:from|by)|was\s+made\s+redundant\s+(?:at|by)|stopped\s+working\s+(?:at|for)|retired\s+from|resigned\s+from)\s+(?P<employer>{CAPITAL}(?:\s+{CAPITAL})*)",
        "ended",
    ),
    rule(rf"my\s+last\s+day\s+at\s+(?P<employer>{CAPITAL}(?:\s+{CAPITAL})*)\s+was\b", "ended"),
    rule(
        rf"{I}work\s+(?P<work_schedule>(?:only\s+)?(?:two|three|four|five|six|\d{{1,2}})\s+(?:days|hours|nights|shifts)\s+(?:a|per|each|every)\s+(?:week|day)|(?:early|late|day|night|split|rotating|twelve-hour|12-hour)\s+shifts?|evenings|mornings\s+only|(?:mon|tues|wednes|thurs|fri)days?\s+(?:to|through)\s+(?:mon|tues|wednes|thurs|fri|satur|sun)days?)"
    ),
    rule(
        r"(?:i\s+(?:have|get|take)|i'?ve\s+got)\s+(?:my\s+)?(?P<work_schedule>(?:mon|tues|wednes|thurs|fri|satur|sun)days?(?:\s+(?:and\s+\w+days?|mornings|afternoons))?\s+off)(?=\s*(?:$|[.,!;]|\b(?:so|and|every|from|at|now|because)\b))"
    ),
    rule(
        rf"{AM}on\s+(?:the\s+)?(?P<work_schedule>(?:night|early|late|day)\s+shifts?)(?=\s*(?:$|[.,!;]|\b(?:so|and|every|all|this\s+month|until|now)\b))"
    ),
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
        rf"{I}(?P<commute>commute\s+by\s+\w+|(?:bike|cycle|walk|drive|run|skate|commute|(?:take|catch|get)\s+the\s+(?:bus|train|subway|metro|tube|tram|ferry|underground))\s+(?:\w+\s+)?(?:to|into)\s+(?:work|the\s+office|campus|school|uni))\b"
    ),
    # studies
    rule(
        rf"(?:i\s+{ADV}(?:study|major\s+in|am\s+majoring\s+in)|i'?m\s+(?:currently\s+)?(?:studying|majoring\s+in|(?:doing|pursuing|getting|working\s+(?:on|towards?)|finishing|starting|completing)\s+(?:up\s+)?(?:an?|my)\s+(?:\w+\s+)?(?:phd|ph\.d\.?|doctorate|master'?s?(?:\s+degree)?|mba|m\.?sc|b\.?sc|b\.?a|m\.?a|degree|diploma|bachelor'?s?(?:\s+degree)?|postdoc|undergrad(?:uate)?(?:\s+degree)?|apprenticeship)\s+(?:in|of)|(?:in|entering)\s+my\s+\w+\s+year\s+of(?:\s+studying)?)|i\s+am\s+(?:currently\s+)?(?:studying|majoring\s+in|(?:doing|pursuing|working\s+on|finishing|starting)\s+(?:an?|my)\s+(?:phd|doctorate|master'?s?(?:\s+degree)?|mba|degree|bachelor'?s?(?:\s+degree)?|postdoc|diploma)\s+(?:in|of)))\s+(?P<field_of_study>(?!{_LANGUAGE}\b|for\b|to\b|hard\b){_FIELD})(?:\s+at\s+(?P<school>(?:the\s+)?{CAPITAL}(?:\s+(?:of\s+)?{CAPITAL})*))?(?=\s*(?:$|[.,!;]|\b(?:and|but|so|in|now|with|as)\b))"
    ),
    rule(
        r"(?:i'?m|i\s+am)\s+an?\s+(?P<field_of_study>[a-z]+(?:\s+(?:and\s+)?[a-z]+)?)\s+major(?=\s*(?:$|[.,!;]|\b(?:and|at|but|so|in)\b))"
    ),
    rule(
        rf"{AM}an?\s+(?:phd|doctoral|master'?s|graduate|grad|postdoc\w*|undergraduate)\s+(?:student|candidate|researcher)\s+(?:in|of)\s+(?P<field_of_study>{_FIELD})(?:\s+at\s+(?P<school>(?:the\s+)?{CAPITAL}(?:\s+(?:of\s+)?{CAPITAL})*))?(?=\s*(?:$|[.,!;]|\b(?:and|but|so|in|now)\b))"
    ),
    rule(
        rf"i\s+{ADV}(?:got\s+into|got\s+accepted\s+(?:to|at|into)|was\s+accepted\s+(?:to|at|into|by))\s+(?P<school>{CAPITAL}(?:\s+(?:of\s+)?{CAPITAL})*)(?=\s*(?:$|[.,!;]|\b(?:for|to|and|this|in)\b))"
    ),
    rule(rf"my\s+(?:major|degree|field)\s+is\s+(?:in\s+)?(?P<field_of_study>{_FIELD}){END}"),
    rule(
        rf"(?:i\s+(?:go\s+to|attend|study\s+at)|i'?m\s+(?:an?\s+)?(?:[\w-]+\s+){{0,2}}?(?:student|freshman|sophomore|junior|senior|studying)\s+at)\s+(?P<school>(?:the\s+)?{CAPITAL}(?:\s+(?:of\s+)?{CAPITAL})*(?:\s+(?:university|college|school))?)(?=\s*(?:$|[.,!;]|\b(?:and|but|so|in|where|now)\b))"
    ),
    # languages
    rule(rf"{AM}bilingual(?:\s+in|:|,)?\s+(?P<speaks>{_LANGUAGES})"),
    rule(rf"i\s+(?:grew\s+up|was\s+raised)\s+(?:speaking|with)\s+(?P<speaks>{_LANGUAGES})"),
    rule(
        rf"{I}(?:understand|know|read)\s+{_FLUENCY}(?P<speaks>{_LANGUAGES})(?=\s*(?:$|[.,!;]|\b(?:and|but|at|with|so|too|as|because|well|from)\b))"
    ),
    rule(
        rf"{AM}(?:studying|taking\s+(?:classes|lessons|a\s+course)\s+in|brushing\s+up\s+(?:on\s+)?(?:my\s+)?|teaching\s+myself|trying\s+to\s+learn)\s*(?P<speaks>{_LANGUAGES})"
    ),
    rule(rf"i(?:'ve|\s+have)\s+been\s+(?:learning|studying)\s+(?P<speaks>{_LANGUAGES})"),
    rule(rf"i\s+{ADV}(?:started|began)\s+(?:learning|studying)\s+(?P<speaks>{_LANGUAGES})"),
    rule(rf"my\s+(?:native|first|second|mother)\s+(?:language|tongue)(?:'s|\s+is|\s+are)\s+(?P<speaks>{_LANGUAGES})"),
    rule(
        rf"i\s+(?:can\s+)?{ADV}speak\s+(?:(?:fluent|pretty\s+good|passable|rusty|enough|a\s+bit\s+of|a\s+little|mostly)\s+)*{_FLUENCY}(?P<speaks>{_LANGUAGES})(?=\s*(?:$|[.,!;]|\b(?:and|but|at|with|fluently|so|too|as|because|well)\b))"
    ),
    rule(rf"{AM}(?:fluent|conversational)\s+in\s+(?P<speaks>{_LANGUAGES})"),
    rule(rf"{AM}learning\s+(?:to\s+speak\s+)?(?P<speaks>{_LANGUAGES})"),
    rule(rf"my\s+(?:native\s+language|mother\s+tongue|first\s+language)\s+is\s+(?P<speaks>{_LANGUAGES})"),
    rule(rf"(?P<speaks>{_LANGUAGE})\s+is\s+my\s+(?:first|native|second)\s+language"),
    rule(rf"{AM}a\s+native\s+(?P<speaks>{_LANGUAGE})\s+speaker"),
)
