"""Laws of single passes besides equal values: layout, synchronization, attributes of functions."""

from __future__ import annotations

import random
import zlib
from collections.abc import Iterator
from typing import Any, Final

from tvmscript.fuzz.passes import loop_laws
from tvmscript.fuzz.passes.loop_laws import Law, common_kernels
from tvmscript.fuzz.passes.packed_calls import wrong_call
from tvmscript.fuzz.programs.redefined import redefined
from tvmscript.ir.analysis.cost.evaluate_size import evaluate_size
from tvmscript.ir.core import GlobalVar, IRModule, nodes, on, structural_equal
from tvmscript.ir.tir import NOOP, Expr, PrimFunc, StatementRewriter, Stmt, Var
from tvmscript.ir.tir.expr import BufferLoad, Call, IntImm, IterVar, Select, StringImm
from tvmscript.ir.tir.intrin.sync import tvm_storage_sync
from tvmscript.ir.tir.stmt import AttrStmt, Block, BufferStore, Evaluate, For
from tvmscript.ir.transform.base import Pass
from tvmscript.testing.same_values import SameValues, public_kernels
from tvmscript.testing.verify import WellFormed


def broken_law(each: Pass, before: IRModule, after: IRModule) -> str | None:
    """Describe what is wrong with the result of a pass; None if nothing. Raises `PassChangesValues` and the like."""
    law = LAWS.get(each.name) or loop_laws.LAWS.get(each.name)
    broken = None if law is None else law(each, before, after)
    return broken or loop_laws.left_over(each, after) or _said(each, before, after)


# -- attributes and annotations

#: passes that change attributes of functions
_ABOUT_FUNCTIONS: Final = frozenset({
    "tir.AnnotateEntryFunc", "tir.ApplyLayoutTransforms", "tir.BindTarget", "tir.DecorateDeviceScope",
    "tir.ExtractPrimFuncConstants", "tir.LowerDeviceKernelLaunch", "tir.MakePackedAPI", "tir.MakeUnpackedAPI",
})  # fmt: skip


def _said(each: Pass, before: IRModule, after: IRModule) -> str | None:
    """Check that function attributes stay, and annotations unknown to all passes (`kept`)."""
    for old, new in common_kernels(before, after):
        if each.name not in _ABOUT_FUNCTIONS:
            lost = [key for key, value in old.attrs.items() if not structural_equal(new.attrs.get(key), value)]
            if lost:
                return f"the attribute {lost[0]} of a function is {new.attrs.get(lost[0])}"
        noted = {_name(node) for node in _noted(old, True)} - {_name(node) for node in _noted(old, False)}
        for node in nodes(new.body) if noted else ():
            if isinstance(node, (For, Block)) and _name(node) in noted and "kept" not in node.annotations:
                return f"{_name(node)} has lost its annotation"
    return None


def _noted(func: PrimFunc, is_noted: bool) -> Iterator[For | Block]:
    """Yield loops and blocks with or without the annotation."""
    for node in nodes(func.body):
        if isinstance(node, (For, Block)) and ("kept" in node.annotations) is is_noted:
            yield node


def _name(node: For | Block) -> str:
    return f"loop {node.loop_var.name}" if isinstance(node, For) else f"block {node.name_hint}"


# -- addresses


def _addresses(each: Pass, before: IRModule, after: IRModule) -> str | None:
    """Check that flat indices are those of the strides before."""
    for access, place, got in _evaluated_accesses(before, after):
        # without separators the values of the elements show where they are
        if not access.buffer.axis_separators or access.buffer.dtype.is_bool:
            continue
        expected = _expected(access, place)
        if expected is not None and None not in got and expected != got:
            return f"{access.buffer.name}{list(map(str, access.indices))} is at {got} and not at {expected}"
    return None


