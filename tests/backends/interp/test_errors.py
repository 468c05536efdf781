"""Every error of running programs: its message, the line and column it points at."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tvm_ffi

import tvmscript
from tests.backends.interp.running import kernel, run
from tvmscript.backends import interp
from tvmscript.backends.runtime import errors
from tvmscript.ir.core.module import GlobalVar, IRModule
from tvmscript.ir.tir.expr import Call, Var
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.stmt import Evaluate


def floats(*shape: int) -> Any:
    return np.zeros(shape, "float32")


INSIDE = [
    (
        ['A: T.Buffer((3, 4), "float32")'],
        ["for i in range(4):", "    A[i, 0] = A[i, 1] + T.float32(1)"],
        errors.OutOfBounds,
        (4, 19, "reading A[3, 1] is outside of its shape (3, 4)"),
    ),
    (
        ['A: T.Buffer((3, 4), "float32")'],
        ["A[0, 0 - 1] = T.float32(1)"],
        errors.OutOfBounds,
        (3, 5, "writing A[0, -1] is outside of its shape (3, 4)"),
    ),
    (
        ['A: T.Buffer((3, 4), "float32")'],
        ["B = T.Buffer((12,), 'float32', data=A.data)", "B[T.Ramp(8, 1, 8)] = T.Broadcast(T.float32(1), 8)"],
        errors.OutOfBounds,
        (4, 5, "writing B[[8, 9, 10, 11, 12, 13, 14, 15]] is outside of its shape (12)"),
    ),
    (
        ['A: T.Buffer((3, 4), "float32")'],
        ["for i in range(3):", '    assert i < 2, "i has to be small"', "    A[i, 0] = T.float32(1)"],
        errors.KernelAssertion,
        (4, 9, "i has to be small"),
    ),
    (
        ['A: T.Buffer((3, 4), "float32")'],
        ["for i in range(3):", "    A[0, 0] = T.Cast('float32', 7 // (i - 1))"],
        errors.DivisionByZero,
        (4, 37, "division by zero in //"),
    ),
    (
        ['A: T.Buffer((3, 4), "float32")'],
        ["for i in range(40):", "    A[0, 0] = T.Cast('float32', T.shift_left(1, i))"],
        errors.ShiftOutOfRange,
        (4, 37, "T.shift_left by 32: a shift of int32 is at least 0 and less than 32"),
    ),
    (
        ['A: T.Buffer((3, 4), "float32")'],
        ["A[0, 0] = T.call_extern('float32', 'own_function', A[0, 1])"],
        errors.Unsupported,
        (3, 15, 'T.call_extern("own_function") is not available in the interpreter'),
    ),
    (
        ['A: T.Buffer((3, 4), "float32")'],
        ["B = T.Buffer((13,), 'float32', data=A.data)", "B[0] = T.float32(1)"],
        errors.OutOfMemoryRange,
        (3, 9, "B needs elements 0 to 12 of memory that has 12"),
    ),
]


@pytest.mark.parametrize(("parameters", "lines", "error", "wanted"), INSIDE)
def test_errors_of_the_program(
    parameters: list[str], lines: list[str], error: type[errors.ExecutionError], wanted: tuple[int, int, str]
) -> None:
    with pytest.raises(error) as caught:
        run(kernel(", ".join(parameters), *lines), floats(3, 4))
    assert (caught.value.line, caught.value.column, caught.value.text) == wanted


MATRIX = kernel('A: T.Buffer((n, 4), "float32"), n: T.int32', "A[0, 0] = T.float32(1)").replace("(n, 4)", "(3, 4)")
SYMBOLIC = kernel(
    "a: T.handle, b: T.handle, n: T.int32",
    "m = T.int32()",
    'A = T.match_buffer(a, (n, m), "float32")',
    'B = T.match_buffer(b, (m * 2,), "float32")',
    "A[0, 0] = B[0]",
)
STRIDED = kernel(
    "a: T.handle",
    "s = T.int32()",
    'A = T.match_buffer(a, (2, 2), "float32", strides=(s, 1))',
    "A[1, 1] = T.float32(s)",
)


def read_only(*shape: int) -> Any:
    array = floats(*shape)
    array.flags.writeable = False
    return array


@pytest.mark.parametrize(
    ("source", "args", "error", "text"),
    [
        (MATRIX, (floats(3, 4),), errors.WrongNumberOfArguments, "main takes 2 arguments, but got 1"),
        (MATRIX, (3, 1), errors.NotAnArray, "main: A takes an array, but got 3 (int)"),
        (MATRIX, (floats(12), 1), errors.WrongArrayRank, "main: the array A takes 2 dimensions, but got 1"),
        (
            MATRIX,
            (np.zeros((3, 4)), 1),
            errors.WrongArrayDType,
            "main: the array A takes float32, but got float64",
        ),
        (
            MATRIX,
            (floats(3, 5), 1),
            errors.WrongArrayShape,
            "main: the array A takes the extent 4 in dimension 1, but got 5",
        ),
        (
            MATRIX,
            (floats(4, 3).T, 1),
            errors.WrongArrayStrides,
            "main: the array A must be compact (row-major, without gaps), but got the strides (1, 3)",
        ),
        (MATRIX, (read_only(3, 4), 1), errors.ReadOnlyArray, "main: the array A cannot be written"),
        (MATRIX, (floats(3, 4), 1.5), errors.WrongScalar, "main: n takes an integer (int32), but got 1.5 (float)"),
        (
            MATRIX,
            (floats(3, 4), 2**31),
            errors.WrongScalar,
            "main: n takes -2147483648 to 2147483647 (int32), but got 2147483648 (int)",
        ),
        (
            SYMBOLIC,
            (floats(3, 4), floats(7), 3),
            errors.WrongArrayShape,
            "main: the array B takes the extent 8 in dimension 0, but got 7",
        ),
        (
            SYMBOLIC,
            (floats(3, 4), floats(8), 2),
            errors.WrongArrayShape,
            "main: the array A takes the extent 2 in dimension 0, but got 3",
        ),
        (
            STRIDED,
            (floats(4, 4)[::2, ::2],),
            errors.WrongArrayStrides,
            "main: the array A must have the strides (8, 1), but got the strides (8, 2)",
        ),
        (
            kernel("x: T.float32", "T.evaluate(0)"),
            ("1.0",),
            errors.WrongScalar,
            "main: x takes a number (float32), but got '1.0' (str)",
        ),
        (
            kernel("x: T.float32", "T.evaluate(0)"),
            (10**400,),
            errors.WrongScalar,
            "main: x takes a number (float32), but got 100000000000000000...0000000000000000000 (int)",
        ),
        (
            MATRIX,
            (floats(3, 4), np.array(3)),
            errors.WrongScalar,
            "main: n takes an integer (int32), but got array(3) (ndarray)",
        ),
        (kernel("p: T.handle", "T.evaluate(0)"), (1,), errors.WrongScalar, "main: p takes an array, but got 1 (int)"),
    ],
)
def test_errors_of_arguments(source: str, args: tuple[Any, ...], error: type[errors.ArgumentError], text: str) -> None:
    with pytest.raises(error) as caught:
        run(source, *args)
    assert caught.value.text == text
    assert caught.value.line == 2


def test_undecided_shape() -> None:
    source = kernel("a: T.handle", "n = T.int32()", 'A = T.match_buffer(a, (n * 2,), "float32")', "A[0] = T.float32(1)")
    func = tvmscript.from_source(source, check_well_formed=False)
    with pytest.raises(errors.UndecidedShape, match="no argument determines the size n"):
        interp.build(func)["main"](floats(4))


def test_undefined_variable() -> None:
    func = PrimFunc((), Evaluate(Call("int32", tvmscript.ir.Op.get("tir.ret"), (Var("x", "int32"),))))
    with pytest.raises(errors.UndefinedVariable, match="the variable x is used"):
        interp.build(func)["main"]()


def test_function_that_is_not_there() -> None:
    func = PrimFunc((), Evaluate(Call("int32", GlobalVar("nobody"), ())))
    with pytest.raises(errors.UnknownFunction, match="no function named nobody"):
        interp.build(IRModule({GlobalVar("main"): func}))["main"]()


def test_endless_recursion() -> None:
    source = """
