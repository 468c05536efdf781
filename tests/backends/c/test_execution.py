"""Programs that a C compiler makes callable: the interpreter's results, and the errors of the other backends."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

import tvmscript
from tests.backends.c.test_text import MODULE, SOFTMAX
from tests.backends.interp.programs import PROGRAMS
from tests.backends.llvm.kernels import elementwise
from tests.test_meaning import run
from tvmscript import te, topi
from tvmscript.backends import c, interp
from tvmscript.backends.c.compiler import COMPILERS, find_compiler
from tvmscript.backends.c.errors import NoCCompiler, NotSupportedByC, RefusedByCompiler
from tvmscript.backends.runtime.errors import (
    KernelAssertion,
    KernelOutOfMemory,
    ReadOnlyArray,
    UnknownSymbol,
    WrongArrayDType,
    WrongArrayRank,
    WrongArrayShape,
    WrongArrayStrides,
    WrongNumberOfArguments,
    WrongScalar,
)
from tvmscript.backends.runtime.random_inputs import random_inputs
from tvmscript.fuzz.codegen.integer_kernels import kernels
from tvmscript.ir.core.dtype import DType
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.expr import Call, Cast, Var
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.intrin import Intrinsic
from tvmscript.testing.lane_kernels import different, samples


def has_compiler() -> bool:
    """Whether this machine has a C compiler."""
    try:
        find_compiler("f")
    except NoCCompiler:
        return False
    return True


pytestmark = pytest.mark.skipif(not has_compiler(), reason=f"no C compiler: {', '.join(COMPILERS)}")


def build(text: str) -> Any:
    """A text, built for C."""
    return tvmscript.build(tvmscript.from_source(text), target="c")


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs(name: str) -> None:
    func = tvmscript.from_source(PROGRAMS[name])
    assert isinstance(func, PrimFunc)
    expected, results = ([each.value for each in random_inputs(func, seed=5)] for _ in range(2))
    interp.build(func)["main"](*expected)
    tvmscript.build(func, target="c")(*results)
    for before, after in zip(expected, results, strict=True):
        if hasattr(before, "shape"):
            np.testing.assert_allclose(np.asarray(after), np.asarray(before), rtol=1e-6)


@settings(max_examples=12)
@given(kernels())
def test_integers(kernel: tuple[PrimFunc, list[Var], list[Expr], list[list[int]]]) -> None:
    func, variables, expressions, rows = kernel
    expected = run(func, "interp", expressions, variables, rows)
    assert run(func, "c", expressions, variables, rows) == expected


def call_of(op: Intrinsic, *args: Expr) -> Expr:
    """A call whose dtype is that of the arguments."""
    return Call(args[0].dtype, op, args)


def functions_of(dtype: DType, arity: int) -> list[Intrinsic]:
    """The intrinsics of math.h that take so many floats, and those that the backend has helpers for."""
    names = (
        "exp exp2 exp10 log log2 log10 log1p sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh erf sigmoid"
    )
    unary = f"{names} sqrt rsqrt floor ceil trunc round nearbyint fabs"
    binary = "atan2 hypot copysign fmod pow" + (" nextafter" if dtype.bits > 16 else "")
    chosen = {1: unary, 2: binary, 3: "fma"}[arity]
    return [op for name in chosen.split() if isinstance(op := Intrinsic.get(f"tir.{name}"), Intrinsic)]


@pytest.mark.parametrize("arity", [1, 2, 3])
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_mathematical_functions(dtype: str, arity: int) -> None:
    """C's library and the interpreter, which has Python's, differ by a few units of the last place."""
    kind = DType(dtype)
    ops = functions_of(kind, arity)
    makes: list[Callable[..., Expr]] = [partial(call_of, op) for op in ops]
    count = 257
    inputs = [samples(kind, count, seed) for seed in range(arity)]
    program = elementwise(makes, [kind] * arity, count)
    expected, results = ([np.zeros(count, kind) for _ in ops] for _ in range(2))
    with np.errstate(all="ignore"):
        interp.build(program)["f"](*inputs, *expected)
        c.build(program)["f"](*inputs, *results)
        for op, before, after in zip(ops, expected, results, strict=True):
            close = np.isclose(before, after, rtol=8 * float(np.finfo(dtype).eps), atol=0, equal_nan=True)
            assert close.all(), (op.name, [(x[~close][0]) for x in (*inputs, before, after)])


@pytest.mark.parametrize("source", ["float16", "float32", "float64", "int8", "uint16", "int64", "uint64", "bool"])
def test_conversions(source: str) -> None:
    kind = DType(source)
    names = ("int8", "uint8", "int32", "uint64", "int64", "float16", "float32", "float64", "bool")
    targets = [DType(name) for name in names if name != source]
    makes: list[Callable[..., Expr]] = [partial(Cast, to) for to in targets]
    program = elementwise(makes, [kind], 129)
    values = samples(kind, 129, 1)
    outcomes: list[Sequence[Any]] = []
    for backend in (interp, c):
        outs = [np.zeros(129, to) for to in targets]
        with np.errstate(all="ignore"):
            backend.build(program)["f"](values, *outs)
        outcomes.append(outs)
    for before, after in zip(*outcomes, strict=True):
        assert not different(after, before, DType(before.dtype.name)).any()


def test_calls() -> None:
    a = np.array([3, 300, 50, -6], "int32")
    results = a.copy()
    module = build(MODULE)
    module["main"](results, 2, double=100)
    assert results.tolist() == [3 + 44, 298 + 44, 24 + 44, (-6 & 7) + 44]
    assert "half" not in module


RETURNS = """
@T.prim_func
def f(A: T.Buffer((8,), "float32"), n: T.int32, b: T.bool, p: T.handle) -> T.float32:
    T.func_attr({"global_symbol": "f"})
    s = T.alloc_buffer((1,), "float32")
    s[0] = T.float32(0)
    for i in range(8):
        s[0] = s[0] + A[i]
    if T.isnullptr(p) or b:
        T.ret(T.float32(-1))
    T.ret(s[0] * T.Cast("float32", n))
