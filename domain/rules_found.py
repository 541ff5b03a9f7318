"""What the two languages of the rule-based extractor share: a table of patterns, and what stands in a text for sure.

Pure. The groups of a pattern are named after the attributes (``domain.attributes``) that they give the object of.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from domain.attributes import ATTRIBUTES
from domain.facts import Confidence, Value

# One character for one, so that places stay: curly quotes, wide signs, and the Traditional forms of common words.
_PLAIN = str.maketrans(
    "’‘“”　！？；：（），\u00a0"
    "過歡討厭愛對藥說話學習職業醫師語嗎麼裡歲媽爺兒個們從來給請別電時間點週長預約會議離婚單結開車鐵飛機華國灣東廣臺專"
    "題寫應覺實際還邊嗆聽讀書員護養貓嚴頭風糖腎臟辦訂鐘後總統樂鋼練無為妳讓沒幫記號現當簡體發訊試難聞這錢預萬塊歷問"
    "區縣門龍頭產農貝爾輸進壓陽親姊嬸孫條隻隨萬懷孕視戒煙習慣覺運動騎課籃羽網鍛鍊釣繪畫劇"
    "較紀錄聯絡圖畢級紅綠藍顏輛傷膽醬薑蔥蘿蔔麵飯湯魚蝦雞鴨豬內檸蘋連滷鹹燒飲鮮觸塵蟎銀軟術導監財務設計廚攝編輯經賣買遊戲視節慶樓層戶蘇鄭濟廈瀋陳"
    "張劉趙吳楊黃鄧許謝韓馮葉蔣羅鄰隊爭論報續繳稅險證駕簽帶獨雙齡壽癢腫嚇懶靜鬧熱溫濕輕鬆潔詳細囉禮氣溝復覆僅與並雖卻極讚癮尋倉鸚鵡龜寵園態應終於剛",
    "''\"\" !?;:(), "
    "过欢讨厌爱对药说话学习职业医师语吗么里岁妈爷儿个们从来给请别电时间点周长预约会议离婚单结开车铁飞机华国湾东广台专"
    "题写应觉实际还边呛听读书员护养猫严头风糖肾脏办订钟后总统乐钢练无为你让没帮记号现当简体发讯试难闻这钱预万块历问"
    "区县门龙头产农贝尔输进压阳亲姐婶孙条只随万怀孕视戒烟习惯觉运动骑课篮羽网锻炼钓绘画剧"
    "较纪录联络图毕级红绿蓝颜辆伤胆酱姜葱萝卜面饭汤鱼虾鸡鸭猪内柠苹连卤咸烧饮鲜触尘螨银软术导监财务设计厨摄编辑经卖买游戏视节庆楼层户苏郑济厦沈陈"
    "张刘赵吴杨黄邓许谢韩冯叶蒋罗邻队争论报续缴税险证驾签带独双龄寿痒肿吓懒静闹热温湿轻松洁详细啰礼气沟复复仅与并虽却极赞瘾寻仓鹦鹉龟宠园态应终于刚",
)
NOTHING = "\0"  # stands where somebody else's words stood: no pattern matches it
MAX_SENTENCE_CHARS = 300  # longer ones are pasted text, and slow


@dataclass(frozen=True, slots=True)
class Found:
    """A statement in a text.

    Attributes:
        subject: a relative, "" for the speaker.
        first: where the object begins in the text, for the words as they stand there.
    """

    attribute: str
    object: str
    value: Value
    confidence: Confidence
    subject: str
    first: int


@dataclass(frozen=True, slots=True)
class Rule:
    """One line of a table.

    Attributes:
        pattern: its groups are attributes, numbered where two are the same (``pet``, ``pet2``); ``who`` is a relative.
        fixed: the object, where the words do not hold it ("I don't smoke").
    """

    pattern: re.Pattern[str]
    value: Value = "yes"
    confidence: Confidence = "high"
    fixed: str = ""


@dataclass(frozen=True, slots=True)
class Clause:
    """A stretch of a sentence that patterns may look at, and where it begins in the text."""

    text: str
    first: int


Objects = Callable[[str, str], Iterable[tuple[str, int]]]  # attribute, raw words -> each object and its place in them


def plain(text: str) -> str:
    """Return a text of the same length in the signs and characters that the patterns are written in."""
    return text.translate(_PLAIN)


def blanked(text: str, pattern: re.Pattern[str]) -> str:
    """Return the text with each match of a pattern replaced by as many ``NOTHING``."""
    return pattern.sub(lambda match: NOTHING * len(match.group()), text)


def matches(
    clause: Clause, starts: Iterable[int], rules: Iterable[Rule], objects: Objects, subject: Callable[[str], str]
) -> Iterator[tuple[Found, int]]:
    """Yield what a table finds in a clause, with the place at which its match begins in it.

    Args:
        clause: where to look.
        starts: the places in it at which a statement may begin.
        rules: the table.
        objects: cleans the words of a group; nothing where they are no object.
        subject: the usual name of a relative.
    """
    for start in starts:
        for rule in rules:
            match = rule.pattern.match(clause.text, start)
            if match is None:
                continue
            groups = match.groupdict()
            who = subject(groups.get("who") or "")
            for group, raw in groups.items():
                name = group.rstrip("23")
                if name not in ATTRIBUTES or not raw:
                    continue
                here = clause.first + match.start(group)
                for words, place in [(rule.fixed, 0)] if rule.fixed else objects(name, raw):
                    yield Found(name, words, rule.value, rule.confidence, who, here + place), match.start()
