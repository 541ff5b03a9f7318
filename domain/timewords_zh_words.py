"""The patterns of Chinese time words, for ``domain.timewords_zh``: each date, clock time and tense. Pure data."""

import re

from domain import named_days

_NUM = r"(?:\d{1,5}|[一二两三四五六七八九十百]{1,5})"
_N2 = r"(?:\d{1,2}|[一二三四五六七八九]?十[一二三四五六七八九]?|[一二两三四五六七八九])"
_NOT_AFTER_NUM = r"(?<![\d.:：第每几十百千一二三四五六七八九半几数多])"

# Every time word holds one of these; a text without them is not looked at further.
HINT = re.compile(r"[天日儿号周月年时钟早晚夜夕期拜节旦庆诞明秋午阳点一六后前:：/.-]")

# --- pieces of a word; each is tried on the whole word by the function beside it, in ``DATES``

_RELATIVE_DAY = (
    r"(?<![目之以从提当文如光过最先])(?:大?[前后]天|[昨今明](?:天|日|儿个?))"
    r"(?!头条|说法|资本|方舟|之后|之子|性|努力|培养|因素|形成|津)|[昨今明](?=[早晚夜晨])"
)
_WEEK = (
    r"(?<![晚早马以天身路网线楼])(?:上上|下下|上|下|这|本)一?个?(?:周(?![边围期到转全年岁刊报折长章密旋])|星期|礼拜)"
    r"(?:末|[一二三四五六日天](?!起|定|样|直|些|般|共|切|同|下子|[个次场种件](?!月)|天(?![气空津])|常|程|报|记|刊|用))?"
)
_WEEKDAY = (
    r"(?<![\d一二两三四五六七八九十几每个逢到至双单整半多])(?:周|星期|礼拜)"
    r"(?:末(?!版)|[一二三四五六日天](?![到至、~～\-—]?(?:周|星期)|起|定|样|直|些|般|共|切|同|[次回遍]|常|程|报|记|刊"
    r"|围))"
)
_MONTH_PART = r"(?:初|底|末|中旬?|上旬|下旬)(?![国间])"
_DAY_OF_MONTH = rf"{_N2}[号日](?!线|楼|院|游)"
_TAIL = rf"(?:{_DAY_OF_MONTH}(?:[至到~～\-—－]{_N2}[号日])?|{_MONTH_PART})?"
_NEAR_MONTH = (
    rf"(?<![晚早马以路天每])(?:(?:上上|上|下下|下|这|本)个?月(?![亮球色饼光台])"
    rf"|(?<![\d个每整])月(?=[初底末]))的?{_TAIL}"
)
_MONTH = rf"{_N2}月份?(?![兰天花桂半怀菊街嫂]|二龙)"
_YEAR = (
    r"(?:(?<![如而过文目之以不0])(?:大前|[去今明前后])年(?![轻龄纪级])"
    r"|(?<!\d)[12]\d{3}年(?![代前级])|(?<![一二三四五六七八九〇零])[一二][一二三四五六七八九〇零]{3}年(?![代前级]))"
)
_IN_YEAR = rf"的?(?:{_MONTH}{_TAIL}|[春夏秋冬](?:天|季)|年?[初底末](?!气)|[上下]半年|今[天日])"
_YEAR_PART = r"(?<![\d一二三四五六七八九〇零去今明前后每成往常近历几])年[初底末](?!气)"
_NAMED = "|".join(sorted(named_days.ZH, key=len, reverse=True))
_NAMED_DAY = (
    rf"(?<![一二三四五六七八九十百周期拜第初\d李张王国])(?:{_NAMED})(?:节|国庆)?"
    r"(?![一二三四五六七八九十百千班路广街上大中小]|中[学路])"
)
_SHORT_YEAR = rf"(?<!\d)\d\d年{_MONTH}{_TAIL}"
_LUNAR = (
    r"(?:农历|阴历|旧历)(?:[正冬腊]|[一二三四五六七八九十]{1,2}|\d{1,2})月(?:初|廿)?[一二三四五六七八九十]{1,3}"
    r"|(?:正月|大年)初[一二三四五六七八九十]|正月(?:廿|二)?十?[一二三四五六七八九十]"
)
_AGO = (
    rf"{_NOT_AFTER_NUM}(?:(?P<n>{_NUM})(?:(?P<and_half>个半)(?P<half_unit>月|小时|钟头)"
    r"|(?P<unit>年半?|个月|个?星期|个?礼拜|周|天|个?小时|个?钟头|分钟))|半(?P<half>年|个月|个?小时|个?钟头))"
    r"(?:以|之)?(?:(?P<way>前)(?![端台线锋沿排夕言景往提面])|后(?![端台面卫果悔勤备羽院座视期]))(?P<today>的今天)?"
)
_ISO = r"(?<![A-Za-z0-9_./-])\d{4}(?:(?P<sep>[-/])\d{1,2}(?P=sep)\d{1,2}|\.\d\d\.\d\d)(?![A-Za-z0-9_/-]|\.[A-Za-z0-9])"
_THIS_SEASON = r"(?:这个?|今)[春夏秋冬](?:天|季)"

