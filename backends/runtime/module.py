"""Modules of built functions, with their sources: the result of every backend's `build`."""

from __future__ import annotations

from collections.abc import Callable, ItemsView, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar

from tvmscript.backends.runtime.errors import NoEntryFunction, NoLibrary, NoSource, UnknownFunction
from tvmscript.ir.core.hooks import hook

if TYPE_CHECKING:
    from tvmscript.backends.runtime.timing import BenchmarkResult

#: Called with arrays (in place) and Python numbers; gives what `T.ret` returns, or None.
BuiltFunction = Callable[..., Any]


@hook
def write_library(module: Module, file_name: str, archs: Sequence[str]) -> None:
    """Write a module to a file that `runtime.load_module` reads."""
    raise NotImplementedError


class Module:
    """Built functions by name.

    `functions` maps the names of public functions to callables; `sources` maps a kind ("ll", "asm", "script") to
    the text or to a function that makes it when it is asked for, the default kind first.
    """

    def __init__(
        self,
        functions: Mapping[str, BuiltFunction],
        sources: Mapping[str, str | Callable[[], str]] = MappingProxyType({}),
        *,
        target: str = "",
    ) -> None:
        self.functions: dict[str, BuiltFunction] = dict(functions)
        self.target = target
        self._sources = dict(sources)
        self._imports: list[Module] = []

    #: the name under which a module is asked for its entry function
    entry_name: ClassVar[str] = "__tvm_main__"
    #: whether the functions can be called
    is_runnable: ClassVar[bool] = True
    #: whether `export_library` writes the module
    is_dso_exportable: ClassVar[bool] = False
    #: whether the module is written as bytes into a library
    is_binary_serializable: ClassVar[bool] = False

    def get_property_mask(self) -> int:
        """Return what the module can, as TVM's bits: 1 to be written as bytes, 2 to be called, 4 to be exported."""
        return self.is_binary_serializable | self.is_runnable << 1 | self.is_dso_exportable << 2

    @property
    def imported_modules(self) -> tuple[Module, ...]:
        """The modules that were imported with `import_module`."""
        return tuple(self._imports)

    def import_module(self, module: Module) -> None:
        """Add a module whose functions `get_function(name, query_imports=True)` finds."""
        self._imports.append(module)

    def clear_imports(self) -> None:
        """Forget the modules that were imported."""
        self._imports.clear()

    @property
    def type_key(self) -> str:
        """The kind of the target."""
        return self.target.split()[0] if self.target else ""

    @property
    def format(self) -> str:
        """The default kind of source, as TVM's `format`; empty where there is none."""
        return next(iter(self._sources), "")

    def __getitem__(self, name: str) -> BuiltFunction:
        try:
            return self.functions[name]
        except KeyError:
            if name == self.entry_name:
                return self.entry_func
            raise UnknownFunction(name=name, hint=f"it has {', '.join(self.functions) or 'none'}") from None

    def __contains__(self, name: object) -> bool:
        return name in self.functions

    def items(self) -> ItemsView[str, BuiltFunction]:
        """The functions with their names."""
        return self.functions.items()

    def get_function(self, name: str, query_imports: bool = False) -> BuiltFunction:
        """Return the function of this name, of the module or its imports. Raises `UnknownFunction`."""
        return self._owner(name, query_imports)[name]

    def implements_function(self, name: str, query_imports: bool = False) -> bool:
        """Return whether the module, or one of its imports, has a function of this name."""
        return name in self._owner(name, query_imports)

    def _owner(self, name: str, query_imports: bool) -> Module:
        if name in self or not query_imports:
            return self
        owners = [module._owner(name, True) for module in self._imports]
        return next((module for module in owners if name in module), self)

    @property
    def entry_func(self) -> BuiltFunction:
        """`main`, or the only function. Raises `NoEntryFunction`."""
        if "main" in self.functions:
            return self.functions["main"]
        if len(self.functions) != 1:
            raise NoEntryFunction(names=", ".join(self.functions) or "none")
        return next(iter(self.functions.values()))

    def __call__(self, *args: object) -> Any:
        return self.entry_func(*args)

    @property
    def source_kinds(self) -> tuple[str, ...]:
        """The kinds that `get_source` knows, the default first."""
        return tuple(self._sources)

    def get_source(self, kind: str = "") -> str:
        """Return the text that the functions were made of. Raises `NoSource`."""
        if not kind and self._sources:
            kind = next(iter(self._sources))
        if kind not in self._sources:
            raise NoSource(kind=repr(kind), hint=f"the kinds are {', '.join(self._sources) or 'none'}")
        text = self._sources[kind]
        if not isinstance(text, str):
            text = self._sources[kind] = text()
        return text

    #: the name of `get_source` in newer versions of TVM
    inspect_source = get_source

    def export_library(self, file_name: str, *args: object, archs: Sequence[str] = (), **options: object) -> None:
        """Write the functions to a file that `runtime.load_module` reads; other options of TVM have no effect.

        `archs` are architectures of a device, such as sm_90a, or compute_80 for PTX. Raises `NoLibrary`.
        """
        if not self.is_dso_exportable:
            raise NoLibrary(method="export_library")
        write_library(self, file_name, archs)

    def save(self, file_name: str, fmt: str = "") -> None:
        """Raises `NoLibrary`."""
        raise NoLibrary(method="save")

    def time_evaluator(
        self,
        func_name: str,
        dev: object = None,
        number: int = 10,
        repeat: int = 1,
        min_repeat_ms: float = 0.0,
        limit_zero_time_iterations: int = 100,
        cooldown_interval_ms: int = 0,
        repeats_to_cooldown: int = 1,
        cache_flush_bytes: int = 0,
        f_preproc: str = "",
    ) -> Callable[..., BenchmarkResult]:
        """Return a function that measures calls of the function of this name.

        Calls for a CUDA device are timed by events. The last five are those of TVM, and have no effect: clocks are
        exact, and nothing is done between runs.
        """
        return partial(_timed, self[func_name], dev, number, repeat, min_repeat_ms)

    def __repr__(self) -> str:
        return f"Module({', '.join(self.functions)}; target {self.target or 'unknown'})"


def _timed(
    function: BuiltFunction, dev: object, number: int, repeat: int, min_repeat_ms: float, *args: object
) -> BenchmarkResult:
    from tvmscript.backends.runtime.timing import measure

    return measure(function, args, number=number, repeat=repeat, min_repeat_ms=min_repeat_ms, device=dev)
