"""Bugs from the trackers of peers, each as a case that is right here: what goes wrong there is said at each.

tvm: apache/tvm, tl: tile-ai/tilelang, pypto: hw-native-sys/pypto; Tzer: the reproducers of its paper (OOPSLA 2022).
What TVM 0.17 (the oracle) and apache-tvm 0.27 do today was asked on 2026-11-20 and is said where it is still wrong.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import tvmscript
from tvmscript.backends import interp, llvm
from tvmscript.backends.runtime.small_floats import decode, encode
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.core.equality.equal import assert_structural_equal, structural_equal
from tvmscript.ir.core.equality.hashing import structural_hash
from tvmscript.ir.core.errors import DiagnosticError, TVMScriptError
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.relax.function import Function
from tvmscript.ir.tir import expr as tir
from tvmscript.ir.tir.stmt import For, ForKind, LetStmt
from tvmscript.ir.tir.substitute import substitute
from tvmscript.ir.tir.var import Var
from tvmscript.ir.transform.pipeline import lower_for_llvm
from tvmscript.schedule import Schedule
from tvmscript.testing import oracles, roundtrip
from tvmscript.tir.transform import NarrowDataType
from tvmscript.transform import Sequential, get_pass


def computes(program: Any, *arguments: Any) -> list[list[Any]]:
    """The last argument after a call: interpreted, compiled without optimization and with all of it."""
    module = (
        program if isinstance(program, IRModule) else IRModule({"main": program.with_attr("global_symbol", "main")})
    )
    lowered = lower_for_llvm(module)
    found: list[list[Any]] = []
    for built in (interp.build(module), llvm.build(lowered, opt_level=0), llvm.build(lowered, opt_level=3)):
        values = [np.array(each) if isinstance(each, np.ndarray) else each for each in arguments]
        built["main"](*values)
        found.append(values[-1].tolist())
    return found


def named(program: Any) -> IRModule:
    """A module with a public kernel `main`."""
    return IRModule({"main": program.with_attr("global_symbol", "main")})


def kernel(parameters: str, body: str) -> Any:
    lines = "".join(f"    {line}\n" for line in body.strip("\n").splitlines())
    return tvmscript.from_source(f"@T.prim_func\ndef main({parameters}):\n{lines}")


# kernels, and what NumPy says


@dataclass(frozen=True)
class Case:
    """A kernel that others compile wrong."""

    #: where it was told
    tracker: str
    #: what goes wrong there
    wrong: str
    parameters: str
    body: str
    arguments: tuple[Any, ...]
    expected: Any


I8, I32, F32 = "int8", "int32", "float32"
CASES = [
    Case(
        "tl#2955",
        "floordiv folding: (x % 64) % 7 became x % 7",
        'B: T.Buffer((200,), "int32")',
        "for i in range(200):\n    B[i] = i % 64 % 7",
        (np.zeros(200, I32),),
        np.arange(200) % 64 % 7,
    ),
    Case(
        "tl#2433",
        "non-dividing tail: the guard of n % 8 was taken for always true",
        'n: T.int32, A: T.Buffer((13,), "int32"), B: T.Buffer((13,), "int32")',
        "for i, j in T.grid((n + 7) // 8, 8):\n    if i * 8 + j < n:\n        B[i * 8 + j] = A[i * 8 + j] + 1",
        (13, np.arange(13, dtype=I32), np.zeros(13, I32)),
        np.arange(13) + 1,
    ),
    Case(
        "tl#2394",
        "extents that are no powers of two ended the compiler by a division by zero",
        'B: T.Buffer((48,), "int32")',
        "for i in range(48):\n    B[i] = i // 7 * 7 + i % 7 + i % 3 // 2",
        (np.zeros(48, I32),),
        np.arange(48) + np.arange(48) % 3 // 2,
    ),
    Case(
        "tvm#13048",
        "int(bool(-1)) was -1: conversions were merged",
        'A: T.Buffer((3,), "int32"), B: T.Buffer((3,), "int32")',
        'for i in range(3):\n    B[i] = T.Cast("int32", T.Cast("bool", A[i]))',
        (np.array([-1, 0, 2], I32), np.zeros(3, I32)),
        [1, 0, 1],
    ),
    Case(
        "tl#2480",
        "dtype hole: vectors of 32 int8",
        'A: T.Buffer((64,), "int8"), B: T.Buffer((64,), "int8")',
        "for i in range(2):\n    B[i * 32:i * 32 + 32] = A[i * 32:i * 32 + 32] * T.Broadcast(T.int8(3), 32)",
        (np.arange(64, dtype=I8), np.zeros(64, I8)),
        (np.arange(64) * 3).astype(I8),
    ),
    Case(
        "tl#2568",
        "dtype hole: reductions of bool",
        'A: T.Buffer((2, 4), "bool"), B: T.Buffer((2,), "bool")',
        """