def _evaluated_accesses(
    before: IRModule, after: IRModule
) -> Iterator[tuple[BufferLoad | BufferStore, dict[Var, int], list[int | None]]]:
    """Yield each access with sample values of the variables, and its indices after the pass."""
    for old, new in common_kernels(before, after):
        accesses, new_accesses = list(_accesses(old)), list(_accesses(new))
        if len(accesses) != len(new_accesses):
            continue  # constant conditions may be folded, with their loads
        places = _places(old, random.Random(0))
        for access, new_access in zip(accesses, new_accesses, strict=True):
            for place in places:
                yield access, place, [evaluate_size(index, place) for index in new_access.indices]


def _accesses(func: PrimFunc) -> Iterator[BufferLoad | BufferStore]:
    for node in nodes(func.body):
        if isinstance(node, (BufferLoad, BufferStore)):
            yield node


def _places(func: PrimFunc, rng: random.Random) -> list[dict[Var, int]]:
    """Draw values of loop variables and threads."""
    ranges: dict[Var, tuple[int, int]] = {}
    for node in nodes(func.body):
        if isinstance(node, For) and isinstance(node.min, IntImm) and isinstance(node.extent, IntImm):
            ranges[node.loop_var] = (node.min.value, node.extent.value)
        elif isinstance(node, AttrStmt) and isinstance(node.node, IterVar) and isinstance(node.value, IntImm):
            ranges[node.node.var] = (0, node.value.value)
    return [{var: first + rng.randrange(max(count, 1)) for var, (first, count) in ranges.items()} for _ in range(3)]


def _expected(access: BufferLoad | BufferStore, place: dict[Var, int]) -> list[int] | None:
    """Compute the index along each axis of memory; None if unknown."""
    buffer = access.buffer
    indices = [evaluate_size(index, place) for index in access.indices]
    shape = [evaluate_size(extent, place) for extent in buffer.shape]
    # a guarded access may be out of bounds elsewhere
    if any(
        index is None or extent is None or not 0 <= index < extent for index, extent in zip(indices, shape, strict=True)
    ):
        return None
    strides = [evaluate_size(stride, place) for stride in buffer.strides]
    ends = [int(end) for end in buffer.axis_separators]
    values: list[int] = []
    for first, last in zip([0, *ends], [*ends, len(shape)], strict=True):
        flat = 0
        for axis in range(first, last):
            index = indices[axis]
            assert index is not None
            if strides:
                flat += index * (strides[axis] or 0)
            else:
                flat = flat * (shape[axis] or 0) + index
        values.append(flat)
    return values


# -- barriers


class _WithoutBarriers(StatementRewriter):
    """Remove all barriers of a scope, or every second one."""

    def __init__(self, scope: str, every: int) -> None:
        super().__init__()
        self.scope = scope
        self.every = every
        self.count = 0

    @on(Evaluate)
    def evaluate(self, node: Evaluate) -> Stmt:
        call = node.value
        if isinstance(call, Call) and call.op is tvm_storage_sync:
            (scope, *_) = call.args
            if isinstance(scope, StringImm) and scope.value == self.scope:
                self.count += 1
                return NOOP if self.count % self.every == 0 else node
        return node


def without_barriers(mod: IRModule, scope: str, every: int) -> IRModule:
    """Remove all barriers of a scope, or every second one."""
    functions = {
        var: func.with_body(_WithoutBarriers(scope, every).rewrite(func.body)) if isinstance(func, PrimFunc) else func
        for var, func in mod.functions.items()
    }
    return mod.replace(functions=functions)


def _barriers(each: Pass, before: IRModule, after: IRModule) -> str | None:
    """Check that the pass restores the barriers that are removed from a program with barriers everywhere."""
    scope: Any = getattr(each, "storage_scope", "")
    values = SameValues()
    for every in (1, 2):
        fewer = without_barriers(before, scope, every)
        if all(fewer.functions[var] is func for var, func in before.functions.items()):
            return None
        values.check(each.info, before, each(fewer))
    return None


# -- fragments


