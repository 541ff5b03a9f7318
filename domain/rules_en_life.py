"""English tables of who somebody is: names, home, people, animals, work, studies, health, languages. Pure data."""

# ruff: noqa: E501 - one pattern, one line: broken in two it would be read wrongly

import re

from domain.facts import Confidence, Value
from domain.rules_found import Rule

# After what a statement may begin, so that it is the writer's own: not in "the food I love".
BEGIN = re.compile(
    r"(?:^\W*|[,;:(]\s*|\s[-–—]+\s*|\b(?:and|but|so|because|cause|cuz|bc|coz|since|as|although|though|plus|also|actually|honestly"
    r"|that|fyi|btw|yes|yeah|yep|no|nope|well|ok|okay|oh|hi|hey|hello|there|haha|lol|sorry|however|unfortunately|personally"
    r"|currently|nowadays|now|tbh|anyway|hmm|ugh|remember|note|too|recently|basically|told you|mind|days|aware|know|said|you,?)\s+)",
    re.IGNORECASE,
)
ADV = (
    r"(?:(?:really|absolutely|totally|truly|just|also|still|always|generally|usually|definitely|personally|actually"
    r"|honestly|particularly|especially|genuinely|simply|kinda|kind of|sort of|quite|do|so|secretly|mostly|currently|now"
    r"|both|even|very|pretty|such|all|recently|originally|myself|deeply|deathly|severely|highly|extremely|fully|strictly"
    r"|lifelong|already|basically|rather|freaking|fucking|damn|real|seriously|mildly|badly|finally|slightly|terribly)\s+){0,5}"
)
I = rf"i\s+{ADV}"  # noqa: E741
AM = rf"(?:i'?m|i\s+am)\s+{ADV}"
HAVE = rf"(?:i\s+(?:have|own|keep)(?:\s+got)?|i'?ve\s+got|i\s+got)\s+{ADV}"
END = r"(?=\s*(?:$|[.!?,;:)(]|\s[-–—]|\b(?:and|but|so|because|with|since|for|now|who|which|where|as|too|btw|by the way|if)\b|[^\w\s'\"]))"
# Up to what is no longer the object.
STOP = (
    r"(?=\s*(?:$|[.;:!?()…~\n]|\s[-–—]|,?\s*\b(?:because|but|so|since|when|whenever|if|though|although|which|who|that|while"
    r"|unless|until|anymore|any more|either|too|as well|very much|a lot|so much|more than|better than|rather than|these days"
    r"|nowadays|lately|instead|please|thanks|lol|haha|then|due to|even|such as|like|"
    r"cuz|cause|bc|coz|except|especially|particularly|by the way|btw|at all|personally|actually|honestly|to be honest|tbh"
    r"|(?:for|over) (?:\d|the (?:past|last)|about|almost|over|many|years|two|three|four|five|ten|a (?:few|while|year))"
    r"|(?:and|or) (?:i|i'm|im|i've|my|we|we're|it|it's|they|he|she|that|can|would|need|want|please|don't|do|am|have|not"
    r"|there|you|always|never|also|then|who|which|this|his|her|their))\b|,\s(?:and\s)?(?:i|i'm|my|we|it|it's|the|you|can|what"
    r"|they|he|she|please|thank|sorry|right|especially|not|no|just|like|always|mostly|whether|anything)\b))"
)
THING = r"[^.;:!?()\n]{1,90}?"
CAPITAL = r"(?-i:[A-Z\u00c0-\u00de][\w'&.\u00c0-\u024f-]*|[\u4e00-\u9fff]+)"
NAME = r"(?-i:[A-Z\u00c0-\u00de][\w'\u00c0-\u024f-]*)(?:\s+(?-i:[A-Z\u00c0-\u00de])[\w'.\u00c0-\u024f-]*){0,2}"
NAME_OR_LOWER = rf"(?:{NAME}|[a-z]{{2,14}}(?=\s*(?:$|[.,!;)])))"
PLACE = (
    rf"(?:the\s+)?(?:{CAPITAL}(?:(?:\s+|,\s+|\s+(?:of|de|la|del|upon)\s+){CAPITAL})*"
    rf"|(?:(?:new|san|los|hong|north|south|east|west|saint|st|el|las)\s+)?[a-z]{{3,16}}{END})"
)
CITY = rf"(?:{CAPITAL}(?:\s+{CAPITAL})*)"
KIN = (
    r"(?:mother|mom|mum|mommy|mummy|father|dad|daddy|wife|husband|hubby|partner|girlfriend|boyfriend|fianc[eé]e?|spouse"
    r"|sons?|daughters?|kids?|children|parents|baby|toddler|brother|sister|grandma|grandpa|grandmother|grandfather|aunt|uncle|cousin|niece|nephew"
    r"|mother-in-law|father-in-law|stepson|stepdaughter|stepmom|stepdad|brother-in-law|sister-in-law)"
)
WHO = rf"my\s+(?:(?:older|younger|little|big|elder|eldest|youngest|twin|late|\d+-year-old|dear|own)\s+)*(?P<who>{KIN})"
WHO_IS = rf"{WHO}(?:'s|\s+is|\s+are|\s+has always been)\s+{ADV}"
WHO_DOES = rf"{WHO}\s+{ADV}"