for i, k in T.grid(2, 4):
    with T.block("B"):
        vi, vk = T.axis.remap("SR", [i, k])
        with T.init():
            B[vi] = T.bool(False)
        B[vi] = B[vi] or A[vi, vk]
""",
        (np.array([[0, 0, 1, 0], [0, 0, 0, 0]], "bool"), np.zeros(2, "bool")),
        [True, False],
    ),
    Case(
        "tl#2570",
        "dtype hole: the largest of floats that are all negative",
        'A: T.Buffer((2, 4), "float16"), B: T.Buffer((2,), "float16")',
        """
for i, k in T.grid(2, 4):
    with T.block("B"):
        vi, vk = T.axis.remap("SR", [i, k])
        with T.init():
            B[vi] = T.min_value("float16")
        B[vi] = T.max(B[vi], A[vi, vk])
""",
        (np.array([[-5, -3, -4, -9], [-1, -2, -0.5, -8]], "float16"), np.zeros(2, "float16")),
        [-3, -0.5],
    ),
    Case(
        "tvm#9582",
        "int32 against int64: an int64 loop and an int32 loop in one index",
        'A: T.Buffer((T.int64(8),), "float32"), B: T.Buffer((T.int64(8),), "float32")',
        """
for i in T.serial(T.int64(4)):
    for j in range(2):
        with T.block("B"):
            v = T.axis.spatial(T.int64(8), i * T.int64(2) + T.Cast("int64", j))
            B[v] = A[v] * T.float32(2)
""",
        (np.arange(8, dtype=F32), np.zeros(8, F32)),
        np.arange(8) * 2,
    ),
    Case(
        "Tzer 30",
        "a batch of no elements",
        'A: T.Buffer((0, 4), "float32"), B: T.Buffer((1,), "float32")',
        """
B[0] = T.float32(7)
for i, j in T.grid(0, 4):
    with T.block("A"):
        vi, vj = T.axis.remap("SS", [i, j])
        B[0] = B[0] + A[vi, vj]
""",
        (np.zeros((0, 4), F32), np.zeros(1, F32)),
        [7],
    ),
    Case(
        "tl#3009",
        "an integer as a condition: an internal error; TVM 0.17 and 0.27 write LLVM code that is not well formed",
        'n: T.int32, B: T.Buffer((2,), "int32")',
        "if n:\n    B[0] = 1\nif n - 2:\n    B[1] = 1",
        (2, np.zeros(2, "int32")),
        [1, 0],
    ),
    Case(
        "tvm#10780",
        "rank 0: buffers without dimensions",
        'A: T.Buffer((), "float32"), B: T.Buffer((), "float32")',
        'with T.block("B"):\n    vk = T.axis.reduce(1, 0)\n    with T.init():\n        B[()] = T.float32(0)\n'
        "    B[()] = B[()] + A[()]",
        (np.array(3, F32), np.array(0, F32)),
        3,
    ),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.tracker)
def test_kernels(case: Case) -> None:
    program = kernel(case.parameters, case.body)
    roundtrip(program)
    for found in computes(program, *case.arguments):
        assert found == np.array(case.expected, case.arguments[-1].dtype).tolist(), case.wrong


def test_exp_of_bfloat16() -> None:
    """tl#2383: bf16 `exp` gave garbage. Here it is the exact value rounded once."""
    program = kernel(
        'A: T.Buffer((4,), "bfloat16"), B: T.Buffer((4,), "bfloat16")', "for i in range(4):\n    B[i] = T.exp(A[i])"
    )
    values = np.array([0, 1, -1, 5.5])
    for found in computes(program, encode(values, "bfloat16"), encode(np.zeros(4), "bfloat16")):
        assert found == encode(np.exp(values), "bfloat16").tolist()


