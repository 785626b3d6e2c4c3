"""Filters that refuse a revised pair by rule, no matter who wrote the revision (REFLECT, section 2.2, automated filtering).

Each filter returns a reason or None. Reasons are counted when a benchmark is built, to show what is thrown away and
why.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, TypeAlias

import msgspec

from assay.interventions.base import Operator, StepRevision, TextRevision
from assay.subjects.report import Report
from assay.subjects.trajectory import Trajectory
from assay.text.bilingual import Bilingual
from assay.text.language import detect_language

if TYPE_CHECKING:
    from assay.interventions.applying import AppliedRevision
    from assay.interventions.base import Revision
    from assay.subjects.subject import Subject


class RevisedPair(msgspec.Struct, frozen=True):
    """A reference and its revision: the operator, the revision and the revised subject."""

    operator: Operator
    reference: Subject
    applied: AppliedRevision
    revision: Revision

    @property
    def revised(self) -> Subject:
        """The revised subject."""
        subject: Subject = self.applied.subject
        return subject

    @property
    def changes(self) -> list[tuple[str, str]]:
        """The text before and after each edit."""
        return [change for _, change in self.changes_by_part]

    @property
    def changes_by_part(self) -> list[tuple[str, tuple[str, str]]]:
        """The text before and after each edit, each with the name of its part of the step; of a report ``""``."""
        if isinstance(self.revision, TextRevision):
            source = self.reference.source
            return [("", (source[edit.start : edit.end], edit.text)) for edit in self.revision.edits]
        assert isinstance(self.reference, Trajectory)
        before, after = _parts(self.reference, self.revision.index), _parts(self.revised, self.revision.index)
        keys = dict.fromkeys([*before, *after])
        pairs = [(key, (before.get(key, ""), after.get(key, ""))) for key in keys]
        return [(key, (old, new)) for key, (old, new) in pairs if old != new]


Filter: TypeAlias = Callable[[RevisedPair], "str | None"]
_SPACE: Final = re.compile(r"\s+")
_IDENTICAL: Final = frozenset({"position"})
# Phrases in which a model talks about its task instead of giving the text alone.
_TALK: Final = re.compile(
    r"^(?:\s*[\"“'*]*)(?:(?:sure|certainly|of course)(?:[!:]|, (?:here|i(?:'ll| will| have)?)\b)"
    r"|here(?:'s| is| are)\b.{0,60}(?:version|passage|text|edit|rewrit)"
    r"|(?:revised|edited|modified|perturbed|rewritten) (?:passage|text|version|step)|as an ai\b|i(?:'ve"
    "| have) (?:changed|edited|rewritten|modified))"
    r"|^\s*(?:(?:好的|当然)[，,！!]?(?:以下|下面|这|我)|以下是(?:修改|改写|编辑|按)|修改后|改写后)",
    re.IGNORECASE,
)
_LEFT_OVER: Final = re.compile(
    r"\{\{|\}\}|\{[a-z_]{2,20}\}|\bTODO\b|\[(?:insert|entity|name|year|number)\b|<<[^<>\n]{1,60}\b[0-9a-f]{6,}>>"
    r"|\bNone\b(?= (?:of|in|and|is)\b)?(?<=\(None)|\bnan\b",
    re.IGNORECASE,
)
# Traces of cutting and pasting that no author leaves: two full stops, a space before a comma, an empty bracket.
_SEAMS: Final = re.compile(
    r"(?<![.\d\s…])\.\.(?![./\w])|[,;:]{2}|(?<=\w) [,;](?=[\sA-Za-z])"
    r"|(?<=[\w.!?]) \.(?=\s|$)|\(\s*\)|（\s*）|，，|。。|，。|。，|、。|、，|\s、"
)
_DOUBLE_SPACE: Final = re.compile(r"(?<=\S)[ ]{2,}(?=\S)")
_LOWER_START: Final = re.compile(r"(?:(?<=[.!?] )|(?<=\n\n))[a-z][a-z]+ [a-z]")
_LATIN_RUN: Final = re.compile(r"(?:\b[A-Za-z]+\b[ ,.]+){5,}")
_HAN: Final = re.compile("[\u4e00-\u9fff]{2}")
_FENCE: Final = re.compile(r"^(?:```|~~~)", re.MULTILINE)
# A failure is local: the largest edit of a report or of a part of a step, in characters.
_LARGEST: Final = 3000
# Passages that a failure or a targeted attack may change, if it is larger than one.
_PASSAGES: Final = 6
_GROWTH: Final = 700


def refusal(pair: RevisedPair) -> tuple[str, str] | None:
    """Return the name and the reason of the first filter that refuses a pair, or None."""
    for name, check in FILTERS.items():
        reason = check(pair)
        if reason is not None:
            return name, reason
    return None


def _no_change(pair: RevisedPair) -> str | None:
    """Refuse a pair in which nothing visible has changed."""
    same = all(_SPACE.sub("", before) == _SPACE.sub("", after) for before, after in pair.changes)
    if pair.operator.name in _IDENTICAL:
        return None if same else "the two are not the same text"
    return "nothing but white space differs" if same else None


def _one_site(pair: RevisedPair) -> str | None:
    """Refuse a failure that is not in one place: one part of a step, or a few passages of a report."""
    if pair.operator.kind not in ("failure", "targeted"):
        return None
    if isinstance(pair.revision, TextRevision):
        if len(pair.revision.edits) > _PASSAGES:
            return f"{len(pair.revision.edits)} passages differ; the most is {_PASSAGES}"
        if any(max(edit.end - edit.start, len(edit.text)) > _LARGEST for edit in pair.revision.edits):
            return "it changes more than a passage"
        return None
    assert isinstance(pair.reference, Trajectory)
    before, after = _parts(pair.reference, pair.revision.index), _parts(pair.revised, pair.revision.index)
    changed = {key for key in {*before, *after} if before.get(key) != after.get(key)}
    parts = {key.rpartition(".")[0] if key.endswith((".name", ".arguments")) else key for key in changed}
    # What a changed call returns may change with it.
    parts -= {f"{key}:response" for key in parts if f"{key}:response" in parts}
    return None if len(parts) == 1 else f"{len(parts)} parts of the step differ"


def _grown(pair: RevisedPair) -> str | None:
    """Refuse a document whose length changed otherwise than its type allows; by default, by more than a passage."""
    if pair.operator.growth is not None:
        grown = len(pair.revised.source) / max(1, len(pair.reference.source)) - 1
        least, most = pair.operator.growth
        if least <= grown <= most:
            return None
        return Bilingual(
            f"the document changed its length by {grown:+.0%}; this attack takes {least:+.0%} to {most:+.0%}",
            f"全文篇幅变化为{grown:+.0%}，应在{least:+.0%}到{most:+.0%}之间",
        )
    if pair.operator.kind not in ("failure", "targeted") or isinstance(pair.revision, StepRevision):
        return None
    change = sum(len(after) - len(before) for before, after in pair.changes)
    if change <= _GROWTH:
        return None
    return Bilingual(
        f"it changes the length by {change:+,} characters; at most {_GROWTH:+,} pass",
        f"改写后多出{change:,}个字符，最多可多{_GROWTH:,}个",
    )


def _malformed(pair: RevisedPair) -> str | None:
    """Refuse a pair whose form is broken: the Markdown of a report, the arguments of a call."""
    if isinstance(pair.revision, StepRevision):
        return _malformed_step(pair)
    assert isinstance(pair.reference, Report)
    assert isinstance(pair.revised, Report)
    before, after = pair.reference, pair.revised
    if not after.source.strip():
        return "nothing is left"
    if len(_FENCE.findall(before.source)) % 2 == 0 and len(_FENCE.findall(after.source)) % 2:
        return "a code block is left open"
    for mark in ("**", "`", "$$"):
        if before.source.count(mark) % 2 == 0 and after.source.count(mark) % 2:
            return f"an unpaired {mark}"
    for opened, closed in ("()", "[]", "（）", "《》", "“”"):
        if before.source.count(opened) == before.source.count(closed) and after.source.count(
            opened
        ) != after.source.count(closed):
            return f"an unpaired {opened}{closed}"
    if not before.tables or not any("|" in text for change in pair.changes for text in change):
        return None
    widths = [len(table.header) for table in after.tables]
    if len(widths) == len(before.tables) and widths != [len(table.header) for table in before.tables]:
        return "a table lost its shape"
    return None


def _malformed_step(pair: RevisedPair) -> str | None:
    assert isinstance(pair.revision, StepRevision)
    assert isinstance(pair.reference, Trajectory)
    old = pair.reference.steps[pair.revision.index]
    new = pair.revision.step
    if old.reasoning.strip() and not new.reasoning.strip():
        return "the step has no reasoning left"
    if len(new.tool_calls) != len(old.tool_calls):
        return "the step has another number of calls"
    for before, after in zip(old.tool_calls, new.tool_calls, strict=True):
        if not after.name.strip():
            return "a call without a name"
        if isinstance(before.arguments, dict) != isinstance(after.arguments, dict):
            return "arguments of another kind"
        if before.arguments and not after.arguments:
            return "a call without arguments"
        if (before.response is None) != (after.response is None):
            return "a response appeared or is gone"
        if before.response and after.response is not None and not after.response.strip():
            return "an empty response"
    return None


_LIST_MARK: Final = re.compile(r"^[ \t>]*(?:[-*+]|\d{1,3}[.)、]|#{1,6})(?=\s)", re.MULTILINE)


def _list_marks(pair: RevisedPair) -> str | None:
    """Refuse a report whose paragraphs lost the list mark or heading mark with which they began."""
    if not isinstance(pair.revision, TextRevision):
        return None
    source = pair.reference.source
    for edit in pair.revision.edits:
        line = source.rfind("\n", 0, edit.start) + 1
        end = source.find("\n", edit.end)
        rest = source[edit.end : end if end >= 0 else len(source)]
        before, after = source[line : edit.end] + rest, source[line : edit.start] + edit.text + rest
        first_before, first_after = _LIST_MARK.match(before), _LIST_MARK.match(after)
        if first_before and after.strip() and not first_after:
            return f"the mark {first_before.group().strip()!r} at the start of the line is gone"
    return None


def _language(pair: RevisedPair) -> str | None:
    """Refuse text written in another language than the text it replaces."""
    for part, (before, after) in pair.changes_by_part:
        if _scripts_differ(pair.reference.language, before, after):
            return "its script differs from that of the text around it"
        # Keys, code and addresses of a call are in no language of the author's.
        if len(after) < 40 or part.endswith(".arguments"):
            continue
        new_language = detect_language(after)
        old_language = detect_language(before) if len(before) >= 40 else pair.reference.language
        if "und" not in (new_language, old_language) and new_language not in (
            old_language,
            pair.reference.language,
        ):
            return f"it is written in {new_language}, beside {old_language}"
    return None


def _scripts_differ(language: str, before: str, after: str) -> bool:
    """Return whether a short text is in the other script: five words of Latin in Chinese, or Han in English."""
    if language == "zh":
        return bool(_LATIN_RUN.search(after)) and not _LATIN_RUN.search(before) and not _HAN.search(after)
    return bool(_HAN.search(after)) and not _HAN.search(before)


def _artefact(pair: RevisedPair) -> str | None:
    """Refuse text that shows it was edited: words about the task, blanks that were not filled, seams."""
    for before, after in pair.changes:
        if _TALK.search(after) and not _TALK.search(before):
            return "words about the task"
        match = _LEFT_OVER.search(after)
        if match and match.group().strip() and match.group() not in before:
            return f"a blank that was not filled: {match.group()!r}"
    # Seams show where new text meets old, so the surroundings are examined too; flaws that were there before are
    # the author's own.
    if pair.operator.name == "expression_quality":
        return None
    for around, was in _around(pair):
        for pattern in (_SEAMS, _DOUBLE_SPACE, _LOWER_START):
            if len(pattern.findall(around)) > len(pattern.findall(was)):
                match = pattern.search(around)
                return f"a seam: {match.group()!r}" if match else "a seam"
    return None


FILTERS: Final[dict[str, Filter]] = {
    "no_change": _no_change,
    "more_than_one_site": _one_site,
    "too_large": _grown,
    "malformed": _malformed,
    "lost_list_mark": _list_marks,
    "wrong_language": _language,
    "artefact": _artefact,
}


def _around(pair: RevisedPair) -> list[tuple[str, str]]:
    """Return each change with its surroundings, now and before."""
    if isinstance(pair.revision, StepRevision):
        return [(after, before) for before, after in pair.changes]
    surroundings = []
    shift = 0
    old, new = pair.reference.source, pair.revised.source
    for edit in pair.revision.edits:
        low = max(0, edit.start - 12)
        surroundings.append(
            (
                new[low + shift : edit.start + shift + len(edit.text) + 12],
                old[low : edit.end + 12],
            )
        )
        shift += len(edit.text) - (edit.end - edit.start)
    return surroundings


def _parts(trajectory: Subject, index: int) -> dict[str, str]:
    """Return the texts of a step by part."""
    assert isinstance(trajectory, Trajectory)
    step = trajectory.steps[index]
    texts = {"reasoning": step.reasoning}
    for number, call in enumerate(step.tool_calls):
        arguments = call.arguments
        text = arguments if isinstance(arguments, str) else msgspec.json.encode(arguments).decode()
        texts[f"call {number}.name"] = call.name
        texts[f"call {number}.arguments"] = text
        texts[f"call {number}:response"] = call.response or ""
    return texts
