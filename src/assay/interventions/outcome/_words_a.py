"""Words of the operators on outcomes: directions and their opposites, places, and words that say little."""

from __future__ import annotations

from typing import Final

__all__ = [
    "BODIES_EN",
    "FOLLOWERS_EN",
    "FOLLOWERS_ZH",
    "OPENINGS_EN",
    "OPENINGS_ZH",
    "OPPOSITES_EN",
    "OPPOSITES_ZH",
    "PEOPLE_EN",
    "PEOPLE_ZH",
    "PLACES_EN",
    "PLACES_ZH",
    "SUPPORT_EN",
    "SUPPORT_ZH",
]

# Words that end or hold the name of a body.
BODIES_EN: Final = (
    "University|Institute|Bank|Fund|Agency|Association|Organi[sz]ation|Council|Ministry|Department|Commission|Bureau|Center|Centre|Group|Inc|Corp|Company|"
    "Committee|Foundation|Research|Analytics|Insights|Partners|Society|Academy|Authority|Board|Administration|Office|Report|Survey|Forum|Union|Journal|News|"
    "Times|Magazine|Capital|Securities|Consulting|Federation|Programme|Program|Service|Library|Statistics|Intelligence"
)

# Whole forms only: each fits the grammar of the other.
OPPOSITES_EN: Final[tuple[tuple[str, str], ...]] = (
    ("increased", "decreased"), ("increases", "decreases"), ("increasing", "decreasing"), ("an increase", "a decrease"), ("rose", "fell"),
    ("rising", "falling"), ("grew", "shrank"), ("growth of", "decline of"), ("higher than", "lower than"), ("exceeded", "fell short of"), ("a rise", "a fall"), ("gained", "lost"), ("improved", "worsened"),
    ("reduced", "raised"), ("reduces", "raises"), ("reducing", "raising"), ("declined", "climbed"), ("declining", "climbing"), ("decline in", "rise in"),
    ("up from", "down from"), ("positively", "negatively"), ("faster than", "slower than"), ("largest", "smallest"), ("highest", "lowest"),
    ("expanded", "contracted"), ("strengthened", "weakened"), ("accelerated", "slowed"), ("outperformed", "underperformed"), ("surplus", "deficit"),
    ("majority", "minority"),
)  # fmt: skip
OPPOSITES_ZH: Final[tuple[tuple[str, str], ...]] = (
    ("同比增长", "同比下降"), ("上升", "下降"), ("增加", "减少"), ("提升", "降低"), ("提高", "降低"), ("高于", "低于"), ("上涨", "下跌"), ("扩大", "缩小"),
    ("最高", "最低"), ("最大", "最小"), ("领先", "落后"), ("优于", "逊于"), ("增长至", "下降至"), ("增长了", "下降了"), ("正相关", "负相关"), ("快于", "慢于"),
    ("多于", "少于"), ("顺差", "逆差"), ("回升", "回落"), ("盈利", "亏损"),
)  # fmt: skip

# Places by sort; one may stand for another of its sort. Names that take an article are left out.
PLACES_EN: Final[tuple[tuple[str, ...], ...]] = (
    tuple(
        "China,Japan,Germany,France,India,Brazil,Canada,Australia,Italy,Spain,Norway,Sweden,Finland,Denmark,Singapore,Indonesia,Vietnam,Thailand,Malaysia,Mexico,Turkey,"
        "Egypt,Nigeria,Kenya,Poland,Switzerland,Austria,Belgium,Russia,Ukraine,Israel,Iran,Pakistan,Argentina,Chile,Portugal,Greece,Ireland,Taiwan,South Korea,"
        "Saudi Arabia,New Zealand,South Africa".split(",")
    ),
    tuple(
        "London,Beijing,Shanghai,Shenzhen,Tokyo,Paris,Berlin,Seoul,Mumbai,Sydney,Toronto,Hong Kong,Chicago,Boston,Osaka,Kyoto,Madrid,Milan,Amsterdam".split(
            ","
        )
    ),
    ("Europe", "Asia", "Africa", "North America", "Latin America", "South America", "Southeast Asia"),
)
PLACES_ZH: Final[tuple[tuple[str, ...], ...]] = (
    tuple(
        "美国 日本 韩国 德国 英国 法国 俄罗斯 印度 巴西 加拿大 澳大利亚 新加坡 意大利 西班牙 荷兰 瑞士 瑞典 挪威 芬兰 丹麦 以色列 越南 泰国 印尼 马来西亚 菲律宾 墨西哥".split()
    ),
    tuple("北京 上海 广州 深圳 杭州 成都 南京 武汉 重庆 天津 西安 苏州".split()),
    tuple("浙江 江苏 广东 四川 山东 湖北 湖南 福建 河南 河北 安徽".split()),
    ("欧洲", "非洲", "东南亚", "拉美", "北美"),
)

