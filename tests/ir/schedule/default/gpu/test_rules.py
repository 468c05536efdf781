"""Default schedules for GPUs: which rule takes a program, and what the interpreter computes on blocks and threads."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tvmscript
from tests.backends.cuda.kernels import needs_nvrtc
from tvmscript import te, topi
from tvmscript.backends import interp
from tvmscript.backends.runtime.random_inputs import random_inputs
from tvmscript.ir.core import IRModule, Target, nodes
from tvmscript.ir.schedule.default import gpu
from tvmscript.ir.schedule.default.gpu.flat_product import Product, flatten_product, product_blocks
from tvmscript.ir.schedule.default.schedule_rule import ApplyDefaultSchedule
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.te.tensor import Extent
from tvmscript.ir.tir import Block, BufferLoad, PrimFunc
from tvmscript.testing import sanitize

MATMUL = """
@T.prim_func
def main(A: T.Buffer(({n}, {k}), "{dtype}"), B: T.Buffer(({b}), "{dtype}"), C: T.Buffer(({n}, {m}), "float32")):
    for i, j, k in T.grid({n}, {m}, {k}):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + T.cast(A[vi, vk], "float32") * T.cast(B[{index}], "float32")
"""
BATCHED = """
@T.prim_func
def main(A: T.Buffer((2, 40, 24), "float32"), B: T.Buffer((2, 24, 64), "float32"), D: T.Buffer((2, 40, 64), "float32")):
    C = T.alloc_buffer((2, 40, 64), "float32")
    for b, i, j, k in T.grid(2, 40, 64, 24):
        with T.block("C"):
            vb, vi, vj, vk = T.axis.remap("SSSR", [b, i, j, k])
            with T.init():
                C[vb, vi, vj] = T.float32(0)
            C[vb, vi, vj] = C[vb, vi, vj] + A[vb, vi, vk] * B[vb, vk, vj]
    for b, i, j in T.grid(2, 40, 64):
        with T.block("D"):
            vb, vi, vj = T.axis.remap("SSS", [b, i, j])
            D[vb, vi, vj] = T.max(C[vb, vi, vj], T.float32(0))
"""
REDUCTION = """
@T.prim_func
def main(A: T.Buffer(({n}, {k}), "float32"), C: T.Buffer(({out},), "float32")):
    B = T.alloc_buffer(({out},), "float32")
    for i, k in T.grid({loops}):
        with T.block("B"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                B[vi] = T.float32(0)
            B[vi] = B[vi] + A[{index}]
    for i in range({out}):
        with T.block("C"):
            vi = T.axis.spatial({out}, i)
            C[vi] = B[vi] * T.float32(0.5)
"""
TOTAL = """
@T.prim_func
def main(A: T.Buffer((300,), "float32"), B: T.Buffer((), "float32")):
    for k in range(300):
        with T.block("B"):
            vk = T.axis.reduce(300, k)
            with T.init():
                B[()] = T.float32(0)
            B[()] = B[()] + A[vk]
"""
SOFTMAX = """
@T.prim_func
def main(A: T.Buffer((3, 300), "float32"), C: T.Buffer((3, 300), "float32")):
    M = T.alloc_buffer((3,), "float32")
    S = T.alloc_buffer((3,), "float32")
    for i, k in T.grid(3, 300):
        with T.block("M"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                M[vi] = T.min_value("float32")
            M[vi] = T.max(M[vi], A[vi, vk])
    for i, k in T.grid(3, 300):
        with T.block("S"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                S[vi] = T.float32(0)
            S[vi] = S[vi] + T.exp(A[vi, vk] - M[vi])
    for i, k in T.grid(3, 300):
        with T.block("C"):
            vi, vk = T.axis.remap("SS", [i, k])
            C[vi, vk] = T.exp(A[vi, vk] - M[vi]) / S[vi]
"""
NORM = """
@T.prim_func
def main(A: T.Buffer((2, 260), "float32"), W: T.Buffer((260,), "float32"), C: T.Buffer((2, 260), "float32")):
    S = T.alloc_buffer((2,), "float32")
    for i, k in T.grid(2, 260):
        with T.block("S"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                S[vi] = T.float32(0)
            S[vi] = S[vi] + A[vi, vk] * A[vi, vk]
    for i, k in T.grid(2, 260):
        with T.block("C"):
            vi, vk = T.axis.remap("SS", [i, k])
            C[vi, vk] = A[vi, vk] * W[vk] * T.rsqrt(S[vi] / T.float32(260) + T.float32(0.001))
"""
TRANSPOSE = """
@T.prim_func
def main(A: T.Buffer(({n}, {m}), "float32"), B: T.Buffer(({m}, {n}), "float32")):
    for i, j in T.grid({m}, {n}):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vj, vi]
"""
ADD = """
@T.prim_func
def main(A: T.Buffer((40, 64), "float16"), B: T.Buffer((40, 64), "float16"), C: T.Buffer((40, 64), "float16")):
    for i, j in T.grid(40, 64):
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = A[vi, vj] + B[vi, vj]
"""
SYMBOLIC = """
@T.prim_func
def main(a: T.handle, b: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (n, 3), "float32")
    B = T.match_buffer(b, (n, 3), "float32")
    for i, j in T.grid(n, 3):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, 2 - vj] * T.float32(2)
"""
SYMBOLIC_MATMUL = """
@T.prim_func
def main(a: T.handle, b: T.handle, c: T.handle):
    n, m, k = T.int32(), T.int32(), T.int32()
    A = T.match_buffer(a, (n, k), "float32")
    B = T.match_buffer(b, (k, m), "float32")
    C = T.match_buffer(c, (n, m), "float32")
    for i, j, r in T.grid(n, m, k):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, r])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]
