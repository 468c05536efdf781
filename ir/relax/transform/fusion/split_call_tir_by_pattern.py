"""SplitCallTIRByPattern: run the first statements of kernels in a library."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from tvmscript.ir.analysis.undefined_vars import undefined_vars
from tvmscript.ir.core import HANDLE, INT64, GlobalVar, IRModule, nodes, on
from tvmscript.ir.core.python_settings import without_collection
from tvmscript.ir.relax.base import RelaxExpr, StructInfo
from tvmscript.ir.relax.builder import BlockBuilder
from tvmscript.ir.relax.expr import Call, ExternFunc, Tuple
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.kernel_calls import match_call_tir
from tvmscript.ir.relax.op.call_tir import call_dps_packed, tuple_fields
from tvmscript.ir.relax.rewrite import RelaxRewriter
from tvmscript.ir.relax.struct_info import TensorStructInfo
from tvmscript.ir.relax.transform.errors import BadCodegenResult
from tvmscript.ir.relax.transform.fusion.common.kernel_pattern import MatchResult, match_statement
from tvmscript.ir.relax.transform.fusion.run_codegen import register_implementation
from tvmscript.ir.tir import Buffer, Expr, PrimFunc, Stmt, Var, cast, rename_definitions, substitute
from tvmscript.ir.tir.stmt import BlockRealize, BufferStore, SeqStmt, seq
from tvmscript.ir.transform.base import Pass


@dataclass(frozen=True, eq=False)
class SplitCallTIRByPattern(Pass):
    """Replace the first statements of kernels, as many as match `patterns`, by calls of a library.

    A pattern is a kernel of one statement; its scalar parameters stand for any sizes. `fcodegen` takes the matches of a
    kernel in order and returns three things: the implementation, the number of matches that it computes, and the
    buffers that it reads, in the order of its arguments. The implementation is a callable that takes arrays, inputs
    first, and writes the output; or a text, where a global function of the kernel's name exists. The remaining
    statements become the kernel `unfused_epilogue`. A kernel stays whole where the number is 0, or where the rest
    needs more than one result of the library. Raises `BadCodegenResult`.

    rewrite:
        y = R.call_tir(cls.matmul_relu, (x, w), out_sinfo=R.Tensor((4, 4), "float32"))
        -->
        lv = R.call_dps_packed("matmul_relu", (x, w), out_sinfo=R.Tensor((4, 4), "float32"))
        y = R.call_tir(cls.unfused_epilogue, (lv,), out_sinfo=R.Tensor((4, 4), "float32"))
    """

    name = "relax.SplitCallTIRByPattern"
    is_exact = False
    patterns: Sequence[PrimFunc]
    fcodegen: Callable[[Sequence[MatchResult]], Sequence[Any]]

    @without_collection
    def run(self, mod: IRModule) -> IRModule:
        builder = BlockBuilder(mod)
        splitter = _CallSplitter(builder, mod, self)
        for var, func in mod.functions.items():
            if isinstance(func, Function):
                new_func = splitter.rewrite(func)
                if new_func is not func:
                    builder.update_func(var, new_func)
        splits = {var: split for var, split in splitter.kernels.items() if split is not None}
        if not splits:
            return mod
        libraries = {var: split.library for var, split in splits.items() if split.epilogue is None}
        new_mod = builder.finalize()
        return new_mod.replace(functions={**new_mod.functions, **libraries})


@dataclass(frozen=True)
class _SplitKernel:
    """The library function that computes the first statements of a kernel, and the kernel of the others."""

    library: ExternFunc
    #: parameters of the kernel that the library reads
    library_inputs: Sequence[Buffer]
    epilogue: GlobalVar | None = None
    #: parameters of the kernel that the epilogue reads
    epilogue_inputs: Sequence[Buffer] = ()
    #: the result of the library that the epilogue reads
    intermediate: Buffer | None = None


class _CallSplitter(RelaxRewriter):
    """Rewriter of the calls of kernels."""

    def __init__(self, builder: BlockBuilder, mod: IRModule, options: SplitCallTIRByPattern) -> None:
        super().__init__(builder)
        self.mod = mod
        self.options = options
        #: kernel -> its parts, None where it stays whole
        self.kernels: dict[GlobalVar, _SplitKernel | None] = {}

    @on(Call)
    def call(self, node: Call) -> RelaxExpr:
        call: Call = self.descend(node)
        kernel_call = match_call_tir(call, self.mod)
        if kernel_call is None or len(call.args) > 2:
            return call
        symbol, kernel, given = kernel_call
        if symbol not in self.kernels:
            self.kernels[symbol] = self._split(symbol.name_hint, kernel, len(given))
        split = self.kernels[symbol]
        if split is None:
            return call
        buffers = [kernel.buffer_map[param] for param in kernel.params]
        values = dict(zip(buffers, given, strict=False))

        def arguments(inputs: Iterable[Buffer]) -> tuple[RelaxExpr, ...]:
            return tuple([values[buffer] for buffer in inputs])

        if split.epilogue is None:
            return call.replace(op=call_dps_packed, args=(split.library, Tuple(arguments(split.library_inputs))))
        infos = [each.struct_info for each in given] + list(tuple_fields(call.sinfo_args[0]))
        assert split.intermediate is not None
        info = _info_at_call(split.intermediate, buffers, infos)
        library_call = Call(call_dps_packed, (split.library, Tuple(arguments(split.library_inputs))), None, (info,))
        values[split.intermediate] = self.builder.emit(library_call)
        inputs = (split.intermediate, *split.epilogue_inputs)
        return call.replace(args=(split.epilogue, Tuple(arguments(inputs))))

    def _split(self, name: str, kernel: PrimFunc, input_count: int) -> _SplitKernel | None:
        """Generate the code of the matches of a kernel, and add the kernel of the rest to the module.

        Raises `BadCodegenResult`.
        """
        body = kernel.body
        buffers = [kernel.buffer_map[param] for param in kernel.params if param in kernel.buffer_map]
        if not isinstance(body, BlockRealize) or len(buffers) < len(kernel.params):
            return None
        inputs, outputs = buffers[:input_count], buffers[input_count:]
        stmts = body.block.body.seq if isinstance(body.block.body, SeqStmt) else (body.block.body,)
        matches = _match_prefix(self.options.patterns, stmts)
        if not matches:
            return None
        implementation, count, arguments = self._generate(name, matches, inputs)
        if not count:
            return None
        matched, rest = stmts[:count], stmts[count:]
        if not rest:
            return _SplitKernel(_library(name, implementation), arguments)
        used = set(_used_buffers(rest))
        results = [buffer for buffer in _written_buffers(matched) if buffer in used or buffer in outputs]
        if len(results) != 1 or results[0] not in body.block.alloc_buffers:
            return None
        intermediate = results[0]
        epilogue_inputs = [buffer for buffer in inputs if buffer in used]
        # the sizes of the epilogue are those of its buffers
        sizes = {size for buffer in (intermediate, *epilogue_inputs, *outputs) for size in buffer.shape}
        data = {buffer.data for buffer in (*inputs, *outputs)}
        if not sizes.issuperset(set(undefined_vars(kernel.body)) - data):
            return None
        alloc_buffers = tuple([buffer for buffer in body.block.alloc_buffers if buffer in used - {intermediate}])
        block = body.block.replace(body=seq(*rest), alloc_buffers=alloc_buffers)
        params = {Var(buffer.name, HANDLE): buffer for buffer in (intermediate, *epilogue_inputs, *outputs)}
        func = kernel.without_attr("global_symbol").replace(
            params=tuple(params), buffer_map=params, body=body.replace(block=block)
        )
        epilogue = self.builder.add_func(rename_definitions(func), "unfused_epilogue")
        return _SplitKernel(_library(name, implementation), arguments, epilogue, epilogue_inputs, intermediate)

    def _generate(
        self, name: str, matches: Sequence[MatchResult], inputs: Sequence[Buffer]
    ) -> tuple[Callable[..., Any] | str, int, Sequence[Buffer]]:
        """Call the code generator. Raises `BadCodegenResult`."""
        result = list(self.options.fcodegen(matches))
        if len(result) != 3:
            expected = "the implementation, the number of matches and the buffers"
            raise BadCodegenResult(name=name, expected=expected, got=f"{len(result)} values")
        implementation, count, arguments = result[0], int(result[1]), list(result[2])
        if not 0 <= count <= len(matches):
            raise BadCodegenResult(name=name, expected=f"a number of matches from 0 to {len(matches)}", got=str(count))
        unknown = [buffer for buffer in arguments if buffer not in inputs]
        if unknown and count:
            names = ", ".join(str(getattr(buffer, "name", buffer)) for buffer in unknown)
            raise BadCodegenResult(name=name, expected="buffers that are inputs of the kernel", got=names)
        if count and not isinstance(implementation, str) and not callable(implementation):
            raise BadCodegenResult(name=name, expected="a callable or a text", got=repr(implementation))
        return implementation, count, arguments


def _match_prefix(patterns: Sequence[PrimFunc], stmts: Sequence[Stmt]) -> list[MatchResult]:
    """Return the matches of the first statements, up to the first one that no pattern matches."""
    matches: list[MatchResult] = []
    for stmt in stmts:
        match = next(filter(None, (match_statement(pattern, stmt) for pattern in patterns)), None)
        if match is None:
            break
        matches.append(match)
    return matches


def _library(name: str, implementation: Callable[..., Any] | str) -> ExternFunc:
    return ExternFunc(name if isinstance(implementation, str) else register_implementation(name, implementation))


def _info_at_call(buffer: Buffer, params: Sequence[Buffer], infos: Sequence[StructInfo | None]) -> StructInfo:
    """Return the struct info of a buffer of a kernel in terms of the sizes at a call."""
    sizes: dict[Var, Expr] = {}
    for param, info in zip(params, infos, strict=True):
        if isinstance(info, TensorStructInfo) and info.extents is not None:
            for size, extent in zip(param.shape, info.extents, strict=False):
                if isinstance(size, Var):
                    sizes.setdefault(size, extent)
    return TensorStructInfo([cast(INT64, substitute(size, sizes)) for size in buffer.shape], buffer.dtype)


def _used_buffers(stmts: Iterable[Stmt]) -> Iterable[Buffer]:
    return (node for stmt in stmts for node in nodes(stmt) if isinstance(node, Buffer))


def _written_buffers(stmts: Iterable[Stmt]) -> list[Buffer]:
    return list(dict.fromkeys(node.buffer for stmt in stmts for node in nodes(stmt) if isinstance(node, BufferStore)))
