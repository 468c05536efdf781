"""Loops that are joined and widened before code is written: which ones, and that results stay the same."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tvmscript
from tests.backends.llvm.kernels import Array
from tvmscript.backends import llvm
from tvmscript.backends.llvm.codegen.loop_optimization import optimize_loops
from tvmscript.backends.llvm.codegen.vectorizable_loops import slope
from tvmscript.backends.runtime.errors import KernelAssertion
from tvmscript.fuzz.guard_pages import guarded
from tvmscript.ir.core.targets.machine_model import machine_model
from tvmscript.ir.core.visit import nodes
from tvmscript.ir.tir.expr import Add, IntImm, Mul, Ramp, Sub, Var
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.stmt import For, IfThenElse

NOALIAS = 'T.func_attr({"tir.noalias": T.bool(True)})'


def program(body: str, buffers: str = "A: T.Buffer((512,)), B: T.Buffer((512,))", attrs: str = NOALIAS) -> str:
    lines = "\n".join(f"    {line}" for line in body.strip().splitlines())
    return f"@T.prim_func\ndef f({buffers}):\n    {attrs or 'T.func_attr({})'}\n{lines}\n"


def loops_of(text: str) -> list[tuple[str, int]]:
    """Variables and extents of the loops of `f` after they are arranged."""
    func = tvmscript.lower(tvmscript.from_source(text), "llvm")["f"]
    assert isinstance(func, PrimFunc)
    found = [part for part in nodes(optimize_loops(func, func.buffer_map.values())) if isinstance(part, For)]
    return [(loop.loop_var.name, loop.extent.value) for loop in found if isinstance(loop.extent, IntImm)]


def assert_as_interpreted(text: str, *shapes: tuple[int, ...], dtype: str = "float32") -> None:
    """Compiled and interpreted, `f` leaves the same in its arrays."""
    rng = np.random.default_rng(0)
    inputs = [rng.random(shape).astype(dtype) for shape in shapes]
    results: list[list[Array]] = []
    for target in (llvm.EXACT, "interp"):
        arrays = [array.copy() for array in inputs]
        tvmscript.build(tvmscript.from_source(text), target=target)["f"](*arrays)
        results.append(arrays)
    for got, want in zip(*results, strict=True):
        np.testing.assert_array_equal(got, want)


def test_slope() -> None:
    """By hand: 3 * (i + 5) - i grows by 2; i * n grows by what is not known."""
    i, n = Var("i", "int32"), Var("n", "int32")
    three, five = IntImm("int32", 3), IntImm("int32", 5)
    assert slope(Sub(Mul(Add(i, five), three), i), i) == 2
    assert slope(Mul(n, n), i) == 0
    assert slope(Mul(i, n), i) is None
    assert slope(Ramp(Mul(i, five), three, 4), i) == 5
    assert slope(Ramp(n, i, 4), i) is None


@pytest.mark.parametrize(
    ("body", "loops"),
    [
        # all three are one walk over 512 elements, 32 at a time
        ("for i, j, k in T.grid(4, 8, 16): B[i * 128 + j * 16 + k] = A[j * 16 + i * 128 + k]", [("k", 16)]),
        # a row of B for each row of A's transpose
        ("for i, j in T.grid(16, 32): B[i * 32 + j] = A[j * 16 + i]", [("i", 16), ("j", 32)]),
        # rows with a gap
        ("for i, j in T.grid(16, 16): B[i * 32 + j] = A[i * 32 + j]", [("i", 16), ("j", 1)]),
        # the value depends on a variable
        ("for i, j in T.grid(4, 64): B[i * 64 + j] = T.Cast('float32', i)", [("i", 4), ("j", 2)]),
        ("for i in range(512): B[i] = T.Cast('float32', i)", [("i", 16)]),
        # one row for all
        ("for i, j in T.grid(16, 32): B[i * 32 + j] = A[j]", [("i", 16), ("j", 1)]),
        # an iteration reads what the one before wrote
        ("for i in range(480): B[i + 1] = B[i] + A[i]", [("i", 480)]),
        # one that reads what a later one writes could be widened, but is left to LLVM
        ("for i in range(480): B[i] = B[i + 1] + A[i]", [("i", 480)]),
        ("for i in range(512): B[i] = B[i] + A[i]", [("i", 16)]),
        # functions need more registers: half as many lanes
        ("for i in range(512): B[i] = T.sqrt(A[i])", [("i", 32)]),
        # some vectors, and a remainder of shorter ones; not where that is most of it, or calls a function
        ("for i in range(500): B[i] = A[i]", [("i", 15)]),
        ("for i in range(501): B[i] = A[i]", [("i", 15)]),
        ("for i in range(501): B[i] = T.sqrt(A[i])", [("i", 501)]),
        ("for i in range(100): B[i] = A[i]", [("i", 100)]),
        ("for i in range(8): B[i] = A[i]", [("i", 1)]),
        ("for i in range(2): B[i] = A[i]", [("i", 2)]),
        ("for i in range(512): B[i] = T.if_then_else(i < 3, A[i], T.float32(0))", [("i", 512)]),
        ("for i, j in T.grid(16, 32): B[i * 32 + j] = T.if_then_else(i < 3, A[i], A[j])", [("i", 16), ("j", 1)]),
    ],
)  # fmt: skip
def test_what_is_joined_and_widened(body: str, loops: list[tuple[str, int]]) -> None:
    head, _, store = body.partition(": B")
    text = program(f"{head}:\n    B{store}")
    assert loops_of(text) == loops
    assert_as_interpreted(text, (512,), (512,))


@pytest.mark.parametrize(
    ("body", "loops"),
    [
        # a matrix product: vectors of columns
        ("C[i, j] = C[i, j] + A[i, k] * B[k, j]", [("i", 12), ("j", 1), ("k", 20)]),
        # what is stored depends on a loop inside, at distances that keep vectors of i apart: 8 and 4 of them
        (
            "C[k, i] = C[k, i] + A[k, j] * B[j, i]",
            [("i", 1), ("j", 16), ("k", 20), ("j", 16), ("k", 20)],
        ),
        ("C[2 * k % 3, i] = C[k, i] + A[k, j]", [("i", 12), ("j", 16), ("k", 20)]),
        ("C[j, k] = C[j, k] + A[k, i]", [("i", 12), ("j", 16), ("k", 20)]),
        # what one iteration stores another one loads
        ("C[0, j + k] = C[0, j + k] + A[0, j]", [("i", 12), ("j", 16), ("k", 20)]),
        ("C[0, j] = C[0, k] + A[0, j]", [("i", 12), ("j", 16), ("k", 20)]),
        ("if k % 2 == 0: C[i, j] = C[i, j] + A[i, k]\n    else: C[i, j] = B[k, j]", [("i", 12), ("j", 1), ("k", 20)]),
        ("if A[i, k] < T.float32(0.5): C[i, j] = B[k, j]", [("i", 12), ("j", 16), ("k", 20)]),
    ],
)
def test_loops_around_loops(body: str, loops: list[tuple[str, int]]) -> None:
    """A sum stays in the order it is written in, for several elements at once."""
    shapes = [(20, 40)] * 3
    buffers = ", ".join(f"{name}: T.Buffer({shape})" for name, shape in zip("ABC", shapes, strict=True))
    text = program(f"for i, j, k in T.grid(12, 16, 20):\n    {body}", buffers)
    assert loops_of(text) == loops
    assert_as_interpreted(text, *shapes)


@pytest.mark.parametrize(
    ("guard", "is_before"),
    [("k == 0", True), ("k == 1", False), ("k < 1", False), ("k == 0 and i < 3", False)],
)
def test_first_iterations(guard: str, is_before: bool) -> None:
    """Where a sum over vectors starts at zero in its first iteration, it does so before the loop."""
    text = program(
        f"""for i, j, k in T.grid(12, 32, 20):
    if {guard}:
        C[i, j] = A[i, k]
    C[i, j] = C[i, j] + A[i, k] * B[k, j]""",
        ", ".join(f"{name}: T.Buffer((20, 40))" for name in "ABC"),
    )
    func = tvmscript.lower(tvmscript.from_source(text), "llvm")["f"]
    assert isinstance(func, PrimFunc)
    found = list(nodes(optimize_loops(func, func.buffer_map.values())))
    assert any(isinstance(part, IfThenElse) for part in found) is not is_before
    assert loops_of(text) == [("i", 12), ("j", 1), ("k", 20)]
    assert_as_interpreted(text, *[(20, 40)] * 3)


@pytest.mark.parametrize("guard", ["k == 0 and m == 0", "m == 0 and (k == 0 and i < 9)"])
def test_first_iterations_of_several_loops(guard: str) -> None:
    """A sum over two loops starts before both of them, under the conditions on other variables."""
    text = program(
        f"""for i, j, k, m in T.grid(12, 32, 5, 4):
    if {guard}:
        C[i, j] = A[i, k]
    C[i, j] = C[i, j] + A[i, k * 4 + m] * B[k, j]""",
        ", ".join(f"{name}: T.Buffer((20, 40))" for name in "ABC"),
    )
    func = tvmscript.lower(tvmscript.from_source(text), "llvm")["f"]
    assert isinstance(func, PrimFunc)
    found = list(nodes(optimize_loops(func, func.buffer_map.values())))
    (sum_loop,) = [part for part in found if isinstance(part, For) and part.loop_var.name == "k"]
    assert not any(isinstance(part, IfThenElse) for part in nodes(sum_loop))
    assert any(isinstance(part, IfThenElse) for part in found) is ("i < 9" in guard)
    assert_as_interpreted(text, *[(20, 40)] * 3)


@pytest.mark.parametrize(
    ("columns", "loops"),
    [
        (3, [("j", 3), ("k", 20)]),  # too short
        (10, [("j", 1), ("k", 20)]),  # one vector
        (20, [("j", 1), ("k", 20), ("k", 20)]),  # 16 and 4
        (33, [("j", 1), ("k", 20), ("k", 20)]),  # 32 and 1
        (95, [("j", 2), ("k", 20), ("k", 20), ("k", 20)]),  # 2 of 32, 16 and 15
    ],
)
def test_loops_of_any_length_around_loops(columns: int, loops: list[tuple[str, int]]) -> None:
    """What whole vectors leave over is one or two shorter ones."""
    shapes = [(12, 20), (20, columns), (12, columns)]
    buffers = ", ".join(f"{name}: T.Buffer({shape})" for name, shape in zip("ABC", shapes, strict=True))
    text = program(
        f"""for i, j, k in T.grid(12, {columns}, 20):
    if k == 0:
        C[i, j] = T.float32(0)
    C[i, j] = C[i, j] + A[i, k] * B[k, j]""",
        buffers,
    )
    assert loops_of(text) == [("i", 12), *loops]
    assert_as_interpreted(text, *shapes)


@pytest.mark.parametrize("columns", [32, 41, 95])
def test_short_sums_are_straight(columns: int) -> None:
    """A few terms are added one after the other in registers: no loop is around them, for the remainder as well."""
    text = program(
        f"""for i, j in T.grid(12, {columns}):
    C[i, j] = T.float32(0)
    for k in range(5):
        C[i, j] = C[i, j] + A[i, k] * B[k, j]""",
        ", ".join(f"{name}: T.Buffer((20, 95))" for name in "ABC"),
    )
    assert loops_of(text) == [("i", 12), ("j", columns // 32)]
    assert_as_interpreted(text, *[(20, 95)] * 3)


@pytest.mark.parametrize(
    ("body", "is_copied"),
    [
        ("B[i] = A[i]", True),
        ("B[i] = A[i] * T.float32(2)", False),
        ("B[0] = B[0] + A[i]", True),
        ("B[0:16] = B[0:16] + A[i * 16 : i * 16 + 16]", False),
        ("B[0] = B[0] + A[i]\n    B[1] = B[1] - A[i]", True),
    ],
)
def test_which_loops_llvm_may_unroll(body: str, is_copied: bool) -> None:
    """Those whose iterations copy an element, or wait for each other, unless that is all they do."""
    built = tvmscript.build(tvmscript.from_source(program(f"for i in range(30):\n    {body}")), target="llvm")
    assert ("llvm.loop.unroll.disable" not in built.get_source("input")) is is_copied


@pytest.mark.parametrize(
    ("rounds", "vectors", "rolled"),
    [
        (5, 15, 2),  # two registers in each of 15 iterations are too many
        (4, 6, 0),
        (2, 15, 1),  # two copies of a loop are not long
        (5, 40, 2),
    ],
)
def test_loops_around_long_loops_are_not_copied(rounds: int, vectors: int, rolled: int) -> None:
    lanes = 2 * machine_model("llvm").lanes(4)
    text = program(
        f"""for i, j in T.grid({rounds}, {vectors}):
    B[j * {lanes}:j * {lanes} + {lanes}] = B[j * {lanes}:j * {lanes} + {lanes}] + A[i:i + {lanes}]""",
        f"A: T.Buffer((512,)), B: T.Buffer(({lanes * vectors},))",
    )
    built = tvmscript.build(tvmscript.from_source(text), target="llvm")
    assert built.get_source("input").count("llvm.loop.unroll.disable") == rolled


@pytest.mark.parametrize(
    ("body", "is_inlined", "is_vectorized"),
    [
        ("B[i] = T.exp(A[i])", True, False),
        ("B[i] = A[i]", False, False),
        # LLVM vectorizes what may overlap, under a condition
        ("B[i] = A[i] + A[i + 1]", False, True),
    ],
)
def test_which_passes_of_llvm_run(body: str, is_inlined: bool, is_vectorized: bool) -> None:
    """Loops without vectors need LLVM's vectorizer; others have its marks as they are written."""
    text = program(f"for i in range(480):\n    {body}", attrs="" if is_vectorized else NOALIAS)
    built = tvmscript.build(tvmscript.from_source(text), target="llvm")
    source, optimized = built.get_source("input"), built.get_source("ll")
    assert ("alwaysinline" in source) is is_inlined
    assert "alwaysinline" not in optimized
    assert ("llvm.loop.isvectorized" in optimized) is is_vectorized


