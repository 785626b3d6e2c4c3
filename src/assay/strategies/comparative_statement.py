"""The verdict of a reply that did not keep to its form: its last explicit comparative statement, or none.

A deterministic rule (ReportLogic, appendix B.3, *Deterministic Parsing Rule*): "A is better than B", "B outperforms
A", "both are equally good", or the bare token at the end; in English and in Chinese. It is read as follows:

- A token on a line of its own at the end is the verdict (``A>B``, ``**Verdict: A<B**``, ``[[B]]``).
- Otherwise the last statement on the whole is. Statements on a single aspect ("on evidence, A is stronger than B") do
  not count.
- A statement that is denied, supposed, asked or reported ("A is not better", "if …", "some would say …") is not a
  verdict. If it is the last one, the verdict is not clear, so there is none. The same holds if two statements in one
  sentence disagree.
- Words that stand in a document or between quotation marks are not the judge's, unless they are the whole reply.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from assay.strategies import comparative_patterns as patterns
from assay.strategies.comparative_patterns import Direction
from assay.strategies.json_text import split_hidden_reasoning
from assay.strategies.pair_labels import read_label
from assay.text.words import STOPWORDS

# Only the end of a long reply is read: the final decision stands there.
_TAIL: Final = 6000
# A line with the bare verdict is not longer.
_LONGEST_TOKEN: Final = 120
# Characters before a verdict that tell whether both were copied together.
_BEFORE: Final = 24
# A point within a number or a name does not end a sentence.
_SENTENCE: Final = re.compile(r"[^.!?。！？；;\n]++(?>(?:\.(?=[^\s.])[^.!?。！？；;\n]*+)*)[.!?。！？；;]*+")
_WORD_BEFORE: Final = re.compile(r"(?<![\w])([A-Za-z][\w'’-]*)\s+\Z")
_CLAUSE: Final = re.compile(r"[,，;；:：—–]")
# A comma with words after it.
_COMMA: Final = re.compile(r"[\s*_`\"”'’」)）]*[,，、](?=[\W_]*\w)")
_QUOTED: Final = re.compile(r"“[^”\n]{0,600}”|\"[^\"\n]{3,600}\"|「[^」\n]{0,600}」|『[^』\n]{0,600}』")
_FENCED: Final = re.compile(r"```.*?(?:```|\Z)|^[ \t]*>[^\n]*$", re.DOTALL | re.MULTILINE)


class ComparativeStatement(msgspec.Struct, frozen=True):
    """A verdict that was stated in prose, and the words that state it."""

    direction: Direction
    words: str


class _SentenceVerdict(msgspec.Struct, frozen=True):
    """What one sentence states: its direction (None if it is not clear), its words, and what it is about."""

    direction: Direction | None
    words: str
    on_whole: bool
    on_aspect: bool


def last_statement(
    text: str, *, materials: Sequence[str] = (), aspects: Sequence[str] = ()
) -> ComparativeStatement | None:
    """Return the verdict that a reply comes to, or None if no verdict is clear.

    Args:
        text: The reply; its hidden reasoning is left out.
        materials: The texts that the judge was shown.
        aspects: Names of single criteria: a sentence that names one is about that one.
    """
    if ends_as_material(text, materials):
        return None
    visible = split_hidden_reasoning(text)[0].strip()
    packed = [_packed(material) for material in materials]
    token = _final_token(visible, packed)
    if token is not None:
        return None if _tokens_differ(visible) else token
    whole_reply = _packed(visible)
    own_words = _QUOTED.sub(_blank, _FENCED.sub(_blank, visible[-_TAIL:]))
    last: _SentenceVerdict | None = None
    for verdict in _sentence_verdicts(own_words, aspects):
        words = _packed(verdict.words)
        copied = words != whole_reply and any(words in material for material in packed)
        if copied or (verdict.on_aspect and not verdict.on_whole):
            continue
        # "Overall, A is better on evidence": which of the two it means is not clear.
        last = msgspec.structs.replace(verdict, direction=None) if verdict.on_aspect else verdict
    if last is None or last.direction is None:
        return None
    return ComparativeStatement(last.direction, last.words)


def ends_as_material(text: str, materials: Sequence[str]) -> bool:
    """Return whether the visible end of a reply stands in a material together with what comes before it.

    A closing tag inside a document hides all that a judge copied before it, and what is left looks like a whole
    reply.
    """
    end = _packed(split_hidden_reasoning(text)[0])
    whole = _packed(text)
    tags = [match.start() for match in re.finditer(rf"</[a-z]+>{re.escape(end)}", whole)] if end else []
    if not tags:
        return False
    # So much of a judge's own reasons does not stand in a document by chance; without any, the tag decides.
    start = tags[-1] - _BEFORE if tags[-1] >= 2 * _BEFORE else tags[-1]
    copied = whole[start : whole.index(">", tags[-1]) + 1] + end
    return any(copied in _packed(material) for material in materials)


def last_line(text: str) -> str:
    """Return the last non-blank line of a reply, after removing hidden reasoning and emphasis."""
    visible = split_hidden_reasoning(text)[0]
    lines = [line.strip(" \t*_`") for line in visible.splitlines() if line.strip()]
    return lines[-1] if lines else ""


def _final_token(visible: str, packed: Sequence[str]) -> ComparativeStatement | None:
    """Return the bare token at the end, if there is one that is the judge's own."""
    line = visible.splitlines()[-1] if visible else ""
    if len(line) > _LONGEST_TOKEN or line.lstrip().startswith(">"):
        return None
    pattern = patterns.final_token()
    match = pattern.match(line)
    direction = None if match is None else _direction(match["token"])
    if match is None or direction is None:
        return None
    packed_line, token = _packed(line), _packed(match["token"])
    alone = _packed(visible) == packed_line
    bare = match["bare"] is not None
    if bare and not alone and len(packed_line.strip("[]().*_`:：")) == 1 and "[[" not in line:
        # A letter alone at the end of prose may be anything: the end of a list, a name.
        return None
    if not alone and any((packed_line if bare else token) in material for material in packed):
        return None
    return ComparativeStatement(direction, line.strip())


