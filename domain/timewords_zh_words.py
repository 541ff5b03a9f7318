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
    r"(?<![\d一二两三四五六七八九十几每个逢至双单整半多])(?<!(?<![改推挪调延换定约排移])到)(?:周|星期|礼拜)"
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

_IN_WORDS = r"(?:周|星期|礼拜)[一二三四五六日天]"
# The weekday beside a date: 周三25号, 下周二（11月24日）.
_WEEKDAY_DATE = (
    rf"(?<![每逢到至])(?:上上|下下|上|下|这|本)?一?个?{_IN_WORDS}[，,、 ]?[（(]?"
    r"\d{1,2}(?:月\d{1,2}[号日]|号)(?![线楼院门店馆厅桌床房机])[)）]?"
)
_BARE_DAY = (  # 5号, but 5号线, A5号, 12号楼, 中山路5号
    r"(?<![\d一二三四五六七八九十第月每.A-Za-z#路街道巷弄村栋楼区院里廊住-])"
    rf"{_N2}(?:号(?![线楼院门店馆厅桌床房机公国文选球车台字码口航种令柜仓窗站电人员位])|日(?=[上下中]午|早上|晚上|凌晨|傍晚))"
)

DATES: tuple[tuple[str, str], ...] = (
    ("year", rf"{_YEAR}的?(?:{_NAMED_DAY})|{_YEAR}(?:{_IN_YEAR})?"),
    ("short_year", _SHORT_YEAR),
    ("year_part", _YEAR_PART),
    ("iso", _ISO),
    ("lunar", _LUNAR),
    ("relative_day", _RELATIVE_DAY),
    ("weekday_date", _WEEKDAY_DATE),
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
    rf"(?:\s?[（(](?:(?P<beside>{_IN_WORDS})|\d{{1,2}}月\d{{1,2}}[日号])[)）]|(?<=[号日])\s?(?P<next>{_IN_WORDS}))?"
    rf"(?:[的 \t]?(?P<part>{_PART}))?(?:[ \t]?(?P<clock>{_CLOCK}))?"
)
TODAY = re.compile(rf"(?P<part>{_PART})\s?(?P<clock>{_CLOCK})|(?P<sure>{_SURE_CLOCK})")
# An hour that only a date near by makes a time: 七点集合.
HOUR_ALONE = re.compile(
    rf"{_NOT_AFTER_NUM}(?<![有这那以下上共~～至到—-])(?P<clock>{_N2}点)"
    r"(?=见|开[始会门]|出[发门]|集合|左右|起飞|到[达场]?[，。！]|到$|入场|碰头|吃饭|之?[前后]|以[前后])"
)
BOUND = re.compile(r"\s?(?:[以之][前后]|后(?![天台面来]))")  # what recurs, as opening hours do; 前 alone is a deadline
SPACED = re.compile(r"(?<=[\u4e00-\u9fff])[ \t]{1,2}(?=\d)|(?<=\d)[ \t]{1,2}(?=[\u4e00-\u9fff])")
RECURS = re.compile(r"(?:每|逢|天天|平时|通常|一般)[^，。！？,.!?\n]{0,4}$|(?:比分|战胜|赢|输)[^，。！？,.!?\n]{0,4}$")

CLAUSE = re.compile(r"[，,。！？!?\n；;：（）()]")
SENTENCE = re.compile(r"[。！？!?\n；;]")
# 了 and 过 that say nothing of the past: 为了, 周五吃了药再出门, 过生日.
PAST = re.compile(
    r"(?<![为除罢忘好得极])了(?![解吗结]|[^，。]{0,8}再)|(?<![度经通超不难透越])过(?![年节期敏程来去滤生几两三户夜周完])|曾|刚(?!好)|已经"
    r"|[到来去走买回搬见生职拿看坐]的$"
)
# Words of arranging: what was arranged lies ahead, though the arranging is done.
_ARRANGED = (
    r"约[好了在定]|约的是|[定订][了好在于到下]|预[约订定]|安排|提醒|[改推挪调换延排][到成为期至在]|推迟|延[后期]|提前到|报[了好]?名|添加"
    r"|[加写记]到|加[进上入]|已加|记[下住]了?|设[置好定]|创建|确认|邀请|通知|答应|说好|商量好|取消|约满|别忘|待办|日程"
)
FUTURE = re.compile(
    rf"{_ARRANGED}|要|将|打算|计划|准备|想|记得|即将|(?<![开聚宴晚约社机])会(?![议员])|吧|一起(?![^，。]{{1,6}}[了过])|别(?!人|的)"
)
# Before the date only: 买了周三的票, 收到了12月1日的邀请.
GOT = re.compile(r"(?:[买抢拿选收发填换做]|收到|拿到|抢到|发送)[到好完]?了?[^，。]{0,4}$")
# 周二订了周四的票, 周一跟她约好下周见: a date with no 的 before the arranging of another.
ARRANGED_ANOTHER = re.compile(
    r"[^的那这，。]{0,6}(?:约[好了在定]|[定订][了好到下]|预[约订定]|报了?名|说好|商量好|答应|通知|邀请|买[了好到])了?[^，。]{0,4}(?:周|星期|礼拜|\d月|\d[号日]|[一二三四五六七八九十]月|明天|后天|下个?月)"
)
