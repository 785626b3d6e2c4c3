"""Generic words, which fit any report.

"Certain characteristics", "various favourable effects", "a range of factors" carry no information a reader could
check. The lists are ours; they hold stems (see `assay.text.words.stem`), and Chinese two-character words.
"""

from __future__ import annotations

from typing import Final

_EN: Final = """
ability able accepted accordingly achieve acknowledge across action activity actual adapt add addition address adequate
adjust adopt advance advantage advise affect aim allow alternative analysis angle apply appropriate approach
appropriately
area arise around arrange aspect assess associate assume attempt attention attract available aware background balance
base
basic basis become begin behaviour behavior benefit beneficial better big bring broad broader broadly build bulk
capability
capacity care careful carefully carry case category caution central certain challenge chance change character
characteristic choice choose circumstance claim clear clearly climb close collective combination combine come common
commonly community compare comparable comparison complement complete complex component comprehensive concentrate concern
conclude conclusion condition conduct connect connection consequence consequently consider considerable considerably
consideration consist consistent consistently constitute contain context continue continuous contribute contribution
control convention conventional core correspond cover create critical crucial current currently deal decade decision
deep
deepen define degree deliver demand demonstrate depend describe deserve design desire despite detail determine develop
development differ difference different difficult difficulty dimension direct direction directly discuss display diverse
diversity divide draw drive due dynamic early ease easy effect effective effectively effort element emerge emphasis
emphasize enable encourage end enhance ensure entire environment especially essential establish evaluate even evident
evolve evolution examine example exist expand expect experience explain explore express extend extensive extent face
facilitate fact factor fairly familiar far favour favourable favor favorable feature field find fit focus follow form
former forward foundation framework frequent frequently full function fundamental future gain general generality
generally give goal good gradual gradually great greater ground group grow growth handful hand handle hard help high
higher highly highlight hold idea identify image impact implement implication importance important importantly improve
improvement include increase increasingly indicate individual influence initial initiative insight instance intend
interest intrinsic introduce involve issue item keep key kind know lack landscape large largely larger lasting later lay
lead learn leave less level like likely limit limited line link list little local long look low lower main mainly
maintain major make manage manner mark marked markedly match material matter mean measure mechanism meet member mention
merit method mind mix mode moderate modern moment more mostly move multiple nature near necessary need new nevertheless
normal notable notably note noteworthy notion number objective observe obtain occur offer open operate operation
opportunity
option order ordinary organise organisation organization original outcome output overall overview parameter part partial
partially participate particular particularly party pass past path pattern pay people perform performance period
perspective phase phenomenon piece place plan play point popular position positive possess possible possibility
potential
power practical practice practitioner precise prefer presence present pressure previous primarily primary principle
prior priority problem procedure process produce product profile progress project prominent promise promote property
proportion propose prospect prove provide purpose pursue push put quality question quite raise range rate rather reach
real reality realize reason reasonable receive recent recently recognise recognize record reduce refer reflect
reflection
regard region regular relate relation relationship relatively release relevance relevant reliable remain remark
represent
require requirement research resource respect respective respond response rest result review rich right rise role root
rough roughly run safe scale scope sector see seek seem select selection sense separate series serious serve service set
setting several shape share sharply shift short show side sign significance significant significantly similar simple
simply single situation size small social solution solid somewhat sort source space special specific speed spread stage
stand standard start state step stress strength strengthen strong strongly structure study style subject substantial
substantially success successful such suffer sufficient suggest suit suitable support surround sustain system take
target
technique tend tendency term theme theory thing think time today together topic total touch toward track tradition
traditional transform transition treat trend trouble true turn type typical typically ultimate ultimately underlie
understand understanding undertake unique unit use useful user usual usually value variation variety various vary vast
view vital want way well whole wide widely wider widespread work world worth year yield
"""
_ZH: Final = """
一些 一定 一般 一种 一系 系列 某些 某种 各种 各类 各个 各方 多种 多个 多项 多方 众多 许多 诸多 若干 有关 相关 相应 整体 总体 总的 综合
方面 层面 角度 领域 方向 方式 方法 手段 途径 因素 条件 情况 情形 状况 状态 问题 特点 特征 特性 特色 性质 作用 影响 效果 效应 意义 价值
关系 联系 程度 范围 水平 能力 需求 需要 要求 过程 阶段 时期 环境 背景 基础 结构 体系 系统 机制 模式 趋势 发展 进展 提升 提高 增强 加强
改善 优化 推动 推进 促进 促使 实现 达到 完成 开展 进行 提供 具有 具备 拥有 存在 产生 形成 体现 表现 反映 显示 表明 说明 认为 指出 强调
重要 关键 主要 核心 根本 基本 显著 明显 较大 较高 较好 较为 较多 较强 广泛 普遍 深入 全面 充分 有效 积极 良好 优势 不同 多样 丰富 复杂
通过 利用 采用 使用 应用 结合 围绕 针对 面向 基于 根据 按照 关注 重视 考虑 注意 值得 应当 应该 必须 如何 其中 其他 此外 同时 另外 以及
目前 当前 近年 未来 今后 长期 短期 逐步 逐渐 不断 持续 进一 一步 更加 更为 越来 越高 大量 大幅 部分 整个 全部 所有 之间 之后 之前 以来
工作 活动 内容 结果 成果 成效 目标 任务 措施 策略 政策 方案 项目 资源 市场 企业 行业 社会 国家 地区 人们 用户 研究 分析 评估 选择 设计
"""

GENERIC: Final[frozenset[str]] = frozenset(_EN.split()) | frozenset(_ZH.split())