def test_index_arithmetic_is_written_once() -> None:
    """By hand: two stores of an unrolled loop share the product, after a branch too, but not what is in a branch."""
    built = tvmscript.build(
        tvmscript.from_source(
            program(
                "for i in range(8):\n"
                "    for j in T.unroll(2):\n"
                "        B[i * 50 + j] = A[i * 50 + j]\n"
                "    if A[i] > T.float32(0):\n"
                "        B[i * 60] = A[i * 50 + 3]\n"
                "    B[i * 60 + 1] = A[i * 50 + 3]"
            )
        ),
        target="llvm",
    )
    text = built.get_source("input")
    assert text.count(", 50\n") == 1
    assert text.count(", 60\n") == 2


def test_buffers_that_may_overlap_are_left_to_llvm() -> None:
    text = program("for i in range(512):\n    B[i] = A[i]", attrs="")
    assert loops_of(text) == [("i", 512)]
    built = tvmscript.build(tvmscript.from_source(text), target="llvm")
    memory = np.arange(513, dtype="float32")
    built["f"](memory[:-1], memory[1:])
    np.testing.assert_array_equal(memory, np.zeros(513))


def test_pointers_into_other_memory_are_left_to_llvm() -> None:
    """Even where buffers do not overlap, a pointer made of one of them does."""
    body = """p: T.handle("float32") = T.address_of(A[1])
C = T.decl_buffer((500,), data=p)
for i in range(480):
    C[i] = A[i]"""
    assert loops_of(program(body)) == [("i", 480)]
    reading = body.replace("C[i] = A[i]", "A[i + 1] = C[i]")
    assert loops_of(program(reading)) == [("i", 480)]
    a, b = np.arange(512, dtype="float32"), np.zeros(512, "float32")
    tvmscript.build(tvmscript.from_source(program(body)), target="llvm")["f"](a, b)
    np.testing.assert_array_equal(a[:481], np.zeros(481))


