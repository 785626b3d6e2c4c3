"""Words of the operators on outcomes: directions and their opposites, places, people."""

from __future__ import annotations

from typing import Final

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
