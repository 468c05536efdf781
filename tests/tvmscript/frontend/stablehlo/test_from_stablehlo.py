"""`from_stablehlo`: programs that JAX printed (tests/cases/stablehlo) compute what NumPy computes; damaged texts."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from pathlib import Path
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest

import tvmscript
from tvmscript import relax
from tvmscript.frontend.errors import InvalidModel, UnsupportedOperators
from tvmscript.frontend.stablehlo import importer
from tvmscript.ir.core import TVMScriptError
from tvmscript.relax.frontend.stablehlo import from_stablehlo

CASES = Path(__file__).parents[3] / "cases" / "stablehlo"


def floats(*shape: int) -> Any:
    return np.random.default_rng(sum(shape)).standard_normal(shape, dtype="float32")


def softmax(x: Any) -> Any:
    powers = np.exp(x - x.max(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True)


def windows(x: Any, size: int, stride: int, padding: tuple[int, int], reduce: Any, fill: float) -> Any:
    """Reduce windows of the two middle axes."""
    x = np.pad(x, ((0, 0), padding, padding, (0, 0)), constant_values=fill)
    view = np.lib.stride_tricks.sliding_window_view(x, (size, size), (1, 2))
    return reduce(view[:, ::stride, ::stride], (-2, -1))


def depthwise(x: Any, kernel: Any) -> Any:
    """Two results for each channel; rows of the kernel are two apart; columns are padded behind alone."""
    padded = np.pad(x, ((0, 0), (1, 1), (0, 2), (0, 0)))
    result = np.zeros((1, 6, 8, 6), "float32")
    for row in range(3):
        for column in range(3):
            part = padded[:, 2 * row : 2 * row + 6, column : column + 8]
            result += np.repeat(part, 2, -1) * kernel[row, column, 0]
    return result


def doubled(x: Any, w: Any) -> list[Any]:
    x, count = np.abs(x), 0
    while x.sum() < 50:
        x, count = x * 2 + w.sum() ** 2, count + 1
    return [x, np.int32(count)]


def nested_loops(x: Any) -> Any:
    """Go on to the next multiple of 7, and add it, until there are three digits."""
    while x < 100:
        x = x + -(-x // 7) * 7
    return x


def attention(x: Any, *weights: Any) -> Any:
    q, k, v = ((x @ w).reshape(1, 6, 2, 4).transpose(0, 2, 1, 3) for w in weights[:3])
    scores = np.where(np.tril(np.ones((6, 6), bool)), q @ k.transpose(0, 1, 3, 2) / 2, np.float32(-1e9))
    return (softmax(scores) @ v).transpose(0, 2, 1, 3).reshape(1, 6, 8) @ weights[3]


def of_floats(x: Any) -> list[Any]:
    padded = np.full((5, 3), 7, "float32")
    padded[0::3] = x
    updated = x.copy()
    updated[1, 1:] = 1
    gelu = x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))) / 2
    whole = [x.mean(), x.var(1), x.astype("int32"), gelu, 1 / np.sqrt(np.abs(x)), np.pad(x, ((1, 2), (0, 0)))]
    parts = [padded[:, 1:], x[:, 1:], updated, x.clip(0, 1), x[::-1], x[:, ::2], (x > 0).any(1), np.sign(x)]
    return whole + parts


def of_integers(a: Any) -> list[Any]:
    remainder = np.fmod(a, 3)
    return [a // 2, a % 3, -a % 3, remainder, a << 1, a >> 1, a & 3, a ^ 1, ~a, np.trunc(a / 2).astype("int32")]


def sorts(x: Any, y: Any) -> list[Any]:
    order = np.argsort(y, 1, kind="stable")
    top = np.argsort(-x, 1, kind="stable")[:, :2].astype("int32")
    of_y = [np.take_along_axis(part, order, 1) for part in (y, x)]
    places = np.argsort(-x, 1, kind="stable").astype("int32")
    return [np.sort(x, 0), places, *of_y, np.take_along_axis(x, top, 1), top]


def scatter(x: Any, i: Any, j: Any, updates: Any) -> list[Any]:
    """Write, add, multiply, take the larger element, sum segments; what is outside is dropped."""
    rows, elements, columns, largest, sums = x.copy(), x.copy(), x.copy(), x.copy(), np.zeros((4, 5), "float32")
    for row, column, update, source in zip(i, j, updates, x, strict=True):
        if row < len(x):
            rows[row] = update
            elements[row, column] += 2
            largest[row, 1] = max(x[row, 1], 0.5)
        columns[:, column] *= 3
        sums[column] += source
    return [rows, elements, columns, largest, sums]


def gather(x: Any, i: Any, j: Any, places: Any) -> list[Any]:
    windows_of_rows = np.stack([row[min(first, 3) : min(first, 3) + 2] for row, first in zip(x, i, strict=True)])
    return [x[i, j], np.take_along_axis(x, places, 1), windows_of_rows]


def transposed_conv(x: Any, kernel: Any) -> list[Any]:
    """Two steps between rows; borders of 1 and 2 rows, and of a column on both sides."""
    spread = np.zeros((1, 8, 6, 2), "float32")
    spread[:, 1:6:2, 1:5] = x
    view = np.lib.stride_tricks.sliding_window_view(spread, (3, 3), (1, 2))
    return [np.round(x), np.einsum("nhwcij,ijco->nhwo", view, kernel)]


def fourier(x: Any) -> list[Any]:
    y, spectrum = x[:1], np.fft.rfft2(x)
    whole = [np.fft.fft(y), np.abs(np.fft.rfft(y)), np.fft.irfft(2 * np.fft.rfft(y)), spectrum]
    results = [*whole, np.fft.irfft2(spectrum, x.shape[-2:]), np.fft.ifft(y).imag]
    return [value.astype("complex64" if value.dtype.kind == "c" else "float32") for value in results]


def complex_numbers(z: Any, w: Any) -> list[Any]:
    grown = z
    while np.abs(grown).sum() < 50:
        grown = grown * grown + z
    chosen = z * (1 + 2j) if z.real.sum() > 0 else z.conj()
    functions = [np.exp(z), np.log(z), np.angle(z), z * z, z == w, z @ w.T, np.where(z.real > 0, z, w), -z.sum(0)]
    joined = np.concatenate([z, w])[::-1]
    return [z * w, z / w, *functions, joined, grown, chosen, z - np.array([1 + 2j, 3 - 1j, 0.5j], "complex64")]


def of_bits(x: Any, y: Any, i: Any) -> list[Any]:
    words = [number & 0xFFFF for number in i.tolist()]
    counts = [[word.bit_count() for word in words], [16 - word.bit_length() for word in words]]
    inverse = [math.copysign(math.inf, p) if abs(p) == 1 else NormalDist().inv_cdf((p + 1) / 2) / 2**0.5 for p in x]
    bits = [x.view("int32"), x.view("uint16").reshape(-1, 2), x, np.nextafter(x, y)]
    return [*(np.array(count, "int16") for count in counts), *bits, np.array(inverse, "float32")]


def parts_of(array: Any) -> Any:
    """Complex numbers as this package takes and returns them: the parts on the last axis."""
    return np.stack([array.real, array.imag], -1) if np.iscomplexobj(array) else array


X, W, PLACES = floats(2, 3), floats(3, 4), np.array([1, 0], "int32")
INTEGERS = np.array([-7, -1, 0, 5, 9], "int32")
ROWS = [np.array([2, 0, 1], "int32"), np.array([4, 0, 3], "int32"), np.argsort(floats(3, 5), 1).astype("int32")]
#: program -> its inputs, and a function of NumPy
PROGRAMS: dict[str, tuple[tuple[Any, ...], Callable[..., Any]]] = {
    "mlp": ((X, W, floats(4)), lambda x, w, b: softmax(np.maximum(x @ w + b, 0))),
    "depthwise": ((floats(1, 8, 8, 3), floats(3, 3, 1, 6)), depthwise),
    "maxpool": ((floats(1, 8, 8, 3),), lambda x: windows(x, 2, 2, (0, 0), np.max, -np.inf)),
    "sumpool": ((floats(1, 8, 8, 3),), lambda x: windows(x, 3, 2, (0, 1), np.sum, 0)),
    "index": (
        (X, PLACES),
        lambda x, i: [
            x[i], x[:, 1:3], x[:, i], np.concatenate([x, x]), np.where(x > 0, x, -x), x.T.reshape(-1),
            x.argmax(1).astype("int32"), x.argmin(0).astype("int32"), x.cumsum(0),
        ],
    ),
    "while": ((X, W), doubled),
    "einsum": (
        (floats(1, 2, 3, 4), floats(1, 2, 5, 4)), lambda x, y: [x @ y.transpose(0, 1, 3, 2), (x * x).sum(-1)]
    ),
    "misc": ((X,), of_floats),
    "ints": ((INTEGERS,), of_integers),
    "nested_while": ((np.int32(3),), nested_loops),
    "cond": ((X,), lambda x: x + 1 if x.sum() > 0 else x - 1),
    "switch": ((np.int32(1), X), lambda i, x: [x + 1, x * 2, x - 3][i]),
    "scan": ((X,), lambda x: [x.sum(0), np.stack([np.zeros(3, "float32"), x[0] * x[1]])]),
    "sorts": ((floats(3, 5), np.array([[2, 1, 2, 0, 1], [3, 3, 3, 1, 1], [5, 4, 3, 2, 1]], "int32")), sorts),
    "scatter": ((floats(3, 5), np.array([2, 9, 2], "int32"), np.array([1, 0, 1], "int32"), floats(3, 5) * 2), scatter),
    "gather": ((floats(3, 5), *ROWS), gather),
    "transposed_conv": ((np.round(floats(1, 3, 4, 2) * 4) / 2, floats(3, 3, 2, 3)), transposed_conv),
    "fft": ((floats(2, 3, 5),), fourier),
    "complex": ((floats(2, 3) + 1j * floats(2, 3)[::-1], floats(2, 3)[:, ::-1] - 1j * floats(2, 3)), complex_numbers),
    "bits": ((np.array([0, 0.5, -0.99, 1, -1e-3, 0.9999], "float32"), np.array([-1, 2, -9, 1, 0, 0], "float32"),
              np.array([0, 1, -1, 300], "int16")), of_bits),
    # of jax.random.normal
    "random": ((np.array([0, 3], "uint32"),), lambda key: np.array([-1.446257, 1.539381, 0.38250625], "float32")),
    "attention": ((floats(1, 6, 8), *[floats(8, 8) + each for each in range(4)]), attention),
}  # fmt: skip


def test_complex_numbers_of_any_size() -> None:
    """Squares of parts are not finite, or 0; a quotient of infinities is what C99 says."""
    kind = "tensor<6xcomplex<f32>>"
    head = f"func.func public @main(%arg0: {kind}, %arg1: {kind}) -> (tensor<6xf32>, {kind}) {{"
    absolute = f"%0 = stablehlo.abs %arg0 : ({kind}) -> tensor<6xf32>"
    quotient = f"%1 = stablehlo.divide %arg0, %arg1 : {kind}"
    text = f"{head}\n{absolute}\n{quotient}\nreturn %0, %1 : tensor<6xf32>, {kind}\n}}"
    inf, nan = math.inf, math.nan
    z = [[3e30, 4e30], [-3e-30, 4e-30], [0, 0], [inf, nan], [1, 1], [2, -3]]
    w = [[1e30, -1e30], [1e-30, 1e-30], [1, 1], [1, 1], [0, 0], [inf, inf]]
    absolutes, quotients = run(text, (np.array(z, "float32"), np.array(w, "float32")))
    np.testing.assert_allclose(absolutes, [5e30, 5e-30, 0, inf, 2**0.5, 13**0.5], rtol=1e-6)
    expected: list[list[float]] = [[-0.5, 3.5], [0.5, 3.5], [0, 0], [inf, -inf], [inf, inf], [0, 0]]
    np.testing.assert_allclose(quotients, expected, rtol=1e-6)


def symbolic(x: Any, w: Any, i: Any) -> list[Any]:
    h = softmax(np.maximum(x @ w, 0))
    joined = np.concatenate([x, x * np.arange(len(x), dtype="float32")[:, None]])
    return [h, x.reshape(-1), joined, x.mean(0) + len(x), w[i], x[:, :, None] * h[:, None]]


def text_of(name: str) -> str:
    return (CASES / f"{name}.mlir").read_text()


def run(text: str, inputs: tuple[Any, ...]) -> list[Any]:
    executable = relax.build(from_stablehlo(text), "interp", exec_mode="bytecode")
    return flatten(relax.VirtualMachine(executable, tvmscript.cpu())["main"](*map(np.asarray, inputs)))


def flatten(value: Any) -> list[Any]:
    return [leaf for part in value for leaf in flatten(part)] if isinstance(value, list) else [value.numpy()]


@pytest.mark.parametrize("name", PROGRAMS)
def test_values(name: str) -> None:
    inputs, reference = PROGRAMS[name]
    expected = reference(*inputs)
    expected = expected if isinstance(expected, list) else [expected]
    results = run(text_of(name), tuple(map(parts_of, inputs)))
    assert len(results) == len(expected)
    for result, value in zip(results, map(parts_of, expected), strict=True):
        assert (result.shape, result.dtype) == (np.shape(value), np.asarray(value).dtype)
        np.testing.assert_allclose(result, value, rtol=1e-4, atol=1e-5)


def test_symbolic_sizes() -> None:
    """One build of a program that JAX exports with a symbolic batch runs for several sizes."""
    module = from_stablehlo(text_of("symbolic"))
    info: Any = module["main"].ret_struct_info
    assert [str(field.shape) for field in info.fields][:3] == [
        "R.shape([n, 4])",
        "R.shape([n * 5])",
        "R.shape([n * 2, 5])",
    ]
    main = relax.VirtualMachine(relax.build(module), tvmscript.cpu())["main"]
    with pytest.raises(TVMScriptError, match="arg2 takes the extent 2 in dimension 0, but got 3"):
        main(floats(2, 5), floats(5, 4), np.zeros(3, "int32"))
    for size in (1, 3):
        inputs = floats(size, 5), floats(5, 4), np.arange(size, dtype="int32") + 1
        for result, value in zip(flatten(main(*inputs)), symbolic(*inputs), strict=True):
            assert (result.shape, result.dtype) == (value.shape, value.dtype)
            np.testing.assert_allclose(result, value, rtol=1e-4, atol=1e-5)


_NUMBERS = "#stablehlo.scatter<update_window_dims = [0], scatter_dims_to_operand_dims = [0]>"
SCATTER = f""""stablehlo.scatter"(%arg0, %arg1, %arg0) <{{scatter_dimension_numbers = {_NUMBERS}}}> ({{
^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
    stablehlo.return %arg3 : tensor<f32>
}}) : (tensor<?xf32>, tensor<1xi32>, tensor<?xf32>) -> tensor<?xf32>"""


@pytest.mark.parametrize(
    ("operation", "message"),
    [
        ("stablehlo.iota dim = 0 : tensor<?xf32>", "iota: it is not supported with symbolic sizes"),
        (
            "stablehlo.dynamic_reshape %arg0, %arg1 : (tensor<?xf32>, tensor<1xi32>) -> tensor<?xf32>",
            "dynamic_reshape: its shape is known at run time only",
        ),
        (SCATTER, "scatter: tensors and parts of axes of symbolic sizes are not supported"),
    ],
)
def test_what_symbolic_sizes_do_not_have(operation: str, message: str) -> None:
    head = "func.func public @main(%arg0: tensor<?xf32>, %arg1: tensor<1xi32>) -> (tensor<?xf32>) {"
    with pytest.raises(InvalidModel, match=message):
        from_stablehlo(f"{head}\n%0 = {operation}\nreturn %0 : tensor<?xf32>\n}}")


@pytest.mark.parametrize("index", [0, 2])
def test_other_branches(index: int) -> None:
    inputs = (np.int32(index), X)
    np.testing.assert_allclose(run(text_of("switch"), inputs)[0], PROGRAMS["switch"][1](*inputs))


@pytest.mark.parametrize(
    ("operation", "dtype", "inputs", "expected"),
    [
        ("cbrt %arg0", "f32", [-27, 8], [-3, 2]),
        ("shift_right_logical %arg0, %0", "i32", [-8, 12], [2**31 - 4, 6]),
        ("shift_right_logical %arg0, %0", "ui32", [2**32 - 8, 12], [2**31 - 4, 6]),
    ],
)
def test_single_operations(operation: str, dtype: str, inputs: list[int], expected: list[int]) -> None:
    kind = f"tensor<2x{dtype}>"
    one = f"%0 = stablehlo.constant dense<{'1.0' if dtype == 'f32' else '1'}> : {kind}"
    head = f"func.func public @main(%arg0: {kind}) -> ({kind}) {{"
    text = f"{head}\n{one}\n%1 = stablehlo.{operation} : {kind}\nreturn %1 : {kind}\n}}"
    array = np.array(inputs, {"f32": "float32", "i32": "int32", "ui32": "uint32"}[dtype])
    np.testing.assert_allclose(run(text, (array,))[0], expected, rtol=1e-6)


def test_graph_is_native_code() -> None:
    module = from_stablehlo(text_of("mlp"))
    executable = relax.build(module, "llvm", pipeline="inference")
    assert executable.reasons == {}
    inputs, reference = PROGRAMS["mlp"]
    result: Any = executable["main"](*inputs)
    np.testing.assert_allclose(result.numpy(), reference(*inputs), rtol=1e-5)


def test_what_jax_returns_is_taken() -> None:
    class Lowered:
        def as_text(self) -> str:
            return text_of("cond")

    assert from_stablehlo(Lowered()).script() == from_stablehlo(text_of("cond")).script()


@pytest.mark.parametrize(
    ("operation", "message"),
    [
        ("stablehlo.tanh %arg0 : tensor<2xcomplex<f32>>", "tanh: it is not supported with complex numbers"),
        (
            "stablehlo.compare LT, %arg0, %arg0 : (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) -> tensor<2xi1>",
            "complex numbers have no order",
        ),
        (
            "stablehlo.fft %arg0, type = RFFT, length = [2] : (tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>",
            "RFFT takes real numbers",
        ),
    ],
)
def test_what_complex_numbers_do_not_have(operation: str, message: str) -> None:
    head = "func.func public @main(%arg0: tensor<2xcomplex<f32>>) -> (tensor<2xcomplex<f32>>) {"
    with pytest.raises(InvalidModel, match=message):
        from_stablehlo(f"{head}\n%0 = {operation}\nreturn %0 : tensor<2xcomplex<f32>>\n}}")


BYTES = """
module @m {
  func.func public @main(%arg0: tensor<2xf32>) -> tensor<2xf32> {
    %cst = stablehlo.constant dense<"0x0000803F00000040"> : tensor<2xf32>
    %0 = stablehlo.add %arg0, %cst : tensor<2xf32>
    return %0 : tensor<2xf32>
  }
}
"""


def test_complex_constants_of_bits() -> None:
    """Parts that are no numbers are written as bits of the width of a part."""
    words = "[(0x7F800000,1.0), (-2.5,0xFF800000)]"
    kind = "tensor<2xcomplex<f32>>"
    body = f"%0 = stablehlo.constant dense<{words}> : {kind}\nreturn %0 : {kind}"
    (parts,) = run(f"func.func public @main() -> {kind} {{\n{body}\n}}", ())
    assert parts.tolist() == [
        [math.inf, 1],
        [-2.5, -math.inf],
    ]


def test_constants_of_bytes() -> None:
    assert run(BYTES, (np.zeros(2, "float32"),))[0].tolist() == [1, 2]


@pytest.mark.parametrize(
    ("old", "new", "error", "message"),
    [
        ("stablehlo.add", "stablehlo.rng", UnsupportedOperators, "stablehlo.rng \\(line 5\\)"),
        ("stablehlo.add %arg0, %cst", "stablehlo.fft %arg0, type = FFT, length = [2]", InvalidModel, "takes complex"),
        (
            "stablehlo.add %arg0, %cst",
            "stablehlo.fft %arg0, type = RFFT, length = []",
            InvalidModel,
            "transforms no axis",
        ),
        ("%arg0, %cst", "%arg1, %cst", InvalidModel, "%arg1 is not defined"),
        ("tensor<2xf32>) ->", "tensor<2xcomplex>) ->", InvalidModel, "type tensor<2xcomplex> is not supported"),
        ('"0x0000803F00000040"', '"0x0000803F"', InvalidModel, "1 elements for the shape"),
        ("dense<", "dense<1, 2, 3", InvalidModel, "constant"),
        ("@main", "@other", InvalidModel, "no function main"),
        ("tensor<2xf32>\n    %0", "tensor<9999999999xf32>\n    %0", InvalidModel, "too large"),
        ("    return %0 : tensor<2xf32>\n  }\n}", "", InvalidModel, "in the middle of a function"),
    ],
)
def test_errors(old: str, new: str, error: type[TVMScriptError], message: str) -> None:
    assert old in BYTES
    with pytest.raises(error, match=message):
        from_stablehlo(BYTES.replace(old, new))


@pytest.mark.parametrize(
    ("operation", "message"),
    [
        ('"stablehlo.case"(%arg0) : (tensor<i32>) -> tensor<i32>', "case: it has no region to choose"),
        ("stablehlo.popcnt : tensor<i32>", "popcnt: it takes 1 operands, but is given 0"),
        ("stablehlo.complex %arg0 : tensor<complex<f32>>", "complex: it is not well formed"),
        ("stablehlo.get_dimension_size %arg0, dim =: (tensor<i32>) -> tensor<i32>", "get_dimension_size: it is not"),
        (
            "stablehlo.dynamic_slice %arg1, %arg0, sizes = [1000000000000] : (tensor<2xf32>) -> tensor<2xf32>",
            "dynamic_slice: .*: the places of axes of more than 16,777,216 elements are not computed",
        ),
        ("stablehlo.abs %arg0 : tensor<i32>\n    %1:9223372036854775808 = ", "of 9223372036854775808 results"),
    ],
)
def test_operations_that_are_not_well_formed(operation: str, message: str) -> None:
    head = "func.func public @main(%arg0: tensor<i32>, %arg1: tensor<2xf32>) -> (tensor<i32>) {"
    with pytest.raises(InvalidModel, match=message):
        from_stablehlo(f"module @m {{\n  {head}\n    %0 = {operation}\n    return %0 : tensor<i32>\n  }}\n}}\n")


def test_windows_have_places() -> None:
    text = text_of("maxpool").replace("window_dimensions = array<i64: 1, 2", "window_dimensions = array<i64: 1, 0")
    with pytest.raises(InvalidModel, match="a window has 0 places along an axis"):
        from_stablehlo(text)


def test_windows_are_of_bounded_size() -> None:
    """Each place of a window is an operator of the graph."""
    text = text_of("maxpool").replace(
        "window_dimensions = array<i64: 1, 2", "window_dimensions = array<i64: 1, 2000000000"
    )
    with pytest.raises(InvalidModel, match="windows of more than 4,096 places along an axis are not supported"):
        from_stablehlo(text)


FUNCTION = """
  func.func {kind} @{name}(%arg0: tensor<f32>) -> tensor<f32> {{
    %0 = call @{callee}(%arg0) : (tensor<f32>) -> tensor<f32>
    %1 = call @{callee}(%0) : (tensor<f32>) -> tensor<f32>
    return %1 : tensor<f32>
  }}
