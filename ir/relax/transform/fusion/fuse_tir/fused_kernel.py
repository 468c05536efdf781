"""One kernel for a function of kernel calls: their bodies in order, over common buffers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from tvmscript.ir.core import BOOL, HANDLE, GlobalVar, IRModule, Node, on, structural_equal
from tvmscript.ir.core.name_supply import NameSupply
from tvmscript.ir.relax.base import StructInfo
from tvmscript.ir.relax.expr import Call, Tuple, TupleGetItem, VarBinding
from tvmscript.ir.relax.expr import Var as RelaxVar
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.op.call_tir import call_tir, call_tir_inplace, tuple_fields
from tvmscript.ir.relax.struct_info import (
    PrimStructInfo,
    ShapeExpr,
    ShapeStructInfo,
    TensorStructInfo,
    TupleStructInfo,
)
from tvmscript.ir.relax.transform.errors import CannotFuseKernels
from tvmscript.ir.tir import (
    Block,
    BlockRealize,
    Buffer,
    BufferRegion,
    Expr,
    IntImm,
    PrimFunc,
    Stmt,
    Var,
    make_buffer,
    rename_definitions,
    seq,
)
from tvmscript.ir.tir.substitute import Substitution

#: appended to the names of buffers of results
_SUFFIX = "_intermediate"


@dataclass(frozen=True)
class FusedKernel:
    """A kernel in the place of a graph function."""

    func: PrimFunc
    #: result -> the argument that it is written into, -1 for a new tensor; None where all are new
    inplace_indices: tuple[int, ...] | None


def fuse_kernels(name: str, func: Function, mod: IRModule) -> FusedKernel:
    """Return the kernel for a function of kernel calls. Raises `CannotFuseKernels`."""
    builder = _KernelBuilder(name, mod)
    for param in func.params:
        builder.add_param(param)
    for block in func.body.blocks:
        for binding in block.bindings:
            builder.add_binding(binding)
    return builder.kernel(builder.buffers_of(func.body.body))


class _KernelBuilder:
    """Collects the bodies, buffers and parameters of a kernel."""

    def __init__(self, name: str, mod: IRModule) -> None:
        self.name = name
        self.mod = mod
        self.inputs: list[Buffer] = []
        self.scalars: list[Var] = []
        self.allocated: list[Buffer] = []
        self.bodies: list[Stmt] = []
        #: kernels in the bodies: another copy of one needs definitions of its own
        self.kernels: set[PrimFunc] = set()
        #: relax value -> its buffers, one for each tensor of a tuple
        self.buffers: dict[Any, tuple[Buffer, ...]] = {}
        self.block_names = NameSupply("_")

    def fail(self, reason: str, node: Node) -> NoReturn:
        raise CannotFuseKernels(name=self.name, reason=reason, span=node.span)

    def add_param(self, param: RelaxVar) -> None:
        """Add the buffers, or the scalars, of a parameter of the function."""
        info = param.struct_info
        if isinstance(info, ShapeStructInfo) and info.values is not None:
            self.scalars += [size for size in info.values if isinstance(size, Var)]
        elif isinstance(info, PrimStructInfo):
            self.scalars += [info.value] if isinstance(info.value, Var) else []
        else:
            buffers = tuple(self._buffers_of_info(info, param.name_hint, param))
            self.inputs += buffers
            self.buffers[param] = buffers

    def _buffers_of_info(self, info: StructInfo | None, name: str, param: Node) -> Iterable[Buffer]:
        if isinstance(info, TupleStructInfo):
            for index, field in enumerate(info.fields):
                yield from self._buffers_of_info(field, f"{name}_{index}", param)
        elif isinstance(info, TensorStructInfo) and info.extents is not None:
            yield make_buffer(info.extents, info.dtype, name)
        else:
            self.fail(f"its parameter {name} has no known shape", param)

    def add_binding(self, binding: Any) -> None:
        """Add the computation of a binding."""
        value = binding.value
        if isinstance(binding, VarBinding) and isinstance(value, Call):
            self.buffers[binding.var] = self._call(value)
        elif isinstance(binding, VarBinding) and isinstance(value, (RelaxVar, Tuple, TupleGetItem)):
            self.buffers[binding.var] = self.buffers_of(value)
        else:
            self.fail(f"it binds {binding.var.name_hint} to something other than the call of a kernel", binding)

    def buffers_of(self, value: Any) -> tuple[Buffer, ...]:
        """Return the buffers of a value, in the order of the tensors in it."""
        if isinstance(value, Tuple):
            return tuple(buffer for field in value.fields for buffer in self.buffers_of(field))
        if isinstance(value, TupleGetItem):
            fields: Sequence[StructInfo] = value.tuple_value.struct_info.fields  # type: ignore[union-attr]
            begin = sum(_tensor_count(field) for field in fields[: value.index])
            return self.buffers_of(value.tuple_value)[begin : begin + _tensor_count(fields[value.index])]
        if value not in self.buffers:
            self.fail("it uses a value that is no tensor of the function", value)
        return self.buffers[value]

    def _call(self, call: Call) -> tuple[Buffer, ...]:
        """Add the body of a kernel, and return the buffers of its results."""
        callee: Any = call.args[0] if call.op in (call_tir, call_tir_inplace) else None
        kernel = self.mod.get(callee) if isinstance(callee, GlobalVar) else None
        if not isinstance(kernel, PrimFunc):
            self.fail("it makes a call that is no call of a kernel", call)
        if kernel in self.kernels:
            kernel = rename_definitions(kernel)
        self.kernels.add(kernel)
        if not isinstance(kernel.body, BlockRealize) or kernel.body.block.iter_vars:
            self.fail(f"the body of {callee.name_hint} is not a block", call)
        root = kernel.body.block
        matcher = _Matcher(self.block_names)
        arguments: Any = call.args[1]
        params = iter(kernel.params)
        sources: list[Buffer] = []
        for argument in arguments.fields:
            if isinstance(argument.struct_info, PrimStructInfo):
                matcher.match_size(next(params), argument.struct_info.value)
                continue
            for buffer in self.buffers_of(argument):
                matcher.match(kernel.buffer_map[next(params)], buffer)
                sources.append(buffer)
        sizes: Any = call.args[2] if len(call.args) > 2 else ShapeExpr(())
        for param, size in zip(kernel.params[len(kernel.params) - len(sizes) :], sizes, strict=True):
            matcher.match_size(param, size)
        self.allocated += [matcher.allocated(buffer) for buffer in root.alloc_buffers]
        infos = tuple_fields(call.sinfo_args[0])
        places = call.attrs["inplace_indices"] if call.op is call_tir_inplace else [-1] * len(infos)
        results: list[Buffer] = []
        for info, place in zip(infos, places, strict=True):
            if place != -1:
                results.append(sources[place])
                continue
            old = kernel.buffer_map[next(params)]
            new = self._result(old, info)
            self.allocated.append(new)
            matcher.match(old, new)
            results.append(new)
        self.bodies.append(matcher.rewrite(root.body))
        return tuple(results)

    def _result(self, buffer: Buffer, info: Any) -> Buffer:
        """Return a buffer for a result, with a name that no other allocated buffer has."""
        names = {other.name for other in self.allocated}
        name = buffer.name + _SUFFIX
        number = 0
        while name in names:
            number += 1
            name = f"{name}_{number}"
        return buffer.replace(name=name, data=buffer.data.replace(name=name), shape=tuple(info.extents))

    def kernel(self, results: Sequence[Buffer]) -> FusedKernel:
        """Return the kernel that writes these buffers."""
        buffer_map = {Var(f"p_{buffer.name}", HANDLE): buffer for buffer in self.inputs}
        outputs = [buffer for buffer in dict.fromkeys(results) if buffer not in self.inputs]
        buffer_map |= {Var(f"p_output{index}", HANDLE): buffer for index, buffer in enumerate(outputs)}
        params = [*buffer_map, *self.scalars]
        allocated = tuple(buffer for buffer in self.allocated if buffer not in outputs)
        root = Block((), (), (), "root", seq(*self.bodies), None, allocated)
        body = BlockRealize((), IntImm(BOOL, 1), root)
        func = PrimFunc(tuple(params), body, None, buffer_map, {"tir.noalias": True})
        indices = tuple(self.inputs.index(buffer) if buffer in self.inputs else -1 for buffer in results)
        return FusedKernel(rename_definitions(func), indices if set(indices) != {-1} else None)


def _tensor_count(info: StructInfo) -> int:
    return sum(map(_tensor_count, info.fields)) if isinstance(info, TupleStructInfo) else 1


class _Matcher(Substitution):
    """Replaces the buffers and sizes of a kernel, and names its blocks."""

    def __init__(self, block_names: NameSupply) -> None:
        super().__init__({})
        self.block_names = block_names

    def match(self, old: Buffer, new: Buffer) -> None:
        """Replace a buffer, and the sizes that its shape defines."""
        for old_size, new_size in zip(old.shape, new.shape, strict=True):
            self.match_size(old_size, new_size)
        self.renamed[old] = new
        self.renamed[old.data] = new.data

    def match_size(self, old: Expr, new: Any) -> None:
        """Replace a size variable."""
        if isinstance(old, Var):
            self.renamed.setdefault(old, new)

    def allocated(self, buffer: Buffer) -> Buffer:
        """Return an allocated buffer with its sizes replaced."""
        new_buffer: Buffer = self.define(buffer)
        return new_buffer

    @on(Block)
    def block(self, node: Block) -> Any:
        """Merge equal regions, which become equal when two buffers become one."""
        block: Block = self.descend(node)
        reads, writes = _unique_regions(block.reads), _unique_regions(block.writes)
        return block.replace(reads=reads, writes=writes, name_hint=self.block_names.fresh(block.name_hint))


def _unique_regions(regions: Sequence[BufferRegion]) -> tuple[BufferRegion, ...]:
    unique: list[BufferRegion] = []
    for region in regions:
        if not any(region.buffer is other.buffer and structural_equal(region, other) for other in unique):
            unique.append(region)
    return tuple(unique)
