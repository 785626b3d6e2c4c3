"""Values that cannot be changed: mappings and lists at any depth, fields of structs, instances of classes."""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict
from typing import Any, Final, NoReturn, TypeVar, cast

import msgspec

T = TypeVar("T")
K = TypeVar("K")
V = TypeVar("V")


def _refuse(*_: Any, **__: Any) -> NoReturn:
    raise TypeError("results are frozen; assay.frozen.thawed makes a copy that can be changed")


class FrozenList(list[T]):
    """A list that cannot be changed, as a value in a `FrozenDict`; it equals the same list, and JSON sees an array."""

    __slots__ = ()
    __setitem__ = __delitem__ = __iadd__ = __imul__ = _refuse
    append = extend = insert = pop = remove = clear = sort = reverse = _refuse

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(tuple(self))

    def __reduce__(self) -> tuple[Any, ...]:
        return FrozenList, (list(self),)


class FrozenDict(dict[K, V]):
    """A mapping that cannot be changed and can be hashed if its values can; JSON sees an object. See `frozen`."""

    __slots__ = ()

    __setitem__ = __delitem__ = _refuse
    update = pop = popitem = clear = setdefault = __ior__ = _refuse

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))

    def __reduce__(self) -> tuple[Any, ...]:
        return FrozenDict, (dict(self),)


_CHANGEABLE: Final = frozenset([dict, defaultdict, OrderedDict, Counter, list, tuple, set])


def frozen(value: Any) -> Any:
    """Return a value whose mappings, lists and sets cannot be changed, at any depth."""
    kind = type(value)
    if kind not in _CHANGEABLE:
        return value
    if isinstance(value, dict):
        flat = _CHANGEABLE.isdisjoint(map(type, value.values()))
        return FrozenDict(value if flat else {key: frozen(item) for key, item in value.items()})
    made = FrozenList if kind is list else tuple if kind is tuple else frozenset
    return made(value if _CHANGEABLE.isdisjoint(map(type, value)) else map(frozen, value))


def thawed(value: Any) -> Any:
    """Return a copy of plain data whose mappings and lists can be changed, at any depth."""
    if isinstance(value, dict):
        return {key: thawed(item) for key, item in value.items()}
    return [thawed(item) for item in value] if isinstance(value, list | tuple) else value


# The default of mappings in frozen structs: always this one, so that msgspec leaves it out where it omits defaults.
EMPTY: Final[FrozenDict[str, Any]] = FrozenDict()


def freeze(struct: msgspec.Struct, *fields: str) -> None:
    """Freeze the mappings and lists in fields of a struct; for ``__post_init__``."""
    for field in fields:
        value = getattr(struct, field)
        if type(value) in _CHANGEABLE:
            made = EMPTY if value == {} else frozen(value)
            msgspec.structs.force_setattr(struct, field, made)


class FrozenFields:
    """A mixin for a struct whose mappings and lists cannot be changed either."""

    __slots__ = ()

    def __post_init__(self) -> None:
        freeze(cast("msgspec.Struct", self), *self.__struct_fields__)  # type: ignore[attr-defined]


class Frozen:
    """A mixin for a class whose instances cannot be changed. Its ``__init__`` writes into ``vars(self)``."""

    def __setattr__(self, name: str, value: Any) -> NoReturn:
        kind = type(self).__name__
        raise AttributeError(f"a {kind} is frozen; .replace({name}=…) makes another one")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a {type(self).__name__} is frozen")