@pytest.mark.parametrize(("dtype", "expected"), [("e5m2_float8", np.inf), ("e4m3_float8", np.nan)])
def test_infinity_in_eight_bits(dtype: str, expected: float) -> None:
    """tl#2670: an fp8 infinity ended the compiler. e4m3 has none: it is its nan."""
    program = kernel(
        f'A: T.Buffer((2,), "float32"), B: T.Buffer((2,), "{dtype}")',
        f'for i in range(2):\n    B[i] = T.Cast("{dtype}", A[i])',
    )
    for found in computes(program, np.array([np.inf, 1], "float32"), np.zeros(2, "uint8")):
        assert decode(np.array(found), dtype).tolist() == pytest.approx([expected, 1], nan_ok=True)


@pytest.mark.parametrize("dtype", ["int2", "int4", "uint4"])
def test_integers_of_few_bits(dtype: str) -> None:
    """tl#2996 (int2), tl#2997 (filling with int4): the compiler had no such vectors, or filled other elements."""
    value = -1 if dtype.startswith("int") else 3
    program = kernel(
        'B: T.Buffer((8,), "int32")',
        f"""
A = T.alloc_buffer((8,), "{dtype}")
for i in range(8):
    with T.block("A"):
        v = T.axis.spatial(8, i)
        A[v] = T.{dtype}({value})
for i in range(8):
    with T.block("B"):
        v = T.axis.spatial(8, i)
        B[v] = T.Cast("int32", A[v])
""",
    )
    assert computes(program, np.zeros(8, "int32")) == [[value] * 8] * 3


def test_remainders_are_those_of_python() -> None:
    """tvm#10336 (floormod of a product), tl#2955, tri#619 (`//` rounds to zero): checked against Python's integers."""
    meanings: list[tuple[type[tir.BinaryOp], Callable[[int, int], int]]] = [
        (tir.FloorMod, operator.mod),
        (tir.FloorDiv, operator.floordiv),
    ]
    x, y = Var("x", "int32"), Var("y", "int32")
    facts = Analyzer()
    for scale, divisor, outer in itertools.product((-8, -2, 1, 3, 4, 8), (-6, -4, 2, 7, 8, 64), (-3, 4, 7)):
        whole = tir.Add(tir.Mul(x, tir.IntImm("int32", scale)), y)
        for cls, meaning in meanings:
            inner = cls(whole, tir.IntImm("int32", divisor))
            made = facts.simplify(tir.FloorMod(inner, tir.IntImm("int32", outer)))
            for a, b in itertools.product((-9, -1, 0, 5), (-7, 0, 3, 64)):
                at = {x: tir.IntImm("int32", a), y: tir.IntImm("int32", b)}
                value: Any = facts.simplify(substitute(made, at))
                assert value.value == meaning(a * scale + b, divisor) % outer


# schedules: non-dividing tiles, odd ranks, other dtypes


MATMUL = kernel(
    'A: T.Buffer((5, 13), "int32"), B: T.Buffer((13, 7), "int32"), C: T.Buffer((5, 7), "int32")',
    """
for i, j, k in T.grid(5, 7, 13):
    with T.block("C"):
        vi, vj, vk = T.axis.remap("SSR", [i, j, k])
        with T.init():
            C[vi, vj] = 0
        C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]
""",
)


def test_the_tail_of_a_reduction() -> None:
    """tl#2381: with tiles of 4 the last of 13 steps was dropped."""
    sch = Schedule(MATMUL, check="values")
    i, j, k = sch.get_loops("C")
    outer, inner = sch.split(k, [None, 4])
    j_outer, j_inner = sch.split(j, [None, 3])
    sch.reorder(outer, i, j_outer, inner, j_inner)
    sch.decompose_reduction("C", outer)
    rng = np.random.default_rng(0)
    a, b = rng.integers(-9, 9, (5, 13), "int32"), rng.integers(-9, 9, (13, 7), "int32")
    assert computes(sch.mod, a, b, np.zeros((5, 7), "int32")) == [(a @ b).tolist()] * 3


