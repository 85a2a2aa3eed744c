"""A second copy of a game in play, made quickly: what can change is copied, what can't is shared.

``copy.deepcopy`` asks every object how it wants to be taken apart, which takes three times as long. Here everything is
of few kinds: frozen dataclasses, numbers and words never change and are shared, and so are tuples of them; lists, sets,
dicts, arrays and objects are copied part by part, each once, so that what was one object stays one object.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, is_dataclass
from functools import lru_cache
from typing import Any, Final, TypeVar

import numpy as np

T = TypeVar("T")
_UNCHANGING: Final = frozenset((int, float, str, bool, type(None), frozenset, bytes))


def branch(whole: T, shared: Sequence[object] = ()) -> T:
    """A copy of ``whole`` that may be changed without changing it.

    Args:
        shared: objects in it that are left as they are, although their kind could change.
    """
    copied: T = _copied(whole, {id(part): part for part in shared})
    return copied


def _copied(part: Any, made: dict[int, Any]) -> Any:
    kind: Any = type(part)
    if _is_fixed(kind):
        return part
    known = made.get(id(part))
    if known is not None:
        return known
    twin: Any
    if kind is tuple:
        return _copied_tuple(part, made)
    if kind is list:
        twin = [_copied(each, made) for each in part]
    elif kind is dict:
        twin = {key: _copied(each, made) for key, each in part.items()}
    elif kind is set or kind is np.ndarray:
        twin = part.copy()
    else:
        twin = kind.__new__(kind)
        made[id(part)] = twin
        for name in _slots(kind) or part.__dict__:
            object.__setattr__(twin, name, _copied(getattr(part, name), made))
    made[id(part)] = twin
    return twin


def _copied_tuple(part: tuple[Any, ...], made: dict[int, Any]) -> tuple[Any, ...]:
    """A tuple that holds nothing but what never changes never changes itself."""
    kinds: set[Any] = set(map(type, part))
    if all(map(_is_fixed, kinds)):
        return part
    twin = tuple([_copied(each, made) for each in part])
    return part if all(one is other for one, other in zip(part, twin, strict=True)) else twin


@lru_cache(maxsize=256)
def _is_fixed(kind: Any) -> bool:
    """Whether things of this kind never change."""
    if is_dataclass(kind):
        return bool(vars(kind)["__dataclass_params__"].frozen)
    return kind in _UNCHANGING or issubclass(kind, np.generic)


@lru_cache(maxsize=256)
def _slots(kind: Any) -> tuple[str, ...]:
    """The names of the parts of an object without a ``__dict__``; none for one that has one."""
    if is_dataclass(kind) and "__slots__" in vars(kind):
        return tuple(field.name for field in fields(kind))
    return ()