def rule(pattern: str, value: Value = "yes", confidence: Confidence = "high", fixed: str = "") -> Rule:
    """Return a line of a table; letters of either case match."""
    return Rule(re.compile(pattern, re.IGNORECASE), value, confidence, fixed)


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
_LANGUAGE = (
    r"(?:english|spanish|french|german|italian|portuguese|chinese|mandarin(?: chinese)?|cantonese|japanese|korean|russian|arabic|hindi"
    r"|urdu|bengali|turkish|dutch|swedish|norwegian|danish|finnish|polish|czech|greek|hebrew|vietnamese|thai|indonesian|malay"
    r"|tagalog|swahili|persian|farsi|ukrainian|hungarian|romanian|catalan|tamil|punjabi|sign language|asl|hokkien|shanghainese)"
)
_FLUENCY = r"(?:(?:fluent|native|a (?:little|bit of)|some|basic|conversational|both|good|only|decent|broken)\s+)*"
_LANGUAGES = rf"{_LANGUAGE}(?:(?:\s*,\s*(?:and\s+)?|\s+and\s+|\s*&\s*){_FLUENCY}{_LANGUAGE})*"
_NATION = (
    r"(?:american|british|canadian|australian|chinese|japanese|korean|indian|german|french|spanish|italian|dutch|swedish"
    r"|norwegian|danish|finnish|polish|brazilian|mexican|argentinian|irish|scottish|russian|ukrainian|turkish|greek|taiwanese"
    r"|singaporean|malaysian|vietnamese|thai|filipino|indonesian|nigerian|kenyan|egyptian|portuguese|swiss|austrian|belgian)"
)
_PET = (
    r"(?:dogs?|cats?|puppy|puppies|kittens?|rabbits?|bunny|hamsters?|parrots?|guinea pigs?|goldfish|turtles?|tortoises?|horses?"
    r"|budgies?|ferrets?|snakes?|geckos?|lizards?|fish|birds?|labradors?|labs?|golden retrievers?|poodles?|corgis?|huskies|husky|beagles?"
    r"|dachshunds?|pugs?|german shepherds?|border collies?|bulldogs?|tabby|chickens|parakeets?|cockatiels?|chihuahuas?)"
)
_COUNT = r"(?:an?|one|two|three|four|five|\d)"
_NAMED = r"(?:,?\s+(?:is\s+|are\s+)?(?:named|called)|,?\s+whose names? (?:is|are)|'s name is|\s+names? (?:is|are)|\s+is called|\s+is named)\s+"
_NAMES = rf"{NAME}(?:(?:\s*,\s*|\s+and\s+|\s*&\s*){NAME})*"
_FIELD = r"[a-z][\w-]*(?:\s+(?:and\s+)?[a-z][\w-]*){0,3}?"