def _fragments(each: Pass, before: IRModule, after: IRModule) -> str | None:
    """Check fragment shapes against the calls that fill or load them."""
    for old, new in common_kernels(before, after):
        shapes: dict[str, set[str]] = {}
        for node in nodes(old.body):
            name = getattr(node.op, "name", "") if isinstance(node, Call) else ""
            if isinstance(node, Call) and name in _FILLED and isinstance(node.args[0], Var):
                shapes.setdefault(node.args[0].name, set()).add(", ".join(str(size) for size in node.args[1:4]))
        for node in nodes(new.body):
            if isinstance(node, AttrStmt) and node.attr_key == "fragment_shape" and isinstance(node.value, StringImm):
                wanted = shapes.get(getattr(node.node, "name", ""), set())
                if wanted and wanted != {node.value.value}:
                    return f"the fragment {node.node} is said to be {node.value.value} and not {sorted(wanted)}"
    return None


_FILLED: Final = ("tir.tvm_fill_fragment", "tir.tvm_load_matrix_sync", "tir.tvm_store_matrix_sync")


# -- selects


def _selects(each: Pass, before: IRModule, after: IRModule) -> str | None:
    """Check that no Select evaluates a load that its condition may guard."""
    for func in after.functions.values():
        for node in nodes(func.body) if isinstance(func, PrimFunc) else ():
            if isinstance(node, Select) and node.condition.dtype.lanes == 1:
                loads = [value for value in (node.true_value, node.false_value) if _loads(value)]
                if loads:
                    return f"{node} evaluates {loads[0]} in any case"
    return None


def _loads(expr: Expr) -> bool:
    """Test whether a value loads unconditionally."""
    if isinstance(expr, BufferLoad):
        return True
    if isinstance(expr, Call) and getattr(expr.op, "name", "") == "tir.if_then_else":
        return _loads(expr.args[0])
    if isinstance(expr, Select):
        return _loads(expr.condition)  # its operands are checked on their own
    operands = [getattr(expr, field) for field in expr.schema.children]
    parts = [part for value in operands for part in (value if isinstance(value, tuple) else (value,))]
    return any(_loads(part) for part in parts if isinstance(part, Expr))


# -- registers


def _registers(each: Pass, before: IRModule, after: IRModule) -> str | None:
    """Check the register layout of tensor core accumulators."""
    for access, place, got in _evaluated_accesses(before, after):
        if access.buffer.storage_scope != "m16n8k8.matrixC":
            continue
        *outer, row, column = [evaluate_size(index, place) for index in access.indices]
        if row is not None and column is not None:
            expected = [*outer, row // 16, column // 8, row % 16 // 8, column % 2]
            if got != expected:
                return f"{access.buffer.name}[{row}, {column}] is in {got} and not in {expected}"
    return None


# -- definitions


def _definitions(each: Pass, before: IRModule, after: IRModule) -> str | None:
    """Check that redefined variables get distinct objects, within and between functions."""
    given = redefined(before)
    twice = {
        GlobalVar(f"{var.name_hint}_again"): func.with_attr("global_symbol", f"{var.name_hint}_again")
        for var, func in given.functions.items()
        if isinstance(func, PrimFunc)
    }
    given = given.replace(functions={**given.functions, **twice})
    output = each(given)
    WellFormed().check(each.info, given, output)
    SameValues().check(each.info, before, output)
    for name in public_kernels(before):
        first, again = (output[key].with_attr("global_symbol", "") for key in (name, f"{name}_again"))
        if not structural_equal(first, again):
            return f"{name} is another function the second time"
    return None


# -- arguments


def _arguments(each: Pass, before: IRModule, after: IRModule) -> str | None:
    """Check that the packed function accepts valid arguments with equal results, and refuses wrong ones."""
    for name, func in public_kernels(before).items():
        if name in public_kernels(after) and after[name].params != func.params:
            wrong = wrong_call(before, after, name, zlib.crc32(func.script().encode()))
            if wrong is not None:
                return wrong
    return None


LAWS: Final[dict[str, Law]] = {
    "tir.MakePackedAPI": _arguments,
    "tir.ConvertSSA": _definitions,
    "tir.RewriteUnsafeSelect": _selects,
    "tir.FlattenBuffer": _addresses,
    "tir.InferFragment": _fragments,
    "tir.ThreadSync": _barriers,
    "tir.TransformMmaBufferLayout": _registers,
}
