"""What `T` and `I` are: tables of names with attribute access, for the parser and for Python."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from contextvars import ContextVar
from types import FrameType
from typing import Any

from tvmscript.ir.core.errors import IRError, TVMScriptError
from tvmscript.ir.core.span import Span
from tvmscript.ir.core.suggestions import closest
from tvmscript.parser.names.script_signatures import docstring_of, script_signature
from tvmscript.parser.names.unsupported import UnsupportedName


class OutsideOfKernel(TVMScriptError):
    """The name stands for a part of a program. In Python code, outside of a decorated function, there is no program
    to be part of.
    """

    code = "TS2201"
    message = "{name} has a meaning inside of a function of the script alone"


class UnknownScriptName(IRError, AttributeError):
    """`T` and `I` have no such name."""

    code = "TS2202"
    message = "{owner} has no {name}"


class UnknownOption(IRError):
    """A decorator was given an option that it does not have."""

    code = "TS2203"
    message = "{owner} has no option {name}"


class NotDecoratable(IRError):
    """`@T.prim_func` and `@T.macro` stand above functions, `@I.ir_module` stands above a class."""

    code = "TS2204"
    message = "{name} takes {expected}, but got {got}"


#: While Python code runs that a kernel calls: the parser of the kernel, and the call.
ACTIVE: ContextVar[tuple[Any, Any] | None] = ContextVar("ACTIVE", default=None)


class Builtin:
    # A name of the script that is called. A plain one makes a value of its arguments and a span, in and outside of
    # kernels; one that `needs_kernel` is given the parser first and changes what is being built. One that stands
    # `in_class` does nothing when Python runs the body of the class, before the decorator reads it. Its docstring is
    # that of the function.

    __slots__ = ("__doc__", "function", "in_class", "name", "needs_kernel")

    def __init__(
        self, name: str, function: Callable[..., Any], needs_kernel: bool = False, in_class: bool = False
    ) -> None:
        self.name = name
        self.function = function
        self.needs_kernel = needs_kernel
        self.in_class = in_class
        self.__doc__ = docstring_of(function)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if not self.needs_kernel:
            return self.function(*args, **kwargs)
        active = ACTIVE.get()
        if active is None:
            if self.in_class:
                return None
            raise OutsideOfKernel(name=self.name)
        parser, node = active
        return parser.call_builtin(node, self, list(args), kwargs)

    @property
    def __signature__(self) -> inspect.Signature:
        # how a program calls it: `inspect.signature(T.block)`, `help(T.block)`, `T.block?`
        return script_signature(self.name, self.function, self.needs_kernel)

    #: no sequence, though it has elements for old texts
    __iter__ = None

    def __getitem__(self, args: Any) -> Any:
        """`T.Buffer[(16,), "float32"]`, the spelling of old texts."""
        return self(*self.arguments(args))

    @staticmethod
    def arguments(index: Any) -> tuple[Any, ...]:
        """The arguments that stand in brackets: a shape, or a shape and a dtype."""
        return index if isinstance(index, tuple) and len(index) > 1 and isinstance(index[1], str) else (index,)

    def __repr__(self) -> str:
        return f"<{self.name}{self.__signature__}>"


class SpecialForm:
    """A name that is called, and reads its arguments itself: `read` is given the parser and the node of the call."""

    __slots__ = ("name", "read")

    def __init__(self, name: str, read: Callable[[Any, Any], Any]) -> None:
        self.name = name
        self.read = read

    def __repr__(self) -> str:
        return f"<{self.name}>"


#: Options of the decorators. `source` is the text that holds the definition, where Python does not know it; `s_tir` is
#: what newer texts say of every function of ours.
PRIM_FUNC_OPTIONS = ("private", "check_well_formed", "s_tir", "source", "name")
PRIM_FUNC_OPTIONS_V0_27 = (*PRIM_FUNC_OPTIONS, "persistent")
IR_MODULE_OPTIONS = ("check_well_formed", "s_tir", "source")
MACRO_OPTIONS = ("hygienic", "source")


class Decorator:
    # A decorator of the script. In texts its name and the names of its options are enough; `apply` makes programs of
    # Python objects, from the object, the frame that decorates it, and the options.

    __slots__ = ("__doc__", "apply", "dialect", "kind", "name", "options", "reader")

    def __init__(
        self,
        name: str,
        kind: str,
        options: tuple[str, ...],
        apply: Callable[..., Any] | None = None,
        dialect: str = "0.17",
        reader: type[Any] | None = None,
    ) -> None:
        self.name = name
        self.dialect = dialect
        #: what reads the functions that it decorates
        self.reader = reader
        self.kind = kind
        self.options = options
        self.apply = apply
        self.__doc__ = apply.__doc__ if apply is not None else None

    def __call__(self, item: Any = None, **options: Any) -> Any:
        if self.apply is None:
            raise OutsideOfKernel(name=self.name)
        self.check(options)
        apply = self.apply
        if item is None:
            return lambda decorated: _applied(apply, decorated, _caller(inspect.currentframe()), options)
        return _applied(apply, item, _caller(inspect.currentframe()), options)

    def check(self, options: Iterable[str], span: Span | None = None) -> None:
        """Raise `UnknownOption` for an option that the decorator does not have."""
        for name in options:
            if name not in self.options:
                raise UnknownOption(
                    owner=self.name, name=name, span=span, hint=closest(name, self.options) or f"use {self.options}"
                )

    def __repr__(self) -> str:
        return f"<{self.name}>"


def _applied(apply: Callable[..., Any], item: Any, frame: FrameType | None, options: Mapping[str, Any]) -> Any:
    try:
        return apply(item, frame, **options)
    except TVMScriptError as error:
        # a user's traceback ends at the decorator, and not somewhere in the reader
        raise error.with_traceback(None) from error.__cause__


def _caller(frame: FrameType | None) -> FrameType | None:
    return frame.f_back if frame is not None else None


class Namespace:
    """Names behind a dot. The table is what the parser looks into; attribute access does the same in Python."""

    __slots__ = ("name", "table")

    def __init__(self, name: str, table: Mapping[str, Any]) -> None:
        self.name = name
        self.table = table

    def __getattr__(self, name: str) -> Any:
        found = self.table.get(name)
        if found is None:
            if name.startswith("__"):
                raise AttributeError(name)
            raise UnknownScriptName(owner=self.name, name=name, hint=closest(name, self.table, f"{self.name}.{{}}"))
        return found

    def __dir__(self) -> list[str]:
        return sorted(name for name, value in self.table.items() if not isinstance(value, UnsupportedName))

    def __repr__(self) -> str:
        return f"<{self.name}>"