def test_several_stores() -> None:
    """Each statement runs for a whole vector before the next one: both see the same elements."""
    body = "for i in range(256):\n    A[i] = B[i] + T.float32(1)\n    B[i] = A[i] * T.float32(2)"
    assert loops_of(program(body)) == [("i", 8)]
    assert_as_interpreted(program(body), (512,), (512,))
    crossed = "for i in range(256):\n    A[i + 1] = B[i]\n    B[i] = A[i]"
    assert loops_of(program(crossed)) == [("i", 256)]
    assert_as_interpreted(program(crossed), (512,), (512,))


def test_mixed_widths() -> None:
    """Lanes are those that fit the widest element."""
    buffers = "A: T.Buffer((512,), 'float64'), B: T.Buffer((512,), 'float64')"
    text = program("for i in range(512):\n    B[i] = T.Cast('float64', T.Cast('float32', A[i]))", buffers)
    assert loops_of(text) == [("i", 32)]
    assert_as_interpreted(text, (512,), (512,), dtype="float64")


def test_integers() -> None:
    buffers = "A: T.Buffer((64, 8), 'int32'), B: T.Buffer((64, 8), 'int32')"
    text = program("for i, j in T.grid(64, 8):\n    B[i, j] = A[i, j] + 1", buffers)
    assert loops_of(text) == [("j", 16)]
    a, b = np.arange(512, dtype="int32").reshape(64, 8), np.zeros((64, 8), "int32")
    tvmscript.build(tvmscript.from_source(text), target="llvm")["f"](a, b)
    np.testing.assert_array_equal(b, a + 1)


