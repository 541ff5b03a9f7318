"""English tables of tastes, food that somebody does not eat, and what they do in their time. Pure data."""

# ruff: noqa: E501 - one pattern, one line: broken in two it would be read wrongly

from domain.rules_en_life import ADV, AM, HAVE, STOP, THING, WHO_DOES, WHO_IS, I, rule

_NOT = r"(?:do\s+not|don'?t|don t|dont|never|cannot|can'?t|cant|won'?t|can\s+not)"
_FOOD_BAN = r"(?:pork|beef|meat|red meat|fish|seafood|shellfish|dairy|gluten|eggs?|spicy food|sugar|alcohol|pork or \w+|nuts|onions?|garlic|lamb|chicken|mushrooms?|cilantro|coriander)"
_DIET = (
    r"(?:(?:strict|lifelong|devout|committed|lacto-ovo)\s+)?(?:vegetarian|vegan|pescatarian|pescetarian|flexitarian|keto|gluten[- ]free"
    r"|dairy[- ]free|lactose[- ]free|plant-based|halal|kosher|low[- ]carb|low[- ]sodium)"
)
_DIET_END = (
    r"(?!\s+(?:restaurant|food|option|dish|meal|recipe|place|cookbook|friend|curious|society|club|cafe|blog)s?\b)"
)
_INTOLERANCE = r"(?:lactose|gluten|dairy|fructose|histamine|egg|soy|wheat|caffeine|alcohol)"
_BIG = r"(?:(?:big|huge|massive|great|major|real|total|big-time|die-?hard|lifelong|keen)\s+)*"
_PLAY = (
    r"(?:the\s+)?(?:guitar|bass|piano|violin|drums|cello|flute|sax(?:ophone)?|ukulele|trumpet|tennis|football|soccer|basketball"
    r"|badminton|volleyball|golf|chess|squash|hockey|table tennis|ping pong|cricket|rugby|baseball|video games|board games"
    r"|poker|d&d|water polo|pickleball|softball|guzheng|erhu|mahjong|harmonica|accordion|banjo)"
)
_OFTEN = (
    r"(?:every\s+(?:single\s+)?(?:other\s+)?(?:day|morning|evening|night|week|weekend|month|\w+day)s?(?:\s+(?:morning|evening|night|afternoon))?"
    r"|(?:once|twice|three times|four times|five times|\w+ times)\s+(?:a|per|every)\s+(?:day|week|month)|(?:a|per)\s+(?:day|week)|daily|(?:on|at)\s+weekends|on\s+(?:mon|tues|wednes|thurs|fri|satur|sun)days)"
)
_DO = (
    r"(?:go|run|jog|swim|meditate|journal|drink|read|walk|cycle|exercise|work\s+out|do|practi[cs]e|take\s+an?|cook|bake|stretch|hike"
    r"|call|volunteer|lift|train|climb|skip|nap|have|eat|visit|attend|bring|pray|write)"
)
_CLOCK = r"(?:(?:around|about|at|by)\s+)*(?P<{}>(?:half\s+past\s+)?(?:\d{{1,2}}(?::\d\d)?|six|seven|eight|nine|ten|eleven|five|midnight|noon)(?:\s?[ap]\.?m\b\.?)?)(?=\s*(?:$|[.,!;]|\b(?:every|on|and|so|in|but|most|these|to|for)\b))"
_FAVOURITES = {
    "food": r"food|dish|cuisine|meal",
    "drink": r"drink|beverage|cocktail",
    "colour": r"colou?r",
    "music": r"music|song|band|singer|musician|album|(?:music(?:al)?\s+)?genre of music|composer|music genre",
    "book": r"book|author|novel|writer",
    "film": r"film|movie|show|tv\s+show|series|tv\s+series|anime",
    "sport": r"sport|team|football team|basketball team|sports team|soccer team",
    "place": r"place|city|spot|vacation spot|country|place in the world|holiday destination",
}
_OTHER_NOUN = r"(?!(?:part|thing|things|one|ones|way|memory|moment|time)\b)[a-z]+(?:\s+[a-z]+)?"
_ALL_TIME = (
    r"(?:\s+(?:of\s+all\s+time|ever|right\s+now|in\s+the\s+world|at\s+the\s+moment|these\s+days|to\s+eat|to\s+drink))?"
)