_PART = "凌晨|清晨|早晨|大?早上|上午|中午|正午|午后|下午|傍晚|黄昏|晚上|夜里|夜晚|深夜|半夜|早|晚|夜"
_MINUTES = r"(?:半|整|钟|[一三]刻|过?(?:\d\d|[零〇]?[一二三四五六七八九十]{1,3})分?(?!之))"
_CLOCK = (
    rf"(?:(?:[01]?\d|2[0-4])[:：][0-5]\d(?!\d|[:：]\d\d\d)(?:[:：][0-5]\d)?|(?:{_N2}|0\d|零)(?:点|时(?!候|间|代|期"
    rf"|区))(?:{_MINUTES})?(?![都也儿不没评]))"
)
_SURE_CLOCK = (
    rf"(?<![\d.:：比])(?:(?:[01]\d|2[0-3])[:：][0-5]\d(?!\d|[:：]?\d)|(?<![第有])(?:{_N2})点(?:{_MINUTES})(?!之)"
    r"|(?<![第有这那以下上共\d.:：~～至到—-])(?:[789]|1\d|2[0-3])点(?![\d个种条多些建要问意心评数半整钟])"
    r")"
)

_BARE_DAY = (  # 5号, but 5号线, A5号, 12号楼, 中山路5号
    r"(?<![\d一二三四五六七八九十第月每.A-Za-z#路街道巷弄村栋楼区院里廊住-])"
    rf"{_N2}号(?![线楼院门店馆厅桌床房机公国文选球车台字码口航种令柜仓窗站电人员位])"
)

DATES: tuple[tuple[str, str], ...] = (
    ("year", rf"{_YEAR}的?(?:{_NAMED_DAY})|{_YEAR}(?:{_IN_YEAR})?"),
    ("short_year", _SHORT_YEAR),
    ("year_part", _YEAR_PART),
    ("iso", _ISO),
    ("lunar", _LUNAR),
    ("relative_day", _RELATIVE_DAY),
    ("week", _WEEK),
    ("weekday", _WEEKDAY),
    ("near_month", _NEAR_MONTH),
    ("season", _THIS_SEASON),
    ("month", rf"(?<![\d一二三四五六七八九十每年第.几/-]){_MONTH}{_TAIL}"),
    ("day_of_month", _BARE_DAY),
    ("named", _NAMED_DAY),
)
AWAY = re.compile(_AGO)
ANY = re.compile(
    "(?:" + "|".join(f"(?P<{name}>{pattern})" for name, pattern in DATES) + ")"
    r"(?:\s?[（(](?:(?:周|星期|礼拜)[一二三四五六日天]|\d{1,2}月\d{1,2}[日号])[)）])?"
    rf"(?:的?(?P<part>{_PART}))?(?:[ \t]?(?P<clock>{_CLOCK}))?"
)
TODAY = re.compile(rf"(?P<part>{_PART})\s?(?P<clock>{_CLOCK})|(?P<sure>{_SURE_CLOCK})")
RECURS = re.compile(r"(?:每|逢|天天|平时|通常|一般)[^，。！？,.!?\n]{0,4}$|(?:比分|战胜|赢|输)[^，。！？,.!?\n]{0,4}$")

CLAUSE = re.compile(r"[，,。！？!?\n；;：（）()]")
SENTENCE = re.compile(r"[。！？!?\n；;]")
FUTURE = re.compile(r"要|将|打算|计划|准备|想|记得|提醒|预约|即将|(?<![开聚宴晚约社机])会(?![议员])|吧")
PAST = re.compile("了|(?<![度经通超不难透越])过(?![年节期敏程来去滤])|曾|刚|已经")
