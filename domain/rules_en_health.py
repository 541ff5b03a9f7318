"""English tables of health, medicines and the body. Pure data."""

# ruff: noqa: E501 - one pattern, one line: broken in two it would be read wrongly

from domain.rules_en_life import ADV, AM, CAPITAL, HAVE, STOP, THING, WHO_DOES, WHO_IS, I, rule

_CONDITION = (
    r"(?:(?:type\s+[12]|mild|severe|chronic|bad|seasonal|high|low|gestational|a bit of|early|stage \w+)\s+)*"
    r"(?:diabetes|asthma|hypertension|blood pressure|cholesterol|migraines?|adhd|add|autism|epilepsy|arthritis|rheumatoid"
    r" arthritis|eczema|psoriasis|ibs|crohn's(?: disease)?|coeliac disease|celiac disease|celiac|anxiety(?: disorder)?|depression|insomnia|ptsd|ocd"
    r"|bipolar(?: disorder)?|tinnitus|gout|anemia|anaemia|hypothyroidism|hyperthyroidism|sleep apn(?:o)?ea|acid reflux|gerd"
    r"|endometriosis|pcos|osteoporosis|sciatica|scoliosis|vertigo|glaucoma|cancer|lupus|multiple sclerosis|back pain"
    r"|a (?:heart condition|heart murmur|pacemaker|bad (?:back|knee)|herniated disc|slipped disc)"
    r"|a (?:bad|weak|torn|dodgy|dislocated|frozen|fused) \w+|osteoarthritis|hearing loss|a hernia|tendonitis|tendinitis|carpal tunnel(?: syndrome)?|plantar fasciitis|hashimoto's|narcolepsy|parkinson's(?: disease)?"
    r"|chronic fatigue(?: syndrome)?|long covid|arrhythmia|an? (?:under|over)active thyroid|a thyroid (?:problem|condition|issue)|chronic pain|sinusitis|allergic rhinitis|hepatitis [bc]|panic disorder|panic attacks"
    r"|social anxiety|claustrophobia|tourette's|a stutter|an ulcer|reflux|heartburn|raynaud's|a fear of (?:heights|flying|needles|dogs|the dark|spiders)|motion sickness|travel sickness|sea ?sickness|color ?blindness|colour ?blindness"
    r"|low iron|iron deficiency|gallstones|diverticulitis|cataracts|dry eyes|keratoconus|emphysema|copd|cystic fibrosis|sickle cell|hemophilia|haemophilia|varicose veins|a slow thyroid|nerve damage|neuropathy"
    r"|heart disease|kidney stones|hay fever|fibromyalgia|dyslexia|color blindness|ulcerative colitis|rosacea|a stomach ulcer)"
)
_IS_CONDITION = (
    r"(?:(?:type\s+[12]|\w+ weeks|\w+ months)\s+)?(?:diabetic|pregnant|asthmatic|anemic|anaemic|epileptic|dyslexic|autistic"
    r"|colou?r[- ]?blind|short-?sighted|near-?sighted|claustrophobic|hypoglyca?emic|coeliac|celiac|blind|immunocompromised|arthritic|an insomniac|insomniac|neurodivergent|dyspraxic|agoraphobic|anorexic|partially sighted|lame|in remission|hypertensive|prediabetic|bipolar|hard of hearing|deaf|visually impaired)"
)
_DRUG = (
    r"(?:[a-z]+(?:pril|statin|sartan|formin|cillin|prazole|olol|oxetine|azepam|dipine|thyroxine|triptan|gliptin|mycin|lukast)"
    r"|insulin|ibuprofen|aspirin|warfarin|lithium|ritalin|adderall|xanax|prozac|zoloft|lexapro|antidepressants|antihistamines"
    r"|blood thinners|beta blockers|birth control|the pill|statins|steroids|prednisone|sertraline|escitalopram|ventolin"
    r"|citalopram|gabapentin|pregabalin|tamoxifen|cetirizine|loratadine|salbutamol|albuterol|paracetamol|tylenol|tramadol|wellbutrin|bupropion|venlafaxine|humira|concerta|vyvanse|lamotrigine|eliquis|xarelto|an inhaler|antacids|zyrtec|claritin|melatonin|iron supplements?|vitamin d|blood pressure (?:meds|medication|pills)|ozempic|methotrexate)"
)