@pytest.mark.parametrize("dtype", ["float32", "float64", "int16"])
def test_choices_of_computed_values(dtype: str) -> None:
    buffers = f"A: T.Buffer((500,), '{dtype}'), B: T.Buffer((500,), '{dtype}')"
    zero = f"T.{dtype}(0)"
    sign = f"T.Select(A[i] > {zero}, T.{dtype}(1), T.Select(A[i] < {zero}, T.{dtype}(-1), A[i]))"
    text = program(f"for i in range(500):\n    B[i] = {sign}", buffers)
    assert [name for name, _ in loops_of(text)] == ["i"]
    assert "select <" in tvmscript.build(tvmscript.from_source(text), "llvm -mcpu=haswell").get_source("input")
    a = np.arange(-250, 250).astype(dtype)
    b = np.zeros_like(a)
    tvmscript.build(tvmscript.from_source(text), target="llvm")["f"](a, b)
    np.testing.assert_array_equal(b, np.sign(a))


INTEGERS = ("int8", "uint8", "int16", "int32", "uint32", "int64", "uint64")


@settings(max_examples=80)
@given(
    st.sampled_from((*INTEGERS, "float32", "float64")),
    st.sampled_from((*INTEGERS, "float32", "float64")),
    st.sampled_from(("+", "-", "*", "<", "<=", "==", "!=", "cast")),
    st.sampled_from((512, 500, 70, 16, 5)),
)
def test_elements_of_other_dtypes(source: str, target: str, operator: str, size: int) -> None:
    """Casts, sums and comparisons of all dtypes are NumPy's: integers wrap."""
    value = "A[i]" if operator == "cast" else f"A[i] {operator} B[i]"
    kind = "bool" if operator[0] in "<=!" else target
    buffers = (
        f"A: T.Buffer(({size},), '{source}'), B: T.Buffer(({size},), '{source}'), C: T.Buffer(({size},), '{kind}')"
    )
    cast = value if kind == "bool" else f"T.Cast('{target}', {value})"
    text = program(f"for i in range({size}):\n    C[i] = {cast}", buffers)
    rng = np.random.default_rng(size)
    a, b = (rng.integers(1, 100, size).astype(source) for _ in range(2))
    a[0], a[1:3] = 0, b[1:3]
    c = np.zeros(size, kind)
    tvmscript.build(tvmscript.from_source(text), target="llvm")["f"](a, b, c)
    functions: dict[str, Any] = {
        "+": np.add, "-": np.subtract, "*": np.multiply, "<": np.less, "<=": np.less_equal, "==": np.equal,
        "!=": np.not_equal,
    }  # fmt: skip
    computed = a if operator == "cast" else functions[operator](a, b)
    inside = (computed >= 0) & (computed <= 100) if np.dtype(source).kind == "f" else np.ones(size, bool)
    np.testing.assert_array_equal(c[inside], computed.astype(kind)[inside])


