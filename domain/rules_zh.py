"""Chinese statements about oneself in a text: which clauses may be read, and what counts as an object. Pure.

The tables of patterns are in ``rules_zh_tastes``, ``rules_zh_life`` and ``rules_zh_asks``.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

from domain import rules_zh_asks, rules_zh_health, rules_zh_joined, rules_zh_life, rules_zh_tastes, rules_zh_work
from domain.rules_found import MAX_SENTENCE_CHARS, Clause, Found, blanked, matches
from domain.rules_zh_objects import objects, subject

_RULES = (
    *rules_zh_tastes.RULES,
    *rules_zh_life.RULES,
    *rules_zh_work.RULES,
    *rules_zh_health.RULES,
    *rules_zh_asks.RULES,
)

# A text without any of these holds no statement that a table knows.
_HINT = re.compile(
    r"[我俺咱]|本人|过敏|搬|定居|坐标|人在|现居|家住|老家|入职|离职|辞[了掉去职]|饮食|吃素|素食|晕[船车机]|查出|确诊|[养接捡领]了?|每[天晚周个]|一周|女儿|儿子|老婆|老公|在[学读吃]|自学|最[爱怕烦]|偏爱"
    r"|戒|答应|最多|顶多|以内|到期|约了|挂了|飞|自驾|全家|一家|按.{1,6}[算计]|时间|碰|沾|不[看听玩抽]|就起|打算|周末|已婚|单身|结婚|离婚|怀孕|孩子|[俩两]个?娃|岗位|专业|生日|家里|看牙|体检|面试|复查|温度|距离|重量|单位|截止|研究方向|不吃|不喝|忌口|受不了|讨厌|喜欢|爱[吃喝]|预算|不超过|截止|[之以]?前[要得必须]*[交提完]|别|不要|提醒|要交|去.{1,8}(?:出差|旅游|旅行|度假)|用.{2,4}[回交跟]|回[答复]|ddl|deadline",
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
    r"语病|改改|改一改|错别字|校对|仿写|续写|扩写|缩写|造[^,。]{0,4}句|相亲简介|人设|虚构|段子|相声|小品|台本|朗诵|检讨|征文|读后感|观后感|征婚|代入|剧情|情景对话|语法|通顺吗?"
    r"|(?:写|编|拟|出)(?:一|个|段|篇|份|首|封|几|两|十|三|点)*[^,，。:;!?\n]{0,8}(?:简介|介绍|故事|诗|小说|文章|作文|日记|台词|歌|文案|剧本|情书|演讲稿?|广告|对话|短文|例句|句子|签名|笑话|推文|通稿|脚本)"
    r"|翻译|译成|翻成|翻为|译为|怎么说|润色|改写|造句|扮演|角色|假装|假设|想象|编(?:一?个|故事)|小说|剧本|台词|歌词|文案|例句|病句|语法"
)
# The words before were a text to look at.
_REFERS_BACK = re.compile(
    r"[这上那][一面]?[句段](?:话|文字)?(?:有没有|语法|怎么|对吗|对不对|通顺|是不是|翻译|读起来|顺不顺|用英|帮)|帮我?(?:翻译|改|润色|检查)[一下]*(?:这|上面|以上)"
)
_JOKE = re.compile(r"开玩笑|骗你的|逗你|说笑|玩笑话")
# Words of others pass through a service with its name in brackets; nobody chats like that.
_NOTICE = re.compile(
    r"^(?:短信|彩信|微信|通话)\s?(?:发送|接收|呼入|呼出)|^[^\n]{0,30}【[^】]{1,20}】|退订|尊敬的|亲爱的(?:用户|客户|会员|顾客|学员)"
)

# In a clause or before it in its sentence: it is supposed, doubted, reported or a text to write.
_DOUBTED = re.compile(
    r"才怪|想过|考虑过|琢磨过|如果|要是|假如|倘若|若[是我]|万一|的话|一旦|除非|即使|就算|哪怕|比如|例如|譬如|比方|可能|也许|或许|好像|似乎|怀疑|不确定|说不定|估计"
    r"|以为|不知道|不记得|忘了我|听说|据说|传言|谁说|并不是|不是说|并非|希望我?能?|真想|羡慕|恨不得|巴不得|梦[见到]|写(?:一?[封个篇条段份首句张]|信|邮件|下|成|道|着)"
    r"|(?<!不)(?<!提醒我)(?:告诉|跟|对|和|给)(?:他|她|他们|她们|老板|客户|房东|对方|老师)(?:们)?(?:说|讲|发|回)|回复(?:他|她|对方|客户|房东)|告诉(?:他|她|对方|客户|大家)"
    r"|(?<!我)(?<!忘了)(?<!忘记)(?<!^要)(?<!顺便)(?<!一)(?<!再)(?<!过)(?<!会)(?<!能)(?<!我想)(?<!我就)(?<!我要)(?<!实话)(?<!老实)(?<!来)(?<!听)(?<!我先)(?<!跟你)(?<!和你)(?<!话)(?<!医生)说(?!话|真的|实话|起来|一[下声]|明|英|中|日|普|粤|法|德|韩|汉|外|四|上海|闽|俄|西)|(?:他|她|大家|别人|人家|朋友|老师|同事|老板|妈|爸|医生|你)(?:都|总|还|老)?(?:觉得|认为|问|笑|怕|知道|说)"
)
_ASKED = re.compile(
    r"吗|么(?:$|[?？])|[是要会能有该好对可想爱喜]不[是要会能该好对可想爱喜]|有没有|是否|什么|怎[么样]|为何|谁|哪(?!怕)|多少|几(?:点|个|岁|号)|难道|多久|多大|咋|啥|呢$"
)
_CONFIRM = re.compile(r"^(?:对吧|是吧|对不对|是不是|没错吧|记得吗|对吗|是吗|好吧)")
# Tastes and diets of the moment; a home or an employer may well be of today.
_MOMENTARY = re.compile(
    r"今天|今晚|今儿|今早|今日|这会儿|此刻|这次|这顿|这两天|这几天|刚才|刚刚|暂时|待会|一会儿?|明天|昨天|昨晚|现在不想|这阵子|这段时间|最近(?!喜欢上|迷上|爱上|一?直?在(?:执行|坚持|吃|实行)|开始|改)|中午(?!都|一般)|先不|等下|目前(?:先|不)"
)
_LASTING = frozenset({"preference", "diet", "hobby", "habit", "smoking", "alcohol", "reply_style"})
_PAST = re.compile(
    r"以前|曾经?|小时候|过去|当年|那时|从前|当初|年轻时|上学时|大学时|大学的时候|那会儿|那年|原[来先](?!是)|(?<!\d点)(?<!\d)之前(?!要|得|必须|交|完成|给|提醒|别|不要)|早年|童年|上[小初高中大]学那|读[书大]那会|大学那|还在.{1,6}的时候|刚毕业时"
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
    if not _HINT.search(text) or _JOKE.search(text) or _NOTICE.search(text) or _REFERS_BACK.search(text):
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
        if _DOUBTED.search(_TOPIC.sub(" ", words[: place + len(clause)])) or _ASKED.search(clause):
            continue
        is_own = topic == "own" or (not topic and (n == 0 or "我" in clause or _ONES_OWN.match(clause)))
        said = Clause(clause, first + place)
        opens = not topic and not _ANOTHER.search(words[:place])
        goes_on = topic == "own" and not _ANOTHER.search(words[:place])
        stated = chain(
            _of_clause(said, goes_on=goes_on, opens=opens),
            _of_several(Clause(words[place:], first + place)) if is_own else (),
        )
        for found in stated:
            about_them = topic != "other" and (found.subject or found.attribute in _ASKING)
            if not (is_own or about_them or found.attribute in _RELATIONS):
                continue
            if found.attribute == "task" and clause.startswith("答应") and n and topic != "own":
                continue  # who promised, is said before
            if _is_over(found, words[: place + len(clause)]):
                continue
            begin, end = _quote(words, place, len(clause))
            yield found, first + begin, first + end


def _of_clause(clause: Clause, *, goes_on: bool, opens: bool) -> Iterator[Found]:
    """Yield what a clause says, also after words that only open it ("说真的", "上个月").

    Args:
        clause: where to look.
        goes_on: it goes on about "我", and is read as if it began with it ("我叫张伟，在华为工作").
        opens: nobody was spoken of before; then so is one that could hardly be about another ("刚搬来苏州").
    """
    stated = _matched(clause)
    opening = _OPENING.match(clause.text)
    skipped = opening.end() if opening else 0
    rest = clause.text[skipped:]
    if not stated and skipped and rest:
        stated = _matched(Clause(rest, clause.first + skipped))
    yield from stated
    if not rest or _SPEAKS_OF.match(rest) or not (goes_on or (opens and _ONES_OWN.match(rest))):
        return
    for found in _matched(Clause("我" + rest, clause.first + skipped - 1)):
        is_habit = found.attribute != "habit" or _ALWAYS.search(rest)
        if found.attribute in _CARRIED and not found.subject and is_habit:
            yield replace(found, confidence="medium")


def _matched(clause: Clause) -> list[Found]:
    rules = _RULES if _ONESELF.search(clause.text) else _WITHOUT_ONESELF
    return [found for found, _ in matches(clause, (0,), rules, objects, subject)]


_ONESELF = re.compile(r"[我俺咱]|本人")
_WITHOUT_ONESELF = tuple(
    rule
    for rule in _RULES
    if not rule.pattern.pattern.startswith(
        (rules_zh_life.ME, rules_zh_life.I, rules_zh_life.WHO, rf"{rules_zh_life.LEAD}我")
    )
)
_ALWAYS = re.compile(r"都|必|总|一定|雷打不动|坚持")


_OPENING = re.compile(
    rf"^(?:对了|其实|因为|但是?|不过|而且|所以|可是?|还有|另外|也|记[住得]|结果|说真的|讲真的?|说起来|话说|忘了?说|忘记说|顺便(?:说一下|说一声|说一句|提一[下句])?|提醒一?下?你?|提前说(?:一[声下])?|补充一下|坦白说|老实说|说实话"
    rf"|不瞒你说|跟你[说讲](?:一[下声])?|告诉你|更正一下|纠正一下|然后|后来|于是|难怪|幸好|好的?|那|哦对?|备注|注意|事先声明|先说好|声明一下|友情提示|作为[\u4e00-\u9fff]{{2,6}}|因为[\u4e00-\u9fff]{{1,5}}(?:原因|关系|问题)|平时|一般|基本上?|终于|刚刚?|现在|目前|最近|已经"
    rf"|(?:坐|吃|看|住|选|买|喝|听|出门|出差|旅[游行]|点[菜餐外]|聚餐|开会|睡觉|上班|做饭|运动|出去|租房|订|飞)[\u4e00-\u9fff]{{0,4}}?(?=我|最多|顶多|只)|{rules_zh_life.AGO}|{rules_zh_life.DATE}){{0,4}}"
)
# What one says of oneself without a subject; of another one would name them.
_ONES_OWN = re.compile(
    r"(?:刚刚?|才|新|最近|现在|目前|平时|从小|一直|已经|终于|正?在|也|真的?|实在|特别|比较|很|超级?|最|更|人)*(?:搬[到来去家]|(?:在|正在)?(?:执行|实行|坚持).{0,6}(?:饮食|断食)|查出|检查出|确诊|入职|辞[掉去了]|离职|从.{2,10}(?:离职|辞职)"
    r"|定居|现居|坐标|人在[\u4e00-\u9fff]|家住|家在|老家|住在|常住|不抽烟|不喝酒|不吸烟|吃素|吃全素|素食|戒|自学|在学|在读|在[\u4e00-\u9fff]{2,6}(?:读[博研]|上班|工作|上学)|喜欢(?!的话|就|吗|上)|偏爱|最?爱[吃喝看听]|讨厌|受不了|怕[辣冷热]"
    r"|晕[船车机]|恐高|怀孕|离婚|结婚|单身|已婚|未婚|每[天晚周]|习惯|打算|海鲜过敏|花生过敏|对.{1,8}过敏|乳糖不耐|有(?:高血压|糖尿病|哮喘|.{1,4}过敏)|养了|家里|不吃|不喝|从不|从来不|滴酒|会(?:说|弹|拉)|母语|属|今年|身高|体重|生日|烟酒|喜欢的|的?(?:颜色|电影|乐队|歌手|作家)"
    r"|职业|专业是|岗位是|研究方向|在读[博硕研]|把.{2,8}(?:工作|班)辞|在吃|长期吃|口味|对.{1,8}(?:感兴趣|没兴趣|无感)|骑|坐地铁|开车上班)"
)


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
    | {
        "health_condition",
        "medication",
        "speaks",
        "smoking",
        "alcohol",
        "marital_status",
        "hobby",
        "child",
        "sibling",
        "pet",
    }
    | {
        "habit",
        "wake_time",
        "sleep_time",
        "commute",
        "work_schedule",
        "height",
        "weight",
        "birthday",
        "vehicle",
        "time_zone",
    }
    | {"skill", "moved_from", "appointment", "plan", "trip", "task", "budget", "deadline", "name", "call_me"}
    | {f"favourite_{name}" for name in ("food", "drink", "colour", "music", "book", "film", "sport", "place")}
)
_ANOTHER = re.compile(
    rf"有[个一位只条]|客群|用户|顾客|受众|人群|经理|养|认识|{rules_zh_life.KIN}|朋友|同事|老板|[猫狗他她]|同学|领导|客户|室友|邻居|[问听看见]"
)
_ASKING = frozenset(
    {"constraint", "reply_language", "reply_style", "task", "deadline", "budget", "trip", "appointment", "units"}
)
_RELATIONS = frozenset({"partner", "child", "sibling", "friend", "colleague", "parent", "pet"})
_SPEAKS_OF = re.compile(
    rf"^(?:而?且?但?是?因为|所以|不过|可是?|其实|还有|另外|对了|那)*(?:(?P<own>[我俺咱](?!{rules_zh_life.KIN}|的?(?:{rules_zh_life.KIN}|老板|同事|朋友|领导|室友|闺蜜|同学|邻居|客户|上司|老师))|本人)|(?P<other>[我俺咱]|他|她|它|(?:你|您)(?!们?(?:可以|以后|就|直接|都|也)*(?:叫|喊|称呼)我)|这(?!次|趟|回|周|个月|边)|那(?!么)|大家(?!都?[叫喊]我)|人家|老板|同事(?!们?都?[叫喊]我)|朋友(?!们?都?[叫喊]我)|有人|别人|小[\u4e00-\u9fff](?=[喜爱讨不对])|我们(?!家|去|要|下)))"
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
    if found.attribute in _STATES and _LONG_AGO.search(before) and not _SINCE.search(before):
        return True
    return found.attribute in _MAYBE_PAST and _PAST.search(before) is not None


_STATES = frozenset({"lives_in", "employer", "occupation", "school"})
_LONG_AGO = re.compile(r"去年|前年|上个月|(?:19|20)?\d\d年(?:的?时候)?(?!的)|当时")
_SINCE = re.compile(
    r"搬|入职|加入|跳槽|调|开始|起|毕业|定居|移居|移民|落户|到现在|至今|换|考[上了]|回了|回到|开了|买了|创业|安家"
)
# "买手机的话": what it is about, no condition
_TOPIC = re.compile(
    r"(?:买|租|订|选|点|住|预算|口味|颜色|饮食|工作|爱好|忌口|语言|过敏|名字|称呼|酒店|机票)[\u4e00-\u9fff]{0,5}的话"
)


_SEVERAL = re.compile(r"过敏|疹|肿|痒|喘|起包|最(?:喜欢|爱)[吃喝]的|起床|醒|叫")


def _of_several(words: Clause) -> Iterator[Found]:
    """Yield what is said in more than one clause ("芒果别给我点，会过敏")."""
    if not _SEVERAL.search(words.text):
        return
    yield from (found for found, _ in matches(words, (0,), rules_zh_joined.RULES, objects, subject))


def _quote(words: str, place: int, length: int) -> tuple[int, int]:
    """Return the whole sentence if it is short, else the clause."""
    told = len(words.rstrip("。!?;~… \n"))
    return (0, told) if told <= 60 else (place, place + length)
