"""English tables of who somebody is: names, birth, home, people, animals. Pure data."""

# ruff: noqa: E501 - one pattern, one line: broken in two it would be read wrongly

import re

from domain.facts import Confidence, Value
from domain.rules_found import Rule

# After what a statement may begin, so that it is the writer's own: not in "the food I love".
BEGIN = re.compile(
    r"(?:^\W*|[,;:(]\s*|\s[-–—]+\s*|\b(?:and|but|so|because|cause|cuz|bc|coz|since|as|although|though|plus|also|actually|honestly"
    r"|turns\s+out|reminder|i\s+mean|while|under|mentioned|mention|say|add|mind\s+that|whereas"
    r"|^\W*(?:(?:last|this|next|every)\s+\w+|in\s+(?:january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn|fall|winter)"
    r"|yesterday|today|tomorrow|lately|(?:on|at|over)\s+(?:the\s+)?weekends?|(?:these|nowa)\s*days|at\s+the\s+moment|sometimes|normally|usually|most\s+\w+|by\s+now),?"
    r"|that|fyi|btw|yes|yeah|yep|no|nope|well|ok|okay|oh|hi|hey|hello|there|haha|lol|sorry|however|unfortunately|personally"
    r"|currently|nowadays|now|tbh|anyway|hmm|ugh|remember|note|too|recently|basically|told you|mind|days|aware|know|said|you,?)\s+)",
    re.IGNORECASE,
)
ADV = (
    r"(?:(?:really|absolutely|totally|truly|just|also|still|always|generally|usually|definitely|personally|actually"
    r"|honestly|particularly|especially|genuinely|simply|kinda|kind of|sort of|quite|do|so|secretly|mostly|currently|now"
    r"|both|even|very|pretty|such|all|recently|originally|myself|deeply|deathly|severely|highly|extremely|fully|strictly"
    r"|super|incredibly|insanely|violently|crazy|quite|happily|sadly|regularly|often|normally|typically|mainly|primarily"
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
    r"|(?:way|much|far|even) more than|(?:with|in|on|for|about) (?:it|them|that)\b|ever since|no matter|any day|the most|more than anything|at least|way too"
    r"|nowadays|lately|instead|please|thanks|lol|haha|then|due to|even|such as|like|"
    r"cuz|cause|bc|coz|except|especially|particularly|by the way|btw|at all|personally|actually|honestly|to be honest|tbh"
    r"|(?:for|over) (?:\d|the (?:past|last)|about|almost|over|many|years|two|three|four|five|ten|a (?:few|while|year))"
    r"|(?:and|or) (?:i|i'm|im|i've|my|we|we're|it|it's|they|he|she|that|can|would|need|want|please|don't|do|am|have|not"
    r"|has|had|was|were|is|are|will|could|should|must|think|hope|usually|often|still|really|just|got|went|tried|prefer|love|hate|like|eat|drink|can't|cannot|cant|won't"
    r"|didn't|dont|avoid|work|live|play|watch|sometimes|now|both|trying|need|use|make|makes|gives|give"
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


_NATION = (
    r"(?:american|british|canadian|australian|chinese|japanese|korean|indian|german|french|spanish|italian|dutch|swedish"
    r"|norwegian|danish|finnish|polish|brazilian|mexican|argentinian|irish|scottish|russian|ukrainian|turkish|greek|taiwanese"
    r"|singaporean|malaysian|vietnamese|thai|filipino|indonesian|nigerian|kenyan|egyptian|portuguese|swiss|austrian|belgian)"
)
_PET = (
    r"(?:dogs?|cats?|puppy|puppies|kittens?|rabbits?|bunny|hamsters?|parrots?|guinea pigs?|goldfish|turtles?|tortoises?|horses?"
    r"|budgies?|ferrets?|snakes?|geckos?|lizards?|fish|birds?|labradors?|labs?|golden retrievers?|poodles?|corgis?|huskies|husky|beagles?"
    r"|(?:\w+\s+)?(?:retriever|spaniel|terrier|sheepdog|shepherd|collie)s?|shih tzu|maltese|dalmatian|greyhound|great dane|samoyed|akita|shiba(?:\s+inu)?|mastiff|whippet|schnauzer|siamese|maine coon|ragdoll"
    r"|pony|ponies|goats?|hens|canary|canaries|gerbils?|chinchillas?|axolotl|iguana|bearded dragon|rats|hedgehog|donkeys?|tarantula|doodle|cockapoo|labradoodle|dachshunds?|pugs?|german shepherds?|border collies?|bulldogs?|tabby|chickens|parakeets?|cockatiels?|chihuahuas?)"
)
_COUNT = r"(?:an?|one|two|three|four|five|\d)"
_NAMED = r"(?:'s\s+(?:called|named)\s+|(?:,?\s+(?:is\s+|are\s+)?(?:named|called)|,?\s+whose names? (?:is|are)|'s name is|\s+names? (?:is|are)|\s+is called|\s+is named)\s+)"
_NAMES = rf"{NAME}(?:(?:\s*,\s*|\s+and\s+|\s*&\s*){NAME})*"

RULES = (
    # names
    rule(
        rf"my\s+(?:(?:full|real|first|given|legal|actual|birth|official)\s+)?name(?:'s|\s+is|,?\s+which\s+is|\s*[:,])\s+(?P<name>{NAME_OR_LOWER})"
    ),
    rule(rf"(?:the\s+)?name'?s\s+(?P<name>{NAME})(?=\s*(?:$|[,.!]|by\b|btw\b))"),
    rule(
        rf"(?:please\s+)?(?:stop\s+calling|don'?t\s+call|do\s+not\s+call|never\s+call|quit\s+calling)\s+me\s+{NAME_OR_LOWER}[\s,;.-]+(?:(?:just|it's|it\s+is|i\s+go\s+by|i'm|call\s+me|make\s+it|plain|use|please|my\s+name\s+is)\s+){{0,2}}(?P<call_me>{NAME})(?=\s*(?:$|[,.!]|\bis\b|\bwill\b|\bplease\b|\binstead\b|\bworks\b))"
    ),
    rule(
        rf"i(?:'d|\s+would)\s+(?:prefer|rather|like)\s+(?:to\s+be\s+called|be\s+called|to\s+go\s+by|you\s+to\s+call\s+me|(?:if\s+)?you\s+called?\s+me)\s+(?P<call_me>{NAME})"
    ),
    rule(
        rf"(?:everyone|everybody|people|(?:all\s+)?(?:my\s+)?(?:friends|family|colleagues|coworkers))(?:\s+(?:at\s+work|here|just|usually|all|in\s+my\s+\w+)){{0,2}}\s+calls?\s+me\s+(?P<call_me>{NAME})"
    ),
    rule(
        rf"(?:hi|hello|hey)(?:\s+(?:there|all|everyone))?[,!.]?\s+(?:i'?m|i\s+am|this is)\s+(?P<name>{NAME})(?=\s*(?:$|[,.!]|\b(?:and|from)\b))"
    ),
    rule(
        rf"(?:please\s+|just\s+|you\s+can\s+(?:just\s+)?|everyone\s+calls|(?:my\s+)?friends\s+|people\s+|everybody\s+)*call\s+me\s+(?P<call_me>(?:(?:Dr|Mr|Mrs|Ms|Prof)\.?\s+)?{NAME_OR_LOWER})(?!\s+(?:at|when|on|after|before|if)\b)"
    ),
    rule(rf"{I}go\s+by\s+(?P<call_me>{NAME})"),
    rule(rf"{I}prefer\s+to\s+be\s+called\s+(?P<call_me>{NAME})"),
    rule(rf"(?:please\s+)?(?:address|refer to)\s+me\s+as\s+(?P<call_me>{NAME})"),
    rule(rf"my\s+nickname(?:'s|\s+is)\s+(?P<call_me>{NAME_OR_LOWER})"),
    rule(rf"i'?m\s+(?P<name>{NAME})(?=,?\s+(?:by\s+the\s+way|btw|here)\b)"),
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
    rule(
        rf"i\s+(?:grew\s+up|was\s+born|was\s+raised)\s+(?:in|near|outside)\s+(?:an?\s+)?(?:[\w-]+\s+){{0,3}}?(?:town|village|suburb|city|hamlet|place)\s+(?:called|named|near|outside|in)\s+(?P<hometown>{CITY})"
    ),
    rule(rf"(?:i'?m|i\s+am)\s+(?:originally\s+)?(?P<hometown>{CITY})\s+born\s+and\s+(?:raised|bred)"),
    rule(rf"my\s+home\s?town(?:'s|\s+is)\s+(?P<hometown>{PLACE})"),
    # home
    rule(
        rf"(?:i|we)\s+{ADV}(?:live|reside|am based|are based)\s+(?:(?:just\s+)?(?:outside|near|close\s+to)|(?:over\s+)?in)\s+(?:of\s+)?(?P<lives_in>{PLACE})"
    ),
    rule(
        rf"(?:i|we)\s+{ADV}live\s+in\s+an?\s+(?:[\w-]+\s+){{0,3}}?(?:town|village|suburb|city|neighbou?rhood|place|flat|house|apartment|studio)\s+(?:called|named|near|outside|in)\s+(?P<lives_in>{CITY})"
    ),
    rule(rf"(?:i|we)(?:'ve|\s+have)?\s+{ADV}settled\s+(?:down\s+)?in\s+(?P<lives_in>{CITY})"),
    rule(
        rf"(?:i'?ve|i\s+have)\s+lived\s+in\s+(?P<lives_in>{CITY})\s+(?:all\s+my\s+life|my\s+(?:whole|entire)\s+life|since|for)\b"
    ),
    rule(rf"i\s+call\s+(?P<lives_in>{CITY})\s+home\b"),
    rule(
        r"(?:i'?m|i\s+am|we're)\s+(?:on|in)\s+(?P<time_zone>(?:(?:pacific|eastern|central|mountain|british\s+summer|central\s+european|indian?|japan|china|singapore|greenwich\s+mean)\s+(?:standard\s+|daylight\s+|summer\s+)?time|(?:utc|gmt)\s?[+-]\s?\d{1,2}|(?-i:CET|CEST|EST|EDT|PST|PDT|MST|CST|BST|JST|IST|AEST|UTC|GMT)))\b"
    ),
    rule(
        rf"(?:i'?ve|i\s+have|we'?ve|we\s+have)\s+(?:been\s+living|lived|been\s+based)\s+in\s+(?P<lives_in>{PLACE})(?=.*\b(?:since|for)\b)(?!.*\b(?:before|once)\b)"
    ),
    rule(rf"{AM}(?:living|based)\s+in\s+(?P<lives_in>{PLACE})"),
    rule(
        rf"(?:i|we|i've|we've|i have|we have)\s+{ADV}(?:moved|relocated)\s+(?:here\s+)?(?:back\s+)?(?:from\s+(?P<moved_from>{CITY})\s+)?to\s+(?P<lives_in>{PLACE})(?!\s+(?:and\s+)?(?:then|but)\b)"
    ),
    rule(rf"(?:i|we|i've|we've)\s+{ADV}(?:moved|relocated)\s+(?:to\s+{CITY}\s+)from\s+(?P<moved_from>{CITY})"),
    rule(
        rf"(?:i|we|i've|we've)\s+{ADV}(?:moved|relocated)\s+(?:here\s+|away\s+|out\s+)?(?:from|out\s+of)\s+(?P<moved_from>(?>{CITY}))(?!\s+to\b)"
    ),
    rule(rf"my\s+(?:flat|apartment|house|place|home)\s+is\s+in\s+(?P<lives_in>{CITY})"),
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
        rf"{AM}(?:married|divorced|single|separated|widowed)(?:,|\s+with|\s+and\s+(?:i\s+)?have)\s+(?P<child>{_COUNT}\s+(?:(?:\w+)\s+)?(?:kids?|child(?:ren)?|sons?|daughters?|boys?|girls?))\b"
    ),
    rule(
        rf"{AM}an?\s+(?:\w+\s+)?(?:mom|mum|mother|dad|father|parent)\s+(?:of|to)\s+(?P<child>{_COUNT}(?:\s+(?:\w+\s+)?(?:kids?|children|sons?|daughters?|boys?|girls?))?)(?=\s*(?:$|[.,!;]|\b(?:and|so|but)\b))"
    ),
    rule(r"(?:i|we)(?:\s+have|'ve\s+got)\s+(?:[\w-]+\s+)?(?P<child>twins|triplets)\b"),
    rule(
        r"(?:i|we)\s+(?:just\s+|recently\s+)?got\s+(?P<marital_status>married|divorced|engaged)(?=\s*(?:$|[.,!;]|\b(?:last|this|in|yesterday|and|to)\b))"
    ),
    rule(
        rf"(?:my|our)\s+(?:\w+\s+)?(?:son|daughter|kid|child|kids|children|baby|sons|daughters|twins)(?:{_NAMED}|'s\s+name\s+is\s+|,?\s+)(?P<child>{_NAMES})(?=\s|$|[.,!;])"
    ),
    rule(
        rf"(?:i|we)\s+have\s+(?P<child>(?:{_COUNT})\s+(?:(?:young|little|small|grown|grown-up|teenage|adult|lovely|\w+[- ](?:year|month)[- ]old)\s+){{0,2}}(?:toddlers?|teenagers?|stepkids|stepsons?|stepdaughters?|kids?|child(?:ren)?|sons?|daughters?|boys?|girls?)(?:\s+and\s+{_COUNT}\s+(?:sons?|daughters?|boys?|girls?))?)(?!\s+(?:who|coming|visiting|in my class))\b"
    ),
    rule(
        rf"(?:i\s+have|i'?ve\s+got|i\s+got)\s+(?P<sibling>{_COUNT}\s+(?:(?:older|younger|twin|little|big|elder)\s+)?(?:brothers?|sisters?|siblings)(?:\s+and\s+{_COUNT}\s+(?:(?:older|younger)\s+)?(?:brothers?|sisters?))?)\b"
    ),
    rule(
        rf"my\s+(?:(?:older|younger|twin|little|big)\s+)?(?:brother|sister)(?:{_NAMED}|,?\s+)(?P<sibling>{NAME})(?=\s|$|[.,!;])"
    ),
    rule(rf"my\s+(?:mother|mom|mum|father|dad){_NAMED}(?P<parent>{NAME})"),
    rule(rf"my\s+best\s+friend(?:{_NAMED}|'s\s+|,?\s+(?:is\s+)?)(?P<friend>{NAME})(?=\s|$|[.,!;])"),
    rule(
        rf"(?:my|our)\s+(?:new\s+)?(?:manager|boss|supervisor|team\s+lead(?:er)?|line\s+manager|assistant|co-?worker|colleague|business\s+partner|co-?founder)(?:{_NAMED}|'s\s+|,?\s+(?:is\s+)?)(?P<colleague>{NAME})(?=\s|$|[.,!;])"
    ),
    rule(
        rf"(?:i|we)(?:\s+have|'ve\s+got)\s+{_COUNT}\s+(?:[\w-]+\s+)?(?:sons?|daughters?|kids?|child(?:ren)?|boys?|girls?|baby){_NAMED}(?P<child>{_NAMES})"
    ),
    # animals
    rule(
        rf"(?:i|we)(?:\s+have|'ve\s+got|\s+own|\s+got|\s+(?:just\s+|recently\s+)?(?:adopted|rescued|bought|got))\s+{_COUNT}\s+(?:[\w-]+\s+){{0,3}}?{_PET}{_NAMED}(?P<pet>{_NAMES})(?:,?\s+and\s+{_COUNT}\s+(?:[\w-]+\s+){{0,2}}?{_PET}{_NAMED}(?P<pet2>{NAME}))?"
    ),
    rule(
        rf"(?:i|we)(?:\s+have|'ve\s+got|\s+own|\s+keep|\s+(?:just\s+|recently\s+|finally\s+)?(?:adopted|rescued|got))\s+(?P<pet>{_COUNT}\s+(?:[\w-]+\s+){{0,2}}?{_PET}(?:\s+and\s+{_COUNT}\s+{_PET})?)(?!{_NAMED})(?=\s*(?:$|[.,!;]|\b(?:and|who|that|at|but|so|as|from|yesterday|today|last|this|from|recently|on|in|for|now|too|living|to\s+feed)\b))"
    ),
    rule(
        rf"(?:my|our)\s+(?:[\w-]+\s+){{0,2}}?{_PET}(?:{_NAMED}|'s\s+name\s+is\s+|,?\s+)(?P<pet>{_NAMES})(?=\s|$|[.,!;])"
    ),
)
