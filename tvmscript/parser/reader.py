"""Interface between the parser and the constructs that it reads.

`Session` holds the state that all parsers of one text share. `Reader` is the interface of every parser: Python
expressions, operators, macros and constructs are typed against it. Parsers of function bodies offer more:
`frames.BodyReader`, `frames.KernelReader` and, for Relax, `relax.reader.GraphReader`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Any, ClassVar, NoReturn, Protocol, TypeVar

from tvmscript.ir.core import Span
from tvmscript.ir.core.module import GlobalInfo
from tvmscript.ir.tir import Expr
from tvmscript.parser.diagnostics.limits import Limits
from tvmscript.parser.diagnostics.report import Report
from tvmscript.parser.names.namespace import Builtin
from tvmscript.parser.names.scope import Scope
from tvmscript.parser.source.closure import Closure
from tvmscript.parser.source.header import Header
from tvmscript.parser.source.tree import SourceTree

Result = TypeVar("Result")


class Session:
    """State shared by all parsers of one text."""

    __slots__ = (
        "check_well_formed",
        "closure",
        "global_infos",
        "header",
        "keeps_names",
        "limits",
        "metadata",
        "report",
        "roots",
        "tree",
    )

    def __init__(
        self,
        tree: SourceTree,
        header: Header,
        roots: Mapping[str, object],
        closure: Closure | None = None,
        check_well_formed: bool = False,
        keeps_names: bool = False,
    ) -> None:
        self.tree = tree
        self.header = header
        #: names that the text may use without defining them
        self.roots = roots
        #: variables that a decorated function captures; None for a text
        self.closure = closure
        self.check_well_formed = check_well_formed
        #: whether the memory of a buffer keeps its own name, as in a printed text
        self.keeps_names = keeps_names or header.is_printed
        self.limits = Limits(len(tree.source.text))
        self.report = Report()
        #: the section `metadata` of the text
        self.metadata: Mapping[str, object] | None = None
        #: global infos of the module being read
        self.global_infos: Mapping[str, tuple[GlobalInfo, ...]] | None = None

    @property
    def is_printed(self) -> bool:
        """Whether a printer wrote the text."""
        return self.header.is_printed


class Reader(Protocol):
    """Interface of a parser of one text, or of a part of it."""

    session: Session
    #: the text being read: in a macro, that of its definition
    tree: SourceTree
    closure: Closure | None
    roots: Mapping[str, object]
    scope: Scope
    #: `scope.names`
    names: dict[str, object]
    #: nesting depth of the statements and expressions being read
    depth: int

    #: whether the parser reads the body of a PrimFunc
    is_kernel: ClassVar[bool]
    #: what `print` and `breakpoint` of Python are in the function; None outside of one. `print` takes the format first
    print_function: ClassVar[Builtin | None]
    breakpoint_function: ClassVar[Builtin | None]

    def span(self, node: object) -> Span:
        """Return the span of an AST node."""
        ...

    def value(self, node: ast.expr) -> Any:
        """Evaluate an expression node to a Python value or an IR expression."""
        ...

    def expr(self, node: ast.expr) -> Expr:
        """Evaluate an expression node to an IR expression. Raises `NotAnExpression`."""
        ...

    def as_expr(self, value: object, node: ast.AST) -> Expr:
        """Convert a value to an IR expression. Raises `NotAnExpression`."""
        ...

    def is_true(self, value: object, node: object) -> bool:
        """Return the truth value of a Python value. Raises `InvalidCondition`."""
        ...

    def element(self, owner: object, node: ast.Subscript) -> object:
        """Evaluate the subscript `node` on `owner`."""
        ...

    def build(self, span: Span, function: Callable[..., object], *args: object) -> object:
        """Call an IR builder with `span`; report its errors as diagnostics."""
        ...

    def guarded(self, node: object, what: str, function: Callable[..., Result], *args: object) -> Result:
        """Call a Python function; report its errors as diagnostics at `node`."""
        ...

    def call_builtin(self, node: object, function: Builtin, args: list[object], kwargs: dict[str, object]) -> object:
        """Call a name of the script."""
        ...

    def too_deep(self, node: ast.AST) -> NoReturn:
        """Raise `NestedTooDeeply`."""
        ...

    def snapshot_names(self, node: ast.AST) -> dict[str, object]:
        """Return a copy of the visible names, for a macro or lambda. Raises `ValueTooLarge`."""
        ...

    def constants(self) -> Mapping[str, object]:
        """Return the constants of the section `metadata`, by fingerprint."""
        ...


class MacroReader(Reader, Protocol):
    """Interface of a parser that expands macros."""

    def elsewhere(
        self, tree: SourceTree, closure: Closure | None, names: Mapping[str, object]
    ) -> AbstractContextManager[None]:
        """Read another text, or another place of this one, with its own names."""
        ...

    def splice(self, nodes: list[ast.stmt]) -> None:
        """Read statements into the current body."""
        ...


class ModuleReader(Reader, Protocol):
    """Interface of the parser of a module's class."""

    module_attrs: dict[str, object] | None


class SpecialForm:
    """A function that takes the call node instead of evaluated arguments."""

    __slots__ = ("name", "read")

    def __init__(self, name: str, read: Callable[[Reader, ast.Call], object]) -> None:
        self.name = name
        self.read = read

    def __repr__(self) -> str:
        return f"<{self.name}>"
