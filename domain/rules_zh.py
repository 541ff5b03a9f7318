"""Chinese statements about oneself in a text: which clauses may be read, and what counts as an object. Pure.

The tables of patterns are in ``rules_zh_tastes``, ``rules_zh_life`` and ``rules_zh_asks``.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from domain import rules_zh_asks, rules_zh_health, rules_zh_life, rules_zh_tastes, rules_zh_work
from domain.rules_found import MAX_SENTENCE_CHARS, Clause, Found, blanked, matches

_RULES = (
    *rules_zh_tastes.RULES,
    *rules_zh_life.RULES,
    *rules_zh_work.RULES,
    *rules_zh_health.RULES,
    *rules_zh_asks.RULES,
)

# A text without any of these holds no statement that a table knows.
_HINT = re.compile(
    r"[我俺咱]|本人|过敏|不吃|不喝|忌口|受不了|讨厌|喜欢|爱[吃喝]|预算|不超过|截止|[之以]?前[要得必须]*[交提完]|别|不要|提醒|要交|去.{1,8}(?:出差|旅游|旅行|度假)|用.{2,4}[回交跟]|回[答复]|ddl|deadline",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[^。！？!?\n;~…]+[。！？!?\n;~…]*")
_CLAUSE = re.compile(
    r"(?:[^,，、:：—()（）\s]|、|(?<=[A-Za-z0-9])\s(?=[A-Za-z0-9])|(?<=[\d])[,:](?=\d)|\s(?=[A-Za-z0-9]+(?:$|[,，。]))|(?<=[A-Za-z0-9])\s)+"
)
_QUOTED = re.compile(
    r"\"[^\"\n]*[我你您][^\"\n]*(?:\"|$)|「[^」]*[我你您][^」]*」|『[^』]*』|'[^'\n]*[我你您][^'\n]*'|《[^》]*[我你您][^》]*》"
)
# From here on a text is not about its writer.
_NOT_ONESELF = re.compile(
    r"翻译|译成|怎么说|润色|改写|造句|扮演|角色|假装|假设|想象|编(?:一?个|故事)|小说|剧本|台词|歌词|文案|例句|病句|语法"
)
_JOKE = re.compile(r"开玩笑|骗你的|逗你|说笑|玩笑话")
# Words of others pass through a service with its name in brackets; nobody chats like that.
_NOTICE = re.compile(
    r"^(?:短信|彩信|微信|通话)\s?(?:发送|接收|呼入|呼出)|^[^\n]{0,30}【[^】]{1,20}】|退订|尊敬的|亲爱的(?:用户|客户|会员|顾客|学员)"
)

# In a clause or before it in its sentence: it is supposed, doubted, reported or a text to write.
_DOUBTED = re.compile(
    r"才怪|如果|要是|假如|倘若|若[是我]|万一|的话|一旦|除非|即使|就算|哪怕|比如|例如|譬如|比方|可能|也许|或许|好像|似乎|怀疑|不确定|说不定|估计"
    r"|以为|不知道|不记得|忘了我|听说|据说|传言|谁说|并不是|不是说|并非|希望我?能?|真想|羡慕|恨不得|巴不得|梦[见到]|写(?:一?[封个篇条段份首句张]|信|邮件|下|成|道|着)"
    r"|(?<!不)(?<!提醒我)(?:告诉|跟|对|和|给)(?:他|她|他们|她们|老板|客户|房东|对方|老师)(?:们)?(?:说|讲|发|回)|回复(?:他|她|对方|客户|房东)|告诉(?:他|她|对方|客户|大家)"
    r"|(?<!我)(?<!过)(?<!会)(?<!能)(?<!我想)(?<!我就)(?<!我要)(?<!实话)(?<!老实)(?<!来)(?<!听)(?<!我先)(?<!跟你)(?<!和你)(?<!话)(?<!医生)说(?!话|明|英|中|日|普|粤|法|德|韩|汉|外|四|上海|闽|俄|西)|(?:他|她|大家|别人|人家|朋友|老师|同事|老板|妈|爸|医生|你)(?:都|总|还|老)?(?:觉得|认为|问|笑|怕|知道|说)"
)
_ASKED = re.compile(
    r"吗|么(?:$|[?？])|[是要会能有该好对可想爱喜]不[是要会能该好对可想爱喜]|有没有|是否|什么|怎[么样]|为何|谁|哪(?!怕)|多少|几(?:点|个|岁|号)|难道|多久|多大|咋|啥|呢$"
)
_CONFIRM = re.compile(r"^(?:对吧|是吧|对不对|是不是|没错吧|记得吗|对吗|是吗|好吧)")
# Tastes and diets of the moment; a home or an employer may well be of today.
_MOMENTARY = re.compile(
    r"今天|今晚|今儿|今早|今日|这会儿|此刻|这次|这顿|这两天|这几天|刚才|刚刚|暂时|待会|一会儿?|明天|昨天|昨晚|现在不想|这阵子|这段时间|最近(?!喜欢上|迷上|爱上)|中午(?!都|一般)|先不|等下|目前(?:先|不)"
)
_LASTING = frozenset({"preference", "diet", "hobby", "habit", "smoking", "alcohol", "reply_style"})
_PAST = re.compile(
    r"以前|曾经?|小时候|过去|当年|那时|从前|当初|年轻时|上学时|大学时|大学的时候|那会儿|那年|原[来先](?!是)|(?<!\d点)(?<!\d)之前(?!要|得|必须|交|完成|给|提醒|别|不要)|早年|童年"
)
_MAYBE_PAST = frozenset(
    {
        "preference",
        "diet",
        "hobby",
        "habit",
        "lives_in",
        "employer",
        "occupation",
        "school",
        "smoking",
        "alcohol",
        "work_schedule",
    }
)


def find(text: str) -> Iterator[tuple[Found, int, int]]:
    """Yield the statements of a plain text, each with the place of its sentence: first and last character.

    Args:
        text: as ``rules_found.plain`` returns it.
    """
    if not _HINT.search(text) or _JOKE.search(text) or _NOTICE.search(text):
        return
    read = blanked(text, _QUOTED)
    if other := _NOT_ONESELF.search(read):
        read = read[: max(read.rfind(mark, 0, other.start()) for mark in "。!?\n") + 1]
    for sentence in _SENTENCE.finditer(read):
        if len(sentence.group()) <= MAX_SENTENCE_CHARS and _HINT.search(sentence.group()):
            yield from _of_sentence(sentence.group(), sentence.start())


def _of_sentence(words: str, first: int) -> Iterator[tuple[Found, int, int]]:
    clauses = [(match.group(), match.start()) for match in _CLAUSE.finditer(words.rstrip())]
    if words.rstrip().endswith(("?", "？")) and clauses:
        last, _ = clauses.pop()
        if _CONFIRM.match(last):
            return
    topic = ""  # whom the clauses before speak of; a clause without a subject goes on about them
    for n, (clause, place) in enumerate(clauses):
        topic = _topic(clause, topic)
        if _DOUBTED.search(words[: place + len(clause)]) or _ASKED.search(clause):
            continue
        is_own = topic == "own" or (not topic and (n == 0 or "我" in clause))
        for found in _of_clause(
            Clause(clause, first + place), goes_on=topic == "own" and not _ANOTHER.search(words[:place])
        ):
            about_them = topic != "other" and (found.subject or found.attribute in _ASKING)
            if not (is_own or about_them or found.attribute in _RELATIONS):
                continue
            if _is_over(found, words[: place + len(clause)]):
                continue
            begin, end = _quote(words, place, len(clause))
            yield found, first + begin, first + end


def _of_clause(clause: Clause, *, goes_on: bool) -> Iterator[Found]:
    """Yield what a clause says; one that goes on about "我" is read as if it began with it ("我叫张伟，在华为工作")."""
    yield from (found for found, _ in matches(clause, (0,), _RULES, objects, _subject))
    if goes_on and not _SPEAKS_OF.match(clause.text):
        read = Clause("我" + clause.text, clause.first - 1)
        for found, _ in matches(read, (0,), _RULES, objects, _subject):
            if found.attribute in _CARRIED and not found.subject:
                yield replace(found, confidence="medium")


_CARRIED = frozenset(
    {
        "allergy",
        "diet",
        "age",
        "employer",
        "occupation",
        "lives_in",
        "hometown",
        "school",
        "field_of_study",
        "preference",
    }
    | {"health_condition", "medication", "speaks", "smoking", "alcohol", "marital_status", "hobby"}
)
_ANOTHER = re.compile(
    rf"有[个一位只条]|养|认识|{rules_zh_life.KIN}|朋友|同事|老板|[猫狗他她]|同学|领导|客户|室友|邻居|[问听看见]"
)
_ASKING = frozenset(
    {"constraint", "reply_language", "reply_style", "task", "deadline", "budget", "trip", "appointment", "units"}
)
_RELATIONS = frozenset({"partner", "child", "sibling", "friend", "colleague", "parent", "pet"})
_SPEAKS_OF = re.compile(
    rf"^(?:而?且?但?是?因为|所以|不过|可是?|其实|还有|另外|对了|那)*(?:(?P<own>[我俺咱](?!{rules_zh_life.KIN}|的?(?:{rules_zh_life.KIN}|老板|同事|朋友|领导|室友|闺蜜|同学|邻居|客户|上司|老师))|本人)|(?P<other>[我俺咱]|他|她|它|(?:你|您)(?!们?(?:可以|以后|就|直接|都|也)*(?:叫|喊|称呼)我)|这|那(?!么)|大家(?!都?[叫喊]我)|人家|老板|同事(?!们?都?[叫喊]我)|朋友(?!们?都?[叫喊]我)|有人|别人|小[\u4e00-\u9fff](?=[喜爱讨不对])|我们(?!家|去|要|下)))"
)


def _topic(clause: str, before: str) -> str:
    spoken = _SPEAKS_OF.match(clause)
    if not spoken:
        return before
    if spoken["own"]:
        return "own"
    return "kin" if re.match(rf".{{0,4}}[我俺咱]的?{rules_zh_life.KIN}", clause) else "other"


def _is_over(found: Found, before: str) -> bool:
    """Return whether the sentence so far says that it holds for the moment only, or no longer."""
    if found.value == "ended":
        return False
    if found.attribute in _LASTING and _MOMENTARY.search(before):
        return True
    return found.attribute in _MAYBE_PAST and _PAST.search(before) is not None


def _quote(words: str, place: int, length: int) -> tuple[int, int]:
    """Return the whole sentence if it is short, else the clause."""
    told = len(words.rstrip("。!?;~… \n"))
    return (0, told) if told <= 60 else (place, place + length)


# --- objects

_LEAD = re.compile(
    r"^(?:(?:去|到)?(?:吃|喝|听|看)(?=.)(?!书$|看|吃)|(?:一?[只条个位名家所份些]|各种|所有|任何|那种|这种|一切|点|太|过于|特别|非常|很|上了|于)(?=.))+"
)
_TAIL = re.compile(
    r"(?:[^\w\u4e00-\u9fff+#)）%]|[了的啦呀啊哦呢嘛吧哈诶呗哟噢嘞]|这[一个]?[种口类些](?:东西|味道|味儿|食物)?|这些|之类|什么的|等等|的东西|的人|的食物|食物)+$"
)
_NO_OBJECT = re.compile(
    r"^(?:这|那|你|您|他|她|它|我|咱|自己|人家|别人$|谁|大家|什么|哪|怎|的|了|上了?$|是|有|被|把|和|跟|就|也|都|不|没|还|又|再|一下|一点|到|得|着|过|很|太|能|会|要|让|给|多|"
    r"人$|人的?$|事$|事情|东西$|时间$|死$|疯$|所有$|说$|说话|说起|如此|出|起来|极|程度)|[吗呢么你您她它我]|(?<![吉其])他(?!汀)|这个|那个|这样|那样|什么|啥|\0|不了$|起来$|不$|没$|者$|人群|反应|体质|性"
)
_NO_TASTE = re.compile(
    r"^[小老阿][\u4e00-\u9fff]$|^上(?!海)|^[打玩看听吃喝做画写读]的|^(?:主意|想法|建议|方案|颜色$|风格$|设计|情$|心$|好$|国$|慕|美$|莫|咋|护|意$|死|戴|面子|孩子|家$|生活$|热闹$|运动员|第[一二三四]|前者|后者|自由|哭|笑|玩$|吃$|喝$|看$|听$|做$|计较|折腾|操心|唠叨|较真|麻烦)|分享|交流|[一二三]起$|时候$"
)
_NO_FOOD = re.compile(
    r"^(?:饭|早饭|早餐|午饭|午餐|晚饭|晚餐|夜宵|东西|药|亏|苦|醋|素$|饱|完|这套|一套|喝|下|动|到|惯|起|多|太多|太饱|过|酒$|少|烟|眼前|零食)|^[了的啊吧]?$|也不|了吧|就"
)
_NO_PLACE = re.compile(
    r"(?:家|市场|菜园|超市|医院|公园|店|商场|公司|单位|[上下里])$|^(?:这|那|学校|宿舍|酒店|宾馆|公司|家|附近|单位|医院|一起|外面|新家|楼|一楼|二楼|三楼|自己|父母|亲戚|朋友|隔壁|哪|里面|乡下$|城里$|同|新(?!加坡|疆|西兰|乡|竹|北)|老房|出租|地球|这边|对面|市区$|海边$|市中心$|路上|了|过|不|一个)|工作|上班|出差|旅[游行]|开会|[房屋]$"
)
_NO_NAME = re.compile(
    r"^(?:你|他|她|它|我|不|什|人|过|醒|号|停|苦|了|外卖|车|滴滴|代驾|那个|这个|起床|去|来|回|别|帮|下|出|把|给|吃|先|早|怎|滚|等|做|看|写|加|买|交|开|睡|喝|吗|的|一[起声下]|多|起来|上|就|以后|爸爸$)|[吗么呢]|起床|名字"
)
_NO_ORG = re.compile(
    rf"^{rules_zh_life.PROVINCE}市?$|[是了你我他吗]|(?<!阿)里$|的(?!一?家)|[里上]?附近$|时间$|期间$|前$|后$"
    r"|^(?:家|这|那|外[地面]|公司$|单位$|学校$|同一|一起|一?[家个]?新?公司$|努力|认真|加班|哪|路上|楼[上下]|办公室$|工位$|大学$|中学$|不"
    r"|一线$|地铁|电脑|网上|准备|等|开会|北京$|上海$|广州$|深圳$|杭州$|成都$|周[一二三四五六日末]|每天|晚上|早上|规划|整理|忙|做|为)"
)
_NO_JOB = re.compile(r"^(?:个|这|那|你|他|她|我|不|好|新|什|怎|真)|的$|[吗呢么]")
_NO_TASK = re.compile(r"^别忘了?$|^(?:了|的|过|一下$|一声$|下$|他|她|什么|啊|吧|我?要?不要|你)|[吗呢么]$|\0")
_REFUSED = {
    "preference": (_NO_OBJECT, _NO_TASTE),
    "diet": (_NO_OBJECT, _NO_FOOD),
    "allergy": (
        _NO_OBJECT,
        re.compile(
            r"^(?:[今昨明又刚换].*|突然.*|皮肤|季节|春天|换季|数字|花钱|人类?|上班|工作|学习|社交|周一|运动|早起|钱|爱情|鸡汤|油腻男|情绪|加班)$"
        ),
    ),
    "name": (_NO_NAME,),
    "call_me": (_NO_NAME,),
    "partner": (_NO_NAME,),
    "child": (_NO_NAME,),
    "pet": (_NO_NAME,),
    "lives_in": (_NO_PLACE, _NO_OBJECT),
    "moved_from": (_NO_PLACE, _NO_OBJECT),
    "hometown": (_NO_PLACE, _NO_OBJECT),
    "trip": (_NO_PLACE, _NO_OBJECT),
    "employer": (_NO_ORG, _NO_OBJECT),
    "school": (_NO_ORG, _NO_OBJECT),
    "occupation": (_NO_JOB,),
    "vehicle": (_NO_OBJECT, re.compile(r"店|公司|会|工作室|课|玩笑|票|厂|门|直播")),
    "hobby": (_NO_OBJECT, re.compile(r"装备|打算|比较|还|不|没|计划|想")),
    "habit": (_NO_OBJECT, re.compile(r"打算|计划|想|准备|要去")),
    "task": (_NO_TASK,),
    "constraint": (re.compile(r"\0|这[一个条些样]|那[个条些样]|上面|忘"),),
    "field_of_study": (_NO_OBJECT, re.compile(r"^(?:研究生|大学|本科|博士|硕士|高中|初中|书|研|博)")),
    "deadline": (_NO_OBJECT, re.compile(r"^(?:需|在|要|得|必|应|最|预计|于|今|明|这|那|总|共|大概|.$)")),
    "reply_style": (re.compile(r"\0"),),
}
_ANY = (_NO_OBJECT,)
_LISTS = frozenset(
    {"allergy", "diet", "preference", "speaks", "hobby", "medication", "health_condition", "pet", "child"}
)
_MAX_CHARS = {
    "task": 40,
    "constraint": 40,
    "plan": 30,
    "habit": 24,
    "goal": 30,
    "employer": 20,
    "school": 16,
    "reply_style": 20,
}
_MAX_CHARS_ELSE = 14
_WHOLE = frozenset(
    {
        "task",
        "constraint",
        "plan",
        "habit",
        "goal",
        "reply_style",
        "age",
        "birthday",
        "budget",
        "wake_time",
        "sleep_time",
        "work_schedule",
        "commute",
    }
)
_WAY_OF_EATING = re.compile(
    r"[^不]*素(?:食(?:主义)?者?|的)?|蛋奶素|清真|.*饮食|vegan|vegetarian|.*断食|.*主义者", re.IGNORECASE
)
_BETWEEN = re.compile(r"、|和(?!牛|果子|服|平|风)|跟|以及|还有|或者?(?!许)|与")


def objects(attribute: str, raw: str) -> Iterator[tuple[str, int]]:
    """Yield the bare things that the words of a group name, and where in them each stands."""
    place = 0
    for part in _BETWEEN.split(raw) if attribute in _LISTS else [raw]:
        here, place = raw.find(part, place), place + len(part)
        words = _TAIL.sub("", part.strip()).strip(" \"'《》「」") or part.strip()
        if attribute == "diet" and _WAY_OF_EATING.fullmatch(words):
            yield words, here + part.find(words)
            continue
        bare = words if attribute in _WHOLE else _LEAD.sub("", words)
        refused = _REFUSED.get(attribute, _ANY)
        if not bare or len(bare) > _MAX_CHARS.get(attribute, _MAX_CHARS_ELSE):
            continue
        if any(pattern.search(bare) or pattern.search(words) for pattern in refused):
            return  # what is listed after no object is none either
        yield bare, here + part.find(bare)


_USUAL = {
    "妈": "妈妈",
    "母亲": "妈妈",
    "老妈": "妈妈",
    "爸": "爸爸",
    "父亲": "爸爸",
    "老爸": "爸爸",
    "闺女": "女儿",
    "姐": "姐姐",
    "哥": "哥哥",
    "弟": "弟弟",
    "妹": "妹妹",
}


def _subject(who: str) -> str:
    return _USUAL.get(who, who)