@pytest.mark.parametrize("size", [32, 20])
def test_many_nests(size: int) -> None:
    """Nests over allocated memory, with assertions between them that leave the function."""
    count = 6
    lines = [f"t{k} = T.alloc_buffer(({size}, {size}))" for k in range(count)]
    lines += [f"for i, j in T.grid({size}, {size}):\n    t0[i, j] = A[i, j]"]
    for k in range(1, count):
        lines += [
            f'assert A[{k}, {k}] >= T.float32(0), "step {k}"',
            f"for i, j in T.grid({size}, {size}):\n    t{k}[i, j] = t{k - 1}[i, j] * T.float32(0.5) + T.float32({k})",
        ]
    lines += [f"for i, j in T.grid({size}, {size}):\n    B[j, i] = t{count - 1}[i, j]"]
    shape = f"({size}, {size})"
    body = "\n".join(lines)
    func = tvmscript.build(
        tvmscript.from_source(program(body, f"A: T.Buffer({shape}), B: T.Buffer({shape})")), target="llvm"
    )["f"]
    a = np.random.default_rng(1).random((size, size), dtype="float32")
    want, got = a, np.zeros_like(a)
    for k in range(1, count):
        want = want * np.float32(0.5) + np.float32(k)
    func(a, got)
    np.testing.assert_array_equal(got, want.T)
    a[4, 4] = -1
    with pytest.raises(KernelAssertion, match="step 4"):
        func(a, got)