# Whom a share can be given for: "72 % of investors".
PEOPLE_EN: Final[tuple[str, ...]] = tuple(
    "companies,firms,investors,users,patients,countries,consumers,organizations,organisations,respondents,students,banks,teachers,researchers,enterprises,"
    "participants,households,families,platforms,cities,regions,institutions,developers,teams,customers,employees,workers,schools,universities,hospitals,scholars,"
    "experts,banks,funds,retailers,manufacturers,brands,buyers,adults,children,individuals,people,women,men,businesses,hotels,farmers,clinicians,practitioners,"
    "professionals,employers,governments,suppliers,operators,projects,clients,analysts,leaders,executives".split(
        ","
    )
)
PEOPLE_ZH: Final[tuple[str, ...]] = tuple(
    "企业 公司 投资者 用户 患者 国家 消费者 机构 受访者 学生 银行 教师 学者 家庭 平台 城市 地区 开发者 团队 客户 员工 学校 高校 医院 专家 品牌 项目 "
    "人群 女性 男性 年轻人 老年人 居民 厂商 商家 从业者 券商".split()
)

# Sentences that name a subject and say nothing of it. {topic} is a noun phrase of the report; none agrees with it.
OPENINGS_EN: Final[tuple[str, ...]] = (
    "The question of {topic} also deserves attention",
    "There is a good deal to be said about {topic}",
    "Considerations around {topic} play a role here as well",
    "Attention to {topic} belongs to the overall picture",
    "With regard to {topic}, the situation is evolving",
    "On {topic}, approaches differ from case to case",
    "As for {topic}, a balanced view is generally advisable",
    "Matters relating to {topic} continue to be discussed",
    "When it comes to {topic}, several factors come together",
    "The role of {topic} should be seen in its wider setting",
    "In the case of {topic}, much depends on the circumstances",
    "Thinking about {topic} remains an important part of the discussion",
)
FOLLOWERS_EN: Final[tuple[str, ...]] = (
    "Several aspects interact, and their relative weight shifts over time",
    "Different parties tend to set different priorities, depending on their needs and resources",
    "Both opportunities and difficulties arise, and they have to be weighed against each other",
    "What works well in one setting may need to be adapted in another",
    "Experience so far points to the value of careful planning and regular review",
    "The subject is likely to remain relevant in the years to come",
    "It is generally regarded as significant, although views on the details vary",
    "A closer look at the individual circumstances is usually worthwhile",
    "Practical considerations often decide how things develop in the end",
    "Those involved are well advised to follow further developments",
    "There is broad interest in the subject, and it is approached from various angles",
    "Progress has been made in a number of respects, while other points remain open",
    "The overall effect depends on how the various elements are brought together",
    "Expectations differ, and so do the conclusions that are drawn",
)
OPENINGS_ZH: Final[tuple[str, ...]] = (
    "{topic}同样值得关注",
    "在{topic}方面，情况仍在不断变化",
    "关于{topic}，各方的做法不尽相同",
    "{topic}也是整体讨论中的重要一环",
    "就{topic}而言，需要结合具体情况加以考虑",
    "{topic}涉及的因素较多，需要综合看待",
    "围绕{topic}，业内已有不少讨论",
    "对{topic}的重视程度正在逐步加深",
    "{topic}的意义不容忽视，仍有进一步完善的空间",
    "谈到{topic}，通常需要兼顾多个方面",
)
FOLLOWERS_ZH: Final[tuple[str, ...]] = (
    "不同主体会根据自身需求和资源条件作出不同的安排",
    "机遇与挑战并存，需要权衡利弊",
    "在一种情形下行之有效的做法，在另一种情形下可能需要调整",
    "总体来看，这一领域仍将持续受到关注",
    "具体效果取决于各项要素能否有机结合",
    "各方看法不一，结论也有所差异",
    "从实践来看，合理规划和定期评估都很有必要",
    "有关各方应当持续关注后续进展",
    "随着环境变化，相关重点也会随之调整",
    "在若干方面已取得一定进展，另一些问题仍有待探讨",
    "其重要性已得到普遍认可，但细节上还存在差异",
    "实际操作中往往需要因地制宜、循序渐进",
)

# Sentences that seem to back the one before them, and give nothing that could be looked up.
SUPPORT_EN: Final[tuple[str, ...]] = (
    "Experience with {topic} has borne this out on many occasions",
    "Those familiar with {topic} largely share this assessment",
    "What is known about {topic} points in the same direction",
    "This has been observed repeatedly in connection with {topic}",
    "Much of what has been written on {topic} supports this view",
    "Similar patterns have been noted by many who deal with {topic}",
    "Developments around {topic} leave little doubt about this",
    "In discussions of {topic}, the point is rarely disputed",
    "There are many instances in which this can be seen",
    "The effect is well known, and it shows in a variety of settings",
    "A number of cases illustrate this quite clearly",
    "This is confirmed by practice in many places",
    "The general experience of those involved is consistent with this picture",
    "The point has been made in various places, and for good reason",
    "Over the years this has become apparent in more ways than one",
)
SUPPORT_ZH: Final[tuple[str, ...]] = (
    "{topic}方面的实践已多次印证了这一点",
    "这一点在{topic}中体现得十分明显",
    "围绕{topic}的许多讨论也得出了类似的结论",
    "了解{topic}的人士大多认同这一判断",
    "从{topic}的发展过程来看，这一趋势是明确的",
    "多方面的经验都支持这一判断",
    "业内对此已有较为一致的看法",
    "相关案例不胜枚举，充分说明了这一点",
    "实际情况也在很大程度上印证了上述判断",
    "从各方反馈来看，这一方向是比较明确的",
    "这早已是较为普遍的共识，在不同场合都得到了体现",
    "大量事实从不同侧面说明了这一点",
)
