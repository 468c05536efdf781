"""Default schedules of whole functions: what is inlined, which rules see which blocks, traces."""

from __future__ import annotations

import logging
from typing import Any, ClassVar

import ml_dtypes
import numpy as np
import pytest

import tvmscript
from tvmscript import dlight
from tvmscript.ir.core import Target, nodes
from tvmscript.ir.schedule.default.cpu.cpu_rule import BlockRule, CPURule
from tvmscript.ir.schedule.default.schedule_rule import DefaultScheduleWarning
from tvmscript.ir.schedule.default.unscheduled import is_unscheduled
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.tir import Block, For, PrimFunc

HEAD = """
@T.prim_func
def main(A: T.Buffer((8, 16), "float32"), B: T.Buffer((16,), "float32"), C: T.Buffer((8, 16), "float32")):
"""
#: value of T, value of C, whether T is inlined
INLINED = [
    ("T.exp(A[vi, vj])", "X[vi, vj] + B[vj]", True),
    ("A[vi, vj] + B[vj]", "X[vi, vj] * X[vi, vj]", True),
    ("T.exp(A[vi, vj])", "X[vi, vj] * X[vi, vj]", False),
    ("A[vi, vj] / B[vj]", "X[vi, vj] + X[7 - vi, vj]", False),
    ("A[7 - vi, vj] + B[vj]", "X[7 - vi, vj] * X[vi, vj]", True),
    ("T.float32(1)", "X[vi, vj] + A[vi, vj]", True),
    ("T.if_then_else(vi < 4, A[vi, vj], T.float32(0))", "X[vi, vj] + B[vj]", True),
]


def elementwise(first: str, second: str) -> str:
    return f"""{HEAD}
    X = T.alloc_buffer((8, 16), "float32")
    for i, j in T.grid(8, 16):
        with T.block("X"):
            vi, vj = T.axis.remap("SS", [i, j])
            X[vi, vj] = {first}
    for i, j in T.grid(8, 16):
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = {second}
"""


def reduction(value: str, term: str) -> str:
    """Return sums of a term of X over rows, for each of 16 columns."""
    return f"""{HEAD}
    X = T.alloc_buffer((8, 16), "float32")
    for i, j in T.grid(8, 16):
        with T.block("X"):
            vi, vj = T.axis.remap("SS", [i, j])
            X[vi, vj] = {value}
    for i, j, k in T.grid(8, 16, 8):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + {term}
"""


def blocks_of(func: PrimFunc) -> list[str]:
    return [node.name_hint for node in nodes(func.body) if isinstance(node, Block)][1:]


def default_schedule(text: str, rule: CPURule | None = None) -> Schedule | None:
    program = tvmscript.from_source(text)
    schedule = (rule or dlight.cpu.Default()).apply(program, Target.make("llvm"), False)
    if schedule is not None:
        again = Schedule(program)
        tvmscript.Trace.from_json(schedule.trace.as_json()).apply_to_schedule(again)
        assert tvmscript.ir.structural_equal(again.mod, schedule.mod)
        check_values(program, schedule.mod["main"])
    return schedule


def check_values(program: Any, scheduled: Any) -> None:
    rng, outputs = np.random.default_rng(0), []
    values = [rng.random((8, 16), "f"), rng.random(16, "f"), np.zeros((8, 16), "f")]
    for func in (program, scheduled):
        arrays = [value.copy() for value in values]
        tvmscript.build(func, target="interp")["main"](*arrays)
        outputs.append(arrays[2])
    np.testing.assert_array_equal(outputs[0], outputs[1])


class NoBlockRules(CPURule):
    """Inlining alone."""


@pytest.mark.parametrize(("first", "second", "is_inlined"), INLINED)
def test_inlining_into_elementwise_blocks(first: str, second: str, is_inlined: bool) -> None:
    schedule = default_schedule(elementwise(first, second), NoBlockRules())
    assert (schedule is not None) == is_inlined
    if schedule is not None:
        assert blocks_of(schedule.mod["main"]) == ["C"]


@pytest.mark.parametrize(
    ("value", "term", "is_inlined"),
    [
        ("A[vi, vj]", "X[vk, vj]", True),  # a copy
        ("A[vi, vj] * T.float32(2)", "X[vk, vj]", False),  # repeated for each of the rows
        ("T.exp(A[vi, vj])", "X[vk, vj]", False),
        ("T.float32(1)", "X[vk, vj]", False),
        ("T.if_then_else(vi < 4, A[vi, vj], T.float32(0))", "X[vk, vj]", False),
    ],
)
def test_inlining_into_reductions_that_read_elements_again(value: str, term: str, is_inlined: bool) -> None:
    schedule = default_schedule(reduction(value, term), NoBlockRules())
    assert (schedule is not None) == is_inlined


