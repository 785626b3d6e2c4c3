"""Words that most research reports use whatever they are about; they tell no topic from another.

Stems of six letters and Chinese bigrams that occur in reports on at least three in five of a hundred unrelated
questions.
"""

from __future__ import annotations

from typing import Final

REPORT_WORDS: Final = frozenset(
    """
    abilit access accord accoun achiev across action active adapta adapti additi addres advanc affect allow
    allowi allows along altern among analys analyz applic approa around aspect assess associ availa avoid
    balanc based become benefi best better beyond capabi case cases centra certai challe change charac clear
    collec combin common commun compar compet comple compli compon compre conclu condit consid consis constr
    contex contin contra contri contro conver core cost create creati critic cross crucia curren data deep
    define defini delive demand demons depend descri design detail determ develo differ direct distin distri
    divers docume driven dynami early effect effici elemen emergi emphas employ enable enabli enhanc ensure
    enviro especi essent establ even events eviden evolut evolve examin exampl execut expand expect experi
    explor expres extend extens facili factor featur field findin first flexib focus focuse follow form format
    founda framew freque full functi fundam future genera given global greate growin help high higher highli
    highly histor human identi impact implem import improv includ incorp increa indepe indica indivi indust
    influe inform initia innova integr intere intern introd invest involv issues large lead leadin less level
    levera life likely limita limite local long lower main mainta major make making manage measur mechan
    method model models modern multi multip natura necess need needed needs next notabl number object observ
    offer offers often ongoin open operat optimi origin outcom overal overvi part partic patter perfor period
    person platfo popula positi possib potent power practi prefer presen primar priori proces produc progre
    projec proper protec provid public qualit range rapid rapidl rate rates rather real recent recogn recomm
    reduce reduci reduct refere reflec region regula relate relati releva remain report repres requir resear
    resour respon result review risk risks robust role scale search second select settin severa short show
    signal signif simila simple single small soluti someti source specia specif stabil standa state still
    strate strong struct studie study substa succes sugges summar suppor synthe system target techni techno
    term though three time tools tradit transf transp trends types typica unders unique univer utiliz valida
    value variab variou widely work world years
    一个 一些 一步 一种 上的 下降 不仅 不可 不同 不断 不足 与数 与高 专业 严格 个人 中国 中心 中的 丰富 为主 为了 主导 主流 主要 之一 之间 了一 了解 产业 产生 人员 从而 代表
    以上 以下 以及 价值 优势 优化 传统 体的 体系 作为 作用 使用 例如 供了 依赖 促进 保持 信息 充分 全球 全面 关于 关注 关系 关键 其中 其他 其是 具体 具有 典型 内容 决定 减少
    出现 分布 分析 创新 利用 别是 力和 力的 功能 加强 动力 动态 动的 包括 化与 化和 化的 区域 协同 压力 参与 参考 及其 发展 发布 发生 变化 可以 可能 合作 同时 周期 因素 国内
    国家 国际 地区 场景 域的 基于 基本 基础 增加 增强 增长 复杂 多个 多元 多关 多数 多样 多种 大多 大幅 大的 大规 大量 如何 存在 安全 完全 官方 定性 实现 实践 实际 对于 对比
    导致 尤其 展望 展的 工作 工具 工程 差异 已经 市场 带来 平台 平衡 年来 广泛 应用 度与 度和 度的 建立 建议 建设 开发 开始 开放 引言 强化 强调 当前 形成 影响 快速 性与 性和
    性的 总体 总结 情况 成为 成功 成本 我们 我将 我需 所有 技术 报告 持续 指标 挑战 探索 控制 推动 推广 推进 提供 提出 提升 提高 搜索 支持 政策 效应 敏感 数字 数据 数量 整体
    整合 文献 新兴 新型 新的 方向 方式 方案 方法 方面 时间 明显 明确 是一 是在 显示 显著 普遍 景下 智能 更具 更加 更多 更高 最后 最大 最新 最高 有效 有限 服务 未来 本报 机制
    机构 权威 条件 来源 来的 构建 标准 核心 根据 框架 案例 梳理 概述 模型 模式 正在 比较 水平 活动 流程 涵盖 深入 深度 混合 特别 特定 特征 环境 现代 现出 现在 现实 现有 理与
    理解 甚至 用于 用的 由于 的一 的主 的信 的关 的具 的发 的可 的基 的多 的实 的影 的数 的新 的方 的最 的核 的深 的特 的结 的重 的高 目前 目标 直接 相关 相对 知识 研究 确定
    社会 科学 积极 程中 稳定 空间 突出 突破 等多 等方 策略 管理 类型 系列 系统 纳入 组织 经济 经验 结合 结构 结论 统的 继续 维度 综合 网络 考虑 联合 背景 能力 能够 能的 范围
    获取 获得 虽然 融合 行业 表明 表现 要求 要的 覆盖 规模 解决 让我 论与 设计 评估 详细 调整 调研 质量 资料 资源 趋势 路径 过程 近年 这一 这些 这种 进一 进入 进行 选择 逐步
    通常 通过 部分 采用 重大 重点 重要 量化 量的 针对 长期 问题 间的 阶段 降低 限制 随着 难以 集中 需求 需要 面临 面的 项目 预测 领域 风险 驱动 高度
    """.split()
)
