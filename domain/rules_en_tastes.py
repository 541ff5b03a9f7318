"""English tables of tastes, food that somebody does not eat, and what they do in their time. Pure data."""

# ruff: noqa: E501 - one pattern, one line: broken in two it would be read wrongly

from domain.rules_en_life import ADV, AM, HAVE, STOP, THING, WHO_DOES, WHO_IS, I, rule

_NOT = r"(?:do\s+not|don'?t|don t|dont|never|cannot|can'?t|cant|won'?t|can\s+not)"
_FOOD_BAN = r"(?:pork|beef|meat|red meat|fish|seafood|shellfish|dairy|gluten|eggs?|spicy food|sugar|nuts|onions?|garlic|lamb|chicken|mushrooms?|cilantro|coriander|peanuts?|cashews?|almonds?|walnuts?|milk|cheese|lactose|soy|wheat|bread|shrimp|prawns?|crab|lobster|tofu|bacon|ham|sausages?|veal|honey|caffeine|coffee|chocolate|bananas?|tomato(?:es)?|carbs|fried food|processed food|sweets|raw fish|sushi|offal|liver|organ meat|poultry|animal products|aubergine|eggplant|olives|strawberr(?:y|ies)|kiwis?|mango(?:es)?|avocados?|anchovies|pineapple|sesame|celery|rice|pasta|butter|cream|yogh?urt|fast food|soft drinks|soda|citrus|grapefruit)"
_DIET = (
    r"(?:(?:strict|lifelong|devout|committed|lacto-ovo)\s+)?(?:vegetarian|vegan|pescatarian|pescetarian|flexitarian|keto|gluten[- ]free"
    r"|dairy[- ]free|lactose[- ]free|plant-based|paleo|mediterranean|raw vegan|low[- ]fodmap|halal|kosher|sugar[- ]free|nut[- ]free|low[- ]carb|low[- ]sodium)"
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
_CLOCK = r"(?:(?:around|about|at|by|before|after|past)\s+)*(?P<{}>(?:half\s+past\s+)?(?:\d{{1,2}}(?::\d\d)?|six|seven|eight|nine|ten|eleven|five|four|twelve|one|two|midnight|noon)(?:\s?[ap]\.?m\b\.?)?)(?=\s*(?:$|[.,!;]|\b(?:every|on|and|so|in|but|most|these|to|for|sharp|because|even|at\s+the|or|anyway|usually)\b))"
_FAVOURITES = {
    "food": r"food|dish|cuisine|meal|snack|dessert|comfort food|ice cream flavou?r|thing to eat|breakfast",
    "drink": r"drink|beverage|cocktail|tea|beer|coffee order|thing to drink",
    "colour": r"colou?r",
    "music": r"music|song|band|singer|musician|album|artist|rapper|record|kind of music|pianist|(?:music(?:al)?\s+)?genre of music|composer|music genre",
    "book": r"book|author|novel|writer|poet|series of books",
    "film": r"film|movie|director|sitcom|cartoon|show|tv\s+show|series|tv\s+series|anime",
    "sport": r"sport|team|football club|club|sport to watch|nba team|football team|basketball team|sports team|soccer team",
    "place": r"place|city|spot|vacation spot|country|place in the world|holiday destination",
}
_OTHER_NOUN = r"(?!(?:part|thing|things|one|ones|way|memory|moment|time)\b)[a-z]+(?:\s+[a-z]+)?"
_ALL_TIME = r"(?:,?\s+(?:by\s+far|on\s+earth|on\s+the\s+planet|to\s+(?:visit|watch|play|listen\s+to|be|wear)|of\s+all\s+time|ever|right\s+now|in\s+the\s+world|at\s+the\s+moment|these\s+days|to\s+eat|to\s+drink))?"

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
    # "Shrimp makes my throat close up"
    rule(
        r"(?P<allergy>[a-z]+(?:\s+[a-z]+)?)\s+(?:always\s+|really\s+)?(?:makes?|made)\s+(?:me|my\s+(?:eyes?|throat|face|lips?|mouth|tongue|skin|nose))\s+(?:to\s+)?(?:break\s+out|itch\w*|swell\w*|swollen|wheeze|sneeze|puff\s+up|close\s+up|go\s+numb|tingle|run|water|burn\s+and\s+itch|come\s+out\s+in|blister)\b"
    ),
    rule(
        r"(?P<allergy>[a-z]+(?:\s+[a-z]+)?)\s+(?:really\s+|just\s+)?(?:doesn'?t|does\s+not|don'?t|do\s+not|never)\s+(?:really\s+)?(?:agree|agrees|sit\s+well|sits\s+well)\s+with\s+(?:me|my\s+(?:stomach|gut|tummy))\b",
        confidence="medium",
    ),
    rule(
        rf"i\s+{ADV}(?:react\s+(?:badly|really\s+badly|terribly)\s+to|break\s+out\s+(?:in\s+\w+\s+)?(?:from|when(?:ever)?\s+i\s+(?:eat|touch|have|drink)|if\s+i\s+(?:eat|touch|have|drink))|get\s+(?:hives|a\s+rash|itchy|swollen\s+lips|an\s+allergic\s+reaction)\s+(?:from|to|when(?:ever)?\s+i\s+(?:eat|touch|have|drink)|if\s+i\s+(?:eat|touch|have|drink)))\s+(?P<allergy>{THING}){STOP}"
    ),
    rule(
        rf"i\s+(?:can'?t|cannot|can\s+not|don'?t|must\s+not)\s+(?:have|eat|touch|drink|take|wear|use|be\s+around)\s+(?:any\s+)?(?P<allergy>{THING})\s+(?:because|cause|since|due|as)\b[^.;!?]{{0,20}}\ballerg"
    ),
    rule(
        rf"i\s+(?:can'?t|cannot)\s+(?:tolerate|digest|process|stomach|handle)\s+(?P<allergy>{_INTOLERANCE}|milk|wheat|nuts|shellfish)\b"
    ),
    rule(rf"{AM}anaphylactic\s+to\s+(?P<allergy>{THING}){STOP}"),
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
    rule(rf"{AM}on\s+an?\s+(?:\w+ly\s+|strict\s+)?(?P<diet>[a-z-]+(?:[- ][a-z]+)?)\s+diet\b"),
    rule(
        r"(?:my|the|our)\s+(?:\w+\s+)?(?:doctor|dietiti?an|nutritionist|gp|physician|cardiologist|specialist|trainer|coach|doc)\s+(?:just\s+|has\s+|recently\s+)?(?:put|puts|placed|has\s+put|wants)\s+me\s+on\s+an?\s+(?P<diet>[\w-]+(?:\s+[\w-]+)?)\s+diet\b"
    ),
    rule(
        rf"i\s+{ADV}(?:follow|stick\s+to|eat|keep\s+to|am\s+on|am\s+following|do)\s+an?\s+(?:strict\s+|mostly\s+)?(?P<diet>{_DIET}|[a-z]+[- ](?:free|carb|fat|sodium|sugar|protein|calorie|fodmap|residue))\s+diet\b"
    ),
    rule(rf"(?:as|being)\s+an?\s+(?P<diet>{_DIET}){_DIET_END},?\s+i\b"),
    rule(rf"(?:as|being)\s+(?:an?\s+)?(?P<diet>{_DIET}){_DIET_END}\s+person\b"),
    rule(rf"{AM}doing\s+(?:\w+\s+)?(?P<diet>keto|paleo|intermittent\s+fasting|low[- ]carb)\b"),
    rule(
        rf"(?:i|we)\s+(?:{ADV}{_NOT}|avoid|{ADV}stay\s+away\s+from|{ADV}steer\s+clear\s+of)\s+(?:\w+ly\s+)?(?:eat\s+|touch\s+|have\s+|do\s+)?(?:any\s+)?(?P<diet>{_FOOD_BAN}(?:(?:\s*,\s*(?:or\s+|and\s+)?|\s+or\s+|\s+and\s+){_FOOD_BAN})*)\b(?!\s+(?:on|as|very|yet|before|after|tonight|with)\b)",
        "no",
    ),
    rule(
        rf"i\s+{ADV}(?:{_NOT})\s+(?:\w+ly\s+)?eat\s+(?:any\s+)?(?P<diet>{THING})(?:\s+(?:for\s+(?:religious|health|ethical)\s+reasons|at\s+all))?{STOP}",
        "no",
    ),
    rule(
        rf"(?:i|i've)\s+(?:have\s+)?{ADV}(?:given?\s+up|gave\s+up|cut\s+out|stopped\s+eating|quit\s+eating|stopped\s+drinking|quit|am\s+off)\s+(?:eating\s+)?(?P<diet>{_FOOD_BAN})\b",
        "no",
    ),
    rule(rf"{AM}off\s+(?P<diet>{_FOOD_BAN})\b", "no"),
    rule(r"i\s+(?:only\s+eat|keep|eat)\s+(?P<diet>halal|kosher)\b"),
    rule(
        rf"{WHO_IS}(?:an?\s+)?(?P<diet>{_DIET}){_DIET_END}(?=\s*(?:$|[.,!;:)]|\b(?:and|so|but|for|since|because|now)\b))"
    ),
    rule(rf"{WHO_DOES}(?:doesn'?t|does\s+not|never|can'?t|cannot)\s+eats?\s+(?P<diet>{THING}){STOP}", "no"),
    rule(
        rf"i\s+{ADV}(?:don'?t|do\s+not|never)\s+{ADV}(?:smoke\s+(?:or|and)\s+)?(?P<alcohol>(?:drink|touch|have|consume)(?:\s+(?:any\s+)?(?:alcohol|booze))|drink)(?=\s*(?:$|[.,!;]|\b(?:and|or|at\s+all|anymore|so|because|but)\b))",
        "no",
        fixed="alcohol",
    ),
    rule(
        rf"i\s+{ADV}(?:don'?t|do\s+not|never|have\s+never)\s+{ADV}(?:drink\s+(?:or|and)\s+)?(?P<smoking>smoked?)(?=\s*(?:$|[.,!;]|\b(?:and|or|at\s+all|anymore|so|because|but)\b))",
        "no",
        fixed="smoking",
    ),
    rule(
        r"i\s+neither\s+(?:smoke\s+nor\s+(?P<alcohol>drink)|(?P<alcohol2>drink)\s+nor\s+smoke)\b", "no", fixed="alcohol"
    ),
    rule(
        r"i\s+neither\s+(?:(?P<smoking>smoke)\s+nor\s+drink|drink\s+nor\s+(?P<smoking2>smoke))\b", "no", fixed="smoking"
    ),
    rule(rf"{AM}an?\s+(?P<smoking>non-?smoker)\b", "no", fixed="smoking"),
    rule(rf"{AM}(?:an?\s+)?(?P<alcohol>teetotal(?:l?er)?|non-?drinker)\b", "no", fixed="alcohol"),
    rule(rf"{AM}an?\s+(?:heavy\s+|social\s+)?(?P<smoking>smoker)\b", fixed="smoking"),
    rule(rf"i\s+{ADV}(?P<alcohol>drink)\s+(?:alcohol\s+)?(?:socially|occasionally|rarely)\b", fixed="alcohol"),
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
        rf"{I}(?:like|love|prefer|take|drink|want)\s+my\s+(?P<preference>(?:coffee|tea|steak|eggs|curry|toast|meat|noodles|pizza|whisky|wine|burgers?)\s+[\w' -]{{3,30}}?){STOP}",
        "like",
    ),
    rule(
        r"i(?:'d|'ll|\s+would|\s+will)\s+(?:always\s+)?(?:take|pick|choose)\s+(?P<preference>[\w' -]{2,30}?)\s+over\s+[\w' -]{2,30}?\s+(?:any\s+day|every\s+time|any\s?time)\b",
        "like",
    ),
    rule(
        rf"i(?:'ve|\s+have)\s+(?:been\s+(?:an?\s+)?{_BIG}(?:fan\s+of|into|obsessed\s+with|in\s+love\s+with|supporter\s+of)|supported|rooted\s+for)\s+(?P<preference>{THING})(?=\s+(?:for|since)\b|{STOP[3:]}",
        "like",
    ),
    rule(
        rf"{AM}(?:a\s+)?{_BIG}(?:sucker\s+for|supporter\s+of|devotee\s+of|fanatic\s+about)\s+(?P<preference>{THING}){STOP}",
        "like",
    ),
    rule(rf"nothing\s+beats\s+(?P<preference>{THING}){STOP}", "like", "medium"),
    rule(
        r"(?P<preference>[a-z][\w' -]{1,30}?)\s+(?:is|are)\s+my\s+(?:all[- ]time\s+|absolute\s+)?favou?rites?(?=\s*(?:$|[.,!;]))",
        "like",
    ),
    rule(
        rf"{I}(?:love|luv|like|enjoy|adore|prefer(?!\s[^.;!?]*\sto\s))\s+(?P<preference>(?!to\s+be\s+called){THING})(?=\s+(?:(?:way|much|far|a\s+lot)\s+)?(?:over|more|better)\b|{STOP[3:]}",
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
    rule(
        rf"(?P<preference>[a-z][\w' -]{{1,30}}?)\s+(?:isn'?t|is\s+not|aren'?t|are\s+not|(?:was|were|has|have)\s+never(?:\s+been)?)\s+{ADV}(?:my\s+(?:thing|cup\s+of\s+tea|jam|style)|for\s+me)(?=\s*(?:$|[.,!;]|\b(?:so|but|and)\b))",
        "dislike",
    ),
    rule(
        r"(?P<preference>[a-z][\w' -]{1,30}?)\s+drives?\s+me\s+(?:absolutely\s+|completely\s+)?(?:crazy|nuts|mad|insane|up\s+the\s+wall|bonkers)\b",
        "dislike",
    ),
    rule(
        rf"{I}(?:could\s+(?:happily\s+)?do\s+without|have\s+(?:no|zero)\s+(?:patience|time|interest|tolerance)\s+(?:for|in)|find\s+no\s+joy\s+in|am\s+sick\s+of|am\s+not\s+a\s+friend\s+of)\s+(?P<preference>{THING}){STOP}",
        "dislike",
    ),
    rule(
        rf"{AM}not\s+much\s+of\s+an?\s+(?P<preference>[a-z]+)\s+(?:person|drinker|reader|eater|fan|guy|girl)\b",
        "dislike",
    ),
    rule(rf"{I}(?:hate|dislike|despise|detest|loathe)\s+(?P<preference>{THING}){STOP}", "dislike"),
    rule(
        rf"{I}(?:can'?t|cannot|can\s+not|couldn'?t)\s+(?:really\s+)?(?:stand|bear|abide|stomach|handle|tolerate|deal\s+with)\s+(?P<preference>(?!(?:{_INTOLERANCE}|milk|wheat|nuts|shellfish)\b){THING}){STOP}",
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
            rf"my\s+(?:all[- ]time\s+|absolute\s+)?(?:favou?rite|go-to)\s+(?:{nouns}){_ALL_TIME}(?:'s|\s+is|\s+has\s+(?:always\s+been|to\s+be|got\s+to\s+be)|\s+are)\s+(?:definitely\s+|probably\s+|always\s+|still\s+|by\s+far\s+|easily\s+|hands\s+down\s+|without\s+a\s+doubt\s+){{0,2}}(?P<favourite_{name}>{THING}){STOP}",
        )
        for name, nouns in _FAVOURITES.items()
    ),
    *(
        rule(
            rf"(?P<favourite_{name}>[\w'][\w' ]{{1,40}}?)\s+(?:is|are)\s+(?:definitely\s+|still\s+)?my\s+(?:all[- ]time\s+|absolute\s+)?(?:favou?rite|go-to)\s+(?:{nouns})(?=\s*(?:$|[.,!;]|\b(?:of\s+all|ever|and|in)\b))",
        )
        for name, nouns in _FAVOURITES.items()
    ),
    rule(
        rf"my\s+(?:all[- ]time\s+|absolute\s+)?(?:favou?rite|go-to)\s+(?!(?:{'|'.join(_FAVOURITES.values())})\b){_OTHER_NOUN}{_ALL_TIME}(?:'s|\s+is|\s+are|\s+has\s+always\s+been)\s+(?P<preference>{THING}){STOP}",
        "like",
    ),
    # pastimes and habits
    rule(
        rf"(?:(?:on|at|over|during|most)\s+(?:the\s+)?(?:weekends?|evenings|weeknights|(?:satur|sun|mon|tues|wednes|thurs|fri)days?(?:\s+\w+s)?),?\s+i\s+|i\s+){ADV}go\s+(?P<hobby>(?!shopping\b|crazy|looking|missing|working)[a-z]+ing)(?=\s*(?:$|[.,!;]|\b(?:with|and|on|at|in|together|whenever|as|near|most)\b)(?!.*\b(?:every|twice|once|times)\b))"
    ),
    rule(
        r"i\s+spend\s+(?:all\s+)?(?:my|most)\s+(?:of\s+my\s+)?(?:free\s+time|weekends?|evenings|sundays|saturdays|spare\s+time)\s+(?P<hobby>(?!work|sleep|look|try|do|wait|worry|clean|with\b)[a-z]+ing(?:\s+[a-z]+){0,3}?)(?=\s*(?:$|[.,!;]|\b(?:and|with|in|at|so)\b))"
    ),
    rule(
        rf"{AM}an?\s+(?:keen|avid|passionate|amateur|hobby|enthusiastic|recreational|competitive)\s+(?P<hobby>[a-z]+(?:\s+[a-z]+)?)(?=\s*(?:$|[.,!;]|\b(?:and|so|but|who|in|with)\b))"
    ),
    rule(
        rf"{I}(?P<hobby>(?:sing|play|perform)\s+in\s+an?\s+(?:[\w-]+\s+){{0,3}}(?:band|choir|orchestra|league|team|quartet|ensemble)|do\s+(?:pottery|yoga|pilates|karate|judo|ballet|gardening|crossfit|calligraphy|woodworking|improv|parkour|aikido|ceramics|photography|martial\s+arts|archery|crosswords|jigsaws)(?!\s+(?:every|twice|once|on|\w+\s+times))|(?:paint|knit|crochet|sew|surf|sail|climb|skate|garden|draw)(?=\s*(?:$|[.,!;]|\b(?:in\s+my|as\s+a\s+hobby|for\s+fun|on|at|a\s+lot|every|when))))"
    ),
    rule(
        rf"i\s+{ADV}(?:never|rarely|don'?t|do\s+not|hardly\s+ever|seldom)\s+{ADV}(?:go\s+to\s+(?:bed|sleep)|fall\s+asleep|sleep|turn\s+in)\s+(?:before|until|till)\s+{_CLOCK.format('sleep_time')}"
    ),
    rule(
        rf"i\s+{ADV}(?P<habit>(?:always|never)\s+(?:skip|start\s+(?:my|the)\s+day|end\s+(?:my|the)\s+day|drink|have|eat|read|walk|stretch|meditate)\s+(?!it\b|this\b|that\b|to\b|trouble|been)[\w' -]{{3,40}}?(?:before|after|in\s+the|with|first|breakfast|when)\b[\w' -]{{0,20}}?){STOP}",
        confidence="medium",
    ),
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
        rf"i(?:'?ve|\s+have)\s+been\s+(?P<hobby>(?:painting|knitting|climbing|running|cycling|swimming|surfing|dancing|gardening|baking|skiing|hiking|fishing|sailing|drawing|playing\s+{_PLAY}|(?:doing|practi[cs]ing|learning)\s+(?:karate|judo|yoga|pilates|pottery|ballet|calligraphy|boxing|kung\s+fu|tai\s+chi|ceramics|crossfit)|bouldering|boxing|rowing|sculpting|sewing|crocheting|singing|birdwatching|skateboarding))\s+(?:for|since)\b"
    ),
    rule(
        rf"(?:i\s+|every\s+(?:morning|day|evening|night|week|\w+day)s?,?\s+i\s+){ADV}(?P<habit>{_DO}\b[^.;:!?,\n]{{0,60}}?\b{_OFTEN})"
    ),
    rule(
        rf"every\s+(?:single\s+)?(?:morning|day|evening|night|week|weekend|\w+day)s?,?\s+i\s+{ADV}(?P<habit>{_DO}\b[^.;:!?,\n]{{0,60}}?){STOP}"
    ),
    rule(rf"i\s+{ADV}(?:get\s+up|wake\s+up|am\s+up|rise|am\s+out\s+of\s+bed)\s+{_CLOCK.format('wake_time')}"),
    rule(rf"{AM}(?:asleep|in\s+bed)\s+{_CLOCK.format('sleep_time')}"),
    rule(
        rf"i\s+{ADV}(?:go\s+to\s+(?:bed|sleep)|am\s+in\s+bed|am\s+asleep|turn\s+in|fall\s+asleep|sleep)\s+{_CLOCK.format('sleep_time')}"
    ),
)