def _tokens_differ(visible: str) -> bool:
    """Return whether lines that are bare verdicts, not letters alone, name different ones."""
    pattern = patterns.final_token()
    matches = [pattern.match(line) for line in visible.splitlines() if len(line) <= _LONGEST_TOKEN]
    found = {_direction(match["token"]) for match in matches if match is not None and match["bare"] is None}
    return len(found) > 1


def _direction(token: str) -> Direction | None:
    written = "".join(token.split()).replace("＜", "<").replace("＞", ">").upper()
    if written in ("A", "A>B", "B<A"):
        return "A>B"
    if written in ("B", "A<B", "B>A"):
        return "A<B"
    if written in ("DRAW", "平局"):
        return "tie"
    known: Sequence[Direction] = ("tie", "both_good", "both_bad")
    label = read_label(token, known)
    return next((name for name in known if name == label), None)


def _sentence_verdicts(text: str, aspects: Sequence[str]) -> Iterator[_SentenceVerdict]:
    """Yield what each sentence states; the direction is not clear if its statements disagree or are supposed."""
    names = [name.casefold() for name in aspects if len(name) > 2]
    for match in _SENTENCE.finditer(text):
        sentence = match.group()
        statements = list(_statements(sentence))
        is_question = sentence.rstrip("\"'”」 ").endswith(("?", "？"))
        if not statements or is_question:
            continue
        direction, words = statements[-1]
        if len({direction for direction, _ in statements}) > 1 or _is_supposed(sentence):
            direction = None
        lower = sentence.casefold()
        on_aspect = (
            patterns.aspect().search(sentence) is not None
            or any(name in lower for name in names)
            or _opens_on_part(sentence)
        )
        yield _SentenceVerdict(direction, words, patterns.whole().search(sentence) is not None, on_aspect)