@pytest.mark.parametrize("value", ["T.exp(A[vi, vj])", "A[vi, vj] - B[vj]"])
def test_inlining_into_reductions_that_read_elements_once(value: str) -> None:
    text = reduction(value, "X[vi, vk]").replace("T.grid(8, 16, 8)", "T.grid(8, 1, 16)")
    schedule = default_schedule(text, NoBlockRules())
    assert schedule is not None
    assert blocks_of(schedule.mod["main"]) == ["C"]


def with_two_sums(value: str) -> str:
    """Return the sum of X and that of its squares over rows, from which C is computed."""
    return f"""{HEAD}
    X = T.alloc_buffer((8, 16), "float32")
    S = T.alloc_buffer((8,), "float32")
    Q = T.alloc_buffer((8,), "float32")
    for i, j in T.grid(8, 16):
        with T.block("X"):
            vi, vj = T.axis.remap("SS", [i, j])
            X[vi, vj] = {value}
    for i, k in T.grid(8, 16):
        with T.block("S"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                S[vi] = T.float32(0)
                Q[vi] = T.float32(0)
            s: T.float32 = S[vi] + X[vi, vk]
            q: T.float32 = Q[vi] + X[vi, vk] * X[vi, vk]
            S[vi] = s
            Q[vi] = q
    for i, j in T.grid(8, 16):
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = X[vi, vj] * S[vi] + Q[vi]
"""


@pytest.mark.parametrize(
    ("value", "is_inlined"),
    [
        ("A[vi % 2 * 4 + vi // 2, vj]", True),  # a copy
        ("A[vi, vj] + B[vj]", True),
        ("T.exp(A[vi, vj])", False),  # C would repeat it
        ("T.if_then_else(vi < 4, A[vi, vj], T.float32(0))", False),
    ],
)
def test_inlining_into_reductions_of_two_values(value: str, is_inlined: bool) -> None:
    schedule = default_schedule(with_two_sums(value), NoBlockRules())
    assert (schedule is not None) == is_inlined
    if schedule is not None:
        assert blocks_of(schedule.mod["main"]) == ["S", "C"]


def test_blocks_with_loops_of_their_own_keep_what_they_read() -> None:
    text = elementwise("A[vi, vj] + B[vj]", "T.float32(0)").replace(
        "            C[vi, vj] = T.float32(0)",
        "            C[vi, vj] = T.float32(0)\n            for k in range(16):\n"
        "                C[vi, vj] = C[vi, vj] + X[vi, k]",
    )
    assert default_schedule(text, NoBlockRules()) is None


class Split(CPURule):
    """Rules that note the blocks that they see; one splits loops of reductions, the other one those of all blocks."""

    seen: ClassVar[list[str]] = []

    @staticmethod
    def split(sch: Schedule, block: Any, model: Any) -> str | None:
        Split.seen.append(f"split {sch.get(block).name_hint}")
        if sch.get(block).init is None:
            return None
        sch.split(sch.get_loops(block)[0], [None, 4])
        return "split"

    @staticmethod
    def refuse(sch: Schedule, block: Any, model: Any) -> str | None:
        Split.seen.append(f"refuse {sch.get(block).name_hint}")
        sch.split(sch.get_loops(block)[0], [2, 2, 2, 1])
        sch.compute_inline("C")  # an output
        return None

    block_rules: ClassVar[tuple[BlockRule, ...]] = (split, refuse)


def test_rules_see_blocks_that_no_other_rule_took(caplog: pytest.LogCaptureFixture) -> None:
    Split.seen.clear()
    with caplog.at_level(logging.DEBUG, logger="tvmscript.default_schedule"):
        schedule = default_schedule(reduction("T.exp(A[vi, vj])", "X[vk, vj]"), Split())
    assert schedule is not None
    assert Split.seen == ["split X", "split C", "refuse X"]
    assert [record.message.split(":")[0] for record in caplog.records] == ["C", "X"]
    assert schedule.mod["main"].script().count("T.grid(8, 16)") == 1  # what a rule did before it refused is dropped


class OneEach(CPURule):
    """Each rule takes one of the blocks, and leaves the others as they are."""

    @staticmethod
    def first(sch: Schedule, block: Any, model: Any) -> str | None:
        return OneEach.take(sch, block, "X")

    @staticmethod
    def second(sch: Schedule, block: Any, model: Any) -> str | None:
        return OneEach.take(sch, block, "C")

    @staticmethod
    def take(sch: Schedule, block: Any, name: str) -> str | None:
        if sch.get(block).name_hint != name:
            return None
        sch.parallel(sch.get_loops(block)[0])
        return f"took {name}"

    block_rules: ClassVar[tuple[BlockRule, ...]] = (first, second)


