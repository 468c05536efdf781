"""SplitLayoutRewritePreproc: change the layouts of weights in kernels of their own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tvmscript.ir.analysis.undefined_vars import undefined_vars
from tvmscript.ir.core import HANDLE, INT64, GlobalVar, IRModule, nodes, on
from tvmscript.ir.core.python_settings import without_collection
from tvmscript.ir.relax.base import RelaxExpr, StructInfo
from tvmscript.ir.relax.builder import BlockBuilder
from tvmscript.ir.relax.expr import Call, Tuple, TupleGetItem
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.kernel_calls import match_call_tir
from tvmscript.ir.relax.op.call_tir import call_tir
from tvmscript.ir.relax.rewrite import RelaxRewriter
from tvmscript.ir.relax.struct_info import TensorStructInfo, TupleStructInfo
from tvmscript.ir.relax.transform.normal_form.dead_code_elimination import DeadCodeElimination
from tvmscript.ir.tir import Buffer, IntImm, PrimFunc, Stmt, TirRewriter, Var, cast, rename_definitions
from tvmscript.ir.tir.stmt import Block, BlockRealize, BufferStore, SeqStmt, seq
from tvmscript.ir.transform.base import Pass
from tvmscript.ir.transform.memory.remove_weight_layout_rewrite_block import PREPROC, is_layout_block


@dataclass(frozen=True)
class SplitLayoutRewritePreproc(Pass):
    """Split kernels whose blocks with the annotation `meta_schedule.layout_rewrite_preproc` change layouts of weights:
    `<name>_weight_prepack` changes them, `<name>_prepacked` takes them in the new layouts.

    After it, `relax.LiftTransformParams` moves the calls that change weights out of the function. Kernels stay whole
    whose layout blocks compute from anything but one parameter each, whose other blocks use the old layout too, or
    whose new layouts have symbolic sizes. What is no longer used is removed, as by `relax.DeadCodeElimination`.

    rewrite:
        y = R.call_tir(cls.matmul, (x, w), out_sinfo=Y)
    -->
        lv = R.call_tir(cls.matmul_weight_prepack, (w,), out_sinfo=W1)
        y = R.call_tir(cls.matmul_prepacked, (x, lv), out_sinfo=Y)
    """

    name = "relax.SplitLayoutRewritePreproc"
    is_idempotent = True

    @without_collection
    def run(self, mod: IRModule) -> IRModule:
        builder = BlockBuilder(mod)
        splitter = _CallSplitter(builder, mod)
        for var, func in mod.functions.items():
            if isinstance(func, Function):
                new_func = splitter.rewrite(func)
                if new_func is not func:
                    builder.update_func(var, new_func)
        return DeadCodeElimination().run(builder.finalize())


@dataclass(frozen=True)
class _LayoutChange:
    """A statement of layout blocks, the weight that it reads, and the buffer in the new layout that it writes."""

    stmt: Stmt
    weight: Buffer
    packed: Buffer


@dataclass(frozen=True)
class _SplitKernel:
    """The functions that a kernel becomes."""

    prepack: GlobalVar
    prepacked: GlobalVar
    #: positions of the weights among the parameters of the kernel
    places: Sequence[int]
    #: tensors in the new layouts
    infos: tuple[StructInfo, ...]


class _CallSplitter(RelaxRewriter):
    """Rewriter of the calls of kernels."""

    def __init__(self, builder: BlockBuilder, mod: IRModule) -> None:
        super().__init__(builder)
        self.mod = mod
        #: kernel -> its parts, None where it stays whole
        self.kernels: dict[GlobalVar, _SplitKernel | None] = {}

    @on(Call)
    def call(self, node: Call) -> RelaxExpr:
        call: Call = self.descend(node)
        kernel_call = match_call_tir(call, self.mod)
        if kernel_call is None:
            return call
        symbol = kernel_call.symbol
        if symbol not in self.kernels:
            self.kernels[symbol] = self._split(symbol.name_hint, kernel_call.kernel)
        split = self.kernels[symbol]
        if split is None:
            return call
        fields = list(kernel_call.arguments)
        weights = Tuple(tuple([fields[place] for place in split.places]))
        info = split.infos[0] if len(split.infos) == 1 else TupleStructInfo(split.infos)
        packed = self.builder.emit(Call(call_tir, (split.prepack, weights), None, (info,)))
        for index, place in enumerate(split.places):
            fields[place] = packed if len(split.places) == 1 else TupleGetItem(packed, index)
        args = (split.prepacked, Tuple(tuple(fields)), *call.args[2:])
        return self.builder.emit(call.replace(args=args, struct_info=call.struct_info))

    def _split(self, name: str, kernel: PrimFunc) -> _SplitKernel | None:
        """Add the two functions of a kernel to the module."""
        body = kernel.body
        if not isinstance(body, BlockRealize) or not isinstance(body.block.body, SeqStmt):
            return None
        root, stmts = body.block, body.block.body.seq
        changes = _layout_changes(kernel, root, stmts)
        if not changes:
            return None

        def with_root(parts: Iterable[Stmt], alloc_buffers: Iterable[Buffer]) -> Stmt:
            return body.replace(block=root.replace(body=seq(*parts), alloc_buffers=tuple(alloc_buffers)))

        handles = {buffer: param for param, buffer in kernel.buffer_map.items()}
        weights = {handles[change.weight]: change.weight for change in changes}
        #: parameter of a weight -> that of its new layout
        renamed = {handles[change.weight]: Var(change.packed.name, HANDLE) for change in changes}
        packed = {renamed[handles[change.weight]]: change.packed for change in changes}
        layout_stmts = [change.stmt for change in changes]
        unmarked = map(_AnnotationRemover().rewrite, layout_stmts)
        prepack = kernel.replace(
            params=(*weights, *packed), buffer_map={**weights, **packed}, body=with_root(unmarked, ())
        )
        params = tuple([renamed.get(param, param) for param in kernel.params])
        buffers = {**kernel.buffer_map, **packed}
        prepacked = kernel.replace(
            params=params,
            buffer_map={param: buffers[param] for param in params if param in buffers},
            body=with_root(
                [stmt for stmt in stmts if stmt not in layout_stmts],
                [buffer for buffer in root.alloc_buffers if buffer not in packed.values()],
            ),
        )
        return _SplitKernel(
            self._add(prepack, f"{name}_weight_prepack"),
            self._add(prepacked, f"{name}_prepacked"),
            [kernel.params.index(param) for param in weights],
            tuple([_struct_info(buffer) for buffer in packed.values()]),
        )

    def _add(self, func: PrimFunc, name: str) -> GlobalVar:
        """Add a function, public where the kernel is."""
        attrs = {key: value for key, value in func.attrs.items() if key != "layout_free_buffers"}
        if "global_symbol" in attrs:
            attrs["global_symbol"] = name
        return self.builder.add_func(rename_definitions(func.replace(attrs=attrs)), name)


class _AnnotationRemover(TirRewriter):
    """Removes the annotation of layout blocks."""

    @on(Block)
    def block(self, node: Block) -> Block:
        block: Block = self.descend(node)
        return block.replace(annotations={key: value for key, value in block.annotations.items() if key != PREPROC})


def _struct_info(buffer: Buffer) -> StructInfo:
    return TensorStructInfo([cast(INT64, size) for size in buffer.shape], buffer.dtype)


def _layout_changes(kernel: PrimFunc, root: Block, stmts: Sequence[Stmt]) -> list[_LayoutChange]:
    """Return the layout changes among the statements of a kernel; none where it cannot be split."""
    changes: list[_LayoutChange] = []
    rest: list[Stmt] = []
    for stmt in stmts:
        blocks = [node for node in nodes(stmt) if isinstance(node, Block)]
        if not blocks or not all(map(is_layout_block, blocks)):
            rest.append(stmt)
            continue
        change = _layout_change(kernel, root, stmt)
        if change is None:
            return []
        changes.append(change)
    weights = {change.weight for change in changes}
    others = {node for stmt in rest for node in nodes(stmt) if isinstance(node, (Buffer, Var))}
    is_shared = any(weight in others or weight.data in others for weight in weights)
    return [] if is_shared or len(weights) < len(changes) or not rest else changes


def _layout_change(kernel: PrimFunc, root: Block, stmt: Stmt) -> _LayoutChange | None:
    """Return the layout change of a statement; None where it does anything else."""
    stored = {node.buffer for node in nodes(stmt) if isinstance(node, BufferStore)}
    read = {node for node in nodes(stmt) if isinstance(node, Buffer)} - stored
    if len(stored) != 1 or len(read) != 1:
        return None
    (packed,), (weight,) = stored, read
    if packed not in root.alloc_buffers or weight not in kernel.buffer_map.values():
        return None
    is_static = all(isinstance(size, IntImm) for size in (*packed.shape, *weight.shape))
    is_closed = {packed.data, weight.data}.issuperset(undefined_vars(stmt))
    return _LayoutChange(stmt, weight, packed) if is_static and is_closed else None
