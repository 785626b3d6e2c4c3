"""Short reports that attacks are tried on, in English and Chinese."""

from __future__ import annotations

ENGLISH = """# Heat pumps in cold regions

## Introduction

This report examines installation costs, running costs, and grid effects of heat pumps in cold regions. Heat pumps may reduce household emissions in most regions because they move heat and do not make it. The levelized cost of heat (LCOH) is the measure used throughout.

## Installation costs

Ground pumps are more expensive to install than air pumps, although subsidies cover part of the difference in some countries. According to the Nordic Energy Survey, 45% of buyers name the price as the main obstacle [1]. However, prices fell by 12% in 2023 [2]. These reductions could continue for several years, leading to lower LCOH values for new buyers.

Drilling accounts for the larger part of the cost of ground pumps. The depth of the borehole depends on the soil and on the demand for heat. As a result, offers for similar homes differ widely [3].

## Running costs

Running costs depend on the price of electricity and on the efficiency of the pump. Air pumps lose efficiency in very cold weather because the outside air holds less heat. Owners can lower their bills by shifting demand to cheaper hours of the day. The price of electricity was the main obstacle for 45% of buyers in the Nordic Energy Survey [1].

Efficiency is often measured by the seasonal performance factor, which may differ from laboratory values. Manufacturers suggest that new models work well in winter, but these claims are seldom tested in the field [2].

## Grid effects

Many pumps that run at the same time raise the peak demand of a district. Flexible tariffs could lower this peak, which reduces the need for new lines. For example, a district in Norway delayed an extension of its network by shifting loads [3]. Storage tanks make such shifts easier for owners.

## Conclusion

Overall, heat pumps are likely to remain the most promising option for cold regions. The choice between ground and air pumps should follow from the soil, the tariff and the demand for heat. Therefore, advice for owners must consider running costs as well as installation costs.

## References

[1] Nordic Energy Survey of household buyers - https://example.org/survey
[2] Prices of equipment in retail trade - https://example.org/prices
[3] Networks and tariffs in Norway - https://example.org/networks
[4] Harbour statistics - https://example.org/harbour
[5] Fishing quotas - https://example.org/quotas
"""

CHINESE = """# 寒冷地区热泵研究

## 引言

本报告系统分析寒冷地区热泵的安装成本、运行成本和电网影响。热泵可能会降低多数地区的家庭排放，因为它搬运热量而不是制造热量。平准化供热成本（LCOH）是全文使用的指标。

## 安装成本分析

地源热泵的安装费用高于空气源热泵，但部分国家的补贴只能覆盖其中的差额。根据北欧能源调查，45%的购买者把价格视为主要障碍[1]。然而，设备价格在近几年出现明显回落[2]。由于钻井深度取决于土壤条件，同类住宅的报价差异很大。

钻井费用占地源热泵成本的较大部分。这意味着土壤条件对LCOH的影响十分明显[3]。

## 运行成本分析

运行成本取决于电价和热泵效率。空气源热泵在严寒天气下效率下降，因为室外空气所含的热量较少。用户往往可以把用电转移到低价时段，从而降低电费支出。北欧能源调查显示，电价也是45%购买者的主要障碍[1]。

热泵效率通常以季节性能系数衡量，实际数值可能低于实验室数值。厂商认为新机型在冬季表现良好，但这些说法很少在现场得到检验[2]。

## 电网影响分析

大量热泵同时运行会抬高片区的用电高峰。灵活电价有望削减高峰，从而减少新建线路的需求。例如，挪威某片区通过转移负荷推迟了电网扩建[3]。储热水箱使这种转移更加容易。

## 结论

总体来看，热泵可能是寒冷地区最有前景的选择。地源与空气源之间的取舍应当取决于土壤、电价和热需求。因此，面向用户的建议必须同时考虑安装成本和运行成本。

## 参考文献

[1] 北欧家庭能源调查 - https://example.org/survey
[2] 设备零售价格 - https://example.org/prices
[3] 挪威电网与电价 - https://example.org/networks
[4] 港口统计 - https://example.org/harbour
[5] 渔业配额 - https://example.org/quotas
"""


# Findings with sources of their own, section by section: what evidence is made of, and what other sources do not concern.
FINDINGS = """# Harbours and cities

## Cargo

Container traffic in Rotterdam reached 13.4 million units in 2023 [1]. Most berths were occupied for 78% of the year. The average ship has waited 11 hours at anchor since the reform [2].

## Air

Concentrations of sulphur fell by 40% within five years [3]. Many ships have used shore power during their stay [4]. The number of complaints decreased to 212 in the last season.

## Housing

Rents in the old docks have increased by 9% every year [5]. Several families reported longer waiting lists at municipal offices [6]. The vacancy rate was lower than 2% in every district.

## Tourism

Cruise passengers accounted for 6% of overnight stays [7]. The museum received 300,000 visitors in its first summer [8]. Most hotels were booked out in July.

## References

[1] Container statistics of Rotterdam - https://example.org/containers
[2] Waiting vessels and anchorage reform - https://example.org/anchorage
[3] Sulphur monitoring bulletin - https://example.org/sulphur
[4] Shore power inventory - https://example.org/power
[5] Docklands rental index - https://example.org/rent
[6] Municipal waiting lists - https://example.org/lists
[7] Cruise passenger census - https://example.org/cruise
[8] Maritime museum yearbook - https://example.org/museum
"""
FINDINGS_ZH = """# 港口与城市

## 货运

鹿特丹港的集装箱吞吐量达到1340万箱，居欧洲首位[1]。多数泊位全年利用率为78%，明显高于十年前的水平。船舶平均候泊时间下降了11小时，码头周转明显加快[2]。

## 空气

港区硫氧化物浓度下降了40%，监测站的读数持续走低[3]。到港船舶使用岸电的比例上升到52%，噪声投诉也有所减少[4]。居民投诉数量减少了212件，为历年最低。

## 住房

老码头片区的租金每年上涨9%，高于全市平均水平[5]。公共住房的轮候家庭增加了1300户，轮候时间超过四年[6]。各街区空置率低于2%，房源十分紧张。

## 旅游

邮轮旅客占全市过夜旅客的6%，主要集中在夏季[7]。海事博物馆首个夏季接待了30万名参观者[8]。多数酒店七月入住率超过95%，客房供不应求。

## 参考文献

[1] 鹿特丹集装箱统计 - https://example.org/containers
[2] 锚地候泊改革评估 - https://example.org/anchorage
[3] 硫氧化物监测公报 - https://example.org/sulphur
[4] 岸电设施清单 - https://example.org/power
[5] 码头租金指数 - https://example.org/rent
[6] 公共住房轮候名册 - https://example.org/lists
[7] 邮轮旅客普查 - https://example.org/cruise
[8] 海事博物馆年鉴 - https://example.org/museum
"""
