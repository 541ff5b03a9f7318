"""What counts as an object in a Chinese statement: which words are cut off, and which are no object. Pure."""

import re
from collections.abc import Iterator

from domain import rules_zh_life

_LEAD = re.compile(
    r"^(?:我(?:妈妈?|爸爸?|奶奶|爷爷|外婆|姥姥|老婆|老公)(?:做|包|炒|煮|烧|炖)的|一点儿?(?=.)|一些(?=.)|(?:去|到)?(?:吃|喝|听|看)(?=.)(?!书$|看|吃)|(?:一?[只条个位名份些]|一[家所]|各种|所有|任何|那种|这种|一切|点|太|过于|特别|非常|很|上了|于)(?=.))+"
)
_TAIL = re.compile(
    r"(?:[^\w\u4e00-\u9fff+#)）%]|[了的啦呀啊哦呢嘛吧哈也诶呗哟噢嘞]|这[一个]?[种口类些](?:东西|味道|味儿|食物)?|这些|之类|什么的|等等|的东西|的人|的食物|食物)+$"
)
_NO_OBJECT = re.compile(
    r"^(?:这|那|你|您|他|她|它|我|咱|自己|人家|别人$|谁|大家|什么|哪|怎|的|了|上了?$|是|有|被|把|和|跟|就|也|都|不|没|还|又|再|一下|一点|到|得|着|过|很|太|能|会|要|让|给|多|"
    r"人$|人的?$|事$|事情|东西$|时间$|死$|疯$|所有$|说$|说话|说起|如此|出|起来|极|程度)|[吗呢么你您她它我]|(?<![吉其])他(?!汀)|这个|那个|这样|那样|什么|啥|\0|不了$|起来$|不$|没$|者$|人群|反应|体质|性"
)
_NO_TASTE = re.compile(
    r"^[一两二三几]个$|^里面|^其中|^上面|版本?$|标题|文案|稿$|开头|结尾|配色|排版|^之前|^上一|^前[一面]|^后[一面]|^原来|新的?(?:界面|系统|设计|版)|封面|思路|例子|语气$|写法|说法|^直接|方案$|方式$|方法$|^系统|^高效|效率|^被|逻辑|^把|^用$|^跟|态度$|^在一?起|^[小老阿][\u4e00-\u9fff]$|^上(?!海)|^[打玩看听吃喝做画写读]的|^(?:主意|想法|建议|方案|颜色$|风格$|设计|情$|心$|好$|国$|慕|美$|莫|咋|护|意$|死|戴|面子|孩子|家$|生活$|热闹$|运动员|第[一二三四]|前者|后者|自由|哭|笑|玩$|吃$|喝$|看$|听$|做$|计较|折腾|操心|唠叨|较真|麻烦)|分享|交流|[一二三]起$|时候$"
)
_NO_FOOD = re.compile(
    r"^(?:饭|早饭|早餐|午饭|午餐|晚饭|晚餐|夜宵|东西|药|亏|苦|醋|素$|饱|完|这套|一套|喝|下|动|到|惯|起|多|太多|太饱|过|酒$|少|烟|眼前|零食)|^[了的啊吧]?$|也不|了吧|就"
)
_NO_PLACE = re.compile(
    r"教堂|天主堂|楼$|^(?:郊|野|山[上里]|超市|商场|公司)|(?:家|市场|菜园|超市|医院|公园|店|商场|公司|单位|[上下里])$|^(?:这|那|学校|宿舍|酒店|宾馆|公司|家|附近|单位|医院|一起|外面|新家|楼|一楼|二楼|三楼|自己|父母|亲戚|朋友|隔壁|哪|里面|乡下$|城里$|同|新(?!加坡|疆|西兰|乡|竹|北)|老房|出租|地球|这边|对面|市区$|海边$|市中心$|路上|了|过|不|一个)|工作|上班|出差|旅[游行]|开会|[房屋]$"
)
_NO_NAME = re.compile(
    r"^(?:你|他|她|它|我|不|什|人|过|醒|号|停|苦|了|外卖|车|滴滴|代驾|那个|这个|起床|去|来|回|别|帮|下|出|把|给|吃|先|早|怎|滚|等|做|看|写|加|买|交|开|睡|喝|吗|的|一[起声下]|多|起来|上|就|以后|爸爸$)|[吗么呢]|起床|名字"
)
_NO_ORG = re.compile(
    rf"^{rules_zh_life.PROVINCE}市?$|[是了你我他吗]|(?<!阿)里$|的(?!一?家)|[里上]?附近$|时间$|期间$|前$|后$"
    r"|^(?:家|这|那|外[地面]|公司$|单位$|学校$|同一|一起|一?[家个]?新?公司$|努力|认真|加班|哪|路上|楼[上下]|办公室$|工位$|大学$|中学$|不"
    r"|一线$|地铁|电脑|网上|准备|等|开会|北京$|上海$|广州$|深圳$|杭州$|成都$|周[一二三四五六日末]|每天|晚上|早上|规划|整理|忙|做|为)"
)
_NO_JOB = re.compile(r"^店$|^的|^第|^(?:个|这|那|你|他|她|我|不|好|新|什|怎|真)|的$|[吗呢么]")
_NO_TASK = re.compile(
    r"^(?:给|帮|替|跟)[他她它你]们?$|^这|^那|^别忘了?$|^(?:了|的|过|一下$|一声$|下$|他|她|什么|啊|吧|我?要?不要|你)|[吗呢么]$|\0"
)
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
    "hobby": (_NO_OBJECT, re.compile(r"装备|可以|互相|打算|比较|还|不|没|计划|想")),
    "habit": (_NO_OBJECT, re.compile(r"这|那|打算|计划|想|准备|要去")),
    "task": (_NO_TASK,),
    "constraint": (re.compile(r"\0|这[一个条些样]|那[个条些样]|上面|忘"),),
    "field_of_study": (
        re.compile(r"[吗呢么你您它她不够太更的是]|什么|这|那|^(?:研究生|大学|本科|博士|硕士|高中|初中|书|研|博)"),
    ),
    "deadline": (_NO_OBJECT, re.compile(r"^(?:需|在|要|得|必|应|最|预计|于|今|明|这|那|总|共|大概|.$)")),
    "time_zone": (),
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
_BETWEEN = re.compile(
    r"、|(?<=.)和(?!牛|果子|服|平|风|人|家人|朋友|孩子|同事)|(?<=.)跟(?!人|家人|朋友|孩子|同事)|以及|还有|或者?(?!许)|与"
)


def objects(attribute: str, raw: str) -> Iterator[tuple[str, int]]:
    """Yield the bare things that the words of a group name, and where in them each stands."""
    place = 0
    for part in _BETWEEN.split(raw) if attribute in _LISTS else [raw]:
        here, place = raw.find(part, place), place + len(part)
        words = _TAIL.sub("", part.strip()).strip(" \"'《》「」") or part.strip()
        if len(words) == 1 and part.strip().startswith(words + "的"):
            words += "的"  # "我不爱吃甜的"
        if attribute == "diet" and _WAY_OF_EATING.fullmatch(words):
            yield words, here + part.find(words)
            continue
        bare = words if attribute in _WHOLE else _LEAD.sub("", words).strip("《》")
        refused = _REFUSED.get(attribute, _ANY)
        if bare != words and words.startswith(("我", "一")):
            words = bare  # "我妈做的红烧肉", "一点日语"
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


def subject(who: str) -> str:
    """Return the usual name of a relative."""
    return _USUAL.get(who, who)