"""
#: what is read adds axes of one iteration to others
CONVOLUTION_OF_ONE_ROW = """
@T.prim_func
def main(A: T.Buffer((3, 1, 8), "float32"), W: T.Buffer((1, 2, 3, 4), "float32"), C: T.Buffer((4, 1, 7), "float32")):
    for i, j, k, r, y, x in T.grid(4, 1, 7, 3, 1, 2):
        with T.block("C"):
            vi, vj, vk, vr, vy, vx = T.axis.remap("SSSRRR", [i, j, k, r, y, x])
            with T.init():
                C[vi, vj, vk] = T.float32(0)
            C[vi, vj, vk] = C[vi, vj, vk] + A[vr, vj + vy, vk + vx] * W[vy, vx, vr, vi]
"""
#: a row needs any of the sums, of which nobody knows how many there are
GATHERED_SUMS = """
@T.prim_func
def main(a: T.handle, b: T.handle, c: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (n, 40), "float32")
    I = T.match_buffer(b, (n,), "int32")
    C = T.match_buffer(c, (n, 40), "float32")
    S = T.alloc_buffer((n,), "float32")
    for i, k in T.grid(n, 40):
        with T.block("S"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                S[vi] = T.float32(0)
            S[vi] = S[vi] + A[vi, vk]
    for i, k in T.grid(n, 40):
        with T.block("C"):
            vi, vk = T.axis.remap("SS", [i, k])
            C[vi, vk] = A[vi, vk] * S[T.max(T.min(I[vi], n - 1), 0)]
"""


def operator(compute: Callable[[te.Tensor], te.Tensor], shape: tuple[Extent, ...]) -> str:
    """Return the program of an operator on one array."""
    given = te.placeholder(shape, "float32", "A")
    return te.create_prim_func([given, compute(given)]).script()


def convolution(layout: str, dtype: str = "float32") -> str:
    """Return a convolution with padding, and what follows it."""
    if layout == "NHWC":
        image, kernel = te.placeholder((1, 6, 6, 8), dtype, "X"), te.placeholder((3, 3, 8, 20), dtype, "W")
        result = topi.nn.conv2d_nhwc(image, kernel, 1, 1, 1, out_dtype="float32")
    else:
        image, kernel = te.placeholder((2, 8, 6, 6), dtype, "X"), te.placeholder((20, 8, 3, 3), dtype, "W")
        result = topi.nn.conv2d_nchw(image, kernel, 2, 1, 1, out_dtype="float32")
    return te.create_prim_func([image, kernel, topi.nn.relu(result)]).script()


def matmul(n: int, m: int, k: int, dtype: str = "float32", transposed: bool = False) -> str:
    b, index = (f"{m}, {k}", "vj, vk") if transposed else (f"{k}, {m}", "vk, vj")
    return MATMUL.format(n=n, m=m, k=k, b=b, index=index, dtype=dtype)


#: program -> the rule that takes it, the text
PROGRAMS = {
    "matmul": ("Matmul", matmul(64, 64, 32)),
    "matmul on tensor cores": ("MatmulTensorization", matmul(64, 32, 64, "float16")),
    "transposed matmul on tensor cores": ("MatmulTensorization", matmul(32, 64, 32, "float16", transposed=True)),
    "matmul of odd sizes": ("Matmul", matmul(70, 50, 20)),
    "transposed matmul of few terms": ("MatmulTensorization", matmul(64, 64, 16, "float16", transposed=True)),
    "convolution, channels last": ("Matmul", convolution("NHWC")),
    "convolution, channels first": ("Matmul", convolution("NCHW")),
    "convolution of one row": ("Matmul", CONVOLUTION_OF_ONE_ROW),
    "matmul of symbolic sizes": ("Matmul", SYMBOLIC_MATMUL),
    "batched matmul with epilogue": ("Matmul", BATCHED),
    "matrix with itself": ("Matmul", matmul(40, 40, 24, transposed=True).replace("B[", "A[")),
    "vector times matrix": ("GEMV", matmul(1, 6, 300, transposed=True)),
    "matrix times vector": ("GEMV", matmul(6, 1, 300)),
    "rows": ("Reduction", REDUCTION.format(n=2, k=300, out=2, loops="2, 300", index="vi, vk")),
    "columns": ("Reduction", REDUCTION.format(n=50, k=70, out=70, loops="70, 50", index="vk, vi")),
    "total": ("Reduction", TOTAL),
    "largest of columns": ("Reduction", operator(lambda a: topi.argmax(a, 0), (20, 64))),
    "smallest of short rows of symbolic number": (
        "Reduction",
        operator(lambda a: topi.argmin(a, 1, True), (te.var("n"), 5)),
    ),
    "rows and gathered sums of symbolic number": ("Fallback", GATHERED_SUMS),
    "means of columns, whose blocks end anywhere": (
        "Reduction",
        operator(lambda a: topi.divide(topi.sum(a, 1), 4.0), (te.var("n"), 2, 2, 3)),
    ),
    "largest of all": ("Reduction", operator(lambda a: topi.argmax(a, 0), (300,))),
    "mean of all": ("Reduction", operator(lambda a: topi.divide(topi.sum(a), 300.0), (3, 100))),
    "scalars": ("Fallback", operator(lambda a: topi.add(a, a), ())),
    "softmax": ("GeneralReduction", SOFTMAX),
    "norm": ("RMSNorm", NORM),
    "transpose": ("Transpose", TRANSPOSE.format(n=64, m=32)),
    "transpose of odd sizes": ("Transpose", TRANSPOSE.format(n=50, m=70)),
    "add": ("Elementwise", ADD),
    "reversed rows of symbolic size": ("Fallback", SYMBOLIC),
}
TARGET = Target.make("cuda -arch=sm_80")


def program(text: str) -> PrimFunc:
    func: Any = tvmscript.from_source(text)
    main: PrimFunc = func.with_attr("global_symbol", "main")
    return main


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_rule_that_takes_it(name: str) -> None:
    rule, text = PROGRAMS[name]
    taken = [type(each).__name__ for each in (rule() for rule in gpu.RULES) if each.apply(program(text), TARGET, False)]
    assert taken[0] == rule


@pytest.mark.parametrize("name", PROGRAMS)
def test_results_on_blocks_and_threads(name: str) -> None:
    func = program(PROGRAMS[name][1])
    with TARGET:
        scheduled = ApplyDefaultSchedule(*[rule() for rule in gpu.RULES])(IRModule({"main": func}))
    assert '"threadIdx.x"' in scheduled.script()
    given = [argument.value for argument in random_inputs(func, dims={"n": 37})]
    expected, actual = [array.copy() for array in given], [array.copy() for array in given]
    interp.build(tvmscript.lower(func))["main"](*expected)
    interp.build(tvmscript.lower(scheduled, TARGET))["main"](*actual)
    for one, other in zip(actual, expected, strict=True):
        np.testing.assert_allclose(one.astype("float64"), other.astype("float64"), rtol=2e-4, atol=1e-5)


@needs_nvrtc
@pytest.mark.parametrize("name", PROGRAMS)
def test_kernels_compile_without_spills(name: str) -> None:
    module: Any = tvmscript.build(program(PROGRAMS[name][1]), target="cuda -arch=sm_90a")
    assert not any(report.spills or report.stack_bytes for report in module.report())


@pytest.mark.parametrize("extents", [(1, 32, 16), (32, 1, 16)])
def test_one_row_or_column_is_no_matrix(extents: tuple[int, int, int]) -> None:
    """Threads along it would all store it, from registers that hold other rows."""
    assert gpu.Matmul().apply(program(matmul(*extents)), TARGET, False) is None


def test_large_products_have_large_tiles() -> None:
    text = tvmscript.build(program(matmul(512, 512, 512)), target="cuda").get_source()
    assert "float C_local[64];" in text
    assert "alignas(16) float A_shared[2560];" in text


@pytest.mark.parametrize(
    "name", ["matmul", "transposed matmul of few terms", pytest.param("matmul of odd sizes", marks=pytest.mark.long)]
)
def test_products_read_shared_memory_without_conflicts(name: str) -> None:
    with TARGET:
        scheduled = ApplyDefaultSchedule(gpu.Matmul())(IRModule({"main": program(PROGRAMS[name][1])}))
    report = sanitize(scheduled)
    loads = {
        site.buffer.name: sums.ratio
        for site, sums in report.traffic.items()
        if isinstance(site, BufferLoad) and site.buffer.storage_scope == "shared"
    }
    assert report.errors == ()
    assert len(loads) == 2
    assert set(loads.values()) == {1}


@pytest.mark.parametrize(
    ("name", "rule"), [("columns", gpu.Reduction), ("rows", gpu.Reduction), ("transpose", gpu.Transpose)]
)
def test_shared_memory_has_neither_races_nor_conflicts(name: str, rule: type[gpu.GPURule]) -> None:
    with TARGET:
        scheduled = ApplyDefaultSchedule(rule())(IRModule({"main": program(PROGRAMS[name][1])}))
    allocated = [
        buffer for node in nodes(scheduled["main"]) if isinstance(node, Block) for buffer in node.alloc_buffers
    ]
    assert all(buffer.storage_scope != "global" for buffer in allocated)
    report = sanitize(scheduled)
    assert report.errors == ()
    assert report.notes == ()


def test_barriers_of_reductions_of_pairs_are_reached_by_all_threads() -> None:
    with TARGET:
        text = PROGRAMS["largest of columns"][1]
        scheduled = ApplyDefaultSchedule(gpu.Reduction())(IRModule({"main": program(text)}))
    assert sanitize(scheduled).errors == ()


@pytest.mark.parametrize(("columns_last", "extents"), [(True, (20, 18, 72)), (False, (18, 20, 72))])
def test_columns_of_channels_first(columns_last: bool, extents: tuple[int, int, int]) -> None:
    """2 x 3 x 3 places run with the memory of 20 channels; terms are 8 channels of 3 x 3 elements."""
    sch = Schedule(IRModule({"main": program(PROGRAMS["convolution, channels first"][1])}))
    sizes: list[object] = []

    def choose_no_tile(stmt: Block, product: Product, constant_extents: object) -> None:
        sizes.append(constant_extents)

    (block,) = product_blocks(sch, sch.get_block("root"))
    assert flatten_product(sch, block, choose_no_tile, columns_last=columns_last) is None
    assert sizes == [extents]


def test_nothing_is_bound_twice() -> None:
    """Functions with threads and those of other targets are left alone; `Fallback` binds what a schedule has not."""
    func = program(ADD)
    bound = gpu.Elementwise().apply(func, TARGET, False)
    assert bound is not None
    again: Any = bound.mod["main"]
    assert all(rule().apply(again, TARGET, False) is None for rule in gpu.RULES)
    assert all(rule().apply(func, Target.make("llvm"), False) is None for rule in gpu.RULES)
    sch = Schedule(IRModule({"main": func}))
    sch.parallel(sch.get_loops(*sch.get_child_blocks(sch.get_block("root")))[0])
    touched: Any = sch.mod["main"]
    assert [rule for rule in gpu.RULES if rule().apply(touched, TARGET, False) is not None] == [gpu.Fallback]


@pytest.mark.parametrize(("dtype", "lanes"), [("float32", 4), ("float16", 8)])
def test_an_addition_moves_16_bytes_at_once(dtype: str, lanes: int) -> None:
    """No instruction moves more."""
    sch = gpu.Elementwise().apply(program(PROGRAMS["add"][1].replace("float16", dtype)), TARGET, False)
    assert sch is not None
    assert f"T.vectorized({lanes})" in sch.mod.script()
