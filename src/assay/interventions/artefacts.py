"""Artefacts of a benchmark: detectors that understand nothing of substance, and how often they are right.

A length detector uses which of the two texts is longer and by how much. A style detector uses surface shares:
punctuation, capitals, digits, marks, lengths of words and sentences. Both are fitted on some references and tested
on others, so that only a trait that holds across references lifts them above one half. On a sound benchmark they
stay near chance.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

import msgspec
import numpy as np

from assay.frozen import FrozenFields
from assay.measures.intervals import Estimate, mean_interval
from assay.record import Record, Records, columns_of
from assay.text.words import count_words

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from assay.interventions.instances import Instance

_FOLDS: Final = 5
_RIDGE: Final = 1.0
# With fewer pairs nothing can be learned.
_FEWEST: Final = 20
_WORD: Final = re.compile(r"[^\W\d_]+")
_SENTENCE_END: Final = re.compile(r"[.!?。！？]")


def _mean(values: Sequence[int]) -> float:
    return sum(values) / len(values) / 10 if values else 0.0


def _once(text: str) -> float:
    words = [word.lower() for word in _WORD.findall(text)]
    return float(sum(words.count(word) == 1 for word in words)) if len(words) < 400 else 0.0


STYLE: Final[dict[str, Callable[[str], float]]] = {
    "commas": lambda text: text.count(",") + text.count("，"),
    "semicolons": lambda text: text.count(";") + text.count("；") + text.count("—") + text.count("："),
    "brackets": lambda text: text.count("(") + text.count("（"),
    "citations": lambda text: text.count("["),
    "quotes": lambda text: text.count('"') + text.count("“"),
    "bold": lambda text: text.count("**"),
    "digits": lambda text: sum(map(str.isdigit, text)),
    "capitals": lambda text: sum(map(str.isupper, text)),
    "lines": lambda text: text.count("\n"),
    "sentences": lambda text: len(_SENTENCE_END.findall(text)),
    "word length": lambda text: _mean([len(word) for word in _WORD.findall(text)]),
    "long words": lambda text: sum(len(word) > 9 for word in _WORD.findall(text)),
    "hedges": lambda text: len(
        re.findall(r"\b(?:may|might|could|likely|possibly|perhaps|appears?)\b|可能|或许|也许", text)
    ),
    "connectives": lambda text: len(
        re.findall(
            r"\b(?:however|therefore|because|thus|moreover|furthermore|while|although)\b|因此|然而|此外|因为",
            text,
        )
    ),
    "rare words": _once,
}


class Artefact(Record, FrozenFields, msgspec.Struct, frozen=True, kw_only=True):
    """The accuracy of one detector.

    Attributes:
        detector: ``longer`` (the longer text is taken for the reference), ``shorter``, ``length`` (learned) or
    ``style`` (learned).
        accuracy: Share of pairs in which it identifies the reference; a pair it cannot tell apart counts one half.
        by_type: The same share by type.
        reason: Why the detector was not run; empty if it was.
    """

    detector: str
    accuracy: Estimate
    by_type: dict[str, Estimate]
    reason: str = ""

    def summary_line(self) -> str:
        """Return the detector and its accuracy."""
        return f"{self.detector}: {self.reason or self.accuracy}"


class Artefacts(Records[Artefact]):
    """How often detectors that understand nothing find the reference."""

    __slots__ = ()
    item_type = Artefact
    noun = "detector"

    def to_columns(self) -> dict[str, list[Any]]:
        """Return a row for each detector: how often it finds the reference, with the interval."""
        return columns_of(
            [
                {
                    "detector": item.detector,
                    "value": item.accuracy.value,
                    "low": item.accuracy.low,
                    "high": item.accuracy.high,
                    "n": item.accuracy.n,
                    "reason": item.reason,
                }
                for item in self
            ]
        )


def measure_artefacts(instances: Sequence[Instance]) -> list[Artefact]:
    """Run every detector on the failures and targeted attacks of a benchmark.

    Surface attacks are left out because they differ in surface on purpose.
    """
    pairs = [item for item in instances if item.kind in ("failure", "targeted")]
    return artefacts_of(
        [(_text(item.reference), _text(item.perturbed)) for item in pairs],
        [item.group for item in pairs],
        [item.type for item in pairs],
    )


def artefacts_of(
    texts: Sequence[tuple[str, str]], groups: Sequence[str], types: Sequence[str]
) -> list[Artefact]:
    """Run every detector on pairs of texts, the better one first.

    Args:
        texts: The pairs.
        groups: What pairs must share to be on one side of the fit: their question, or their reference.
        types: Type of each pair, by which accuracies are given too.
    """
    growth = [len(revised) - len(reference) for reference, revised in texts]
    artefacts = [
        _result("longer", [_won(-size) for size in growth], groups, types),
        _result("shorter", [_won(size) for size in growth], groups, types),
    ]
    if len(set(groups)) < 2 or len(texts) < _FEWEST:
        reason = (
            f"{len(texts)} pairs of {len(set(groups))} references teach nothing; it takes {_FEWEST} of two"
        )
        nothing = Estimate(reason=reason)
        return [
            *artefacts,
            *(
                Artefact(detector=name, accuracy=nothing, by_type={}, reason=reason)
                for name in ("length", "style")
            ),
        ]
    lengths = [
        [math.copysign(1, size) if size else 0.0, _damped(size, 20), _damped(size, 200)] for size in growth
    ]
    styles = [style_of(reference, revised) for reference, revised in texts]
    artefacts.append(_result("length", _learned(lengths, groups), groups, types))
    artefacts.append(_result("style", _learned(styles, groups), groups, types))
    return artefacts


def style_of(reference: str, revised: str) -> list[float]:
    """Return the surface differences of two texts, reference minus revision, one per feature, each damped to -1…1.

    The text that both share at the start and at the end is left out. Values are divided by length, so length itself
    does not count.
    """
    a, b = _middle(reference, revised)
    # Values are per word of the differing part: a longer edit has more of everything, which would measure length,
    # not style.
    size = max(1.0, (count_words(a) + count_words(b)) / 2)
    return [
        _damped((feature(a) - feature(b)) / (1 if name == "word length" else size), 0.1)
        for name, feature in STYLE.items()
    ]


def _learned(features: Sequence[Sequence[float]], groups: Sequence[str]) -> list[float]:
    """Return, per pair, whether a rule learned on the other folds identifies the reference: 1, 0, or one half.

    The rule is a ridge regression through the origin on differences; swapping the two texts of a pair flips its
    sign.
    """
    data = np.asarray(features, dtype=float)
    names = sorted(set(groups))
    fold_of = {name: at % min(_FOLDS, len(names)) for at, name in enumerate(names)}
    folds = np.asarray([fold_of[group] for group in groups])
    scores = np.zeros(len(data))
    for fold in range(int(folds.max()) + 1):
        train, test = data[folds != fold], data[folds == fold]
        scores[folds == fold] = test @ _weights(train)
    return [_won(float(score)) for score in scores]


def _weights(train: NDArray[np.float64]) -> NDArray[np.float64]:
    gram = train.T @ train + _RIDGE * np.eye(train.shape[1])
    return np.asarray(np.linalg.solve(gram, train.sum(axis=0)))


def _result(detector: str, won: Sequence[float], groups: Sequence[str], types: Sequence[str]) -> Artefact:
    def estimate(at: Sequence[int]) -> Estimate:
        return mean_interval([won[i] for i in at], [groups[i] for i in at], bounds=(0.0, 1.0))

    by_type = {
        name: estimate([i for i, item in enumerate(types) if item == name]) for name in dict.fromkeys(types)
    }
    return Artefact(detector=detector, accuracy=estimate(range(len(won))), by_type=by_type)


def _won(score: float) -> float:
    return 0.5 if abs(score) < 1e-9 else float(score > 0)


def _damped(value: float, scale: float) -> float:
    return math.tanh(value / scale)


def _middle(first: str, second: str) -> tuple[str, str]:
    """Return two texts without their common start and end."""
    low = 0
    most = min(len(first), len(second))
    while low < most and first[low] == second[low]:
        low += 1
    tail = 0
    while tail < most - low and first[-1 - tail] == second[-1 - tail]:
        tail += 1
    return first[low : len(first) - tail], second[low : len(second) - tail]


def _text(side: dict[str, Any]) -> str:
    """Return the text of one side that a judge reads."""
    if "report" in side:
        return str(side["report"])
    return "\n".join(_leaves(side["trajectory"].get("steps", [])))


def _leaves(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for item in value.values() for text in _leaves(item)]
    if isinstance(value, list):
        return [text for item in value for text in _leaves(item)]
    return []
