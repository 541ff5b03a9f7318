"""English tables of what somebody asks for: standing limits, manner of answering, tasks, dates, trips. Pure data."""

# ruff: noqa: E501 - one pattern, one line: broken in two it would be read wrongly

from domain.rules_en_life import ADV, AM, CITY, HAVE, rule

_DONT = r"(?:never|do\s+not|don'?t|dont|don'?t\s+ever|do\s+not\s+ever|please\s+don'?t)"
_POLITE = r"(?:(?:please|pls|kindly|from\s+now\s+on|in\s+(?:the\s+)?future|going\s+forward|also|just|i(?:'d|\s+would)\s+like\s+you\s+to|i\s+(?:want|need)\s+you\s+to)\b,?\s*){0,4}"
_CLOCK = r"(?:\d{1,2}(?::\d\d)?(?:\s?[ap]\.?m\b)?|noon|midnight|work(?:ing hours)?|lunch|dinner|dark|breakfast|nine|ten|eleven|eight|seven|six|five)"
_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
_SPAN = rf"(?:(?:before|after|past|later\s+than|earlier\s+than|between|until)\s+{_CLOCK}|(?:on|over)\s+(?:the\s+)?(?:weekends?|{_DAY}(?:\s+(?:morning|afternoon|evening|night)s?)?|holidays)|at\s+(?:night|weekends)|in\s+the\s+(?:mornings?|evenings?|afternoons?)|during\s+(?:\w+\s+){{0,2}}\w+|on\s+\w+\s+(?:mornings|evenings|afternoons)|(?:mon|tues|wednes|thurs|fri|satur|sun)day\s+(?:mornings|evenings))"
_MORE = r"(?:\s+(?:and|or|to|on|in|the|\w+days?|weekdays|weekends|" + _CLOCK + r"))*"
_WHEN = (
    r"(?:(?:by|before|on|until|at)\s+)?(?:the\s+)?(?:end\s+of\s+(?:the\s+)?(?:day|week|month|year|\w+)|(?:this\s+|next\s+)?(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|tonight|today|noon"
    r"|midnight|(?:next|this)\s+(?:week|month|year)|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s+\d{1,2}|\d{1,2}(?:st|nd|rd|th)?\s+(?:of\s+)?(?-i:[A-Z])[a-z]+|\d{1,2}(?:st|nd|rd|th)\b|\d{1,2}(?::\d\d)?\s?[ap]m|eod|eow|\d{4}-\d\d-\d\d|\d{1,2}/\d{1,2}|in\s+(?:two|three|four|five|a|\d+)\s+(?:days?|weeks?|months?))"
)
_LANGUAGE = r"(?:english|chinese|mandarin|traditional chinese|simplified chinese|spanish|french|german|japanese|korean|italian|portuguese|russian|cantonese|dutch|arabic|hindi)"
_MONEY = r"(?:(?:[$€£¥]|us\$|usd|eur|rmb|cny)\s?\d[\d,.]*\s?k?|\d[\d,.]*\s?k?\s?(?:dollars|bucks|euros?|pounds|yuan|rmb|usd|eur|gbp|cny|yen|quid|€|£|\$))(?:\s+(?:per|a|an|each|/)\s*(?:night|month|person|week|day|year|head))?"
_UNIT = r"(?:(?:degrees\s+)?(?:fahrenheit|celsius|centigrade|kelvin)|metric(?:\s+(?:units|system|measurements))?|imperial(?:\s+(?:units|measurements))?|km(?:/h)?|kilomet(?:er|re)s|miles|kilos?|kilograms|kgs?|pounds|grams|ounces|feet(?:\s+and\s+inches)?|met(?:er|re)s|centimet(?:er|re)s|cm|inches|euros|(?:us\s+)?dollars|yuan|rmb|yen|lit(?:er|re)s|cups|stone|24-?\s?hour(?:\s+(?:time|format|clock))?|military\s+time)\b"
_STYLE = r"(?:short(?:er)?|brief(?:er)?|concise|simple|to the point|under \d+ (?:words|sentences|lines)|casual|formal|informal|friendly|plain|succinct|minimal|direct|light|snappy|crisp|businesslike|professional|polite|chatty|factual|to one paragraph|to a minimum)"
_THING = r"[^.;:!?()\n,]{2,80}?"
_TASK_END = r"(?=\s*(?:$|[.;!?()]|,\s|\b(?:because|so that|please|but|thanks|and (?:i|i'm|i've|we|my|the))\b))"