def test_loops_of_two_dtypes_become_one() -> None:
    """tvm#13029, #10172, #10595, #11755, #11794: int32 and int64 met in an index after a step of a schedule."""
    case = next(case for case in CASES if case.tracker == "tvm#9582")
    sch = Schedule(kernel(case.parameters, case.body), check="values")
    fused = sch.fuse(*sch.get_loops("B"))
    outer, inner = sch.split(fused, [None, 3])
    sch.parallel(outer)
    sch.unroll(inner)
    oracles.backends_agree(sch.mod)


def test_narrowed_indices() -> None:
    """tvm#10519, #12041: NarrowDataType left operands of two widths behind, in lets and conditions."""
    program = kernel(
        'A: T.Buffer((T.int64(16),), "float32"), B: T.Buffer((T.int64(16),), "float32")',
        """
for i in T.serial(T.int64(16)):
    j: T.int64 = i * T.int64(3) % T.int64(16)
    if j < T.int64(8):
        B[i] = A[j]
    else:
        B[i] = A[j - T.int64(8)] + T.Cast("float32", j)
""",
    )
    narrowed = Sequential([get_pass("tir.FlattenBuffer"), NarrowDataType(32)])(named(program))
    assert "j: T.int32 = i * 3 % 16" in narrowed.script()
    oracles.same_values(program, narrowed)


@pytest.mark.parametrize("shape", [(), (1,), (3, 1, 2), (2, 3, 1, 2)])
def test_layouts_of_odd_ranks(shape: tuple[int, ...]) -> None:
    """tvm#9813, #10118, #11719, #11803 and others: layouts of ranks that nobody had thought of, rank 0 among them."""
    axes = ", ".join(f"v{place}" for place in range(len(shape))) or "()"
    body = f"Y = T.alloc_buffer({shape})\n"
    for name, value in (("Y", f"A[{axes}] * T.float32(2)"), ("B", f"Y[{axes}] + T.float32(1)")):
        loops = "".join(f"{'    ' * at}for i{at} in range({size}):\n" for at, size in enumerate(shape))
        inside = [f"v{at} = T.axis.spatial({size}, i{at})" for at, size in enumerate(shape)]
        deep = "    " * len(shape)
        body += f'{loops}{deep}with T.block("{name}"):\n'
        body += "".join(f"{deep}    {line}\n" for line in [*inside, f"{name}[{axes}] = {value}"])
    sch = Schedule(kernel(f'A: T.Buffer({shape}, "float32"), B: T.Buffer({shape}, "float32")', body), check="values")
    sch.transform_layout("Y", ("write", 0), lambda *places: (*places[::-1], 0))
    sch.cache_read("B", 0, "local")
    sch.cache_write("B", 0, "local")
    oracles.backends_agree(sch.mod)


def test_barriers() -> None:
    """tl#2556 (a guard that is no multiple of 32), tl#2612 (another guard for what reads), tl#2698 (memory that is
    written again, elsewhere): barriers were left out.
    """
    program = kernel(
        'A: T.Buffer((48,), "float32"), B: T.Buffer((48,), "float32")',
        """
S = T.alloc_buffer((48,), scope="shared")
for b in T.thread_binding(1, thread="blockIdx.x"):
    for t in T.thread_binding(48, thread="threadIdx.x"):
        with T.block("S"):
            v = T.axis.spatial(48, t)
            T.where(t < 40)
            S[v] = A[v]
    for t in T.thread_binding(48, thread="threadIdx.x"):
        with T.block("B"):
            v = T.axis.spatial(48, t)
            B[v] = T.if_then_else(v < 40, S[39 - v], T.float32(0))
    for t in T.thread_binding(48, thread="threadIdx.x"):
        with T.block("again"):
            v = T.axis.spatial(48, t)
            S[47 - v] = B[v]
    for t in T.thread_binding(48, thread="threadIdx.x"):
        with T.block("C"):
            v = T.axis.spatial(48, t)
            B[v] = S[v] + T.float32(1)
""",
    )
    lowered = tvmscript.lower(program, "cuda")
    assert lowered.script().count("tvm_storage_sync") >= 3
    a, b = np.arange(48, dtype="float32"), np.zeros(48, "float32")
    interp.build(lowered)["main"](a, b)
    reversed_once = np.where(np.arange(48) < 40, 39 - np.arange(48), 0)
    assert b.tolist() == (reversed_once[::-1] + 1).tolist()


