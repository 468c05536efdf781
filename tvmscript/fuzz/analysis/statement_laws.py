"""Laws of analyses of statements: costs, limits of GPUs, definitions, effects, what blocks state."""

from __future__ import annotations

import random
from collections.abc import Mapping
from functools import partial
from typing import Final

from tvmscript.fuzz.laws import Law, require, require_refusal
from tvmscript.fuzz.programs import indented, nested
from tvmscript.fuzz.programs.blocks import random_blocks
from tvmscript.fuzz.programs.loop_features import random_features
from tvmscript.ir.analysis.cost.flops import estimate_tir_bytes, estimate_tir_flops, find_anchor_block
from tvmscript.ir.analysis.cost.op_count import work_of
from tvmscript.ir.analysis.errors import LimitExceeded, NotPure, NotSSA, RegionTooSmall, SpatialAxisRepeats
from tvmscript.ir.analysis.purity import assert_pure_function, is_pure_function
from tvmscript.ir.analysis.verify.block_statements import check_blocks
from tvmscript.ir.analysis.verify.gpu_code import LIMITS, assert_gpu_code, verify_gpu_code
from tvmscript.ir.analysis.verify.ssa import assert_ssa, verify_ssa
from tvmscript.ir.core import IRError, IRModule
from tvmscript.ir.core.errors import UnknownName
from tvmscript.ir.tir import IntImm, PrimFunc, seq
from tvmscript.parser import from_source


def _read(text: str) -> PrimFunc:
    func = from_source(text)
    assert isinstance(func, PrimFunc)
    return func


# ---- costs


