"""Messages in English and Chinese at once: records keep the English, a Chinese prompt takes the Chinese.

The two wordings of a message stand side by side in a phrase file (`assay.text.phrases`), one line for each language::

    not_on_offer:
      en: |
        {key} is {value}, which was not on offer
      zh: |
        {key} 的取值 {value} 不在可选范围内
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from assay.text.phrases import PhraseFile


class Bilingual(str):
    """An English text that carries its Chinese wording.

    It is a ``str`` wherever it is compared, logged or joined; ``str(text)`` gives the plain English for a record.

    Attributes:
        zh: The same in Chinese.
    """

    __slots__ = ("zh",)
    zh: str

    def __new__(cls, en: str, zh: str) -> Self:
        """Join the two wordings."""
        text = super().__new__(cls, en)
        text.zh = zh
        return text

    def __reduce__(self) -> tuple[type[Bilingual], tuple[str, str]]:
        """Let copies and pickles keep the Chinese."""
        return Bilingual, (str(self), self.zh)


def message(file: PhraseFile, name: str, /, **values: object) -> Bilingual:
    """Fill the two wordings of a message with the same values; a bilingual value goes in each in its own language.

    Args:
        file: The phrase file that has it.
        name: The message's name in the file.
        **values: What its placeholders stand for.
    """
    wordings = file[name]
    in_chinese = {key: in_language(value, "zh") for key, value in values.items()}
    return Bilingual(wordings.en[0].format(**values), wordings.zh[0].format(**in_chinese))


def listed(
    items: Iterable[str], most: int | None = None, *, comma: str = ", ", more: str = " …"
) -> Bilingual:
    """Join items, in English by ``comma`` and in Chinese by 、.

    Args:
        items: What is listed.
        most: Name at most this many; None names all.
        comma: Stands between the English items.
        more: Stands at the end of the English list if some are not named.
    """
    every = list(items)
    shown = every[:most]
    rest = len(every) > len(shown)
    return Bilingual(
        comma.join(shown) + (more if rest else ""),
        "、".join(in_language(item, "zh") for item in shown) + ("等" if rest and more else ""),
    )


def in_language(text: object, language: str) -> str:
    """Return the Chinese of a bilingual text for a Chinese prompt, and any other text as it is."""
    return text.zh if language == "zh" and isinstance(text, Bilingual) else str(text)


def joined(texts: Sequence[str]) -> Bilingual:
    """Join messages by semicolons, English or Chinese."""
    return Bilingual("; ".join(texts), "；".join(in_language(text, "zh") for text in texts))
