"""`IRBuilder`: programs built by calls of the names of the script.

The constructs and frames are those of the parser. A builder stands in the place of a text: it is the parser that is
active while its `with` statement runs.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from contextvars import Token
from typing import Any, ClassVar, Protocol, TypeVar

from tvmscript.ir.core import BaseFunc, Node, TVMScriptError
from tvmscript.ir.core.span import Source
from tvmscript.ir.tir import Block, Buffer, IterVar, Stmt, Var
from tvmscript.parser.names.namespace import ACTIVE, Caller
from tvmscript.parser.reader import Session
from tvmscript.parser.source.header import Header
from tvmscript.parser.source.tree import SourceTree
from tvmscript.parser.tir.function import FunctionParser

FrameT = TypeVar("FrameT", bound="Frame")


class FrameNotOpen(TVMScriptError, ValueError, code="TS7043"):
    """A call of IRBuilder stands outside of the frame that it is about: R.output outside of R.dataflow."""

    message = "{call} is inside of {frame} alone"


class Frame(Protocol):
    """A part of a program that is open."""

    def define(self, name: str, func: BaseFunc) -> bool:
        """Take a function that was built inside; return False where it is not for this frame."""
        ...


class _Calls(SourceTree):
    """The text of programs that Python builds: there is none, and nodes have no place."""

    def __init__(self) -> None:
        super().__init__(Source("IRBuilder()", "<IRBuilder>"))

    def span(self, node: object) -> Any:
        """Return None."""


class CallReader(FunctionParser):
    """The parser in the place of a text: Python calls its constructs, and nodes have no place in a source."""

    def __init__(self) -> None:
        tree = _Calls()
        super().__init__(Session(tree, Header(), {}))
        self.node: ast.AST = tree.tree.body[0]
        self._token: Token[tuple[Caller, ast.AST] | None] | None = None

    def span(self, node: object) -> Any:
        """Return None: there is no text."""

    @staticmethod
    def block_span(block: Block) -> Any:
        """Return None: there is no text."""

    def activate(self) -> None:
        """Let the names of the script add to this parser until `deactivate`."""
        self._token = ACTIVE.set((self, self.node))

    def deactivate(self) -> None:
        """Let the names of the script add to the parser that was active before."""
        if self._token is not None:
            ACTIVE.reset(self._token)

    def finish_body(self) -> Stmt:
        """Return the statements as one."""
        return self.close(self.statements, [self.node])


class IRBuilder:
    """Builds one program: `with IRBuilder() as ib: ...`, then `ib.get()`."""

    _open: ClassVar[list[IRBuilder]] = []

    def __init__(self) -> None:
        self.frames: list[Frame] = []
        self.results: list[Node] = []
        self._reader = CallReader()

    def __enter__(self) -> IRBuilder:
        self._open.append(self)
        self._reader.activate()
        return self

    def __exit__(self, *_: object) -> None:
        self._reader.deactivate()
        self._open.remove(self)

    @staticmethod
    def current() -> IRBuilder:
        """Return the innermost builder. Raises `FrameNotOpen`."""
        if not IRBuilder._open:
            raise FrameNotOpen(call="a frame", frame="IRBuilder()")
        return IRBuilder._open[-1]

    @staticmethod
    def is_in_scope() -> bool:
        """Return whether a builder is open."""
        return bool(IRBuilder._open)

    def define(self, name: str | None, func: BaseFunc) -> None:
        """Give a function to the module that is open; without one it is the result."""
        if not any(frame.define(name or "main", func) for frame in reversed(self.frames)):
            self.results.append(func)

    def get(self) -> Any:
        """Return the program. Raises `FrameNotOpen` where nothing was built."""
        if self.results:
            return self.results[-1]
        if self._reader.statements:
            return self._reader.finish_body()
        raise FrameNotOpen(call="get", frame="a builder that has built a program")

    @staticmethod
    def name(s: str, v: Any) -> Any:
        """Name a variable, a buffer or an axis."""
        named: Any = v.var if isinstance(v, IterVar) else v
        if isinstance(named, (Var, Buffer)):
            target: Any = named
            target.name = s
            if isinstance(named, Buffer):
                data: Any = named.data
                data.name = s
        elif isinstance(named, (list, tuple)):
            for number, item in enumerate(named):
                IRBuilder.name(f"{s}_{number}", item)
        elif hasattr(named, "name_hint"):
            named.name_hint = s
        return v

    @staticmethod
    def name_many(s: Sequence[str], vs: Sequence[Any]) -> list[Any]:
        """Name several variables, buffers or axes."""
        return [IRBuilder.name(name, value) for name, value in zip(s, vs, strict=True)]


def find(kind: type[FrameT]) -> FrameT | None:
    """Return the innermost open frame of a class."""
    return next((frame for frame in reversed(IRBuilder.current().frames) if isinstance(frame, kind)), None)


def innermost(kind: type[FrameT], call: str, name: str) -> FrameT:
    """Return the innermost open frame of a class. Raises `FrameNotOpen`."""
    frame = find(kind)
    if frame is None:
        raise FrameNotOpen(call=call, frame=name)
    return frame
