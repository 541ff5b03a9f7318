"""The words that ``domain.labels.emotion`` goes by: few, and only those that name a feeling. Pure data.

Written for this project. Left out on purpose: words of trade that only look like feelings (fail, fatal, kill, error,
critical, 问题, 错误), and politeness (thanks, 谢谢, 辛苦了).
"""

import re

POSITIVE_EN = frozenset(
    re.findall(
        r"\S+",
        "happy happier happiest glad delighted thrilled excited overjoyed cheerful joyful ecstatic elated grateful "
        "thankful proud relieved hopeful amazing awesome wonderful fantastic fabulous delightful gorgeous lovely "
        "adorable "
        "brilliant incredible superb marvelous marvellous terrific yay hooray woohoo congrats congratulations blessed "
        "heartwarming stoked psyched joy bliss excellent",
    )
)
NEGATIVE_EN = frozenset(
    re.findall(
        r"\S+",
        "sad sadder unhappy miserable depressed depressing heartbroken devastated gutted upset angry furious mad "
        "pissed "
        "annoyed annoying frustrated frustrating irritated irritating disappointed disappointing worried anxious "
        "nervous "
        "afraid scared terrified frightened lonely hopeless hurt ashamed embarrassed guilty jealous stressed "
        "overwhelmed "
        "exhausted exhausting awful terrible horrible dreadful disgusting disgusted hate hated hates despise grief "
        "grieving mourning crying cried sobbing ugh sucks sucked worst unbearable resent regret regretted dread "
        "dreading "
        "bored fed-up painful heartbreaking",
    )
)
NEGATORS_EN = frozenset(
    ["not", "no", "never", "without", "hardly", "barely", "cannot", "neither", "nor", "none", "nothing"]
)

# Longer than a word, or a word that is a feeling in one place only; looked for before the words, and then taken out.
POSITIVE_EN_PHRASES = re.compile(
    r"\b(?:not (?:too |so |half )?bad(?: at all)?|never been (?:happier|better)|could(?:n't| not) be (?:happier|better)"
    r"|(?:had|having|have) (?:a |an |such a )?(?:great|good|wonderful|nice|lovely|fun|blast)(?: time| day| fun)?"
    r"|i(?:'m| am)? (?:really |do |just |also |truly |absolutely |still )*(?:love|like|enjoy|adore)d?(?! to know| to "
    r"ask)"
    r"|(?:so|really|very|pretty|such a) (?:good|great|cool|fun|nice)(?! at\b)|can(?:'t|not) wait|looking forward)\b"
)
NEGATIVE_EN_PHRASES = re.compile(
    r"\b(?:i (?:really |just |still )?(?:don't|do not|didn't|never|can't stand) (?:really |even )?(?:like|love|enjoy)d?"
    r"|(?:not|\w+n't) (?:so |very |that |really |been |a )*(?:good|great|nice|fun|well|okay)"
    r"|(?:my|our) (?:\w+ ){1,2}(?:died|passed away|broke up|got sick)|i (?:can't|cannot) stand|broke my heart"
    r"|let(?:ting)? (?:me|us) down|fed up|sick of|tired of|i miss|in tears|feel(?:ing)? (?:so |really )?(?:bad|down"
    r"|low|ill))\b"
)
NO_FEELING_EN = re.compile(
    r"(?:\b(?:no worries|no regrets?|happy (?:path|hour|birthday|new year|holidays|to help)|worst[- ]case|happy with "
    r"either"
    r"|mad (?:libs|max)|would (?:like|love)|(?:i )?hate to (?:ask|bother))\b|(?<!\w)['\"‘“][^'\"’”]{1,40}['\"’”](?!\w))"
)

POSITIVE_ZH = re.compile(
    "超?开心|高兴|快乐|幸福|兴奋|激动|惊喜|欣慰|满足|感动|自豪|骄傲|放松|舒服|惬意|愉快|欢喜|欣喜|喜悦|太好了|太棒"
    "|真棒|很棒|超棒|棒极了"
    "|太爽|真爽|好爽|赞爆|完美|满意|值得|好看|好吃|好玩|好听|美好|温暖|暖心|甜蜜|可爱|不错|给力|期待|松了(?:一)?口气"
    "|喜欢|热爱|爱死|最爱|享受"
    "|開心|高興|興奮|感動|驕傲|愛死"
)
NEGATIVE_ZH = re.compile(
    "难过|伤心|悲伤|痛苦|难受|郁闷|沮丧|失落|失望|绝望|崩溃|抑郁|焦虑|担心|担忧|害怕|恐惧|(?<!房源)(?<!时间)(?<!资源)紧张|生气|愤怒|气死|恼火"
    "|烦死|好烦|很烦|心烦|烦躁"
    "|委屈|心酸|心疼|孤独|寂寞|孤单|后悔|内疚|愧疚|自责|尴尬|丢脸|嫉妒|讨厌|厌恶|恶心|糟糕|倒霉|无聊|无奈|心累|好累"
    "|很累|太累|累死|疲惫"
    "|失眠|哭了|在哭|大哭|想哭|痛哭|流泪|去世|分手了|压力[^，。！？]{0,2}大|受不了|烦人|憋屈|心碎|难吃|难看|難過|傷心"
    "|討厭|生氣|擔心|壓力[^，。！？]{0,2}大"
)
# These say whose feeling it is by their subject: "他喜欢打篮球" tells about him.
OF_THE_SPEAKER_ZH = frozenset(["喜欢", "热爱", "享受", "讨厌", "担心", "討厭", "期待", "值得"])
OTHERS_ZH = re.compile("[他她它您你谁]|大家|人们|用户")
NEGATORS_ZH = re.compile(
    "并不是|不是|没有|不太|不怎么|不再|不会|不用|不必|(?<![特个分区差])别|勿|甭|毫无"
    "|(?<![忍差得])不(?!仅|但|过|管|论|由|一会|只|禁|得不)|没(?!想到|准)|沒|無|未(?!来)"
)
NO_FEELING_ZH = re.compile(
    "(?:幸福|快乐|欢喜|欣慰|完美|可爱|温暖)(?:路|街|里|村|小区|花园|大街|大本营|男声|女声|世界|镇)|(?:生日|节日|新年"
    "|春节|中秋|圣诞|周末)快乐"
    "|紧张(?:局势|关系)|[“「『《][^”」』》]{1,40}[”」』》]"
)