"""


@pytest.mark.parametrize(("last", "message"), [("end", "more than 1,000 operations"), ("main", "too deep")])
def test_functions_that_call_each_other_without_end(last: str, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    names = ["main", *[f"f{number}" for number in range(20)], last]
    functions = [
        FUNCTION.format(kind="public" if name == "main" else "private", name=name, callee=callee)
        for name, callee in itertools.pairwise(names)
    ]
    end = "  func.func private @end(%arg0: tensor<f32>) -> tensor<f32> {\n    return %arg0 : tensor<f32>\n  }\n"
    if last == "end":
        monkeypatch.setattr(importer, "_MOST_OPERATIONS", 1000)
    with pytest.raises(InvalidModel, match=message):
        from_stablehlo("\n".join(["module @m {", *functions, end, "}"]))


@pytest.mark.parametrize("name", ["index", "while", "switch"])
def test_damaged_texts_raise_errors_of_this_package(name: str) -> None:
    """Lines are lost, doubled and cut."""
    lines = text_of(name).splitlines()
    refused = 0
    for number in range(0, len(lines), 3):
        for changed in ([], [lines[number]] * 2, [lines[number][: len(lines[number]) // 2]]):
            text = "\n".join([*lines[:number], *changed, *lines[number + 1 :]])
            try:
                from_stablehlo(text)
            except TVMScriptError:
                refused += 1
    assert refused >= len(lines) // 3


WINDOWS = """func.func public @main(%arg0: tensor<?x4xf32>) -> (tensor<?x2xf32>) {
%cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
%0 = "stablehlo.reduce_window"(%arg0, %cst) <{window_dimensions = array<i64: 1, 2>, \
window_strides = array<i64: 1, 2>}> ({
^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
  %1 = stablehlo.maximum %arg1, %arg2 : tensor<f32>
  stablehlo.return %1 : tensor<f32>
}) : (tensor<?x4xf32>, tensor<f32>) -> tensor<?x2xf32>
return %0 : tensor<?x2xf32>
}"""


def test_windows_of_a_symbolic_batch() -> None:
    x = floats(3, 4)
    main: Any = relax.build(from_stablehlo(WINDOWS), "llvm")["main"]
    np.testing.assert_array_equal(main(x).numpy(), x.reshape(3, 2, 2).max(-1))
    with pytest.raises(InvalidModel, match="windows along axes of symbolic sizes"):
        from_stablehlo(WINDOWS.replace("i64: 1, 2", "i64: 2, 2"))


def test_composites_are_their_decomposition() -> None:
    """What `jax.export` writes for `erf` and `top_k`; names of functions may have dots."""
    text = """module @m {
      func.func public @main(%arg0: tensor<4xf32> loc("x")) -> (tensor<4xf32> {jax.result_info = "result"}) {
        %0 = stablehlo.composite "chlo.twice" %arg0 {decomposition = @chlo.twice.impl, version = 1 : i32} : \
(tensor<4xf32>) -> tensor<4xf32> loc(#loc8)
        return %0 : tensor<4xf32> loc(#loc7)
      } loc(#loc)
      func.func private @chlo.twice.impl(%arg0: tensor<4xf32> loc("jit(<lambda>)/erf"(#loc6))) -> tensor<4xf32> {
        %0 = stablehlo.add %arg0, %arg0 : tensor<4xf32> loc(#loc8)
        return %0 : tensor<4xf32> loc(#loc8)
      } loc(#loc8)
    } loc(#loc)"""
    x = floats(4)
    np.testing.assert_allclose(run(text, (x,))[0], 2 * x)
