"""`IRBuilder` and the frames that are open in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, TypeVar

from tvmscript.ir.core import Node, TVMScriptError
from tvmscript.ir.tir import Buffer, IterVar, Stmt, Var, seq

FrameT = TypeVar("FrameT", bound="Frame")


class FrameNotOpen(TVMScriptError, ValueError, code="TS7043"):
    """A call of IRBuilder stands outside of the frame that it is about: T.axis.spatial outside of T.block."""

    message = "{call} is inside of {frame} alone"


class Frame:
    """A part of a program that is open: the statements that are emitted are collected in `stmts`."""

    def __init__(self, close: Callable[[Stmt], None] | None = None, value: Any = None) -> None:
        self.stmts: list[Stmt] = []
        self.value = value
        self._close = close

    def __enter__(self) -> Any:
        IRBuilder.current().frames.append(self)
        return self.value

    def __exit__(self, kind: object, *_: object) -> None:
        IRBuilder.current().frames.remove(self)
        if kind is None:
            self.finish()

    def finish(self) -> None:
        """Emit what the frame stands for; it is no longer open."""
        if self._close is not None:
            self._close(self.body)

    @property
    def body(self) -> Stmt:
        """The statements as one."""
        return seq(*self.stmts)


class IRBuilder:
    """Builds one program: `with IRBuilder() as ib: ...`, then `ib.get()`."""

    _open: ClassVar[list[IRBuilder]] = []

    def __init__(self) -> None:
        self.frames: list[Frame] = []
        self.results: list[Node] = []

    def __enter__(self) -> IRBuilder:
        self._open.append(self)
        return self

    def __exit__(self, *_: object) -> None:
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

    def get(self) -> Any:
        """Return the program. Raises `FrameNotOpen` where nothing was built."""
        if not self.results:
            raise FrameNotOpen(call="get", frame="a builder that has built a program")
        if len(self.results) == 1:
            return self.results[0]
        return seq(*[part for part in self.results if isinstance(part, Stmt)])

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
        return v

    @staticmethod
    def name_many(s: Sequence[str], vs: Sequence[Any]) -> list[Any]:
        """Name several variables, buffers or axes."""
        return [IRBuilder.name(name, value) for name, value in zip(s, vs, strict=True)]


def emit(stmt: Stmt) -> None:
    """Add a statement to the innermost frame, or to the result of the builder."""
    builder = IRBuilder.current()
    if builder.frames:
        builder.frames[-1].stmts.append(stmt)
    else:
        builder.results.append(stmt)


def find(kind: type[FrameT]) -> FrameT | None:
    """Return the innermost open frame of a class."""
    return next((frame for frame in reversed(IRBuilder.current().frames) if isinstance(frame, kind)), None)


def innermost(kind: type[FrameT], call: str, name: str) -> FrameT:
    """Return the innermost open frame of a class. Raises `FrameNotOpen`."""
    frame = find(kind)
    if frame is None:
        raise FrameNotOpen(call=call, frame=name)
    return frame