# programs that are refused, where others guess


@pytest.mark.parametrize(
    ("tracker", "body", "code"),
    [
        # applied always, or never: n = 1 gives 2 in TVM 0.17 where Python gives 3; 0.27 does what Python does
        ("tl#2977", "x = n + 1\nif n > 0:\n    x = n + 2\nB[0] = x", "TS2032"),
        # all iterations ran; 0.27 takes `break`, but not in unrolled loops
        ("tl#3026", "for i in T.unroll(4):\n    if i == 2:\n        break\n    B[0] = i", "TS2005"),
        # the sign of the dividend; TVM has no `%` of floats either
        ("tl#3008", "B[0] = T.Cast('int32', T.float32(-7) % T.float32(3))", "TS1003"),
        # Tzer 38, 40: nothing ends where a let stands for itself
        ("Tzer 38", "with T.LetStmt(x + 1, var=x):\n    B[0] = x", "TS2003"),
    ],
)
def test_refused(tracker: str, body: str, code: str) -> None:
    with pytest.raises(DiagnosticError) as caught:
        kernel('n: T.int32, B: T.Buffer((1,), "int32")', body)
    assert caught.value.code == code, tracker
    assert caught.value.line is not None


def test_division_by_a_vector_of_zeros() -> None:
    """Tzer (four of its bugs): the simplifier divided by zero. TVM 0.17 and 0.27 end with an internal error."""
    four, zero = (tir.Broadcast(tir.IntImm("int32", value), 4) for value in (4, 0))
    for cls in (tir.Div, tir.Mod, tir.FloorDiv, tir.FloorMod):
        simplified = Analyzer().simplify(cls(four, zero))
        assert isinstance(simplified, tir.Broadcast)
        assert isinstance(simplified.value, cls)


@pytest.mark.parametrize("make", [tir.Add, tir.EQ, tir.And, tir.Not, tir.Select, tir.Ramp, tir.Let, tir.BufferLoad])
def test_nothing_as_an_operand(make: Callable[..., Any]) -> None:
    """Tzer 1, 13, 24 to 26: None in a constructor ended the process. Here it is an exception of Python."""
    with pytest.raises((TVMScriptError, AttributeError, TypeError)):
        make(*[None] * len(make.schema.arguments))  # type: ignore[attr-defined]  # a class of nodes


# texts and equality


def test_nan_is_nan() -> None:
    """tvm#17247: a program with a nan was not equal to itself; in 0.17 it still is not."""
    text = '@T.prim_func\ndef main(B: T.Buffer((1,), "float32")):\n    B[0] = T.float32("nan")\n'
    one, other = tvmscript.from_source(text), tvmscript.from_source(text)
    assert structural_equal(one, other)
    assert structural_hash(one) == structural_hash(other)


def test_a_program_equals_itself() -> None:
    """tvm#18228: `assert_structural_equal(mod, mod)` failed."""
    module = IRModule({"main": MATMUL, "again": MATMUL.with_attr("global_symbol", "again")})
    assert_structural_equal(module, module)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("0.0", "-0.0"),  # equal in TVM 0.17
        ("1.0", "1.0000000000000002"),
        ("1e-10", "2e-10"),  # equal in TVM 0.17: all that is nearer than 1e-9 is
    ],
)
def test_other_numbers_are_other_programs(one: str, other: str) -> None:
    """tvm#16489: what is printed alike, and equal what is not."""
    text = '@T.prim_func\ndef main(B: T.Buffer((1,), "float64")):\n    B[0] = T.float64({})\n'
    assert not structural_equal(*(tvmscript.from_source(text.format(each)) for each in (one, other)))


def test_true_is_not_one() -> None:
    """Tzer 14: attributes {1, True} had one hash and were equal."""
    one, other = (MATMUL.with_attr("fact", value) for value in (1, True))
    assert not structural_equal(one, other)
    assert structural_hash(one) != structural_hash(other)
    roundtrip(one)
    roundtrip(other)