def test_a_block_that_a_rule_left_behind_another_is_for_later_rules(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG, logger="tvmscript.default_schedule"):
        schedule = default_schedule(reduction("T.exp(A[vi, vj])", "X[vk, vj]"), OneEach())
    assert schedule is not None
    assert [record.getMessage() for record in caplog.records] == ["X: first: took X", "C: second: took C"]


def test_two_products_with_one_consumer(caplog: pytest.LogCaptureFixture) -> None:
    """What reads both products is computed in the tiles of the second one."""
    product = """
    for i, j, k in T.grid(32, 32, 32):
        with T.block("{0}"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                {0}[vi, vj] = T.float32(0)
            {0}[vi, vj] = {0}[vi, vj] + {1}[vi, vk] * {2}[vk, vj]
"""
    text = f"""
@T.prim_func
def main(A: T.Buffer((32, 32), "float32"), B: T.Buffer((32, 32), "float32"), C: T.Buffer((32, 32), "float32")):
    X = T.alloc_buffer((32, 32), "float32")
    Y = T.alloc_buffer((32, 32), "float32")
{product.format("X", "A", "B")}{product.format("Y", "B", "A")}
    for i, j in T.grid(32, 32):
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = X[vi, vj] + Y[vi, vj]
"""
    with caplog.at_level(logging.DEBUG, "tvmscript.default_schedule"):
        program = tvmscript.from_source(text)
        assert dlight.cpu.Default().apply(program, Target.make("llvm"), False) is not None
    assert [record.getMessage().split(": ")[:2] for record in caplog.records] == [
        ["X", "schedule_matmul"],
        ["Y", "schedule_matmul"],
    ]
    a, b, c = (np.random.default_rng(seed).random((32, 32), "f") for seed in range(3))
    tvmscript.build(program)["main"](a, b, c)
    np.testing.assert_allclose(c, a @ b + b @ a, rtol=1e-5)


