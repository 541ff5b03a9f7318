"""The closed list of what facts may be about. Pure data, versioned.

Without it no two facts would ever meet: "works at" and "employer" are one attribute, so a new employer replaces the
old one. ``single``: a subject has one at a time, and a later one supersedes it. ``multi``: one for each object, and
only the same object's other value supersedes it (like, then dislike).
"""

from dataclasses import dataclass
from typing import Literal

VERSION = "1"

Category = Literal["preference", "fact", "constraint", "task", "mood"]
CATEGORIES: tuple[Category, ...] = ("preference", "fact", "constraint", "task", "mood")
OTHER = "other"


@dataclass(frozen=True, slots=True)
class Attribute:
    """One attribute.

    Attributes:
        name: as it stands in tables and prompts.
        single: whether a subject has one value at a time.
        category: of its facts.
        en: what it means, in English.
        zh: the same in Chinese.
    """

    name: str
    single: bool
    category: Category
    en: str
    zh: str


def _listed(text: str) -> dict[str, Attribute]:
    found = {}
    for line in filter(None, map(str.strip, text.splitlines())):
        name, kind, category, en, zh = (part.strip() for part in line.split("|"))
        found[name] = Attribute(name, kind == "single", category, en, zh)  # type: ignore[arg-type]
    return found


ATTRIBUTES = _listed(
    """
    name | single | fact | real name | 姓名
    call_me | single | preference | how to be addressed | 称呼
    birthday | single | fact | date of birth | 生日
    age | single | fact | age in years | 年龄
    gender | single | fact | gender | 性别
    nationality | single | fact | nationality | 国籍
    hometown | single | fact | where they come from | 家乡
    lives_in | single | fact | city or area of residence | 居住地
    moved_from | multi | fact | place they moved away from | 曾居住地
    time_zone | single | fact | time zone | 时区
    contact | multi | fact | phone, email or other contact | 联系方式
    speaks | multi | fact | language spoken or learnt | 会的语言
    religion | single | fact | religion | 宗教
    marital_status | single | fact | single, married, divorced | 婚姻状况
    partner | single | fact | spouse or partner | 伴侣
    child | multi | fact | child | 子女
    parent | multi | fact | mother or father | 父母
    sibling | multi | fact | brother or sister | 兄弟姐妹
    relative | multi | fact | other relative | 亲戚
    friend | multi | fact | friend | 朋友
    pet | multi | fact | pet, kind or name | 宠物
    employer | single | fact | where they work | 工作单位
    occupation | single | fact | profession or job title | 职业
    colleague | multi | fact | colleague, manager or client | 同事
    project | multi | fact | project they work on | 项目
    work_schedule | single | fact | working hours or mode | 工作安排
    school | single | fact | school or university attended now | 学校
    field_of_study | single | fact | subject studied | 专业
    skill | multi | fact | skill or qualification | 技能
    allergy | multi | constraint | allergy or intolerance | 过敏或不耐受
    diet | multi | constraint | diet or food not eaten on principle | 饮食禁忌
    health_condition | multi | fact | illness, injury or condition | 健康状况
    medication | multi | fact | medicine taken | 用药
    height | single | fact | height | 身高
    weight | single | fact | weight | 体重
    smoking | single | fact | whether they smoke | 是否吸烟
    alcohol | single | fact | whether they drink alcohol | 是否饮酒
    preference | multi | preference | what is liked or disliked (value like or dislike) | 喜欢或不喜欢
    favourite_food | single | preference | favourite dish or cuisine | 最喜欢的食物
    favourite_drink | single | preference | favourite drink | 最喜欢的饮料
    favourite_colour | single | preference | favourite colour | 最喜欢的颜色
    favourite_music | single | preference | favourite music, band or song | 最喜欢的音乐
    favourite_book | single | preference | favourite book or author | 最喜欢的书
    favourite_film | single | preference | favourite film or series | 最喜欢的影视
    favourite_sport | single | preference | favourite sport or team | 最喜欢的运动
    favourite_place | single | preference | favourite place | 最喜欢的地方
    hobby | multi | fact | hobby or regular pastime | 爱好
    habit | multi | fact | routine or habit | 习惯
    wake_time | single | fact | usual time of getting up | 起床时间
    sleep_time | single | fact | usual time of going to bed | 睡觉时间
    commute | single | fact | how they get to work | 通勤方式
    reply_language | single | constraint | language to answer in | 回复语言
    reply_style | multi | constraint | how to answer: length, tone, format | 回复风格
    units | single | preference | units or formats preferred | 计量单位
    constraint | multi | constraint | standing ban, limit or rule | 限制或要求
    budget | multi | constraint | budget or price limit for something | 预算
    owns | multi | fact | thing they own or use | 拥有的物品
    vehicle | single | fact | car, bike or other vehicle | 车辆
    goal | multi | fact | long-term goal | 目标
    plan | multi | task | plan or upcoming event | 计划
    trip | multi | task | trip | 出行
    appointment | multi | task | appointment | 预约
    deadline | multi | task | deadline of something | 截止日期
    task | multi | task | open task or promise | 待办事项
    experience | multi | fact | something done or lived through | 经历
    opinion | multi | fact | opinion or belief | 看法
    mood | multi | mood | repeated mood and its cause | 情绪规律
    other | multi | fact | what fits none of these | 其他
    """
)


def named(name: str) -> Attribute:
    """Return an attribute by its name; ``other`` for what is not in the list."""
    return ATTRIBUTES.get(name, ATTRIBUTES[OTHER])
