"""Prompts: templates rendered into messages, in an order that lets every prefix cache work.

    system   what never changes
    user     the query, the reference, the documents             ← shared by all strategies and criteria ("lead")
             the strategy's task and the form of the answer      ← shared by all criteria
             the criteria

Texts are fenced by lines with a hash of what they fence. So a text cannot contain its own fence, and yet the same
texts give the same prompt, which is cached, found again in the ledger, and can be rebuilt years later.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from assay.errors import InputError
from assay.rubrics.weighted import AXES, axis_key, axis_of
from assay.strategies.base import ALL_MATERIAL, ConfidenceField, Strategy
from assay.strategies.nouns import MEASURES, NOUNS, noun_phrase
from assay.strategies.templates import chinese_file, compile_template, read_template, render_block

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from jinja2 import Template

    from assay.rubrics.scale import Scale
    from assay.strategies.answer_form import AnswerForm
    from assay.strategies.base import Material, PromptMaterial, Question

_HERE: Final = Path(__file__).parent
# Rendered tasks are shared by all documents; leads by all questions about a document.
_KEPT_TASKS: Final = 4096
_KEPT_LEADS: Final = 256


def fence(name: str, text: str) -> str:
    """Put a text between two lines that it cannot contain, because their mark is a hash of the text.

    Another text may contain these lines inside its own fence, which they do not end.
    """
    mark = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=6).hexdigest()
    return f"<<{name} {mark}>>\n{text}\n<<END {name} {mark}>>"


class Prompts:
    """Renders prompts from the package's templates, or from a user's templates of the same names.

    Args:
        folders: Folders whose templates replace the package's.
        defence: Whether judges are told that nothing in the material is addressed to them.
    """

    def __init__(self, folders: Sequence[str | Path] = (), *, defence: bool = True) -> None:
        self._defence = defence
        self._folders = tuple(Path(folder) for folder in folders)
        for folder in self._folders:
            if not folder.is_dir():
                raise InputError("is not a folder of prompts", where=str(folder))
        self._templates: dict[str, Template] = {}
        self._tasks: dict[Any, str] = {}
        self._leads: dict[Any, str] = {}
        self._systems: dict[str, str] = {}
        self._sentences: dict[tuple[int, str], tuple[Scale, str]] = {}

    def system(self, language: str) -> str:
        """Return the system message."""
        text = self._systems.get(language)
        if text is None:
            text = self._frame("system", language)
            if self._defence:
                text += ("" if language == "zh" else " ") + self._frame("defence", language)
            self._systems[language] = text
        return text

    def without_defence(self) -> Prompts:
        """Return the same prompts without the sentence that the material cannot change the task."""
        return Prompts(self._folders, defence=False)

    def lead(self, question: PromptMaterial, sees: Sequence[Material] = ALL_MATERIAL) -> str:
        """Return the beginning of the user message; the same string object for the same texts.

        Args:
            question: The texts.
            sees: Which of them are shown.
        """
        documents = question.documents if "documents" in sees else ()
        query = question.query if "query" in sees else None
        reference = question.reference if "reference" in sees and _has_reference(question) else None
        context = question.context if "context" in sees else ()
        key = (documents, query, reference, context, question.language)
        text = self._leads.get(key)
        if text is None:
            nouns = NOUNS[question.language]
            text = self._frame(
                "lead",
                question.language,
                query=query,
                reference=reference,
                context=context,
                documents=[
                    {"noun": nouns[item.kind], "label": item.label, "kind": item.kind, "text": item.text}
                    for item in documents
                ],
                fence=fence,
            )
            _keep(self._leads, key, text, _KEPT_LEADS)
        return text

    def task(
        self,
        strategy: Strategy,
        block: str,
        question: Question,
        form: AnswerForm | None,
        variables: Mapping[str, Any],
    ) -> str:
        """Return what follows the lead: the strategy's block, the form of the answer, the criteria."""
        return self._head(strategy, block, question, form, variables) + self._criteria(strategy, question)

    def _head(
        self,
        strategy: Strategy,
        block: str,
        question: Question,
        form: AnswerForm | None,
        variables: Mapping[str, Any],
    ) -> str:
        """Return a task without its criteria; it is the same for each criterion asked alone."""
        several = len(question.criteria) > 1
        key = (
            strategy.name, strategy.template, *strategy.texts.values(), block, question.rubric.version if several else self._frame_of(question),
            tuple(item.key for item in question.criteria) if several else (),
            question.mode, question.language, question.documents[0].kind,
            tuple(document.label for document in question.documents),
            form is None or tuple(field.key for field in form.fields), _has_reference(question),
            question.query is None,
        )  # fmt: skip
        kept = self._tasks.get(key) if not variables else None
        if kept is not None:
            return kept
        language = question.language
        rubric = question.rubric
        mixed = _mixed(question)
        words = self._words(question, mixed=mixed)
        template, where = self._template(strategy, language)
        body = render_block(template, block, {**words, "fence": fence, **variables}, where)
        text = "\n" + self._frame(
            "task",
            language,
            body=body.strip(),
            about=(rubric.about_zh if language == "zh" else "") or rubric.about,
            answer=self._answer(strategy, question, form, mixed=mixed) if form else None,
            mode=question.mode,
        )
        if not variables:
            _keep(self._tasks, key, text, _KEPT_TASKS)
        return text

    def _frame_of(self, question: Question) -> tuple[object, ...]:
        """Return what the task of a criterion asked alone has of the rubric: its scale and its subject."""
        rubric = question.rubric
        criterion = question.criteria[0]
        scale = rubric.pair_scale if question.mode == "compare" else rubric.scale_of(criterion)
        # Looked up for every question. A scale is shared by many rubrics, and kept here so that its id stays unique.
        key = (id(scale), question.language)
        kept = self._sentences.get(key)
        if kept is None or kept[0] is not scale:
            kept = self._sentences[key] = (scale, scale.sentence(question.language))
            if len(self._sentences) > _KEPT_LEADS:
                del self._sentences[next(iter(self._sentences))]
        return kept[1], rubric.about, rubric.about_zh, criterion.scale is None

    def _criteria(self, strategy: Strategy, question: Question) -> str:
        """Return the criteria, which come last; a template's block ``criterion`` gives the words of each."""
        template, where = self._template(strategy, question.language)
        own = "criterion" in template.blocks
        key = (
            question.rubric.version,
            tuple(item.key for item in question.criteria),
            question.mode,
            question.language,
            (strategy.name, strategy.template, *strategy.texts.values()) if own else (),
        )
        kept = self._tasks.get(key)
        if kept is None:
            chinese = question.language == "zh"
            mixed = _mixed(question)
            weighted = any(item.weight != 1 for item in question.rubric.criteria)
            rows = []
            for item in question.criteria:
                asks = (item.asks_zh if chinese else "") or item.asks
                if own:
                    axis = axis_of(item) or ""
                    known = axis_key(axis) or ""
                    about = {"category": AXES.get(known, axis), "axis": known, "mode": question.mode}
                    about |= {"asks": asks, "weight": f"{item.weight:g}" if weighted else ""}
                    asks = render_block(template, "criterion", about, where).strip()
                scale = question.rubric.scale_of(item).sentence(question.language) if mixed else ""
                rows.append({"key": item.key, "asks": asks, "scale": scale})
            kept = self._frame("criteria", question.language, criteria=rows, mode=question.mode)
            _keep(self._tasks, key, kept, _KEPT_TASKS)
        return kept

    def again(self, language: str, problem: str) -> str:
        """Return what the model is told after a reply that could not be read."""
        return self._frame("again", language, problem=problem)

    def has_block(self, template: str, block: str, language: str) -> bool:
        """Return whether a template has a block."""
        return block in self._template(template, language)[0].blocks

    def page(self, template: str | Strategy, block: str, language: str, variables: Mapping[str, Any]) -> str:
        """Render a block without the frame of a judgment; ``fence`` is available in it.

        Args:
            template: Path of the English template, beside which the Chinese one lies; or the strategy that has it.
            block: Block of the template.
            language: Language of the prompt.
            variables: Variables of the block.

        Raises:
            UsageError: The block does not exist or cannot be rendered.
        """
        compiled, where = self._template(template, language)
        return render_block(compiled, block, {"fence": fence, **variables}, where)

    def version(self, strategy: Strategy) -> str:
        """Return a hash, 12 hex digits, of all that the strategy's prompts come from: templates, fields, and its body."""
        more = msgspec.json.encode(strategy.fields) + strategy.digest.encode()
        return self.version_of(strategy if strategy.texts else strategy.template, more)

    def version_of(self, template: str | Strategy, more: bytes = b"") -> str:
        """Return a hash, 12 hex digits, of a template in both languages, the frame around it, and ``more``."""
        digest = hashlib.blake2b(more, digest_size=6)
        for name in ("layout.jinja", "layout.zh.jinja"):
            digest.update(self._source(name, _HERE / name).encode())
        if isinstance(template, Strategy):
            digest.update(msgspec.json.encode(sorted(template.texts.items())))
            return digest.hexdigest()
        own = Path(template)
        for path in (own, chinese_file(own)):
            if path.is_file() or self._overridden(path.name):
                digest.update(self._source(path.name, path).encode())
        return digest.hexdigest()

    def source(self, name: str) -> tuple[Path, str]:
        """Return the path and the text of one of the package's own templates, as it is in force."""
        usual = _HERE / name
        return self._overridden(name) or usual, self._source(name, usual)

    def template(self, template: str | Strategy, language: str) -> tuple[Path, str]:
        """Return the path and the text of a template, or of a strategy's, as it is in force."""
        if isinstance(template, Strategy):
            if template.texts:
                return Path(template.template), _text_of(template, language)
            template = template.template
        usual = self._usual(template, language)
        return self._overridden(usual.name) or usual, self._source(usual.name, usual)

    def _usual(self, template: str, language: str) -> Path:
        """Return the package's path of a template: the English one if there is none in Chinese."""
        path = Path(template)
        chinese = chinese_file(path)
        return chinese if language == "zh" and (chinese.is_file() or self._overridden(chinese.name)) else path

    def _words(self, question: Question, *, mixed: bool) -> dict[str, Any]:
        """Return the variables of every block. ``scale`` is empty if the criteria do not share one scale."""
        language = question.language
        rubric = question.rubric
        labels = [document.label for document in question.documents]
        kind = question.documents[0].kind
        it = noun_phrase(kind, labels, language)
        if question.mode == "rank":
            scale = ""
        elif question.mode == "compare":
            scale = rubric.pair_scale.sentence(language)
        elif len(question.criteria) == 1:
            scale = rubric.scale_of(question.criteria[0]).sentence(language)
        else:
            scale = "" if mixed else rubric.scale.sentence(language)
        return {
            "mode": question.mode,
            "language": language,
            "task": self._frame("what", language, mode=question.mode, it=it, measure=MEASURES[kind]),
            "it": it,
            "measure": MEASURES[kind],
            "noun": NOUNS[language][kind],
            "labels": labels,
            "scale": scale,
            "has_reference": _has_reference(question),
            "has_query": question.query is not None,
            "criteria_count": len(question.criteria),
            "whole": self._frame("whole", language),
        }

    def _answer(
        self, strategy: Strategy, question: Question, form: AnswerForm, *, mixed: bool
    ) -> list[tuple[str, str]]:
        """Return the keys of the JSON object, each with what goes there, in order."""
        language = question.language
        chinese = language == "zh"
        rows, after = self._fields(form, language)
        comma = "、" if chinese else ", "
        keys = comma.join(f'"{key}"' for key in form.scales)
        if form.entries:
            scale = "" if mixed else question.rubric.scale.sentence(language)
            variables = {"keys": keys, "scale": scale, "before": rows, "after": after}
            return [("scores", self.page(strategy, "entries", language, variables).strip())]
        if form.mode == "rank":
            labels = comma.join(f'"{label}"' for label in form.labels)
            rows.append(("ranking", self._frame("ranking", language, labels=labels)))
        elif len(form.scales) == 1:
            key = form.keys[0]
            scale = next(iter(form.scales.values())).sentence(language)
            rows.append((key, self._frame(f"{key}_of_one", language, scale=scale)))
        elif form.mode == "compare":
            scale = form.overall.sentence(language)
            rows.append(("preferences", self._frame("preferences_of_many", language, keys=keys, scale=scale)))
            whole = self._frame("whole", language)
            rows.append(("preference", self._frame("preference_overall", language, whole=whole)))
        elif mixed:
            rows.append(("scores", self._frame("scores_mixed", language, keys=keys)))
        else:
            scale = question.rubric.scale.sentence(language)
            rows.append(("scores", self._frame("scores_of_many", language, keys=keys, scale=scale)))
        return rows + after

    def _fields(self, form: AnswerForm, language: str) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
        """Return what is written before the verdict and what after it: keys, and what goes there."""
        before: list[tuple[str, str]] = []
        after: list[tuple[str, str]] = []
        for field in form.fields:
            asks = (field.asks_zh if language == "zh" else "") or field.asks
            text = self._frame("text_list", language, asks=asks) if field.many else asks
            (after if isinstance(field, ConfidenceField) else before).append((field.key, text))
        return before, after

    def _template(self, template: str | Strategy, language: str) -> tuple[Template, str]:
        """Return the template in force and its path, for messages."""
        if isinstance(template, Strategy):
            if template.texts:
                where = template.template or f"the prompt of strategy {template.name!r}"
                return compile_template(_text_of(template, language), where), where
            template = template.template
        path = self._usual(template, language)
        where = str(self._overridden(path.name) or path)
        compiled = self._templates.get(where)
        if compiled is None:
            compiled = self._templates[where] = self._compile(path.name, path)
        return compiled, where

    def _frame(self, block: str, language: str, **variables: Any) -> str:
        name = "layout.zh.jinja" if language == "zh" else "layout.jinja"
        template = self._templates.get(name)
        if template is None:
            template = self._templates[name] = self._compile(name, _HERE / name)
        return render_block(template, block, variables, name)

    def _compile(self, name: str, path: Path) -> Template:
        return compile_template(self._source(name, path), str(self._overridden(name) or path))

    def _overridden(self, name: str) -> Path | None:
        return next((folder / name for folder in self._folders if (folder / name).is_file()), None)

    def _source(self, name: str, path: Path) -> str:
        return read_template(self._overridden(name) or path)


def _mixed(question: Question) -> bool:
    """Return whether criteria have scales of their own."""
    return question.mode == "score" and any(item.scale is not None for item in question.criteria)


def _text_of(strategy: Strategy, language: str) -> str:
    """Return a strategy's own template: in this language, or in the only one it has."""
    texts = strategy.texts
    return texts[language] if language in texts else next(iter(texts.values()))


def _has_reference(question: PromptMaterial) -> bool:
    return bool((question.reference or "").strip())


def _keep(cache: dict[Any, str], key: Any, value: str, limit: int) -> None:
    """Remember a value, forgetting the oldest beyond the limit."""
    if len(cache) >= limit:
        del cache[next(iter(cache))]
    cache[key] = value
