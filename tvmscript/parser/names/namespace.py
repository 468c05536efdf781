"""Namespaces `T`, `I`, `R`: tables of builtins and decorators with attribute access, for the parser and for Python."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterable, Mapping
from contextvars import ContextVar
from types import FrameType
from typing import Any, Protocol, Union

from tvmscript.ir.core import IRError, Span, TVMScriptError, closest
from tvmscript.parser.names.script_signatures import docstring_of, script_signature
from tvmscript.parser.names.unsupported import UnsupportedName


class OutsideOfKernel(TVMScriptError, code="TS2201"):
    """A construct that adds to a program is called in Python code, outside of a decorated function."""

    message = "{name} is only valid inside a script function"


class UnknownScriptName(IRError, AttributeError, code="TS2202"):
    """A namespace such as `T` or `I` has no such name."""

    message = "{owner} has no {name}"


class UnknownOption(IRError, code="TS2203"):
    """A decorator does not have this option."""

    message = "{owner} has no option {name}"


class NotDecoratable(IRError, code="TS2204"):
    """`@T.prim_func` and `@T.macro` decorate functions, `@I.ir_module` decorates a class."""

    message = "{name} takes {expected}, but got {got}"


class Caller(Protocol):
    """The parser of a kernel that calls Python code."""

    def call_builtin(self, node: object, function: Builtin, args: list[object], kwargs: dict[str, object]) -> object:
        """Call a name of the script."""
        ...

    def expand(self, node: object, macro: Any, args: list[Any], kwargs: dict[str, Any]) -> None:
        """Expand a macro."""
        ...

    def emit(self, value: object) -> object:
        """Append a statement that Python code constructs; return any other value."""
        ...

    def enter_frame(self, opened: Any, node: ast.AST) -> object:
        """Open a frame from Python code: statements that follow are its body. Return what `as` binds."""
        ...

    def exit_frame(self, opened: Any, node: ast.AST) -> None:
        """Close the frame that Python code opened last."""
        ...


#: the parser and the call node, while Python code runs that a kernel calls
ACTIVE: ContextVar[tuple[Caller, ast.AST] | None] = ContextVar("ACTIVE", default=None)


class Builtin:
    # A function of the script. A plain one computes a value from its arguments and a span, in and outside of kernels.
    # One that `needs_kernel` takes the parser first and adds to the program. One that is valid `in_class` does nothing
    # when Python runs the class body, before the decorator reads it. Its docstring is that of the function.

    __slots__ = ("__doc__", "function", "in_class", "name", "needs_kernel")

    def __init__(
        self, name: str, function: Callable[..., Any], needs_kernel: bool = False, in_class: bool = False
    ) -> None:
        self.name = name
        self.function = function
        self.needs_kernel = needs_kernel
        self.in_class = in_class
        self.__doc__ = docstring_of(function)

    def __call__(self, *args: Any, **kwargs: object) -> object:
        if not self.needs_kernel:
            return self.function(*args, **kwargs)
        active = ACTIVE.get()
        if active is None:
            if self.in_class:
                return None
            raise OutsideOfKernel(name=self.name)
        parser, node = active
        return parser.emit(parser.call_builtin(node, self, list(args), kwargs))

    def __or__(self, other: object) -> object:
        """Return the union of `T.Buffer | None`, an annotation in Python helpers."""
        return Union[self, other]  # noqa: UP007

    __ror__ = __or__

    @property
    def __signature__(self) -> inspect.Signature:
        # for `inspect.signature(T.block)`, `help(T.block)`, `T.block?`
        return script_signature(self.name, self.function, self.needs_kernel)

    #: not a sequence: `__getitem__` is for old texts
    __iter__ = None

    def __getitem__(self, args: object) -> object:
        """Evaluate `T.Buffer[(16,), "float32"]`, the spelling of old texts."""
        return self(*self.arguments(args))

    @staticmethod
    def arguments(index: object) -> tuple[object, ...]:
        """Return the arguments in brackets: a shape, or a shape and a dtype."""
        return index if isinstance(index, tuple) and len(index) > 1 and isinstance(index[1], str) else (index,)

    def __repr__(self) -> str:
        return f"<{self.name}{self.__signature__}>"


class SubscriptBuiltin(Builtin):
    # A function of the script that is written with brackets: `T.S[8, 4]`.

    __slots__ = ("__doc__",)


#: Options of the decorators. `source` is the text of the definition, for code without a file. `s_tir` is accepted for
#: texts of TVM 0.27 and has no effect.
PRIM_FUNC_OPTIONS = ("private", "check_well_formed", "s_tir", "source", "name")
PRIM_FUNC_OPTIONS_V0_27 = (*PRIM_FUNC_OPTIONS, "persistent")
IR_MODULE_OPTIONS = ("check_well_formed", "s_tir", "source")
MACRO_OPTIONS = ("hygienic", "source")


class Decorator:
    # A decorator of the script. The parser of a text needs its kind and its options. `apply` converts a Python object
    # to a program; it takes the object, the frame that decorates it, and the options.

    __slots__ = ("__doc__", "apply", "dialect", "kind", "name", "options", "parser")

    def __init__(
        self,
        name: str,
        kind: str,
        options: tuple[str, ...],
        apply: Callable[..., object] | None = None,
        dialect: str = "0.17",
        parser: type[Any] | None = None,
    ) -> None:
        self.name = name
        self.dialect = dialect
        #: parser of the functions that it decorates; None for those of `T`
        self.parser = parser
        self.kind = kind
        self.options = options
        self.apply = apply
        self.__doc__ = apply.__doc__ if apply is not None else None

    def __call__(self, item: object = None, **options: object) -> object:
        if self.apply is None:
            raise OutsideOfKernel(name=self.name)
        self.check(options)
        apply = self.apply
        if item is None:
            return lambda decorated: _apply(apply, decorated, _caller(inspect.currentframe()), options)
        return _apply(apply, item, _caller(inspect.currentframe()), options)

    def check(self, options: Iterable[str], span: Span | None = None) -> None:
        """Raise `UnknownOption` for an option that the decorator does not have."""
        for name in options:
            if name not in self.options:
                raise UnknownOption(
                    owner=self.name, name=name, span=span, hint=closest(name, self.options) or f"use {self.options}"
                )

    def __repr__(self) -> str:
        return f"<{self.name}>"


JIT_OPTIONS = ("private", "check_well_formed", "is_stir", "persistent", "source")
PRIM_FUNC_V0_27 = Decorator("T.prim_func", "prim_func", PRIM_FUNC_OPTIONS_V0_27, dialect="0.27")


#: in a text all its constants need defaults
JIT = Decorator("T.jit", "prim_func", JIT_OPTIONS, dialect="0.27")


def _apply(
    apply: Callable[..., object], item: object, frame: FrameType | None, options: Mapping[str, object]
) -> object:
    try:
        return apply(item, frame, **options)
    except TVMScriptError as error:
        # the user's traceback ends at the decorator, not in the parser
        raise error.with_traceback(None) from error.__cause__


def _caller(frame: FrameType | None) -> FrameType | None:
    return frame.f_back if frame is not None else None


class Namespace:
    """Names behind a dot. The parser reads `table`; Python uses attribute access."""

    __slots__ = ("name", "table", "used")

    def __init__(self, name: str, table: Mapping[str, object]) -> None:
        self.name = name
        self.table = table
        #: the entries of `table` that were looked up
        self.used: dict[str, object] = {}

    def entry(self, name: str) -> object:
        """Return the entry of a name, or None."""
        value = self.table.get(name)
        if value is not None:
            self.used[name] = value
        return value

    def __getattr__(self, name: str) -> object:
        value = self.entry(name)
        if value is None:
            if name.startswith("__"):
                raise AttributeError(name)
            raise UnknownScriptName(owner=self.name, name=name, hint=closest(name, self.table, f"{self.name}.{{}}"))
        return value

    def __dir__(self) -> list[str]:
        return sorted(name for name, value in self.table.items() if not isinstance(value, UnsupportedName))

    def __repr__(self) -> str:
        return f"<{self.name}>"