class _Costs:
    """A nest of loops and branches as text, with its operations and bytes."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.names = 0

    def statements(self, depth: int) -> tuple[list[str], int, int, int]:
        """Return lines, operations, bytes, and operations where branches are taken."""
        lines: list[str] = []
        flops = moved = taken = 0
        for _ in range(self.rng.randint(1, 2)):
            more, *counts = self.rng.choice((self.store, self.loop, self.branch) if depth else (self.store,))(depth)
            lines += more
            flops, moved, taken = flops + counts[0], moved + counts[1], taken + counts[2]
        return lines, flops, moved, taken

    def store(self, depth: int) -> tuple[list[str], int, int, int]:
        dtype, size = self.rng.choice((("float32", 4), ("int8", 1), ("float64", 8)))
        name = {"float32": "A", "int8": "B", "float64": "C"}[dtype]
        is_local = self.rng.randrange(4) == 0 and dtype == "float32"
        count, lanes = self.rng.randrange(4), self.rng.choice((1, 1, 2, 4))
        first = f"{name}[1:{1 + lanes}]" if lanes > 1 else f"{name}[1]"
        value, target = first, "L" if is_local else name
        for _ in range(count):
            constant = f"T.{dtype}(2)" if lanes == 1 else f"T.Broadcast(T.{dtype}(2), {lanes})"
            other = self.rng.choice((f"{name}[2 + 3 - 1]" if lanes == 1 else first, constant))
            value = self.rng.choice((f"({value} + {other})", f"({value} * {other})", f"T.max({value}, {other})"))
        loads = value.count(f"{name}[")
        place = "0" if lanes == 1 else f"0:{lanes}"
        counts = count * lanes, (loads + (not is_local)) * size * lanes, count * lanes
        return [f"{target}[{place}] = {value}"], *counts

    def loop(self, depth: int) -> tuple[list[str], int, int, int]:
        self.names += 1
        first, extent = self.rng.randrange(2), self.rng.randrange(5)
        lines, *counts = self.statements(depth - 1)
        head = f"for i{self.names} in {self.rng.choice(('range', 'T.parallel'))}({first}, {first + extent}):"
        flops, moved, taken = (extent * count for count in counts)
        return [head, *indented(lines)], flops, moved, taken

    def branch(self, depth: int) -> tuple[list[str], int, int, int]:
        lines, *counts = self.statements(depth - 1)
        if self.rng.randrange(2):
            others, *more = self.statements(depth - 1)
            whole = ["if n < 3:", *indented(lines), "else:", *indented(others)]
            return whole, max(counts[0], more[0]), max(counts[1], more[1]), counts[2]
        return ["if n < 3:", *indented(lines)], counts[0], counts[1], counts[2]


_HEAD: Final = (
    "@T.prim_func",
    'def main(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "int8"), C: T.Buffer((8,), "float64"), n: T.int32):',
    '    L = T.decl_buffer((8,), "float32", scope="local")',
)


def _costs(rng: random.Random) -> None:
    """Operations and bytes are counted for each iteration, and for the larger branch."""
    lines, flops, moved, taken = _Costs(rng).statements(3)
    text = "\n".join([*_HEAD, *indented(lines)])
    func = _read(text)
    require("operations", text, estimate_tir_flops(func), float(flops))
    require("bytes", text, estimate_tir_bytes(func), float(moved))
    work = work_of(func, {})
    require("work", text, (work.operations, work.bytes), (taken, 8 * 4 + 8 + 8 * 8))
    said = func.with_attr("estimated_flops", 77)
    require("operations", "those of two", estimate_tir_flops(IRModule({"f": func, "g": said})), flops + 77.0)
    require("bytes", "those of two", estimate_tir_bytes(IRModule({"f": func, "g": said})), 2.0 * moved)


def _anchors(rng: random.Random) -> None:
    """The anchor is the reduction with the most operations, the first of several."""
    extents = [rng.randint(1, 4) for _ in range(3)]
    blocks: list[str] = []
    for place, extent in enumerate(extents):
        blocks += [
            f"for i, k in T.grid(4, {extent}):", f'    with T.block("b{place}"):',
            '        vi, vk = T.axis.remap("SR", [i, k])', "        with T.init():", "            B[vi] = T.float32(0)",
            "        B[vi] = B[vi] + A[vi, vk]",
        ]  # fmt: skip
    head = '@T.prim_func\ndef main(A: T.Buffer((4, 4), "float32"), B: T.Buffer((4,), "float32")):\n'
    func = _read(head + "\n".join(indented(blocks)))
    block = find_anchor_block(IRModule({"main": func}))
    require("anchor", extents, block and block.name_hint, f"b{extents.index(max(extents))}")
    plain = _read("@T.prim_func\ndef main(A: T.Buffer((4,), 'float32')):\n    A[0] = T.float32(1)\n")
    require("anchor", "no reduction", find_anchor_block(IRModule({"main": plain})), None)


# ---- limits of GPUs


def _limits(rng: random.Random) -> None:
    """A kernel keeps limits that are as large as what it uses, and exceeds those that are one less."""
    x, y, z = (rng.choice((1, 2, 8)) for _ in range(3))
    shared, local, lanes, virtual = rng.randint(1, 9), rng.randint(1, 9), rng.choice((2, 4)), rng.choice((2, 3))
    kernels = rng.choice((1, 2))
    scope = rng.choice(("shared", "shared.dyn"))
    axes = zip("xyz", (x, y, z), strict=True)
    threads = [(tag, f'T.thread_binding({extent}, thread="threadIdx.{tag}"):') for tag, extent in axes]
    body = [
        f'S = T.allocate([{shared}], "float32", "{scope}")',
        f'L = T.allocate([{local}], "int8", "local")',
        f'SB = T.Buffer((9,), "float32", data=S, scope="{scope}")',
        'LB = T.Buffer((9,), "int8", data=L, scope="local")',
        "SB[0] = T.float32(1)",
        "LB[0] = T.int8(1)",
        f'for v in T.thread_binding({virtual}, thread="vthread.x"):',
        f"    A[T.ramp(v * 4, 1, {lanes})] = T.broadcast(T.float32(1), {lanes})",
    ]
    lines: list[str] = []
    for kernel in range(kernels):
        lines += nested([f"for {tag}{kernel} in {threads_of}" for tag, threads_of in threads], body)
    func = _read("@T.prim_func\ndef main(A: T.Buffer((64,), 'float32')):\n" + "\n".join(indented(lines)))
    used: Mapping[str, int] = {
        "max_threads_per_block": x * y * z * virtual, "max_thread_x": x, "max_thread_y": y, "max_thread_z": z,
        "max_shared_memory_per_block": 4 * shared, "max_local_memory_per_block": local, "max_vthread": virtual,
        "max_vector_bytes": 4 * lanes, "max_kernels": kernels,
    }  # fmt: skip
    require("limits", "their names", {*used}, {*LIMITS})
    require("limits", "those that are used", verify_gpu_code(func, used), True)
    name = rng.choice([*used])
    require("limits", f"{name} that is one less", verify_gpu_code(func, {**used, name: used[name] - 1}), False)
    require_refusal("limits", name, LimitExceeded, lambda: assert_gpu_code(func, {name: used[name] - 1}))
    assert_gpu_code(func, {name: IntImm("int32", used[name])})
    require_refusal("limits", "no limit", UnknownName, lambda: verify_gpu_code(func, {"max_nothing": 1}))


# ---- definitions and effects


def _definitions(rng: random.Random) -> None:
    """Programs define each variable once; the same statement twice defines its variables twice."""
    seed = rng.randrange(1 << 20)
    func = _read(random_features(seed) if rng.randrange(2) else random_blocks(seed, False))
    require("ssa", func.script(), verify_ssa(func), True)
    assert_ssa(func)
    twice = func.with_body(seq(func.body, func.body))
    if "for " in func.script():
        require("ssa", "a body twice", verify_ssa(twice), False)
        require_refusal("ssa", "a body twice", NotSSA, partial(assert_ssa, twice))


#: body -> whether it has no effect
_EFFECTS: Final[dict[str, bool]] = {
    'L = T.decl_buffer((4,), "float32")\n    L[0] = A[0]': True,
    'L = T.alloc_buffer((4,), "float32")\n    L[0] = T.exp(A[0])': True,
    "A[0] = T.float32(1)": False,
    "T.evaluate(A[0] + T.float32(1))": True,
    'T.evaluate(T.call_packed("f", A[0]))': False,
    "for i in range(3):\n        A[i] = T.float32(2)": False,
    'L = T.alloc_buffer((4,), "float32")\n    for i in range(3):\n        L[i] = A[i]': True,
}


def _effects(rng: random.Random) -> None:
    """A function is pure if it writes its own memory alone and calls what has no effect."""
    body = rng.choice([*_EFFECTS])
    func = _read(f'@T.prim_func\ndef main(A: T.Buffer((4,), "float32")):\n    {body}\n')
    require("effects", body, is_pure_function(func), _EFFECTS[body])
    if _EFFECTS[body]:
        require("effects", body, assert_pure_function(func), True)
    else:
        require_refusal("effects", body, NotPure, partial(assert_pure_function, func))


# ---- blocks


def _block_statements(rng: random.Random) -> None:
    """A region without what all iterations access is refused, and a spatial axis whose iterations share elements."""
    rows, columns, shift = rng.randint(2, 6), rng.randint(2, 6), rng.randrange(3)
    lowest, highest = shift + rng.choice((0, 0, 1, -1)), shift + 1 + rng.choice((0, 0, 1, -1))
    first, last = rng.choice((0, 0, 1)), rng.choice((0, 0, -1))
    kinds = rng.choice(("SS", "SR", "RS"))
    target = rng.choice(("vi, vj", "vi, 0", "0, vj"))
    # the columns from vj + shift on, one of them; and one element or the row that is written
    lines = [
        f"for i, j in T.grid({rows}, {columns}):", '    with T.block("b"):',
        f'        vi, vj = T.axis.remap("{kinds}", [i, j])',
        f"        T.reads(A[vi, vj + {lowest}:vj + {highest}])",
        f"        T.writes(B[{first}:{rows + last}, 0:{columns}])",
        f"        B[{target}] = A[vi, vj + {shift}]",
    ]  # fmt: skip
    head = f"def main(A: T.Buffer(({rows}, {columns + 9}), 'float32'), B: T.Buffer(({rows}, {columns}), 'float32')):"
    func = _read("\n".join(["@T.prim_func", head, *indented(lines)]))
    expected: set[type[IRError]] = set()
    if lowest > shift or highest < shift + 1:
        expected.add(RegionTooSmall)
    if first > 0 and target.startswith("0"):  # what some iterations alone access is not proven
        expected.add(RegionTooSmall)
    for axis, kind in zip(("vi", "vj"), kinds, strict=True):
        if kind == "S" and axis not in target:
            expected.add(SpatialAxisRepeats)
    if lowest < highest:
        errors = {type(error) for error in check_blocks(func)}
        require("block statements", func.script(), sorted(map(str, errors)), sorted(map(str, expected)))


LAWS: Final[dict[str, Law]] = {
    "costs": _costs,
    "anchors": _anchors,
    "limits": _limits,
    "definitions": _definitions,
    "effects": _effects,
    "block_statements": _block_statements,
}