@pytest.mark.parametrize("value", [0.1 + 0.2, 1e-320, float("inf"), float("-inf"), 5e-324, 1.7976931348623157e308])
def test_floats_keep_their_bits(value: float) -> None:
    """tvm#7846 (16 digits lose a bit), #12617 (inf was printed and not read)."""
    literal = repr(value) if np.isfinite(value) else f'"{value}"'
    roundtrip(kernel('B: T.Buffer((1,), "float64")', f"B[0] = T.float64({literal})"))


def test_conversions_do_not_grow() -> None:
    """tvm#8499, #8531: each round trip added a conversion."""
    program = kernel('B: T.Buffer((1,), "float16")', 'B[0] = T.Cast("float16", T.float32(0.5))')
    text = program.script()
    for _ in range(3):
        program = tvmscript.from_source(program.script())
    assert program.script() == text


def test_what_is_written_is_read() -> None:
    """tvm#14318 (1 + 2 was read as 3; in 0.17 and 0.27 it still is), #14320 (a let was dropped)."""
    program = kernel('n: T.int32, B: T.Buffer((1,), "int32")', "x: T.int32 = n\nB[0] = T.Add(T.Add(1, 2), x)")
    assert isinstance(program.body, LetStmt)
    assert "T.Add(1, 2)" in program.script()


def test_names_are_not_variables() -> None:
    """pypto#1245: two variables of one name became one when the text was read."""
    i, j = Var("i", "int32"), Var("i", "int32")
    program = kernel('B: T.Buffer((4,), "int32")', "B[0] = 0")
    body = program.body
    for var in (j, i):
        body = For(var, tir.IntImm("int32", 0), tir.IntImm("int32", 4), ForKind.SERIAL, body)
    program = program.with_body(body)
    roundtrip(program)
    again: Any = tvmscript.from_source(program.script())
    assert again.body.loop_var is not again.body.body.loop_var


def test_attributes_and_kinds_are_kept() -> None:
    """pypto#2204, #2217 (attributes that the printer did not know were left out), #1259 (kinds of loops), tvm#13133."""
    program = kernel(
        'B: T.Buffer((4,), "int32")',
        """
T.func_attr({"mine": 3, "text": "a \\"b\\"", "list": [1, "x"], "nested": {"deep": 1.5}})
for i in T.parallel(2, annotations={"pragma_mine": 1, "why": "because"}):
    for j in T.vectorized(2):
        with T.block("B"):
            v = T.axis.spatial(4, i * 2 + j)
            T.block_attr({"note": [1, 2]})
            B[v] = v
""",
    )
    roundtrip(program)
    for word in ("mine", "nested", "deep", "because", "T.parallel", "T.vectorized", "note"):
        assert word in program.script()


def test_passes_leave_their_input_alone() -> None:
    """Tzer 9: a pass changed the program that it was given."""
    for name in ("tir.Simplify", "tir.LowerInitBlock", "tir.UnrollLoop", "tir.UnifyThreadBinding"):
        oracles.input_unchanged(get_pass(name), IRModule({"main": MATMUL}))


# graphs


@pytest.mark.parametrize("name", ["sum", "mean", "max", "min", "prod"])
def test_reductions_of_rank_0(name: str) -> None:
    """tvm#10780: five reductions refused a scalar, or took it for an array."""
    func = tvmscript.from_source(
        f'@R.function\ndef f(x: R.Tensor((), "float32")):\n    y = R.{name}(x)\n    return y\n'
    )
    assert isinstance(func, Function)
    assert str(func.ret_struct_info) == 'R.Tensor((), dtype="float32")'
    roundtrip(func)


def test_one_tensor_is_concatenated() -> None:
    """tvm#11895: `concat([x])` gave the values of other memory. The call stands for the tensor, of the same shape."""
    func = tvmscript.from_source(
        '@R.function\ndef f(x: R.Tensor((2, "n"), "float32")):\n    y = R.concat((x,), axis=1)\n    return y\n'
    )
    assert isinstance(func, Function)
    assert str(func.ret_struct_info) == 'R.Tensor((2, n), dtype="float32")'
