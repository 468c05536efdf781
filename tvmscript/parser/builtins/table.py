"""The table of `T`: constructs, intrinsics, and constructors of dtypes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

from tvmscript.ir.core import DType
from tvmscript.ir.core.errors import InvalidDType
from tvmscript.ir.tir.intrin import SURFACE
from tvmscript.parser.names.lazy_table import LazyTable
from tvmscript.parser.names.namespace import Builtin

F = TypeVar("F", bound=Callable[..., object])
_RARE = LazyTable("rare names of T")


def register(
    table: dict[str, Any], owner: str, names: tuple[str, ...], needs_kernel: bool = False, in_class: bool = False
) -> Callable[[F], F]:
    """Return a decorator that adds a function to a table as `owner.name`, under each of the names."""

    def add(function: F) -> F:
        table.update({name: Builtin(f"{owner}.{name}", function, needs_kernel, in_class) for name in names})
        return function

    return add


class NameTable(dict[str, Any]):
    """The table of `T`: name -> entry. Rare names and constructors of unlisted dtypes are added on use."""

    def __init__(self) -> None:
        super().__init__()
        #: constructors of dtypes that are not listed: the listed names do not depend on what was read before
        self._constructors: dict[str, object] = {}
        self._is_complete = False

    #: returns the constructor of a dtype; set by `tir.builtins.constructors`
    make_dtype: Callable[[DType], object]

    def get(self, key: str, default: object = None) -> object:
        """Return the entry of a name."""
        entry = super().get(key) or self._constructors.get(key)
        if entry is not None:
            return entry
        try:
            dtype = DType(key)
        except InvalidDType:
            return self._listed().get(key, default)
        if str(dtype) != key:
            return default
        constructor = self._constructors[key] = self.make_dtype(dtype)
        return constructor

    def _listed(self) -> dict[str, object]:
        """Return all listed names, the rare ones included."""
        if not self._is_complete:
            self._is_complete = True
            _RARE.load()
        return dict(super().items())

    def __missing__(self, key: str) -> object:
        return self._listed()[key]

    def __contains__(self, key: object) -> bool:
        return super().__contains__(key) or key in self._listed()

    def __iter__(self) -> Iterator[str]:
        return iter(self._listed())

    def __len__(self) -> int:
        return len(self._listed())


class LayeredTable(Mapping[str, object]):
    """A table with entries of its own over another table."""

    def __init__(self, own: Mapping[str, object], under: Mapping[str, object]) -> None:
        self.own = own
        self.under = under

    def get(self, key: str, default: object = None) -> object:
        """Return the entry of a name, of its own first."""
        entry = self.own.get(key)
        return entry if entry is not None else self.under.get(key, default)

    def __getitem__(self, key: str) -> object:
        return self.own[key] if key in self.own else self.under[key]

    def __iter__(self) -> Iterator[str]:
        return iter({**dict.fromkeys(self.under), **dict.fromkeys(self.own)})

    def __len__(self) -> int:
        return len({*self.under, *self.own})


#: intrinsics whose name is that of a rare construct, which takes their arguments too: the table has one entry for
#: both, whatever was read before
_RARE_CONSTRUCTS = frozenset({"prefetch"})

TIR = NameTable()
TIR.update({name: Builtin(f"T.{name}", function) for name, function in SURFACE.items() if name not in _RARE_CONSTRUCTS})


def value(*names: str) -> Callable[[F], F]:
    """Register `T.<name>`, a function that computes a value, in and outside of kernels."""
    return register(TIR, "T", names)


def construct(*names: str) -> Callable[[F], F]:
    """Register `T.<name>`, a construct `function(parser, span, ...)` that adds to the program."""
    return register(TIR, "T", names, needs_kernel=True)