def test_symbolic_shapes() -> None:
    """Extents that are known at run time only: the inner loops are widened, the outer ones stay."""
    text = """
@T.prim_func
def f(a: T.handle, b: T.handle):
    T.func_attr({"tir.noalias": T.bool(True)})
    n = T.int32()
    A = T.match_buffer(a, (n, 64))
    B = T.match_buffer(b, (n, 64))
    row = T.alloc_buffer((n,))
    for i in range(n):
        row[i] = A[i, 0]
    for i, j in T.grid(n, 64):
        B[i, j] = T.sqrt(A[i, j]) - row[i]
"""
    assert loops_of(text) == [("j", 4)]
    for n in (0, 1, 7):
        assert_as_interpreted(text, (n, 64), (n, 64))


@pytest.mark.parametrize("columns", [0, 1, 7, 8, 31, 32, 33, 75])
@pytest.mark.parametrize("dtype", ["int32", "int64"])
def test_symbolic_loops_around_loops(columns: int, dtype: str) -> None:
    """A product of matrices of any size: vectors of 32 and of 8, then single elements; nothing starts an empty sum."""
    text = f"""
@T.prim_func
def f(a: T.handle, b: T.handle, c: T.handle):
    T.func_attr({{"tir.noalias": T.bool(True)}})
    n = T.{dtype}()
    m = T.{dtype}()
    l = T.{dtype}()
    A = T.match_buffer(a, (n, l))
    B = T.match_buffer(b, (l, m))
    C = T.match_buffer(c, (n, m))
    for i, j, k in T.grid(n, m, l):
        if k == 0:
            C[i, j] = T.float32(0)
        C[i, j] = C[i, j] + A[i, k] * B[k, j]
"""
    func = tvmscript.lower(tvmscript.from_source(text), "llvm")["f"]
    assert isinstance(func, PrimFunc)
    found = [
        part.loop_var.name for part in nodes(optimize_loops(func, func.buffer_map.values())) if isinstance(part, For)
    ]
    assert found == ["i", "j", "k", "j", "k", "j", "k"]
    for terms in (0, 1, 5):
        assert_as_interpreted(text, (3, terms), (terms, columns), (3, columns))