RULES = (
    # allergies and diets
    rule(rf"{AM}(?:very\s+)?allergic\s+to\s+(?P<allergy>{THING}){STOP}"),
    rule(rf"i(?:'?ve|\s+have)\s+(?:always\s+)?been\s+{ADV}allergic\s+to\s+(?P<allergy>{THING}){STOP}"),
    rule(
        rf"{HAVE}(?:an?\s+)?(?:bad\s+|severe\s+|serious\s+|mild\s+|strong\s+|life-threatening\s+|nasty\s+)*(?P<allergy>(?!allerg|severe|serious|bad|mild|strong|slight|nasty|food\b|terrible|new)[a-z][a-z-]*(?:\s+[a-z-]+)?)\s+allerg(?:y|ies)\b(?!\s+(?:to\b|test|season|pills|medic\w+))"
    ),
    rule(
        rf"{HAVE}(?:an?\s+)?(?:bad\s+|severe\s+|serious\s+|mild\s+|strong\s+|life-threatening\s+|nasty\s+)*(?:allergy|allergies|allergic reactions?|intolerance)\s+to\s+(?P<allergy>{THING}){STOP}"
    ),
    rule(rf"{AM}(?:a\s+bit\s+)?(?P<allergy>{_INTOLERANCE})[- ]intolerant"),
    rule(rf"{HAVE}(?:an?\s+)?(?P<allergy>{_INTOLERANCE})\s+intolerance"),
    rule(rf"{AM}(?:intolerant|highly\s+sensitive)\s+to\s+(?P<allergy>{_INTOLERANCE})"),
    rule(rf"my\s+(?:food\s+|only\s+|main\s+)?allerg(?:y|ies|ens?)\s+(?:is|are|include)\s+(?P<allergy>{THING}){STOP}"),
    rule(
        r"(?P<allergy>[a-z]+(?:\s+[a-z]+)?)\s+(?:makes|make|gives|give)\s+me\s+(?:break\s+out\s+in\s+hives|hives|anaphylaxis|an?\s+allergic\s+reaction)"
    ),
    rule(rf"{WHO_IS}allergic\s+to\s+(?P<allergy>{THING}){STOP}"),
    rule(
        rf"{WHO_DOES}has\s+(?:an?\s+)?(?:severe\s+|bad\s+|serious\s+|mild\s+)?(?P<allergy>[a-z]+(?:\s+[a-z]+)?)\s+allergy\b"
    ),
    rule(
        rf"{WHO_DOES}has\s+(?:an?\s+)?(?:severe\s+|bad\s+|serious\s+|mild\s+)?allergy\s+to\s+(?P<allergy>{THING}){STOP}"
    ),
    rule(rf"{WHO_IS}(?P<allergy>{_INTOLERANCE})[- ]intolerant"),
    rule(
        rf"{AM}(?:an?\s+|on\s+a\s+)?(?P<diet>{_DIET}){_DIET_END}(?=\s*(?:$|[.,!;:)]|\s[-–—]|\b(?:and|so|but|diet|for|since|by|because|now|who|these|too|though|person)\b))"
    ),
    rule(rf"i(?:'?ve|\s+have)\s+been\s+{ADV}(?:an?\s+)?(?P<diet>{_DIET}){_DIET_END}\s+(?:for|since|my)\b"),
    rule(
        rf"i\s+(?:(?:just|recently)\s+)?(?:became|went|turned|follow|keep|am\s+following|am\s+on|eat|only\s+eat)\s+(?:an?\s+)?(?P<diet>{_DIET}){_DIET_END}(?=\s*(?:$|[.,!;:]|\b(?:and|so|but|diet|food|last|this|in|for|since|at|two|a few)\b))"
    ),
    rule(rf"{AM}on\s+an?\s+(?P<diet>[a-z-]+(?:[- ][a-z]+)?)\s+diet\b"),
    rule(
        rf"i\s+(?:{ADV}{_NOT}|avoid|{ADV}stay\s+away\s+from)\s+(?:\w+ly\s+)?(?:eat\s+|touch\s+|have\s+|do\s+)?(?:any\s+)?(?P<diet>{_FOOD_BAN}(?:(?:\s*,\s*(?:or\s+|and\s+)?|\s+or\s+|\s+and\s+){_FOOD_BAN})*)\b(?!\s+(?:on|as|very|yet|before|after|tonight|with)\b)",
        "no",
    ),
    rule(
        rf"i\s+{ADV}(?:{_NOT})\s+(?:\w+ly\s+)?eat\s+(?:any\s+)?(?P<diet>{THING})(?:\s+(?:for\s+(?:religious|health|ethical)\s+reasons|at\s+all))?{STOP}",
        "no",
    ),
    rule(rf"i\s+(?:have\s+)?(?:given?|gave)\s+up\s+(?:eating\s+)?(?P<diet>(?!alcohol){_FOOD_BAN})\b", "no"),
    rule(r"i\s+(?:only\s+eat|keep|eat)\s+(?P<diet>halal|kosher)\b"),
    rule(
        rf"{WHO_IS}(?:an?\s+)?(?P<diet>{_DIET}){_DIET_END}(?=\s*(?:$|[.,!;:)]|\b(?:and|so|but|for|since|because|now)\b))"
    ),
    rule(rf"{WHO_DOES}(?:doesn'?t|does\s+not|never|can'?t|cannot)\s+eats?\s+(?P<diet>{THING}){STOP}", "no"),
    rule(
        rf"i\s+{ADV}(?:don'?t|do\s+not|never)\s+{ADV}(?P<alcohol>drink(?:\s+(?:any\s+)?alcohol)?)(?=\s*(?:$|[.,!;]|\b(?:and|or|at\s+all|anymore|so|because|but)\b))",
        "no",
        fixed="alcohol",
    ),
    rule(
        rf"i\s+{ADV}(?:don'?t|do\s+not|never|have\s+never)\s+{ADV}(?:drink\s+(?:or|and)\s+)?(?P<smoking>smoked?)(?=\s*(?:$|[.,!;]|\b(?:and|or|at\s+all|anymore|so|because|but)\b))",
        "no",
        fixed="smoking",
    ),
    rule(rf"(?:i|i've|i have)\s+{ADV}(?:quit|stopped|gave\s+up|given\s+up)\s+(?P<smoking>smoking)\b", "ended"),
    rule(
        rf"(?:i|i've|i have)\s+{ADV}(?:quit|stopped|gave\s+up|given\s+up)\s+(?P<alcohol>drinking|alcohol)(?=\s*(?:$|[.,!;]|\b(?:and|last|in|this|for|two|a|years)\b))",
        "ended",
        fixed="alcohol",
    ),
    rule(
        rf"i\s+{ADV}(?P<smoking>smoke)\s+(?:a\s+pack|cigarettes|occasionally|socially|sometimes|\w+\s+cigarettes)",
        fixed="smoking",
    ),
    # pastimes that are called so, before likes
    rule(
        rf"in\s+my\s+(?:free|spare)\s+time,?\s+i\s+{ADV}(?:(?:like|love|enjoy)\s+(?:to\s+)?)?(?P<hobby>{THING}){STOP}"
    ),
    # likes
    rule(
        rf"{I}(?:love|luv|like|enjoy|adore|prefer(?!\s[^.;!?]*\sto\s))\s+(?P<preference>(?!to\s+be\s+called){THING})(?=\s+(?:over|more|better)\b|{STOP[3:]}",
        "like",
    ),
    rule(
        rf"{I}prefer\s+(?P<preference>(?!to\s)[^.;:!?()\n]{{1,40}}?)\s+to\s+(?!\w+\s+(?:it|me|you)\b){THING}{STOP}",
        "like",
    ),
    rule(rf"i(?:'?ve|\s+have)\s+always\s+(?:loved|liked|enjoyed|adored)\s+(?P<preference>{THING}){STOP}", "like"),
    rule(
        rf"{AM}(?:a\s+)?(?:{ADV}{_BIG})(?:fan\s+of|crazy\s+about|mad\s+about|obsessed\s+with|fond\s+of|addicted\s+to|in\s+love\s+with|partial\s+to|passionate\s+about|keen\s+on)\s+(?P<preference>{THING}){STOP}",
        "like",
    ),
    rule(rf"{AM}(?:{_BIG})into\s+(?P<preference>{THING}){STOP}", "like"),
    rule(
        rf"{AM}an?\s+{_BIG}(?P<preference>[\w-]+(?:\s+[\w-]+){{0,2}}?)\s+(?:fan|lover|enthusiast|addict|buff|nerd|geek)(?=\s*(?:$|[.,!;]|\b(?:and|so|but|too|since|by|who|here)\b))",
        "like",
    ),
    rule(rf"{AM}(?:more\s+of\s+)?an?\s+(?P<preference>cat|dog|tea|coffee)\s+person", "like"),
    rule(
        rf"{I}(?:can'?t|cannot)\s+(?:get\s+enough\s+of|live\s+without|resist)\s+(?P<preference>{THING}){STOP}", "like"
    ),
    rule(rf"{HAVE}a\s+(?:soft\s+spot|thing|weakness)\s+for\s+(?P<preference>{THING}){STOP}", "like"),
    rule(rf"(?:huge|big|massive|total)\s+fan\s+of\s+(?P<preference>{THING}){STOP}", "like"),
    rule(
        rf"(?P<preference>[\w'][\w' -]{{1,30}}?)\s+(?:is|are)\s+(?:definitely\s+)?my\s+(?:all[- ]time\s+|absolute\s+)?favou?rite\s+(?!(?:{'|'.join(_FAVOURITES.values())})\b){_OTHER_NOUN}(?=\s*(?:$|[.,!;]))",
        "like",
    ),
    # dislikes
    rule(rf"{I}(?:hate|dislike|despise|detest|loathe)\s+(?P<preference>{THING}){STOP}", "dislike"),
    rule(
        rf"{I}(?:can'?t|cannot|can\s+not|couldn'?t)\s+(?:really\s+)?(?:stand|bear|abide|stomach|handle|tolerate)\s+(?P<preference>{THING}){STOP}",
        "dislike",
    ),
    rule(
        rf"(?:i\s+)?{ADV}(?:don'?t|do\s+not|dont|never)\s+{ADV}(?:like|enjoy|care\s+for|love)\s+(?P<preference>{THING}){STOP}",
        "dislike",
    ),
    rule(
        rf"i\s+(?:no\s+longer|never)\s+(?:like|enjoy|love|liked|enjoyed|loved)\s+(?P<preference>{THING}){STOP}",
        "dislike",
    ),
    rule(
        rf"(?:(?:i'?m|i\s+am)\s+|){ADV}(?:not|no|never\s+been)\s+{ADV}(?:an?\s+)?{_BIG}(?:fan\s+of|into|keen\s+on|fond\s+of|crazy\s+about|huge\s+on|big\s+on)\s+(?P<preference>{THING}){STOP}",
        "dislike",
    ),
    rule(
        rf"i(?:'?ve|\s+have)\s+never\s+(?:liked|enjoyed|been\s+(?:a\s+(?:big\s+)?fan\s+of|into))\s+(?P<preference>{THING}){STOP}",
        "dislike",
    ),
    rule(rf"i(?:'?ve|\s+have)\s+(?:gone\s+off|grown\s+tired\s+of)\s+(?P<preference>{THING}){STOP}", "dislike"),
    rule(rf"i(?:'?ve|\s+have)\s+always\s+(?:hated|disliked)\s+(?P<preference>{THING}){STOP}", "dislike"),
    rule(rf"{AM}not\s+an?\s+(?P<preference>cat|dog|tea|coffee|beach)\s+person", "dislike"),
    rule(rf"{AM}an?\s+(?:big|huge|heavy)\s+(?P<preference>tea|coffee|wine|beer)\s+drinker", "like"),
    # favourites
    *(
        rule(
            rf"my\s+(?:all[- ]time\s+|absolute\s+)?(?:favou?rite|go-to)\s+(?:{nouns}){_ALL_TIME}(?:'s|\s+is|\s+has\s+(?:always\s+been|to\s+be|got\s+to\s+be)|\s+are)\s+(?:definitely\s+|probably\s+|always\s+|still\s+)?(?P<favourite_{name}>{THING}){STOP}",
            "like",
        )
        for name, nouns in _FAVOURITES.items()
    ),
    *(
        rule(
            rf"(?P<favourite_{name}>[\w'][\w' ]{{1,40}}?)\s+(?:is|are)\s+(?:definitely\s+|still\s+)?my\s+(?:all[- ]time\s+|absolute\s+)?(?:favou?rite|go-to)\s+(?:{nouns})(?=\s*(?:$|[.,!;]|\b(?:of\s+all|ever|and|in)\b))",
            "like",
        )
        for name, nouns in _FAVOURITES.items()
    ),
    rule(
        rf"my\s+(?:all[- ]time\s+|absolute\s+)?(?:favou?rite|go-to)\s+(?!(?:{'|'.join(_FAVOURITES.values())})\b){_OTHER_NOUN}{_ALL_TIME}(?:'s|\s+is|\s+are|\s+has\s+always\s+been)\s+(?P<preference>{THING}){STOP}",
        "like",
    ),
    # pastimes and habits
    rule(
        rf"my\s+(?:(?:main|favou?rite|biggest|new|only)\s+)*(?:hobby|hobbies|pastimes?)\s+(?:is|are|include)\s+(?P<hobby>{THING}){STOP}",
        "yes",
    ),
    rule(
        rf"{I}play\s+(?:(?:a\s+lot\s+of|some)\s+)?(?P<hobby>{_PLAY}(?:\s+and\s+{_PLAY})*)\b(?!\s+(?:tomorrow|today|tonight|with\s+him))"
    ),
    rule(
        r"i\s+(?:(?:just|recently)\s+)?(?:took|picked|have\s+taken|'ve\s+taken)\s+up\s+(?P<hobby>[a-z]+(?:\s+[a-z]+)?)(?=\s*(?:$|[.,!;]|\b(?:and|last|this|as|recently|so|but|in)\b))"
    ),
    rule(rf"{AM}learning\s+(?:(?:how\s+)?to\s+play\s+)?(?P<hobby>{_PLAY})\b"),
    rule(rf"{I}collect\s+(?P<hobby>(?!it|them|my)[a-z]+(?:\s+[a-z]+)?)(?=\s*(?:$|[.,!;]|\b(?:and|from|as)\b))"),
    rule(
        rf"i(?:'?ve|\s+have)\s+been\s+(?P<hobby>(?:painting|knitting|climbing|running|cycling|swimming|surfing|dancing|gardening|baking|skiing|hiking|fishing|sailing|drawing|playing\s+{_PLAY}))\s+(?:for|since)\b"
    ),
    rule(
        rf"(?:i\s+|every\s+(?:morning|day|evening|night|week|\w+day)s?,?\s+i\s+){ADV}(?P<habit>{_DO}\b[^.;:!?,\n]{{0,60}}?\b{_OFTEN})"
    ),
    rule(
        rf"every\s+(?:single\s+)?(?:morning|day|evening|night|week|weekend|\w+day)s?,?\s+i\s+{ADV}(?P<habit>{_DO}\b[^.;:!?,\n]{{0,60}}?){STOP}"
    ),
    rule(rf"i\s+{ADV}(?:get\s+up|wake\s+up|am\s+up)\s+{_CLOCK.format('wake_time')}"),
    rule(rf"i\s+{ADV}(?:go\s+to\s+(?:bed|sleep)|am\s+in\s+bed|sleep)\s+{_CLOCK.format('sleep_time')}"),
)
