"""`KernelAxes`: axes of the buffers of a kernel that are split together."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.linear_equation import detect_linear_equation
from tvmscript.ir.core import nodes
from tvmscript.ir.tir import Block, BlockRealize, Buffer, BufferStore, Expr, IntImm, PrimFunc, Var, uses
from tvmscript.ir.tir.expr import BufferLoad, FloorDiv

#: an axis of a buffer
BufferAxis = tuple[Buffer, int]
Access = BufferLoad | BufferStore


class KernelBlock:
    """A block without inner blocks, with the ranges of its variables."""

    def __init__(self, realize: BlockRealize) -> None:
        self.realize = realize
        self.block: Block = realize.block
        self.extents = {iter_var.var: iter_var.dom.extent for iter_var in self.block.iter_vars if iter_var.dom}
        self._analyzer = Analyzer()
        for iter_var in self.block.iter_vars:
            if iter_var.dom is not None:
                self._analyzer.bind(iter_var.var, iter_var.dom)

    def accesses(self) -> Iterator[Access]:
        """Yield the loads and stores of the block."""
        for stmt in (self.block.init, self.block.body):
            if stmt is not None:
                yield from (part for part in nodes(stmt) if isinstance(part, (BufferLoad, BufferStore)))

    def index(self, index: Expr) -> Expr:
        """Return an index, simplified in the ranges of the variables."""
        return self._analyzer.simplify(index)

    def leading_var(self, index: Expr, extent: Expr) -> Var | None:
        """Return the variable whose n-th part runs over the n-th part of an axis that a simplified index accesses.

        It is the index `i`, or the first part of `i * 8 + j` or of `i // 8`. None where there is none.
        """
        for var in self.extents:
            if var in uses(index) and self._leads(var, index, extent):
                return var
        return None

    def _leads(self, var: Var, index: Expr, extent: Expr) -> bool:
        own = self.extents[var]
        if index is var:
            return self._analyzer.can_prove_equal(own, extent)
        if not isinstance(own, IntImm) or not isinstance(extent, IntImm):
            return False
        if isinstance(index, FloorDiv) and index.a is var and isinstance(index.b, IntImm):
            return own.value == extent.value * index.b.value
        linear = detect_linear_equation(index, [var])
        if not linear or not isinstance(linear[0], IntImm) or own.value * linear[0].value != extent.value:
            return False
        low, high = self._analyzer.const_bounds(linear[1])
        return low is not None and high is not None and low >= 0 and high < linear[0].value


class AxisGroup(NamedTuple):
    """Axes of buffers and variables of blocks that are split together."""

    axes: set[BufferAxis]
    variables: set[Var]


class KernelAxes:
    """The blocks of a kernel, and the groups of its axes."""

    def __init__(self, kernel: PrimFunc) -> None:
        self.kernel = kernel
        realizes = [part for part in nodes(kernel.body) if isinstance(part, BlockRealize)]
        self.blocks = [KernelBlock(each) for each in realizes if not _has_blocks(each.block)]
        self.groups: list[AxisGroup] = []
        for block in self.blocks:
            for access in block.accesses():
                for axis, (index, extent) in enumerate(zip(access.indices, access.buffer.shape, strict=False)):
                    var = block.leading_var(block.index(index), extent)
                    if var is not None:
                        self._join((access.buffer, axis), var)

    def _join(self, axis: BufferAxis, var: Var) -> None:
        joined = [group for group in self.groups if axis in group.axes or var in group.variables]
        merged = AxisGroup({axis}, {var})
        for group in joined:
            merged.axes.update(group.axes)
            merged.variables.update(group.variables)
        self.groups = [*(group for group in self.groups if group not in joined), merged]

    def groups_of_parameters(self) -> Iterator[list[tuple[int, int]]]:
        """Yield the groups as the places of parameters with axes, in order."""
        buffers = [self.kernel.buffer_map.get(param) for param in self.kernel.params]
        for group in self.groups:
            places = [
                (place, axis)
                for place, buffer in enumerate(buffers)
                if buffer is not None
                for axis in range(len(buffer.shape))
                if (buffer, axis) in group.axes
            ]
            if len(places) > 1:
                yield places


def _has_blocks(block: Block) -> bool:
    return any(isinstance(part, BlockRealize) for part in nodes(block.body))