RULES = (
    # standing limits
    rule(
        rf"{_POLITE}(?P<constraint>{_DONT}\s+(?:call|text|ring|phone|schedule|book|email|message|contact|ping|notify|disturb|bother|wake|remind|plan|put|set|arrange|send)\b(?:\s+(?:me|anything|any\s+\w+|meetings?|calls?|us|up|for|notifications?|reminders?|appointments?|\w+)){{0,4}}?\s+{_SPAN}{_MORE})"
    ),
    rule(
        rf"{_POLITE}(?P<constraint>no\s+(?:meetings?|calls?|phone\s+calls|appointments?|messages?|notifications?|emails?|reminders?)\s+{_SPAN}{_MORE})"
    ),
    rule(
        rf"{_POLITE}(?P<constraint>(?:never|don'?t\s+ever|do\s+not\s+ever|always)\s+(?:book|order|recommend|suggest|send|share|buy|use|schedule|add|ask|check\s+with|confirm|put|delete|spend|pick)\s+[^.;:!?\n]{{2,70}}?)(?=\s*(?:$|[.;:!?(]|,\s|\b(?:because|since|as)\b))"
    ),
    rule(
        rf"i\s+(?:don'?t|do\s+not|never|can'?t|cannot)\s+(?P<constraint>(?:take|do|accept|have|attend|answer|work|schedule)\s+(?:(?:any\s+)?(?:meetings?|calls?|appointments?|work|emails?)\s+)?{_SPAN}{_MORE})(?=\s*(?:$|[.;,!]|\b(?:and|so|because|but)\b))",
        "no",
    ),
    rule(rf"{AM}(?:never\s+|not\s+)(?P<constraint>(?:available|free|reachable)\s+{_SPAN}{_MORE})", "no"),
    rule(
        rf"i\s+(?P<constraint>only\s+(?:fly|book|stay|travel|work|eat|take|drink|use|wear)\s+{_THING})(?=\s*(?:$|[.;,!]|\b(?:because|so|but)\b))",
        confidence="medium",
    ),
    rule(
        rf"(?:(?:my|our|the|my\s+total|my\s+max(?:imum)?)\s+(?:\w+\s+)?|max(?:imum)?\s+|total\s+)budget(?:\s+(?:for|per)\s+[\w ]{{1,30}}?)?(?:'s|\s+is|:)\s+(?:(?:about|around|max|capped\s+at|at\s+most|under|up\s+to|no\s+more\s+than|roughly|only|a\s+maximum\s+of|strictly)\s+)*(?P<budget>{_MONEY}|\d[\d,.]*k?)"
    ),
    rule(
        rf"(?:{_POLITE}keep\s+(?:it|everything|the\s+\w+|total|costs?)|it\s+(?:must|has\s+to|should|can'?t)\s+(?:cost|be|stay)|{_POLITE}nothing|not|no)\s+(?:under|below|within|more\s+than|over|above)\s+(?P<budget>{_MONEY})"
    ),
    rule(
        rf"(?:i\s+(?:don'?t|do\s+not)\s+want\s+to\s+(?:spend|pay)|i\s+(?:can'?t|cannot|won'?t)\s+(?:spend|pay|afford)|i\s+never\s+(?:spend|pay)|{_POLITE}{_DONT}\s+spend)\s+(?:more\s+than|over|above)\s+(?P<budget>{_MONEY}|\d[\d,.]*)"
    ),
    rule(
        rf"i\s+can\s+(?:only\s+)?(?:spend|afford|pay)\s+(?:(?:up\s+to|at\s+most|about|around|a\s+maximum\s+of)\s+)*(?P<budget>{_MONEY})"
    ),
    rule(
        rf"(?:i|we)(?:\s+have|'ve\s+got|\s+only\s+have)\s+(?:(?:about|around|only|roughly|up\s+to|at\s+most|max)\s+)*(?P<budget>{_MONEY})\s+(?:to\s+spend|for\s+(?:the|a|an|my|our|this|everything)|max|tops|available)"
    ),
    rule(
        rf"(?:my|our|the)\s+(?:\w+\s+)?(?:limit|cap|maximum|max|ceiling|price\s+limit|spending\s+limit)(?:\s+for\s+[\w ]{{1,30}}?)?(?:'s|\s+is|:)\s+(?:(?:about|around|at)\s+)*(?P<budget>{_MONEY})"
    ),
    rule(
        rf"(?:i|we)(?:'d\s+like\s+to|\s+want\s+to|\s+need\s+to|\s+must|'m\s+trying\s+to|\s+have\s+to)\s+(?:keep\s+\w+|stay|spend|pay)\s+(?:under|below|within|less\s+than|at\s+most|no\s+more\s+than|max)\s+(?P<budget>{_MONEY})"
    ),
    rule(
        rf"(?:i|we)\s+(?:can'?t|cannot|won'?t|don'?t\s+want\s+to|must\s+not)\s+(?:go|spend|pay)\s+(?:over|above|beyond|past|more\s+than)\s+(?P<budget>{_MONEY})"
    ),
    rule(
        rf"(?:the\s+)?(?:rent|price|cost|hotel|room|flight|ticket|total)\s+(?:must|should|can|has\s+to|may|needs\s+to)\s*(?:not\s+)?(?:be|cost|stay|exceed)?\s*(?:more\s+than|under|below|over|less\s+than|at\s+most|above|exceed)?\s+(?P<budget>{_MONEY})"
    ),
    rule(
        rf"(?:i|we)\s+(?:can|could|want\s+to|will)\s+(?:spend|pay|afford)\s+(?P<budget>{_MONEY})\s+(?:at\s+(?:the\s+)?most|max(?:imum)?|tops)\b"
    ),
    rule(rf"{HAVE}(?:an?\s+)?(?:total\s+)?budget\s+of\s+(?:(?:about|around|only)\s+)*(?P<budget>{_MONEY}|\d[\d,.]*)"),
    rule(
        rf"i\s+(?:don'?t|do\s+not)\s+want\s+(?P<constraint>(?:any\s+)?(?:meetings?|calls?|notifications?|messages?|emails?|reminders?)\s+{_SPAN}{_MORE})",
        "no",
    ),
    # how to answer
    rule(
        rf"{_POLITE}(?:(?:can|could|would)\s+you\s+)?(?:always\s+)?(?:answer|reply|respond|speak|talk|communicate|write)\s+(?:to\s+me\s+|back\s+|me\s+)?(?:only\s+)?in\s+(?P<reply_language>{_LANGUAGE})(?=\s*(?:$|[.!,;]|\b(?:please|from\s+now|going\s+forward|only|always|even|with\s+me|because|when)\b))"
    ),
    rule(rf"{_POLITE}answer\s+me\s+in\s+(?P<reply_language>{_LANGUAGE})"),
    rule(
        rf"i(?:'d\s+prefer|\s+prefer|\s+want)\s+(?:your\s+)?(?:answers|replies|responses)\s+in\s+(?P<reply_language>{_LANGUAGE})"
    ),
    rule(
        rf"{_POLITE}keep\s+(?:your|the|all|all\s+your|all\s+the)\s+(?:answers?|repl(?:y|ies)|responses?|messages)\s+(?P<reply_style>{_STYLE}(?:\s+and\s+{_STYLE})?)"
    ),
    rule(
        rf"{_POLITE}(?:try\s+to\s+)?be\s+(?:more\s+|very\s+|a\s+bit\s+more\s+)?(?P<reply_style>brief|concise|succinct|direct|to\s+the\s+point|less\s+(?:verbose|formal|wordy)|informal)(?:\s+with\s+me|\s+in\s+your\s+\w+)?(?=\s*(?:$|[.!,;]|\b(?:please|when|from)\b))"
    ),
    rule(
        rf"{_POLITE}(?:always\s+)?(?:answer|reply|respond)\s+(?:me\s+)?(?P<reply_style>briefly|concisely|(?:in|with)\s+(?:bullet\s+points|one\s+sentence|plain\s+(?:english|text)|(?:short|simple)\s+\w+|\w+\s+sentences(?:\s+max)?|a\s+\w+\s+tone)|informally|formally|casually)"
    ),
    rule(
        rf"{_POLITE}(?P<reply_style>(?:short|shorter|brief|concise)\s+(?:answers|replies|responses))(?=\s*(?:$|[.!,;]|\b(?:please|only)\b))"
    ),
    rule(
        r"i\s+(?:prefer|like|want)\s+(?P<reply_style>(?:short|shorter|brief|concise|detailed|direct|long)\s+(?:answers|replies|responses|explanations))"
    ),
    rule(
        rf"{_POLITE}(?P<reply_style>(?:no|(?:don'?t|do\s+not|never|stop)\s+(?:use|using|send|sending))\s+(?:any\s+|more\s+|so\s+many\s+)?(?:emojis?|bullet\s+points|markdown|exclamation\s+marks|jargon|tables))(?=\s*(?:$|[.!,;]|\b(?:in|please|when|with)\b))"
    ),
    rule(
        rf"{_POLITE}(?:always\s+)?use\s+(?:the\s+)?(?P<units>metric(?:\s+(?:units|system))?|imperial(?:\s+units)?|celsius|fahrenheit|kilomet(?:er|re)s|24-hour(?:\s+(?:time|format|clock))?)(?=\s*(?:$|[.!,;]|\b(?:please|for everything|always|when|from|in your|with me|not)\b))"
    ),
    rule(
        rf"{_POLITE}(?:always\s+)?use\s+(?P<reply_style>bullet\s+points|plain\s+(?:english|language)|simple\s+(?:words|language|english)|short\s+sentences)(?=\s*(?:$|[.!,;]|\b(?:when|in\s+your|please)\b))"
    ),
    rule(
        rf"{_POLITE}(?:(?:can|could)\s+you\s+)?(?:give|show|list|write|report|tell|display|state|quote|use|keep|put|express|convert|do)\s+(?:me\s+)?(?:(?:all|the|your|any|my)\s+)*(?:temperatures?|temps?|distances?|weights?|measurements?|prices?|units?|amounts?|times?|heights?|quantities|recipes?|costs?|everything|numbers|dates)\s+(?:only\s+|always\s+)?(?:in|to)\s+(?P<units>{_UNIT})"
    ),
    rule(
        rf"{_POLITE}(?:(?:all|the|your)\s+)*(?:temperatures?|temps?|distances?|weights?|measurements?|prices?|heights?|units)\s+(?:should\s+(?:always\s+)?be\s+|always\s+|only\s+|are\s+best\s+|go\s+)?in\s+(?P<units>{_UNIT})(?=\s*(?:$|[.,!;]|\b(?:please|only|for\s+me|not|and)\b))"
    ),
    rule(
        rf"i\s+(?:only\s+|always\s+)?(?:use|think\s+in|prefer|understand|need)\s+(?P<units>{_UNIT})(?=\s*(?:$|[.,!;]|\b(?:please|not|and|so|for|because|over)\b))"
    ),
    rule(
        rf"{_POLITE}(?:stop|quit|no\s+need\s+(?:to\s+be|for)|(?:you\s+can\s+)?(?:skip|drop|cut|leave\s+out|ditch))\s+(?:with\s+)?(?P<reply_style>(?:the\s+|all\s+the\s+|any\s+|being\s+|so\s+)*(?:so\s+)?(?:formal(?:ities|ity)?|pleasantries|small\s+talk|apologi[sz]ing|apologies|disclaimers?|emojis?|intros?|introductions?|fluff|filler|jargon|summar(?:y|ies)|preamble|polite|verbose|bullet\s+points|exclamation\s+marks))(?=\s*(?:$|[.,!;]|\b(?:please|with\s+me|in\s+your|and|when|at)\b))"
    ),
    rule(
        rf"{_POLITE}(?P<reply_style>(?:don'?t|do\s+not|never)\s+be\s+(?:so\s+|too\s+)?(?:formal|polite|verbose|wordy|chatty|casual|stiff)|(?:don'?t|do\s+not)\s+(?:sugar-?coat|apologi[sz]e)|no\s+more\s+than\s+\w+\s+(?:sentences|lines|words|paragraphs|bullet\s+points)|explain\s+(?:things|everything|it)?\s*like\s+i'?m\s+\w+|use\s+an?\s+\w+\s+tone|get\s+(?:straight\s+)?to\s+the\s+point|talk\s+to\s+me\s+like\s+an?\s+\w+)(?=\s*(?:$|[.,!;]|\b(?:please|with|in\s+your|when|per|every|and)\b))"
    ),
    rule(
        rf"{_POLITE}(?:keep|make)\s+(?:it|things|everything|them)\s+(?P<reply_style>{_STYLE})(?=\s+(?:when|whenever|in\s+your|every\s+time)\b)"
    ),
    rule(
        rf"(?:your\s+)?(?:answers|replies|responses|messages)\s+(?:should\s+(?:always\s+)?be|have\s+to\s+be|must\s+be)\s+(?P<reply_style>{_STYLE}|in\s+\w+)"
    ),
    # tasks and their dates
    rule(
        rf"(?:i|i've|i\s+have|we)\s+(?:already\s+|also\s+)?(?:promised|agreed|offered|volunteered|committed)\s+(?:(?:[\w']+\s+){{0,3}}?(?:that\s+)?i(?:'d|'ll|\s+would|\s+will)|(?:(?:my\s+)?[\w']+\s+)?to)\s+(?P<task>(?!be\b|marry|love|myself|never\b|stop\b|quit\b|always\b|try\b|get\s+better)[^.;:!?()\n]{{3,70}}?){_TASK_END}"
    ),
    rule(
        rf"i\s+told\s+(?:my\s+)?[\w']+\s+(?:that\s+)?i(?:'d|\s+would)\s+(?P<task>(?:send|call|bring|help|pick|buy|email|text|book|return|write|fix|review|check|finish|cook|drive)\b[^.;:!?()\n]{{3,60}}?){_TASK_END}"
    ),
    rule(
        rf"(?:i\s+(?:still\s+)?(?:must|have\s+to|need\s+to|gotta|should)\s+remember\s+to|i\s+still\s+(?:have|need)\s+to|{_POLITE}make\s+sure\s+i|{_POLITE}(?:ping|nudge|tell)\s+me\s+(?:{_WHEN}\s+|at\s+\S+\s+)*to|(?:on\s+)?my\s+to-?do(?:\s+list)?(?:\s+is|:)(?:\s+to)?)\s+(?P<task>(?!be\b|think|say\b|know|see\b|get\s+used|decide)[^.;:!?()\n]{{3,70}}?)(?:\s+{_WHEN})*{_TASK_END}"
    ),
    rule(
        rf"(?:my|our|the)\s+(?P<deadline>[\w' -]{{2,40}}?)\s+(?:expires?|runs?\s+out|closes?|(?:has|have)\s+to\s+be\s+(?:in|submitted|done|finished|filed|returned|ready|handed\s+in|paid)|(?:must|needs?\s+to)\s+be\s+(?:in|submitted|done|finished|filed|returned|ready|handed\s+in|paid))\s+(?:by\s+|on\s+|before\s+|at\s+)?(?:{_WHEN}|in\s+(?-i:[A-Z])[a-z]+)"
    ),
    rule(
        rf"(?:i|we)\s+have\s+until\s+{_WHEN}\s+to\s+(?:submit|hand\s+in|finish|file|send|pay|turn\s+in|return)\s+(?P<deadline>{_THING}){_TASK_END}"
    ),
    rule(
        rf"{_POLITE}(?:(?:can|could|would|will)\s+you\s+(?:please\s+)?)?remind\s+me\s+(?:(?:{_WHEN}|at\s+\S+|every\s+\w+|in\s+the\s+\w+)\s+)*(?:to|about|that\s+i\s+(?:need|have)\s+to)\s+(?P<task>[^.;:!?()\n]{{2,90}}?)(?:\s+{_WHEN})*{_TASK_END}"
    ),
    rule(
        rf"(?:{_POLITE}(?:don'?t|do\s+not)\s+let\s+me\s+forget\s+(?:to|about)|i\s+(?:must\s+not|mustn't|can'?t|shouldn't)\s+forget\s+to|note\s+to\s+self:?|{_POLITE}set\s+(?:up\s+)?a\s+reminder\s+(?:for\s+me\s+)?to)\s+(?P<task>[^.;:!?()\n]{{2,90}}?)(?:\s+{_WHEN})*{_TASK_END}"
    ),
    rule(
        rf"(?:i|i've|i\s+still)\s+(?:need|have|got|must|gotta|still\s+have|still\s+need)\s+(?:to\s+)?(?:submit|hand\s+in|turn\s+in|deliver|file)\s+(?P<deadline>{_THING})\s+(?:by|before|no\s+later\s+than|on)\s+{_WHEN}"
    ),
    rule(
        rf"(?:i|i\s+still|we)\s+(?:need\s+to|have\s+to|must|gotta|got\s+to)\s+(?P<task>(?!submit|hand\s+in|turn\s+in|deliver|file)[^.;:!?()\n,]{{2,70}}?)\s+(?=by|before){_WHEN}"
    ),
    rule(
        rf"i(?:'ve|\s+have)?\s+(?:need\s+to|got\s+to|have\s+to|must|to)\s+(?P<task>(?:call|pick\s+up|renew|pay|buy|book|return|email|send|cancel|finish|drop\s+off|prepare|fix|clean|order|register|print|mail|refill|schedule)\s+[^.;:!?()\n,]{{2,60}}?)\s+{_WHEN}(?=\s*(?:$|[.;,!]|\band\b))"
    ),
    rule(rf"(?:(?:my|our|the)\s+)?(?P<deadline>[\w' -]{{2,45}}?)\s+(?:is|are|'s)\s+due\s+(?:back\s+)?{_WHEN}"),
    rule(
        rf"(?:(?:the|my|our)\s+)?(?:submission\s+|final\s+)?deadline\s+(?:for|of)\s+(?:the\s+|my\s+|our\s+)?(?P<deadline>{_THING})\s+is\s+(?:on\s+)?{_WHEN}"
    ),
    rule(rf"(?:the|my|our)\s+(?P<deadline>[\w' -]{{2,40}}?)\s+deadline\s+is\s+(?:on\s+)?{_WHEN}"),
    rule(rf"{HAVE}an?\s+(?P<deadline>[\w' -]{{2,40}}?)\s+due\s+(?:on\s+|by\s+)?{_WHEN}"),
    rule(
        rf"{HAVE}an?\s+(?P<appointment>(?:[\w'-]+\s+){{0,3}}?(?:appointment|check-?up|interview|physical|consultation)(?:\s+with\s+(?:Dr\.?\s+)?(?:my\s+)?\w+)?)(?=.*?(?:{_WHEN}|\bat\s+\d))"
    ),
    rule(
        rf"(?:i|i'?ve|i\s+have|i'?m)\s+{ADV}(?:booked|scheduled|made|seeing|see|am\s+seeing|due\s+at|(?:have|got)(?=\s+(?:an?\s+|the\s+|my\s+)?(?:\w+\s+){{0,2}}(?:haircut|scan|mri|x-?ray|blood\s+test|cleaning|viewing|driving\s+test|exam)))\s+(?:an?\s+|the\s+|my\s+)?(?P<appointment>(?:[\w'-]+\s+){{0,3}}?(?:appointment|check-?up|interview|physical|consultation|haircut|dentist|doctor|gp|optician|therapist|physio\w*|vet|scan|mri|x-?ray|blood\s+test|cleaning|viewing|driving\s+test|exam))(?=[^.!?]{{0,30}}?(?:{_WHEN}|\bat\s+\d))"
    ),
    rule(
        rf"my\s+(?P<appointment>(?:[\w'-]+\s+){{0,2}}?(?:appointment|check-?up|interview|haircut|scan|mri|blood\s+test|driving\s+test|consultation|surgery|exam|therapy\s+session))\s+is\s+(?:scheduled\s+(?:for|on)\s+|booked\s+for\s+|set\s+for\s+|at\s+|on\s+)?(?:{_WHEN}|\d)"
    ),
    # trips and plans
    rule(
        rf"(?:(?:i'?m|i\s+am|we'?re|we\s+are)\s+(?:flying(?:\s+out)?|travel(?:l)?ing|going|heading|off|driving)|i'?ll\s+be\s+(?:flying|travel(?:l)?ing|going)|we'?ll\s+be\s+(?:flying|travel(?:l)?ing|going))\s+(?:back\s+)?to\s+(?P<trip>{CITY})(?=.*?\b(?:{_WHEN}|next|in\s+(?-i:[A-Z])[a-z]+|for\s+(?:a|an|my|our|the|\w+\s+(?:days|weeks)|business|work|vacation|holiday)|this|on))"
    ),
    rule(
        rf"(?:i|we|my\s+\w+\s+and\s+i)\s+(?:fly|leave|head|travel|go|drive)\s+(?:out\s+|off\s+|back\s+)?(?:to|for)\s+(?P<trip>{CITY})(?=[^.!?]{{0,40}}?(?:\b{_WHEN}|\b(?:next|this)\s+\w+|\bin\s+(?-i:[A-Z])[a-z]+))"
    ),
    rule(
        rf"(?:i'?ll|we'?ll|i\s+will|we\s+will|i'?m|we'?re)\s+(?:be\s+)?(?:in|visiting|spending\s+[\w ]{{1,20}}?\s+in|staying\s+in|taking\s+[\w ]{{1,20}}?\s+to)\s+(?P<trip>{CITY})(?=[^.!?]{{0,40}}?\b(?:next|tomorrow|from\s+(?:the\s+)?\w+day|in\s+(?:january|february|march|april|may|june|july|august|september|october|november|december|two|three|a\s+few)|over\s+(?:christmas|easter|new\s+year|the\s+holidays)|for\s+(?:christmas|easter|the\s+holidays|a\s+conference|a\s+wedding)|on\s+\w+day|this\s+(?:summer|winter|spring|autumn|weekend)))"
    ),
    rule(
        rf"(?:(?:i|we)(?:'ve|\s+have)?\s+(?:just\s+)?(?:booked|planned)|(?:i'?m|we'?re)\s+planning)\s+(?:an?\s+|our\s+|my\s+)?(?:\w+\s+){{0,2}}?(?:trip|vacation|holiday|flights?|getaway|honeymoon|weekend)\s+(?:to|in)\s+(?P<trip>{CITY})"
    ),
    rule(
        rf"(?:i|we)\s+have\s+an?\s+(?:\w+\s+){{0,2}}?(?:trip|flight|train)\s+to\s+(?P<trip>{CITY})(?=.*?(?:{_WHEN}|next|in\s+(?-i:[A-Z])))"
    ),
    rule(rf"my\s+(?:flight|trip|train)\s+to\s+(?P<trip>{CITY})\s+(?:is|leaves|departs)\b"),
    rule(rf"(?:i|we)\s+(?:plan|intend)\s+to\s+(?P<plan>{_THING}){_TASK_END}", confidence="medium"),
    rule(
        rf"(?:i'?m|i\s+am|we'?re|we\s+are)\s+(?:planning|preparing|training)\s+(?:to\s+|for\s+)(?P<plan>{_THING}){_TASK_END}",
        confidence="medium",
    ),
    rule(
        rf"(?:i|i've|i\s+have|we|we've)\s+(?:just\s+|already\s+|finally\s+)?(?:signed\s+up\s+for|registered\s+for|enrolled\s+in|entered)\s+(?P<plan>(?:an?\s+|the\s+)?{_THING}){_TASK_END}",
        confidence="medium",
    ),
    rule(r"(?:i'?m|we'?re|i\s+am|we\s+are)\s+(?P<plan>getting\s+married)(?=\s+(?:in|on|next|this)\b)"),
    rule(
        r"(?:i'?m|i\s+am)\s+(?P<plan>(?:running|doing|sitting|taking)\s+(?:the|an?|my)\s+[\w ]{2,30}?(?:marathon|race|exam|test|triathlon|course|certification|10k|5k)[\w ]{0,20}?)(?=\s+(?:in|on|next|this)\b)"
    ),
    rule(
        rf"i(?:'?m|\s+am)\s+trying\s+to\s+(?P<goal>(?:lose|save|quit|cut\s+down|get\s+(?:fit|in\s+shape|better\s+at)|read\s+more|drink\s+less|eat\s+(?:healthier|less|more)|spend\s+less|become|learn(?!\s+(?:more|about|how)))\b{_THING}){_TASK_END}",
        confidence="medium",
    ),
    rule(
        rf"my\s+(?:main\s+|big\s+|biggest\s+|long-term\s+)?goal\s+(?:this\s+year\s+|for\s+(?:this|next)\s+year\s+)?is\s+to\s+(?P<goal>{_THING}){_TASK_END}"
    ),
    rule(rf"i'?m\s+saving\s+(?:up\s+)?(?:for|to\s+buy)\s+(?P<goal>{_THING}){_TASK_END}", confidence="medium"),
)
