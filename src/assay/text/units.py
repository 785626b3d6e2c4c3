"""Spellings of scales, currencies and units of measure."""

from __future__ import annotations

from typing import Final

SCALES: Final[dict[str, float]] = {
    "thousand": 1e3, "k": 1e3, "million": 1e6, "mn": 1e6, "mln": 1e6, "m": 1e6, "billion": 1e9, "bn": 1e9,
    "b": 1e9, "trillion": 1e12, "tn": 1e12, "t": 1e12, "lakh": 1e5, "crore": 1e7,
    "千": 1e3, "万": 1e4, "十万": 1e5, "百万": 1e6, "千万": 1e7, "亿": 1e8, "十亿": 1e9, "百亿": 1e10, "千亿": 1e11, "万亿": 1e12,
}  # fmt: skip
CURRENCY_SYMBOLS: Final = {
    "$": "USD", "us$": "USD", "hk$": "HKD", "a$": "AUD", "c$": "CAD", "s$": "SGD", "r$": "BRL", "nt$": "TWD",
    "nz$": "NZD",
    "€": "EUR", "£": "GBP", "¥": "CNY", "￥": "CNY", "₹": "INR", "₩": "KRW",
}  # fmt: skip
CURRENCY_CODES: Final = {
    "usd": "USD", "eur": "EUR", "gbp": "GBP", "rmb": "CNY", "cny": "CNY", "jpy": "JPY", "inr": "INR", "hkd": "HKD",
    "aud": "AUD", "cad": "CAD", "sgd": "SGD", "krw": "KRW", "chf": "CHF",
}  # fmt: skip
CURRENCY_WORDS: Final = {
    **CURRENCY_CODES, "元": "CNY", "人民币": "CNY", "元人民币": "CNY", "美元": "USD", "欧元": "EUR", "日元": "JPY", "港元": "HKD",
    "港币": "HKD", "英镑": "GBP", "韩元": "KRW", "dollars": "USD", "euros": "EUR", "pounds": "GBP", "yuan": "CNY",
    "yen": "JPY",
}  # fmt: skip
# Spellings of one measure. What is missing here is kept as written.
UNIT_SPELLINGS: Final = {
    "tonnes": "t", "tonne": "t", "tons": "t", "ton": "t", "mt": "Mt", "吨": "t", "公斤": "kg", "千克": "kg", "克": "g",
    "公里": "km", "千米": "km", "米": "m", "毫米": "mm", "厘米": "cm", "微米": "µm", "纳米": "nm", "毫克": "mg", "微克": "µg",
    "毫升": "ml", "亩": "mu", "公顷": "ha", "hectares": "ha", "hectare": "ha", "毫秒": "ms", "平方米": "m²", "㎡": "m²", "平方公里": "km²", "立方米": "m³", "瓦": "W",
    "千瓦": "kW", "兆瓦": "MW", "吉瓦": "GW", "千瓦时": "kWh", "度": "kWh", "℃": "°C", "μm": "µm", "μg": "µg", "mL": "ml",
    "persons": "people", "person": "people", "人": "people", "人次": "visits", "名": "people", "countries": "country",
    "companies": "company", "studies": "study", "households": "household", "年": "year", "个月": "month", "天": "day",
    "小时": "hour", "分钟": "minute", "秒": "second", "岁": "year of age", "倍": "x", "×": "x", "-fold": "x", "fold": "x",
    "times": "x", "x": "x", "s": "second", "h": "hour",
}  # fmt: skip