def test_negative_extents_around_loops() -> None:
    """A loop that runs less than no times does nothing, in vectors too."""
    text = """
@T.prim_func
def f(n: T.int32, A: T.Buffer((64, 64)), B: T.Buffer((64,))):
    T.func_attr({"tir.noalias": T.bool(True)})
    for i, k in T.grid(n - 40, 64):
        B[i] = B[i] + A[k, i]
"""
    a, start = np.random.default_rng(0).random((64, 64), "float32"), np.ones(64, "float32")
    kernel = tvmscript.build(tvmscript.from_source(text), target="llvm")["f"]
    for n in (-(2**31) + 40, 0, 3, 40, 41, 100):
        b = start.copy()
        kernel(n, a, b)
        count = max(n - 40, 0)
        want = start.copy()
        for row in a:
            want[:count] += row[:count]
        np.testing.assert_array_equal(b, want)


def test_conditions_that_load_stay_in_loops_that_may_not_run() -> None:
    """Nothing is before a loop that reads memory: there may be none of it."""
    text = """
@T.prim_func
def f(a: T.handle, B: T.Buffer((8,))):
    T.func_attr({"tir.noalias": T.bool(True)})
    n = T.int32()
    A = T.match_buffer(a, (n,))
    for i, k in T.grid(8, n):
        if k == 0 and A[k] < T.float32(2):
            B[i] = T.float32(0)
        B[i] = B[i] + A[k]
"""
    func = tvmscript.lower(tvmscript.from_source(text), "llvm")["f"]
    assert isinstance(func, PrimFunc)
    made = optimize_loops(func, func.buffer_map.values())
    inside = {
        part for loop in nodes(made) if isinstance(loop, For) and loop.loop_var.name == "k" for part in nodes(loop)
    }
    assert all(part in inside for part in nodes(made) if isinstance(part, IfThenElse))
    for count in (0, 3):
        assert_as_interpreted(text, (count,), (8,))


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 70), st.booleans(), st.sampled_from(("float32", "float64")), st.booleans())
def test_expensive_remainders(count: int, is_constant: bool, dtype: str, is_behind: bool) -> None:
    """The last vector of a loop of mathematical functions is masked: memory beside the array is not touched."""
    size = count if is_constant else "n"
    text = f"""
@T.prim_func
def main(a: T.handle, b: T.handle):
    T.func_attr({{"tir.noalias": T.bool(True)}})
    {"" if is_constant else "n = T.int32()"}
    A = T.match_buffer(a, ({size},), "{dtype}")
    B = T.match_buffer(b, ({size},), "{dtype}")
    for i in range({size}):
        B[i] = T.exp(A[i])
"""
    a = np.random.default_rng(count).random(count).astype(dtype)
    inside, outside = (guarded(value, is_behind=is_behind) for value in (a, np.zeros(count, dtype)))
    tvmscript.build(tvmscript.from_source(text))["main"](inside, outside)
    np.testing.assert_allclose(outside, np.exp(a), rtol=1e-6)


@pytest.mark.parametrize(("count", "is_behind"), [(8, True), (9, True), (15, False), (16, False)])
def test_short_loops_end_in_a_masked_vector(count: int, is_behind: bool) -> None:
    """LLVM would unroll a loop that is longer than one vector but short, and gather along the loop around it."""
    text = f"""
@T.prim_func
def main(A: T.Buffer((3, {count}), "float64"), B: T.Buffer((3,), "float64"), C: T.Buffer((3, {count}), "float64")):
    T.func_attr({{"tir.noalias": T.bool(True)}})
    for i, j in T.grid(3, {count}):
        C[i, j] = A[i, j] * B[i]
"""
    a, b = (np.random.default_rng(count).random(shape) for shape in ((3, count), 3))
    inside, outside = (guarded(value, is_behind=is_behind) for value in (a, np.zeros_like(a)))
    tvmscript.build(tvmscript.from_source(text))["main"](inside, b, outside)
    np.testing.assert_array_equal(outside, a * b[:, None])
    source = tvmscript.build(tvmscript.from_source(text), target="llvm -mcpu=x86-64-v4").get_source("input")
    assert ("llvm.masked.store" in source) == (8 < count < 16)