@I.ir_module
class Module:
    @T.prim_func
    def main(n: T.int32) -> T.int32:
        T.ret(Module.main(n + 1))
"""
    with pytest.raises(errors.TooManyCalls, match="main: calls of functions nest too deeply"):
        run(source, 0)


def test_long_while_loops() -> None:
    """The limit is for all loops and calls together."""
    source = """@T.prim_func
def main(A: T.Buffer((2,), "int32")):
    while A[0] < 3:
        A[0] = A[0] + 1
    while A[1] < 3:
        A[1] = A[1] + 1
"""
    program = tvmscript.from_source(source)
    for limit in (None, 6):
        assert interp.build(program, while_limit=limit)["main"](values := np.zeros(2, "int32")) is None
        assert values.tolist() == [3, 3]
    with pytest.raises(errors.TooManyIterations, match="a while loop runs for more iterations") as caught:
        interp.build(program, while_limit=5)["main"](np.zeros(2, "int32"))
    assert caught.value.span is not None


def test_memory_of_handles_is_refused() -> None:
    source = kernel("", 'A = T.alloc_buffer((1,), "handle")', "T.evaluate(A[0])")
    with pytest.raises(errors.Unsupported, match="memory of handle is not available"):
        run(source)


@pytest.mark.parametrize(
    ("declared", "message"),
    [
        ('(2, 2), "float32", strides=(2, 1)', r"B must have the strides \(2, 1\), but got the strides \(4, 1\)"),
        ('(2, 2), "float32", elem_offset=4', r"B must begin at element 4, but .* begins at element 5"),
    ],
)
def test_matched_region_that_does_not_fit(declared: str, message: str) -> None:
    lines = [
        "with T.block():",
        "    T.reads(A[1:3, 1:3])",
        f"    B = T.match_buffer(A[1:3, 1:3], {declared})",
        "    T.evaluate(B[0, 0])",
    ]
    with pytest.raises(errors.ArgumentError, match=message):
        run(kernel('A: T.Buffer((4, 4), "float32")', *lines), floats(4, 4))


def test_writing_a_read_only_tensor_is_told_apart_from_reading() -> None:
    source = kernel('A: T.Buffer((2,), "float32"), B: T.Buffer((2,), "float32")', "B[0] = A[0]")
    run(source, read_only(2), floats(2))
    with pytest.raises(errors.ReadOnlyArray):
        run(source, floats(2), read_only(2))


def test_elements_must_be_whole() -> None:
    record = np.zeros(3, [("x", "float32"), ("pad", "int8")])
    with pytest.raises(errors.WrongArrayStrides, match="whole elements"):
        run(
            kernel(
                "a: T.handle",
                "s = T.int32()",
                'A = T.match_buffer(a, (3,), "float32", strides=(s,))',
                "A[0] = T.float32(1)",
            ),
            record["x"],
        )


def test_error_shows_the_line() -> None:
    with pytest.raises(errors.OutOfBounds) as caught:
        run(kernel('A: T.Buffer((2,), "float32")', "A[2] = T.float32(0)"), tvm_ffi.from_dlpack(floats(2)))
    assert "3 |     A[2] = T.float32(0)\n  |     ^" in str(caught.value)