RULES = (
    # names
    rule(rf"my\s+(?:(?:full|real|first|given|legal)\s+)?name(?:'s|\s+is)\s+(?P<name>{NAME_OR_LOWER})"),
    rule(
        rf"(?:hi|hello|hey)(?:\s+(?:there|all|everyone))?[,!.]?\s+(?:i'?m|i\s+am|this is)\s+(?P<name>{NAME})(?=\s*(?:$|[,.!]|\b(?:and|from)\b))"
    ),
    rule(
        rf"(?:please\s+|just\s+|you\s+can\s+(?:just\s+)?|everyone\s+calls|(?:my\s+)?friends\s+|people\s+|everybody\s+)*call\s+me\s+(?P<call_me>(?:(?:Dr|Mr|Mrs|Ms|Prof)\.?\s+)?{NAME_OR_LOWER})(?!\s+(?:at|when|on|after|before|if)\b)"
    ),
    rule(rf"(?:everyone|everybody)\s+calls\s+me\s+(?P<call_me>{NAME})"),
    rule(rf"{I}go\s+by\s+(?P<call_me>{NAME})"),
    rule(rf"{I}prefer\s+to\s+be\s+called\s+(?P<call_me>{NAME})"),
    rule(rf"(?:please\s+)?(?:address|refer to)\s+me\s+as\s+(?P<call_me>{NAME})"),
    rule(rf"my\s+nickname(?:'s|\s+is)\s+(?P<call_me>{NAME_OR_LOWER})"),
    rule(rf"i'?m\s+(?P<name>{NAME})(?=,?\s+by\s+the\s+way\b)"),
    # birth and origin
    rule(
        r"my\s+birthday(?:'s|\s+is)\s+(?:on\s+)?(?P<birthday>(?:the\s+)?[\w ,]*?\d{1,2}(?:st|nd|rd|th)?(?:\s+(?:of\s+)?(?-i:[A-Z])[a-z]+)?(?:,?\s+\d{4})?)(?=\s*(?:$|[.,!;]|\band\b|\bso\b))"
    ),
    rule(r"i\s+was\s+born\s+on\s+(?P<birthday>[\w ,]*?\d[\w ,]*?)(?=\s*(?:$|[.!;]|\bin (?-i:[A-Z])))"),
    rule(rf"{AM}(?P<age>\d{{1,2}})\s*(?:years?\s+old|yrs?\s+old|y/?o\b)"),
    rule(rf"{AM}(?P<age>\d{{2}})(?=\s*(?:$|[.,!]|and\b))(?![.,]\d)", confidence="medium"),
    rule(r"i\s+(?:just\s+)?turned\s+(?P<age>\d{2})(?=\s*(?:$|[.,!]|last|this|yesterday|in\b|on\b))"),
    rule(rf"{WHO_IS}(?P<age>\d{{1,2}}(?:\s+months)?)(?:\s+years?)?(?:\s+old)?(?=\s*(?:$|[.,!;]|and\b|now\b))"),
    rule(rf"{WHO}\s+(?:just\s+)?turned\s+(?P<age>\d{{1,2}})(?=\s*(?:$|[.,!]|last|this|yesterday|in\b|on\b))"),
    rule(rf"{AM}(?:a\s+)?(?P<nationality>{_NATION})(?=\s*(?:$|[.,!;]|\b(?:and|but|so|by|living|citizen)\b))"),
    rule(
        rf"{AM}(?:an?\s+)?(?:practi[cs]ing\s+|devout\s+)?(?P<religion>muslim|christian|catholic|jewish|buddhist|hindu|sikh|atheist|protestant|mormon)(?=\s*(?:$|[.,!;]|\b(?:and|but|so)\b))"
    ),
    rule(rf"{AM}from\s+(?P<hometown>{PLACE})"),
    rule(rf"{I}(?:come|hail)\s+from\s+(?P<hometown>{CITY})"),
    rule(rf"i\s+(?:was\s+born(?:\s+and\s+(?:raised|bred))?|was\s+raised|grew\s+up)\s+in\s+(?P<hometown>{PLACE})"),
    rule(rf"my\s+home\s?town(?:'s|\s+is)\s+(?P<hometown>{PLACE})"),
    # home
    rule(rf"(?:i|we)\s+{ADV}(?:live|reside|am based|are based)\s+in\s+(?P<lives_in>{PLACE})"),
    rule(
        rf"(?:i'?ve|i\s+have|we'?ve|we\s+have)\s+(?:been\s+living|lived|been\s+based)\s+in\s+(?P<lives_in>{PLACE})(?=.*\b(?:since|for)\b)(?!.*\b(?:before|once)\b)"
    ),
    rule(rf"{AM}(?:living|based)\s+in\s+(?P<lives_in>{PLACE})"),
    rule(
        rf"(?:i|we|i've|we've|i have|we have)\s+{ADV}(?:moved|relocated)\s+(?:here\s+)?(?:back\s+)?(?:from\s+(?P<moved_from>{CITY})\s+)?to\s+(?P<lives_in>{PLACE})(?!\s+(?:and\s+)?(?:then|but)\b)"
    ),
    rule(rf"(?:i|we|i've|we've)\s+{ADV}(?:moved|relocated)\s+(?:to\s+{CITY}\s+)from\s+(?P<moved_from>{CITY})"),
    rule(
        rf"(?:i|we|i've|we've)\s+{ADV}(?:moved|relocated)\s+(?:here\s+|away\s+|out\s+)?(?:from|out\s+of)\s+(?P<moved_from>{CITY})(?!\s+to\b)"
    ),
    rule(rf"(?:i'?m|i\s+am|we're|we\s+are)\s+(?:moving|relocating)\s+to\s+(?P<plan>{CITY})"),
    rule(r"(?:i'm|i am)\s+in\s+the\s+(?P<time_zone>[\w/]+)\s+time\s?zone"),
    rule(r"my\s+time\s?zone\s+is\s+(?P<time_zone>[\w/+:-]+)"),
    rule(
        r"my\s+(?:new\s+)?(?:e-?mail(?:\s+address)?|phone(?:\s+number)?|number|cell|mobile)\s+is\s+(?P<contact>\+?[\d() -]{6,20}\d|[\w.+-]+@[\w.-]+\w)"
    ),
    # people
    rule(
        rf"my\s+(?:wife|husband|partner|girlfriend|boyfriend|fianc[eé]e?|spouse)(?:{_NAMED}|'s\s+|,?\s+(?:is\s+)?)(?P<partner>{NAME})(?=\s|$|[.,!;])"
    ),
    rule(rf"{AM}(?:happily\s+)?(?:married|engaged)\s+to\s+(?P<partner>{NAME})"),
    rule(
        rf"{AM}(?:happily\s+|recently\s+|newly\s+)?(?P<marital_status>married|divorced|single|widowed|engaged)(?=\s*(?:$|[.,!;]|\b(?:and|with|but|now|since|for)\b))"
    ),
    rule(
        r"i\s+(?:just\s+|recently\s+)?got\s+(?P<marital_status>married|divorced|engaged)(?=\s*(?:$|[.,!;]|\b(?:last|this|in|yesterday|and|to)\b))"
    ),
    rule(
        rf"(?:my|our)\s+(?:\w+\s+)?(?:son|daughter|kid|child|kids|children|baby|sons|daughters|twins)(?:{_NAMED}|'s\s+name\s+is\s+|,?\s+)(?P<child>{_NAMES})(?=\s|$|[.,!;])"
    ),
    rule(
        rf"(?:i|we)\s+have\s+(?P<child>(?:{_COUNT})\s+(?:(?:young|little|small|grown|teenage|adult|\d+[- ]year[- ]old)\s+)?(?:kids?|child(?:ren)?|sons?|daughters?|boys?|girls?)(?:\s+and\s+{_COUNT}\s+(?:sons?|daughters?|boys?|girls?))?)(?!\s+(?:who|coming|visiting|in my class))\b"
    ),
    rule(
        rf"i\s+have\s+(?P<sibling>{_COUNT}\s+(?:(?:older|younger|twin|little|big|elder)\s+)?(?:brothers?|sisters?|siblings)(?:\s+and\s+{_COUNT}\s+(?:(?:older|younger)\s+)?(?:brothers?|sisters?))?)\b"
    ),
    rule(
        rf"my\s+(?:(?:older|younger|twin|little|big)\s+)?(?:brother|sister)(?:{_NAMED}|,?\s+)(?P<sibling>{NAME})(?=\s|$|[.,!;])"
    ),
    rule(rf"my\s+(?:mother|mom|mum|father|dad){_NAMED}(?P<parent>{NAME})"),
    rule(rf"my\s+best\s+friend(?:{_NAMED}|'s\s+|,?\s+(?:is\s+)?)(?P<friend>{NAME})(?=\s|$|[.,!;])"),
    rule(
        rf"my\s+(?:manager|boss|supervisor|team lead)(?:{_NAMED}|'s\s+|,?\s+(?:is\s+)?)(?P<colleague>{NAME})(?=\s|$|[.,!;])"
    ),
    rule(
        rf"(?:i|we)(?:\s+have|'ve\s+got)\s+{_COUNT}\s+(?:[\w-]+\s+)?(?:sons?|daughters?|kids?|child(?:ren)?|boys?|girls?|baby){_NAMED}(?P<child>{_NAMES})"
    ),
    # animals
    rule(
        rf"(?:i|we)(?:\s+have|'ve\s+got|\s+own|\s+got|\s+(?:just\s+|recently\s+)?adopted)\s+{_COUNT}\s+(?:[\w-]+\s+){{0,3}}?{_PET}{_NAMED}(?P<pet>{_NAMES})"
    ),
    rule(
        rf"(?:i|we)(?:\s+have|'ve\s+got|\s+own|\s+(?:just\s+|recently\s+)?adopted)\s+(?P<pet>{_COUNT}\s+(?:[\w-]+\s+){{0,2}}?{_PET}(?:\s+and\s+{_COUNT}\s+{_PET})?)(?!{_NAMED})(?=\s*(?:$|[.,!;]|\b(?:and|who|that|at|but|so|as|from)\b))"
    ),
    rule(
        rf"(?:my|our)\s+(?:[\w-]+\s+){{0,2}}?{_PET}(?:{_NAMED}|'s\s+name\s+is\s+|,?\s+)(?P<pet>{_NAMES})(?=\s|$|[.,!;])"
    ),
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
    # languages
    rule(
        rf"i\s+(?:can\s+)?{ADV}speak\s+{_FLUENCY}(?P<speaks>{_LANGUAGES})(?=\s*(?:$|[.,!;]|\b(?:and|but|at|with|fluently|so|too|as|because|well)\b))"
    ),
    rule(rf"{AM}(?:fluent|conversational)\s+in\s+(?P<speaks>{_LANGUAGES})"),
    rule(rf"{AM}learning\s+(?:to\s+speak\s+)?(?P<speaks>{_LANGUAGES})"),
    rule(rf"my\s+(?:native\s+language|mother\s+tongue|first\s+language)\s+is\s+(?P<speaks>{_LANGUAGES})"),
    rule(rf"(?P<speaks>{_LANGUAGE})\s+is\s+my\s+(?:first|native|second)\s+language"),
    rule(rf"{AM}a\s+native\s+(?P<speaks>{_LANGUAGE})\s+speaker"),
    # body and things
    rule(rf"{AM}(?P<height>\d(?:'\d{{1,2}}\"?|\.\d+\s?m)|\d{{3}}\s?cm)(?:\s+tall)?"),
    rule(rf"{I}weigh\s+(?:about\s+|around\s+)?(?P<weight>\d{{2,3}}(?:\.\d)?\s?(?:kg|kilos?|lbs?|pounds)?)"),
    rule(
        rf"{I}drive\s+an?\s+(?P<vehicle>(?:(?:\d{{4}}|red|blue|white|black|old)\s+)*{CAPITAL}(?:\s+(?:{CAPITAL}|\d))*)"
    ),
)
