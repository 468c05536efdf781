"""Accesses to memory in loops, of which some functions have none that LLVM has to move out of a loop."""

from __future__ import annotations

from collections.abc import Container, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

from tvmscript.ir.arith.fold import is_const
from tvmscript.ir.core import nodes
from tvmscript.ir.tir import BufferLoad, Call, Expr, IntImm, Stmt, Var, uses
from tvmscript.ir.tir.expr import BinaryOp, Cast, Ramp, Select

#: LLVM attribute of functions that few passes make as fast as many do
SHORT_PIPELINE: Final = "short-pipeline"
#: LLVM attribute of functions that run once in a thread or launch threads: optimizing them takes longer than it saves
NOT_OPTIMIZED: Final = "optnone"


@dataclass
class _Loop:
    """A loop and the memory that it accesses at addresses that do not change."""

    var: Var
    loaded: set[Var] = field(default_factory=set)
    stored: set[Var] = field(default_factory=set)


class LoopAccesses:
    """The accesses of a function that is being written."""

    def __init__(self, constants: Mapping[Var, IntImm]) -> None:
        #: variables of unrolled loops in the iteration that is written
        self._constants = constants
        #: what the addresses of accesses depend on
        self._names: dict[tuple[Expr, ...], set[Expr]] = {}
        self._loop: _Loop | None = None
        self._innermost: list[_Loop] = []
        #: memory of accesses that are not one vector or element at a constant address
        self._indexed: set[Var] = set()
        #: whether a loop accumulates under conditions, which repeat each other and their loads
        self._has_branches = False
        #: whether a loop repeats operations on elements that it does not change
        self._repeats_operations = False

    @property
    def innermost(self) -> Var | None:
        """The variable of the loop around what is being written, None outside of loops."""
        return None if self._loop is None else self._loop.var

    @contextmanager
    def inside(self, var: Var) -> Generator[None]:
        """Note the accesses of a loop over this variable."""
        outside, self._loop = self._loop, _Loop(var)
        yield
        self._loop = outside

    def end_innermost(self, body: Stmt, *, has_branches: bool) -> None:
        """Note that the loop that was written contains no other one."""
        if self._loop is not None:
            self._innermost.append(self._loop)
            self._has_branches |= has_branches and bool(self._loop.loaded & self._loop.stored)
            unchanged = self._loop.loaded - self._loop.stored
            self._repeats_operations |= bool(unchanged) and _computes_from(unchanged, self._loop.var, body)

    def note(self, data: Var, indices: tuple[Expr, ...], *, is_store: bool, is_whole: bool) -> None:
        """Note an access; `is_whole` unless lanes are masked."""
        names = self._names.get(indices)
        if names is None:
            names = self._names[indices] = _names_in(indices)
        is_constant = names <= self._constants.keys()
        if not (is_whole and is_constant):
            self._indexed.add(data)
        loop = self._loop
        if loop is not None and (is_constant or loop.var not in names):
            (loop.stored if is_store else loop.loaded).add(data)

    def note_mask(self, condition: Expr) -> None:
        """Note a mask of lanes."""
        self._repeats_operations |= self._loop is not None and self._loop.var not in uses(condition)

    def attribute(self, private: Container[Var]) -> str:
        """Return an LLVM attribute for a function; `private` is the memory on its stack.

        Memory on the stack becomes registers where all of its addresses are constants. What is computed from values
        that do not change, and accumulated in other memory, is moved out of loops by the passes of longer pipelines.
        """
        needs_motion = (
            self._has_branches
            or self._repeats_operations
            or any(
                data in self._indexed or data not in private
                for loop in self._innermost
                for data in loop.loaded | loop.stored
            )
        )
        return "" if needs_motion else f' "{SHORT_PIPELINE}"'


def _computes_from(unchanged: set[Var], var: Var, body: Stmt) -> bool:
    """Return whether a loop's body has operations on elements of this memory alone, not on the loop's variable."""
    for node in nodes(body):
        if isinstance(node, (BinaryOp, Call, Cast, Select)):
            loads = [part for part in nodes(node) if isinstance(part, BufferLoad)]
            if loads and all(load.buffer.data in unchanged for load in loads) and var not in uses(node):
                return True
    return False


def _names_in(indices: tuple[Expr, ...]) -> set[Expr]:
    """Return the variables of an address, and its vectors of elements that are not consecutive."""
    bases = [index.base if isinstance(index, Ramp) and is_const(index.stride, 1) else index for index in indices]
    return uses(bases) | {base for base in bases if base.dtype.lanes > 1}