RULES = (
    # health
    rule(
        r"my\s+(?:(?:left|right|lower|upper|bad|poor)\s+)?(?P<health_condition>knees?|back|shoulders?|hips?|ankles?|wrists?|neck|elbow|foot|feet|achilles|hamstring|spine|heart|thyroid|eyesight|hearing|stomach)\s+(?:(?:is|are|has\s+been|have\s+been)\s+(?:(?:still|really|pretty|quite|always|permanently|badly|never)\s+)*(?:wrecked|injured|bad|weak|broken|messed\s+up|shot|ruined|damaged|fused|torn|sprained|dodgy|poor|terrible|in\s+bad\s+shape|not\s+great)|(?:never|hasn'?t|still\s+hasn'?t)\s+(?:\w+\s+)?(?:recovered|healed)|(?:gives|give|causes)\s+me\s+(?:trouble|problems|grief)|acts?\s+up)"
    ),
    rule(
        rf"i(?:'ve)?\s+{ADV}(?:have\s+)?(?:broke|broken|tore|torn|sprained|fractured|dislocated|twisted|injured|ruptured)\s+my\s+(?P<health_condition>(?:left\s+|right\s+)?(?:knee|back|shoulder|hip|ankle|wrist|neck|elbow|foot|leg|arm|toe|finger|collarbone|rib|acl|meniscus|achilles|hamstring|hand|nose|jaw))\b"
    ),
    rule(
        rf"{I}(?:get|am|suffer\s+from|struggle\s+with|deal\s+with|live\s+with|am\s+prone\s+to|tend\s+to\s+get|end\s+up)\s+{ADV}(?P<health_condition>sea-?\s?sick|car-?\s?sick|air-?\s?sick|travel-?\s?sick|motion\s+sick(?:ness)?|vertigo|{_CONDITION})(?!\s+(?:of|medic|pills|support|research|patients))\b"
    ),
    rule(
        rf"{AM}(?:prone\s+to|living\s+with|dealing\s+with)\s+(?P<health_condition>sea\s?sickness|car\s?sickness|{_CONDITION})\b"
    ),
    rule(rf"(?:i'?ve|i\s+have)\s+had\s+(?P<health_condition>{_CONDITION})\s+(?:since|for|all|ever\s+since)\b"),
    rule(
        r"(?:boats|ferries|ships|buses|cars|planes|long\s+drives)\s+(?:always\s+)?make\s+me\s+(?P<health_condition>(?:really\s+)?(?:sea|car|motion\s+)?\s?sick)\b"
    ),
    rule(r"(?:i\s+(?:take|use|am\s+on)|i'?m\s+(?:on|taking))\s+(?P<medication>[a-z]{5,20})\s+\d+\s?m?c?g\b"),
    rule(
        r"i\s+(?:(?:have\s+to\s+|need\s+to\s+|must\s+)?take|use)\s+(?P<medication>(?!it|this|that|something|notes|care|time|pills)[a-z]{4,20}(?:\s+(?:pills|tablets|inhaler|drops|injections|spray|cream))?)\s+for\s+my\s+(?!birthday|trip|dog|cat|son|daughter|kids|job|car|hair)\w+"
    ),
    rule(
        rf"(?:my|the)\s+(?:doctor|gp|cardiologist|psychiatrist|doc)\s+(?:just\s+|has\s+)?(?:put|prescribed|started)\s+me\s+(?:on\s+)?(?P<medication>{_DRUG})\b"
    ),
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
        rf"(?:i\s+{ADV}(?:take|use|am\s+on|inject|started|need)|i'?m\s+{ADV}(?:on|taking))\s+(?:my\s+)?(?:(?:low[- ]dose|daily)\s+)?(?:\d+\s?m?c?g\s+(?:of\s+)?)?(?P<medication>{_DRUG}(?:\s+and\s+{_DRUG})*)\b"
    ),
    # body and things
    rule(rf"{AM}(?P<height>\d(?:'\d{{1,2}}\"?|\.\d+\s?m)|\d{{3}}\s?cm)(?:\s+tall)?"),
    rule(rf"{I}weigh\s+(?:about\s+|around\s+)?(?P<weight>\d{{2,3}}(?:\.\d)?\s?(?:kg|kilos?|lbs?|pounds)?)"),
    rule(
        rf"{I}(?:drive|ride)\s+an?\s+(?P<vehicle>(?:(?:\d{{4}}|red|blue|white|black|old)\s+)*{CAPITAL}(?:\s+(?:{CAPITAL}|\d))*)"
    ),
)