class Faulty(CPURule):
    """A rule with a fault behind a step that changes the program."""

    @staticmethod
    def fail(sch: Schedule, block: Any, model: Any) -> str | None:
        sch.parallel(sch.get_loops(block)[0])
        return str(1 // 0)

    block_rules: ClassVar[tuple[BlockRule, ...]] = (fail, *dlight.cpu.Injective.block_rules)


def test_faults_of_rules_are_reported() -> None:
    """The program is compiled all the same, and other rules see the block."""
    text = elementwise("T.exp(A[vi, vj])", "X[vi, vj] * X[vi, vj]")
    with pytest.warns(DefaultScheduleWarning, match=r"fail failed on block [XC], .*ZeroDivisionError"):
        schedule = default_schedule(text, Faulty())
    assert schedule is not None
    assert "T.parallel" not in schedule.mod["main"].script()


@pytest.mark.parametrize(
    ("dtype", "total"), [("bool", "bool"), ("int4", "int4"), ("int4", "int32"), ("float4_e2m1fn", "float32")]
)
def test_products_of_elements_smaller_than_bytes(dtype: str, total: str) -> None:
    """`filterwarnings = error` makes a fault of a rule one of the test."""
    left, right = (each if dtype == total else f'T.Cast("{total}", {each})' for each in ("A[vi, vk]", "B[vk, vj]"))
    program = tvmscript.from_source(f"""
@T.prim_func
def main(A: T.Buffer((9, 17), "{dtype}"), B: T.Buffer((17, 20), "{dtype}"), C: T.Buffer((9, 20), "{total}")):
    for i, j, k in T.grid(9, 20, 17):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.{total}(0)
            C[vi, vj] = C[vi, vj] + {left} * {right}
""")
    assert tvmscript.build(program)["main"] is not None
    if "int4" in dtype:
        return  # NumPy has no arrays of it
    rng, shapes = np.random.default_rng(0), ((9, 17), (17, 20))
    a, b = (rng.integers(0, 2, shape).astype(getattr(ml_dtypes, dtype, dtype)) for shape in shapes)
    c, expected = np.zeros((9, 20), total), np.zeros((9, 20), total)
    tvmscript.build(program)["main"](a, b, c)
    tvmscript.build(program, target="interp")["main"](a, b, expected)
    np.testing.assert_array_equal(c, expected)


#: the dtypes of three sizes, None: 24, a constant of int32
MIXED = [("int64", None, None), (None, "int64", "int32"), ("int32", "int64", None), ("int64", "int32", "int64")]


@pytest.mark.parametrize("dtypes", MIXED)
def test_indices_of_several_dtypes(dtypes: tuple[str | None, ...]) -> None:
    """All become int64: vectors of a mixture would be gathers."""
    sizes = [name if dtype else "24" for name, dtype in zip("mnk", dtypes, strict=True)]
    declared = "\n    ".join(f"{name} = T.{dtype}()" for name, dtype in zip("mnk", dtypes, strict=True) if dtype)
    m, n, k = sizes
    program = tvmscript.from_source(f"""
@T.prim_func
def main(a: T.handle, b: T.handle, c: T.handle):
    {declared}
    A = T.match_buffer(a, ({m}, {k}))
    B = T.match_buffer(b, ({k}, {n}))
    C = T.match_buffer(c, ({m}, {n}))
    for i, j, p in T.grid({m}, {n}, {k}):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, p])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]
""")
    schedule = dlight.cpu.Default().apply(program, Target.make("llvm"), False)
    assert schedule is not None
    loops = [node for node in nodes(schedule.mod["main"]) if isinstance(node, For)]
    assert {str(loop.loop_var.dtype) for loop in loops} == {"int64"}
    a, b, c = (np.random.default_rng(seed).random((24, 24), "f") for seed in range(3))
    tvmscript.build(program)["main"](a, b, c)
    np.testing.assert_allclose(c, a @ b, rtol=1e-5)


def test_sizes_that_are_parameters_keep_their_dtype() -> None:
    program = tvmscript.from_source("""
@T.prim_func
def main(a: T.handle, n: T.int32, c: T.handle):
    m = T.int64()
    A = T.match_buffer(a, (m, n))
    C = T.match_buffer(c, (m, n))
    for i, j in T.grid(m, n):
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = A[vi, vj] + T.float32(1)
""")
    a, c = np.random.default_rng(0).random((30, 41), "f"), np.zeros((30, 41), "f")
    tvmscript.build(program)["main"](a, 41, c)
    np.testing.assert_array_equal(c, a + 1)


def test_unscheduled_functions() -> None:
    text = """
@T.prim_func
def main(a: T.handle, b: T.handle):
    n = T.int64()
    A = T.match_buffer(a, (n, 4), "float32")
    B = T.match_buffer(b, (n,), "float32")
    X = T.alloc_buffer((n,), "float32")
    for i, k in T.grid(n, 4):
        with T.block("X"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                X[vi] = T.float32(0)
            X[vi] = X[vi] + T.if_then_else(vi < 7, A[vi, vk], T.float32(0))
    for i in T.serial(n):
        with T.block("B"):
            vi = T.axis.spatial(n, i)
            B[vi] = X[vi]
            for k in T.serial(4):
                B[vi] = B[vi] + A[vi, k]
"""
    assert is_unscheduled(tvmscript.from_source(text))
    assert not is_unscheduled(tvmscript.from_source(text.replace("T.serial(4)", "T.unroll(4)")))
    assert not is_unscheduled(tvmscript.from_source(text.replace("T.serial(n)", "T.parallel(n)")))


def test_pointwise_convolutions_with_steps() -> None:
    """A batch of 1 that no index has left after inlining is an axis of pixels."""
    program: PrimFunc = tvmscript.from_source("""
@T.prim_func
def main(A: T.Buffer((1, 16, 8, 8), "float32"), W: T.Buffer((32, 16, 1, 1), "float32"), C: T.Buffer((1, 32, 4, 4), "float32")):
    for n, f, y, x, c, i, j in T.grid(1, 32, 4, 4, 16, 1, 1):
        with T.block("C"):
            vn, vf, vy, vx, vc, vi, vj = T.axis.remap("SSSSRRR", [n, f, y, x, c, i, j])
            with T.init():
                C[vn, vf, vy, vx] = T.float32(0)
            C[vn, vf, vy, vx] = C[vn, vf, vy, vx] + A[0, vc, vy * 2, vx * 2] * W[vf, vc, vi, vj]
""")  # noqa: E501  # a signature is a line
    with Target.make("llvm -mcpu=x86-64-v3"):
        script = dlight.ApplyDefaultSchedule(dlight.cpu.Convolution())(tvmscript.IRModule({"main": program})).script()
    assert "T.vectorized" in script
    rng = np.random.default_rng(0)
    a, w = rng.uniform(-1, 1, (1, 16, 8, 8)).astype("float32"), rng.uniform(-1, 1, (32, 16, 1, 1)).astype("float32")
    c = np.zeros((1, 32, 4, 4), "float32")
    tvmscript.build(program)["main"](a, w, c)
    np.testing.assert_allclose(c, np.einsum("nchw,fcij->nfhw", a[:, :, ::2, ::2], w), rtol=1e-4, atol=1e-5)
