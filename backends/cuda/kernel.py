"""A kernel as a CUDA function."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Final

from tvmscript.backends.c.program import Signature
from tvmscript.backends.c.statements import constant_count
from tvmscript.backends.c.types import c_type
from tvmscript.backends.cuda.codegen import NIBBLES, CudaCodegen
from tvmscript.backends.cuda.program import CudaProgram
from tvmscript.backends.cuda.tensor_maps import is_tensor_map
from tvmscript.backends.runtime.arguments import written_data
from tvmscript.ir.core import DType, PointerType, PrimType, nodes
from tvmscript.ir.tir import Allocate, AttrStmt, BufferLoad, Call, IntImm, IterVar, PrimFunc, Var
from tvmscript.ir.tir.intrin.device import DeviceInstruction
from tvmscript.ir.tir.stmt import LAUNCHES
from tvmscript.ir.transform.function_attributes import is_noalias

#: dynamic shared memory that a kernel has to ask for
_OPT_IN_BYTES: Final = 48 << 10


class KernelText:
    """Code generation of one kernel."""

    def __init__(self, program: CudaProgram, name: str, func: PrimFunc, *, has_lines: bool = False) -> None:
        self.func = func
        self.symbol = program.names.fresh(name)
        self._cg = cg = CudaCodegen(program, Signature(self.symbol, func, False, None), has_lines=has_lines)
        self._written = written_in_kernel(func)
        self.params = [self._declare(param) for param in func.params]
        cg.statement(func.body)

    def _declare(self, param: Var) -> str:
        cg = self._cg
        name = cg.define(param)
        if is_tensor_map(param):
            cg.env[param] = f"(&{name})"
            return f"const __grid_constant__ TensorMap {name}"
        element = _element(param)
        if element is None:
            return cg.declare(param.dtype, name, param.span)
        cg.pointees[param] = element.element
        if element.element in NIBBLES:
            return f"Int4Pointer<{'true' if element.is_signed else 'false'}> {name}"
        kind = cg.type_name(element.element, param.span)
        constant = "" if param in self._written else "const "
        restrict = "__restrict__ " if is_noalias(self.func) else ""
        return f"{constant}{kind} *{restrict}{name}"

    @property
    def aligned(self) -> frozenset[Var]:
        """The parameters whose memory is accessed by vectors."""
        return frozenset(self._cg.aligned & set(self.func.params))

    @property
    def text(self) -> str:
        """The kernel's definition."""
        threads, dynamic_bytes = constant_extents(self.func)
        # ptxas may spill for more blocks at once than the memory has room for; one block is no limit to registers
        least_blocks = ", 1" if dynamic_bytes > _OPT_IN_BYTES else ""
        bounds = f" __launch_bounds__({threads}{least_blocks})" if threads else ""
        head = f'extern "C" __global__ void{bounds} {self.symbol}({", ".join(self.params)})'
        return "\n".join([f"{head} {{", *self._cg.lines, "}"]) + "\n"


def _element(param: Var) -> DType | None:
    """Return what a pointer points to; None for a number or a pointer without a type."""
    kind = param.pointer_type
    element = kind.element_type if isinstance(kind, PointerType) else None
    return element.dtype if isinstance(element, PrimType) and c_type(element.dtype) != "void" else None


def written_in_kernel(func: PrimFunc) -> set[Var]:
    """Return data that may be written; of elements that instructions of PTX take some are results."""
    calls = [node for node in nodes(func.body) if isinstance(node, Call) and isinstance(node.op, DeviceInstruction)]
    return written_data(func) | {arg.buffer.data for call in calls for arg in call.args if isinstance(arg, BufferLoad)}


def launches(func: PrimFunc) -> Iterator[tuple[str, IntImm | None]]:
    """Yield the thread axes of a kernel with their extents, None for those that are no constants."""
    for node in nodes(func.body):
        if isinstance(node, AttrStmt) and node.attr_key in LAUNCHES and isinstance(node.node, IterVar):
            yield node.node.thread_tag, node.value if isinstance(node.value, IntImm) else None


def _threads(func: PrimFunc) -> int | None:
    """Return how many threads a block has, None where that is no constant."""
    extents = {tag: extent for tag, extent in launches(func) if tag.startswith("threadIdx")}
    sizes = [extent.value for extent in extents.values() if extent is not None]
    return prod(sizes) if len(sizes) == len(extents) else None


def constant_extents(func: PrimFunc) -> tuple[int, int]:
    """Return the threads of a block and the bytes that the launch gives it, 0 where they are no constants."""
    dynamic = 0
    for node in nodes(func.body):
        if isinstance(node, Allocate) and node.buffer_var.storage_scope == "shared.dyn":
            dynamic += (constant_count(node) or 0) * node.dtype.element.itemsize
    return _threads(func) or 0, dynamic