"""


def test_returned_values() -> None:
    f = build(RETURNS)["f"]
    a = np.arange(8, dtype="float32")
    assert f(a, 3, False, a) == 84.0
    assert f(a, 3, True, a) == f(a, 3, np.bool_(False), None) == -1.0
    assert list(f.__signature__.parameters) == ["A", "n", "b", "p"]
    run_again = f.bind(a, n=1, b=False, p=a)
    assert run_again() == 28.0


LARGE = """
@T.prim_func
def f(n: T.int64, B: T.Buffer((4,), "int64")):
    T.func_attr({"global_symbol": "f"})
    A = T.alloc_buffer((n,), "int64")
    for i in range(4):
        A[B[i]] = i
    assert n != 5, "n is 5"
    for i in range(4):
        B[i] = A[i]
"""


def test_memory_and_assertions() -> None:
    f = build(LARGE)["f"]
    b = np.array([3, 1, 0, 2])
    f(4, b)
    assert b.tolist() == [2, 1, 3, 0]
    with pytest.raises(KernelAssertion, match="n is 5") as caught:
        f(5, b)
    assert caught.value.line == 8
    with pytest.raises(KernelOutOfMemory, match="f: out of memory for the buffer A"):
        f(1 << 62, b)


STRIDED = """
@T.prim_func
def f(a: T.handle, b: T.handle, x: T.int8):
    T.func_attr({"global_symbol": "f"})
    n = T.int32()
    step = T.int32()
    A = T.match_buffer(a, (n, 2 * n), "float16")
    B = T.match_buffer(b, (n, 2 * n), "float16", strides=[step, 1])
    for i, j in T.grid(n, 2 * n):
        B[i, j] = A[i, j] * T.Cast("float16", x)
