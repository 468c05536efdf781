"""`T.meta_class`: classes of Python whose objects hold buffers of a function."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Final
from weakref import WeakSet

from tvmscript.ir.core import Span
from tvmscript.ir.core.errors import WrongType
from tvmscript.ir.tir import Buffer
from tvmscript.parser.names.name_hints import name_if_unnamed


class BufferOwner(ABC):
    """A pool: an object with buffers of its own in a function."""

    __slots__ = ()

    @abstractmethod
    def give_name(self, name: str) -> None:
        """Name the buffers after the pool."""


_META_CLASSES: Final[WeakSet[type]] = WeakSet()


def meta_class(cls: type, span: Span | None = None) -> type:
    """Decorate a class of Python whose objects a function makes and uses: `state = State(16)`, `state.buf[0] = 1`."""
    if not isinstance(cls, type):  # a script may decorate anything
        raise WrongType(where="T.meta_class", expected="a class", got=repr(cls), span=span)
    _META_CLASSES.add(cls)
    return cls


def is_meta_object(value: object) -> bool:
    """Whether an object is a pool, or of a class that is decorated or inherits from such a class."""
    return isinstance(value, BufferOwner) or any(base in _META_CLASSES for base in type(value).__mro__)


def name_buffers_of(owner: object, name: str) -> None:
    """Name the buffers of a pool, or of an object of such a class and of what it holds, after it: `state_buf`."""
    if isinstance(owner, Buffer):
        name_if_unnamed(owner, name)
    elif isinstance(owner, BufferOwner):
        owner.give_name(name)
    elif is_meta_object(owner):
        for attribute, value in vars(owner).items():
            name_buffers_of(value, f"{name}_{attribute}")