def _is_supposed(sentence: str) -> bool:
    return patterns.supposition().search(patterns.firm().sub("I ", sentence)) is not None


def _opens_on_part(sentence: str) -> bool:
    """Return whether the first words limit a sentence to a part: "In its sources, A is better"."""
    opening = patterns.opening_on_part().match(sentence)
    return opening is not None and patterns.opening_on_whole().fullmatch(opening["of"].strip()) is None


def _statements(sentence: str) -> Iterator[tuple[Direction | None, str]]:
    """Yield directions and their words, in the order of the sentence."""
    flat = re.sub(r"\s", " ", sentence)
    matches: list[tuple[int, int, Direction | None]] = []
    for pattern in patterns.better_patterns():
        matches += [(*match.span(), _better(match)) for match in pattern.finditer(flat)]
    for pattern, tie in patterns.tie_patterns():
        for match in pattern.finditer(flat):
            groups = match.groupdict()
            if groups.get("x") is None or groups["x"] != groups["y"]:
                matches.append((*match.span(), None if groups.get("denied") is not None else tie))
    # Of two that overlap, the one that begins first says more: "A is better than B" holds "B".
    matches.sort(key=lambda item: (item[0], -item[1]))
    end = -1
    for start, stop, direction in matches:
        if start < end:
            continue
        end = stop
        if not _is_other(flat[:start]):
            denied = patterns.denial_before().search(flat[:start]) is not None
            plain = not denied and _is_led_in(flat[:start]) and _goes_on(flat[stop:])
            yield direction if plain else None, flat[start:stop]


def _is_led_in(before: str) -> bool:
    """Return whether the words of a sentence before a statement leave it a verdict: "Overall, I think that …".

    What stands before a comma may be anything if a connector follows ("…, so A is better") or if it is a concession;
    otherwise every word must be known to take nothing back.
    """
    *earlier, last = _CLAUSE.split(before)
    if not _is_neutral(last):
        return False
    if patterns.connector().match(last) or patterns.concession().match(before):
        return True
    return all(_is_neutral(part) or _is_for_the_whole(part) for part in earlier)


def _goes_on(after: str) -> bool:
    """Return whether what follows a statement in its sentence leaves it as it is: nothing, or a reason."""
    comma = _COMMA.match(after)
    return comma is None or patterns.continuation().match(after, comma.end()) is not None


def _is_neutral(part: str) -> bool:
    return not patterns.neutral().sub("", part)


def _is_for_the_whole(part: str) -> bool:
    opening = patterns.opening_on_part().match(f"{part},")
    return opening is not None and patterns.opening_on_whole().fullmatch(opening["of"].strip()) is not None


def _is_other(before: str) -> bool:
    """Return whether the words before a statement make its A and B something else than the documents."""
    word = _WORD_BEFORE.search(before)
    if word is None:
        return patterns.other_thing().search(before) is not None
    return word[1].lower() not in STOPWORDS and word[1].lower() not in patterns.lead_ins()


def _better(match: re.Match[str]) -> Direction | None:
    groups = match.groupdict()
    better, worse = groups.get("x"), groups.get("y")
    # "report a better …" has an article, and "A is better than A" says nothing.
    if any(side is not None and side not in "AB" for side in (better, worse)) or better == worse:
        return None
    if groups.get("denied"):
        return None
    first = better == "A" if better else worse == "B"
    return "A>B" if first else "A<B"


def _packed(text: str) -> str:
    """Return a text without white space and emphasis, in one case: the same words however they are set."""
    return re.sub(r"[\s*_`]+", "", text).casefold()


def _blank(match: re.Match[str]) -> str:
    """Return as many blanks, so that places stay; line breaks stay too."""
    return re.sub(r"[^\n]", " ", match.group())