"""


def test_arguments() -> None:
    f = build(STRIDED)["f"]
    a, b = np.ones((2, 4), "float16"), np.zeros((2, 6), "float16")[:, :4]
    f(a, b, 3)
    assert (b == 3).all()
    assert (f(a, ..., 2) == 2).all()
    wrong: list[tuple[tuple[Any, ...], type[Exception], str]] = [
        ((a, b), WrongNumberOfArguments, "takes 3 arguments, but got 2"),
        ((a.astype("float32"), b, 3), WrongArrayDType, "takes float16, but got float32"),
        ((a[0], b, 3), WrongArrayRank, "2 dimensions, but got 1"),
        ((np.ones((3, 4), "float16"), b, 3), WrongArrayShape, "extent 6 in dimension 1, but got 4"),
        ((a, np.zeros((2, 8), "float16")[:, ::2], 3), WrongArrayStrides, "strides"),
        ((np.ones((2, 8), "float16")[:, ::2], b, 3), WrongArrayStrides, "must be compact"),
        ((a, b, 200), WrongScalar, "-128 to 127"),
        ((a, b, "x"), WrongScalar, "an integer"),
    ]
    for args, error, words in wrong:
        with pytest.raises(error, match=words):
            f(*args)
    b = np.zeros((2, 4), "float16")
    b.flags.writeable = False
    with pytest.raises(ReadOnlyArray, match="B"):
        f(a, b, 3)


def extern(name: str, dtype: str = "int32") -> str:
    """A function that calls a C function."""
    call = f"T.evaluate(T.call_extern('{dtype}', '{name}', x))"
    return f"@T.prim_func\ndef f(x: T.{dtype}):\n    T.func_attr({{'global_symbol': 'f'}})\n    {call}\n"


def test_functions_that_are_nowhere() -> None:
    with pytest.raises(UnknownSymbol, match="no_such_function_anywhere"):
        build(extern("no_such_function_anywhere"))(1)


def test_without_a_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "no-such-compiler -O1")
    module = build(extern("abs"))
    assert "abs(x);" in module.get_source()
    with pytest.raises(NoCCompiler, match=r"no C compiler \(\$CC is no-such-compiler\) to make f callable"):
        module["f"](1)
    monkeypatch.delenv("CC")
    monkeypatch.setenv("PATH", "")
    with pytest.raises(NoCCompiler, match="tried cc, gcc, clang"):
        module["f"](1)


def test_what_the_compiler_refuses() -> None:
    with pytest.raises(RefusedByCompiler, match=r"refuses the program: program\.c"):
        build(extern("div", "float32"))(1.0)


def test_libraries(tmp_path: Path) -> None:
    """Without Python, functions are plain C functions."""
    path = tmp_path / "softmax.so"
    build(SOFTMAX).export_library(str(path))
    softmax = ctypes.CDLL(str(path)).softmax
    softmax.restype = ctypes.c_char_p
    a, b = np.random.default_rng(1).random((3, 16), "float32"), np.zeros((3, 16), "float32")
    pointers = [ctypes.c_void_p(array.ctypes.data) for array in (a, b)]
    assert softmax(*pointers, 3) is None
    np.testing.assert_allclose(b, np.exp(a) / np.exp(a).sum(axis=1, keepdims=True), rtol=1e-5)
    assert softmax(*pointers, 0) == b'no "rows"'


def test_lanes_of_a_shuffle() -> None:
    """They are read before any is written, and come from either vector."""
    shuffle = build("""
@T.prim_func
def f(A: T.Buffer((8,), "int32")):
    T.func_attr({"global_symbol": "f"})
    A[0:4] = T.Shuffle([T.min(A[0:4], A[4:8]), A[0:4]], [1, 0, 4, 7])
""")["f"]
    a = np.array([5, 6, 7, 8, 1, 9, 2, 3], "int32")
    shuffle(a)
    assert a.tolist() == [6, 1, 5, 8, 1, 9, 2, 3]


@pytest.mark.parametrize(("size", "dtype"), [(20, "float32"), (300, "int16"), (100, "int64")])
def test_sorts(size: int, dtype: str) -> None:
    """Networks of exchanges in vectors."""
    x = te.placeholder((3, size), dtype)
    func: Any = te.create_prim_func([x, topi.sort(x, 1), topi.argsort(x, axis=1, dtype="int32")])
    a = np.random.default_rng(0).integers(-99, 99, (3, size)).astype(dtype)
    values, places = np.zeros_like(a), np.zeros(a.shape, "int32")
    tvmscript.build(func, "c")["main"](a, values, places)
    np.testing.assert_array_equal(values, np.sort(a, 1))
    np.testing.assert_array_equal(places, np.argsort(a, 1, kind="stable"))


REFUSED = {
    "a value of the dtype bfloat16": "A: T.Buffer((4,), 'bfloat16')|A[0] = A[1]",
    "a value of the dtype int4": "A: T.Buffer((4,), 'int4')|A[0] = A[1]",
    "the attribute thread_extent": "A: T.Buffer((4,), 'int8')|i = T.launch_thread('threadIdx.x', 4)\n    A[i] = A[0]",
    "the operator tir.tvm_call_packed": "A: T.Buffer((4,), 'int8')|T.evaluate(T.tvm_call_packed('f', A[0]))",
    "a value of the vector float32x4": "A: T.Buffer((4,), 'float32x4')|A[0] = A[1]",
    "a function that returns float32 and int32": "x: T.int32|if x > 1:\n        T.ret(x)\n    T.ret(T.float32(1))",
}


@pytest.mark.parametrize("what", REFUSED)
def test_refused(what: str) -> None:
    params, body = REFUSED[what].split("|")
    text = f"@T.prim_func\ndef f({params}):\n    T.func_attr({{'global_symbol': 'f'}})\n    {body}\n"
    with pytest.raises(NotSupportedByC, match=f"cannot compile {what}"):
        c.build(IRModule.from_expr(tvmscript.from_source(text, check_well_formed=False)))
