"""Laws of passes on blocks and loops besides equal values: removed constructs, buffer sizes, termination."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any, Final

from tvmscript.backends import interp
from tvmscript.backends.runtime.errors import KernelAssertion, OutOfBounds
from tvmscript.backends.runtime.random_inputs import random_inputs
from tvmscript.ir.analysis.cost.evaluate_size import evaluate_size
from tvmscript.ir.core import IRModule, Op, TVMScriptError, nodes
from tvmscript.ir.tir import Add, Buffer, BufferLoad, Call, Expr, IntImm, Let, Mul, PrimFunc, Stmt, Sub, Var, uses
from tvmscript.ir.tir.stmt import AssertStmt, AttrStmt, Block, BufferStore, Evaluate, For, ForKind, IfThenElse, LetStmt
from tvmscript.ir.transform.base import Pass
from tvmscript.testing.same_values import public_kernels

#: (the pass, its input, its output) -> what is wrong with the output, None where nothing is
Law = Callable[[Pass, IRModule, IRModule], str | None]


def _bodies(mod: IRModule) -> Iterator[Any]:
    for func in mod.functions.values():
        if isinstance(func, PrimFunc):
            yield from nodes(func.body)


# -- removed constructs


def _is_call(node: Any, name: str) -> bool:
    return isinstance(node, Call) and isinstance(node.op, Op) and node.op.name == name


#: pass -> (the construct that it removes, a test for nodes of it)
_GONE: Final[dict[str, tuple[str, Callable[[Any], bool]]]] = {
    "tir.ConvertBlocksToOpaque": ("axes", lambda node: isinstance(node, Block) and bool(node.iter_vars)),
    "tir.InjectSoftwarePipeline": (
        "pipelines",
        lambda node: isinstance(node, For) and "software_pipeline_stage" in node.annotations,
    ),
    "tir.InjectVirtualThread": (
        "virtual threads",
        lambda node: isinstance(node, AttrStmt) and node.attr_key == "virtual_thread",
    ),
    "tir.LoopPartition": ("likely conditions", lambda node: _is_call(node, "tir.likely")),
    "tir.LowerInitBlock": ("inits", lambda node: isinstance(node, Block) and node.init is not None),
    "tir.LowerMatchBuffer": ("matched buffers", lambda node: isinstance(node, Block) and bool(node.match_buffers)),
    "tir.LowerOpaqueBlock": ("blocks", lambda node: isinstance(node, Block)),
    "tir.RemoveAssume": ("assumptions", lambda node: _is_call(node, "tir.assume")),
    "tir.SkipAssert": ("assertions", lambda node: isinstance(node, AssertStmt)),
    "tir.VectorizeLoop": ("vectorized loops", lambda node: isinstance(node, For) and node.kind is ForKind.VECTORIZED),
}


def left_over(each: Pass, after: IRModule) -> str | None:
    """Describe constructs that the pass should have removed."""
    gone = _GONE.get(each.name)
    if gone is None:
        return None
    what, is_left = gone
    return f"there are {what} left" if any(map(is_left, _bodies(after))) else None


def _unrolled(each: Pass, before: IRModule, after: IRModule) -> str | None:
    """Check that no unrolled loops are left, unless explicitly kept, and no pragmas."""
    words = {node.attr_key for node in _bodies(before) if isinstance(node, AttrStmt)}
    kinds = {node.kind for node in _bodies(after) if isinstance(node, For)}
    if each.text == each.name and "pragma_unroll_explicit" not in words and ForKind.UNROLLED in kinds:
        return "there are unrolled loops left"
    words = {node.attr_key for node in _bodies(after) if isinstance(node, AttrStmt)}
    return "there are pragmas left" if "pragma_auto_unroll_max_step" in words else None


def _serial(each: Pass, before: IRModule, after: IRModule) -> str | None:
    """Check that the outermost parallel loops became serial, and others kept their kinds."""
    for old, new in common_kernels(before, after):
        if _serial_kinds(old.body) != [node.kind for node in nodes(new.body) if isinstance(node, For)]:
            return "the loops have other kinds than they should"
    return None


def _serial_kinds(stmt: Stmt) -> list[ForKind]:
    """The expected kinds of loops, in the order of `nodes`."""
    loops = [node for node in nodes(stmt) if isinstance(node, For)]
    parallel = [node for node in loops if node.kind is ForKind.PARALLEL]
    inside = {other for node in parallel for other in nodes(node.body)}
    return [ForKind.SERIAL if node.kind is ForKind.PARALLEL and node not in inside else node.kind for node in loops]


def common_kernels(before: IRModule, after: IRModule) -> Iterator[tuple[PrimFunc, PrimFunc]]:
    """Kernels that both modules have, by name."""
    names = {var.name_hint: func for var, func in after.functions.items()}
    for var, func in before.functions.items():
        other = names.get(var.name_hint)
        if isinstance(func, PrimFunc) and isinstance(other, PrimFunc):
            yield func, other


# -- sizes of allocations


_MOST: Final = 2048


def _compact(each: Pass, before: IRModule, after: IRModule) -> str | None:
    """Check that no buffer exceeds the bounding box of its affine accesses, and that rows are aligned as annotated."""
    for _, new in common_kernels(before, after):
        has_threads = any(isinstance(node, For) and node.thread_binding is not None for node in nodes(new.body))
        for block in nodes(new.body):
            if has_threads or not isinstance(block, Block):
                continue  # shared memory holds the accesses of all threads
            for buffer in block.alloc_buffers:
                too_large = _too_large(buffer, block.body)
                if too_large:
                    return too_large
        for factor, offset, stride in _aligned(new):
            if stride % factor != offset % factor:
                return f"a stride is {stride}, which is not {offset} modulo {factor}"
    return None


def _aligned(new: PrimFunc) -> Iterator[tuple[int, int, int]]:
    for block in nodes(new.body):
        if isinstance(block, Block):
            for index, axis, factor, offset in block.annotations.get("buffer_dim_align", ()):
                strides = block.writes[int(index)].buffer.strides
                stride = strides[int(axis)] if strides else None
                if isinstance(stride, IntImm):
                    yield int(factor), int(offset), stride.value


def _too_large(buffer: Buffer, body: Stmt) -> str | None:
    """Describe what is wrong with the size of a buffer allocated around a statement."""
    accesses = list(_of(buffer, body, []))
    if not accesses or not all(_is_plain(index, loops) for node, loops in accesses for index in node.indices):
        return None
    lets = {node.var for node in nodes(body) if isinstance(node, (Let, LetStmt))}
    if not lets.isdisjoint(uses([node.indices for node, _ in accesses])):
        return None
    for axis, extent in enumerate(buffer.shape):
        # for two values of the outer variables: sizes that depend on them are not checked
        sizes = {_width(accesses, axis, value) for value in (0, 17)}
        size = sizes.pop()
        if not sizes and isinstance(extent, IntImm) and extent.value > max(size, 1):
            return f"{buffer.name} has {extent} elements along axis {axis}, of which {size} are accessed"
    return None


def _width(accesses: list[tuple[BufferLoad | BufferStore, list[For]]], axis: int, around: int) -> int:
    """The extent between the first and the last accessed element."""
    extents: list[int] = []
    for node, loops in accesses:
        index = node.indices[axis]
        others = {var: around for var in nodes(index) if isinstance(var, Var)}
        ranges = [range(_value(loop.min), _value(loop.min) + _value(loop.extent)) for loop in loops]
        for place in product(*ranges):
            inside = {loop.loop_var: at for loop, at in zip(loops, place, strict=True)}
            extents.append(evaluate_size(index, {**others, **inside}) or 0)
    return max(extents) - min(extents) + 1 if extents else 0


def _value(expr: Expr) -> int:
    return expr.value if isinstance(expr, IntImm) else 0


def _is_plain(index: Expr, loops: list[For]) -> bool:
    """Test whether an index is affine, in loops with few iterations and constant bounds."""
    size = 1
    for loop in loops:
        if not isinstance(loop.min, IntImm) or not isinstance(loop.extent, IntImm):
            return False
        size *= loop.extent.value
    parts = [node for node in nodes(index) if isinstance(node, Expr)]
    return size <= _MOST and all(isinstance(node, (Add, Sub, Mul, IntImm, Var)) for node in parts)


def _of(buffer: Buffer, stmt: Any, loops: list[For]) -> Iterator[tuple[BufferLoad | BufferStore, list[For]]]:
    """Yield the accesses of a buffer with their enclosing loops."""
    if isinstance(stmt, For):
        yield from _of(buffer, stmt.body, [*loops, stmt])
        return
    if isinstance(stmt, (BufferLoad, BufferStore)) and stmt.buffer is buffer:
        yield stmt, loops
    for name in stmt.schema.walked:
        part = getattr(stmt, name)
        for each in part if isinstance(part, (tuple, list)) else (part,):
            if isinstance(each, (Stmt, Expr)):
                yield from _of(buffer, each, loops)


# -- assertions


def _stops(each: Pass, before: IRModule, after: IRModule) -> str | None:
    """Check that an access out of bounds fails an assertion."""
    for name in public_kernels(before):
        first, second = _ending(before, name), _ending(after, name)
        if isinstance(first, OutOfBounds) and not isinstance(second, KernelAssertion):
            return f"{first.text}, and no assertion says so: {'' if second is None else second.text}"
    return None


def _ending(mod: IRModule, name: str) -> TVMScriptError | None:
    """Run a kernel; its error or None."""
    func = public_kernels(mod)[name]
    try:
        interp.build(mod)[name](*[given.value for given in random_inputs(func)])
    except TVMScriptError as error:
        return error
    return None


# -- attributes


def _lifted(each: Pass, before: IRModule, after: IRModule) -> str | None:
    """Check that every store keeps its enclosing attributes."""
    key = getattr(each, "attr_key", "")
    for old, new in common_kernels(before, after):
        if list(_marks(old.body, key, ())) != list(_marks(new.body, key, ())):
            return f"statements are under other attributes {key}"
    return None


def _marks(stmt: Any, key: str, around: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    if isinstance(stmt, BufferStore):
        yield (str(stmt.value), *sorted(set(around)))
        return
    if isinstance(stmt, AttrStmt) and stmt.attr_key == key:
        around = (*around, f"{stmt.node} {stmt.value}")
    if isinstance(stmt, IfThenElse):
        cases: tuple[Any, ...] = (stmt.then_case, stmt.else_case)
    else:
        cases = getattr(stmt, "seq", None) or (getattr(stmt, "body", None), getattr(stmt, "block", None))
    for part in cases:
        if part is not None:
            yield from _marks(part, key, around)


def _profiled(each: Pass, before: IRModule, after: IRModule) -> str | None:
    """Check that profiling intrinsics are paired, non-empty, and uniquely numbered."""
    if any(_is_call(node, "tir.start_profile_intrinsic") for node in _bodies(before)):
        return None  # a second run numbers them again
    open_: list[int] = []
    starts: set[int] = set()
    is_empty = False
    for node in _bodies(after):
        if isinstance(node, Evaluate) and _is_call(node.value, "tir.start_profile_intrinsic"):
            number = _number(node)
            if number in starts:
                return f"part {number} is there twice"
            starts.add(number)
            open_.append(number)
            is_empty = True
        elif isinstance(node, Evaluate) and _is_call(node.value, "tir.end_profile_intrinsic"):
            if not open_ or open_.pop() != _number(node):
                return f"part {_number(node)} ends where it did not start"
            if is_empty:
                return f"part {_number(node)} has nothing in it"
        elif isinstance(node, Stmt):
            is_empty = False
    return "a part is not ended" if open_ else None


def _number(node: Evaluate) -> int:
    """The number of a profiled section."""
    call = node.value
    return _value(call.args[0]) if isinstance(call, Call) else 0


LAWS: Final[dict[str, Law]] = {
    "tir.AssertBounds": _stops,
    "tir.CompactBufferAllocation": _compact,
    "tir.ConvertForLoopsToSerial": _serial,
    "tir.InstrumentBoundCheckers": _stops,
    "tir.InstrumentProfileIntrinsics": _profiled,
    "tir.LiftAttrScope": _lifted,
    "tir.UnrollLoop": _unrolled,
}
