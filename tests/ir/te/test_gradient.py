"""`te.gradient` beside central differences, for operators of topi and for expressions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tvmscript import driver, te, topi
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.te.errors import CannotDifferentiate
from tvmscript.ir.te.prim_func import create_prim_func

_UNARY = (
    "exp", "log", "sqrt", "rsqrt", "sigmoid", "tanh", "sin", "cos", "tan", "sinh", "cosh", "asin", "acos", "atan",
    "erf", "abs", "fast_tanh", "negative", "floor", "sign",
)  # fmt: skip


def _sections(a: Any) -> Any:
    return topi.split(a, 2, axis=1)[1]


def _strided(a: Any) -> Any:
    return te.compute((2, 3), lambda i, j: a[i * 2, j] * a[i * 2 + 1, j], name="strided")


def _triangle(a: Any) -> Any:
    k = te.reduce_axis((0, 4), "k")
    return te.compute((4,), lambda i: te.sum(a[i, k], axis=k, where=k <= i), name="triangle")


def _product(a: Any) -> Any:
    k = te.reduce_axis((0, 3), "k")
    return te.compute((2,), lambda i: te.prod(a[i, k], axis=k), name="product")


#: name -> shapes of the inputs, and the output
CASES: dict[str, tuple[tuple[tuple[int, ...], ...], Callable[..., Any]]] = {
    **{name: (((2, 3),), getattr(topi, name)) for name in _UNARY},
    "add": (((2, 3), (3,)), topi.add),
    "subtract": (((2, 1), (3,)), topi.subtract),
    "multiply": (((2, 3), (2, 1)), topi.multiply),
    "divide": (((2, 3), (3,)), topi.divide),
    "power": (((2, 3), (3,)), topi.power),
    "maximum": (((2, 3), (3,)), topi.maximum),
    "minimum": (((2, 3), (2, 3)), topi.minimum),
    "square": (((2, 3),), lambda a: topi.multiply(a, a)),
    "relu": (((2, 3),), lambda a: topi.nn.relu(a - 0.7)),
    "leaky_relu": (((2, 3),), lambda a: topi.nn.leaky_relu(a - 0.7, 0.1)),
    "where": (((2, 3), (2, 3)), lambda a, b: topi.where(topi.less(a, b), a, b)),
    "cast": (((2, 3),), lambda a: topi.cast(topi.cast(a, "float64"), "float64")),
    "sum": (((2, 3, 4),), lambda a: topi.sum(a, axis=1)),
    "sum of all": (((2, 3),), topi.sum),
    "max": (((2, 3),), lambda a: topi.max(a, axis=1)),
    "min": (((2, 3),), lambda a: topi.min(a, axis=0, keepdims=True)),
    "prod": (((2, 3),), _product),
    "condition": (((4, 4),), _triangle),
    "softmax": (((2, 3),), topi.nn.softmax),
    "log_softmax": (((2, 3),), topi.nn.log_softmax),
    "transpose": (((2, 3, 4),), lambda a: topi.transpose(a, (2, 0, 1))),
    "reshape": (((3, 4),), lambda a: topi.reshape(a, (2, 6))),
    "expand_dims": (((2, 3),), lambda a: topi.expand_dims(a, 1)),
    "broadcast_to": (((2, 1),), lambda a: topi.broadcast_to(a, (3, 2, 4))),
    "concatenate": (((2, 3), (2, 1)), lambda a, b: topi.concatenate([a, b, a], axis=1)),
    "split": (((2, 4),), _sections),
    "strided_slice": (((4, 6),), lambda a: topi.strided_slice(a, [0, 5], [4, 0], [2, -2])),
    "strides": (((4, 3),), _strided),
    "flip": (((2, 3),), lambda a: topi.flip(a, 1)),
    "tile": (((2, 3),), lambda a: topi.tile(a, (2, 2))),
    "repeat": (((2, 3),), lambda a: topi.repeat(a, 2, 1)),
    "pad": (((2, 3),), lambda a: topi.nn.pad(a, [1, 0], [0, 2], 0.0)),
    "matmul": (((2, 3), (3, 4)), topi.matmul),
    "matmul of one": (((3, 3),), lambda a: topi.matmul(a, a)),
    "batch_matmul": (((2, 2, 3), (2, 4, 3)), topi.nn.batch_matmul),
    "dense": (((2, 3), (4, 3), (4,)), topi.nn.dense),
    "conv2d": (((1, 2, 5, 5), (2, 2, 3, 3)), lambda a, w: topi.nn.conv2d(a, w, 1, 1, 1)),
    "conv2d with strides": (((1, 1, 6, 5), (2, 1, 3, 2)), lambda a, w: topi.nn.conv2d(a, w, [2, 1], 1, [1, 2])),
    "depthwise_conv2d": (((1, 2, 4, 4), (2, 1, 3, 3)), lambda a, w: topi.nn.depthwise_conv2d_nchw(a, w, 1, 1, 1)),
    "max_pool2d": (((1, 1, 4, 4),), lambda a: topi.nn.pool2d(a, [2, 2], [2, 2], [1, 1], [0, 0, 0, 0], "max")),
    "avg_pool2d": (((1, 1, 4, 4),), lambda a: topi.nn.pool2d(a, [3, 3], [2, 2], [1, 1], [1, 1, 1, 1], "avg")),
    "global_pool": (((1, 2, 3, 3),), lambda a: topi.nn.global_pool(a, "avg")),
    "one element": (((3,),), lambda a: te.compute((2,), lambda i: a[1] * a[1])),
    "two columns": (((3, 5),), lambda a: te.compute((6,), lambda i: a[i // 2, i % 2] * 2.0)),
    "layer": (((2, 3), (4, 3)), lambda a, w: topi.nn.softmax(topi.tanh(topi.nn.dense(a, w)))),
}


def _shape(tensor: Any) -> list[int]:
    return [extent.value for extent in tensor.shape]


def _run(tensors: list[Any], arrays: list[Any]) -> Any:
    """Compute the last tensor of the arguments."""
    function = create_prim_func(tensors).with_attr("global_symbol", "main")
    result = np.zeros(_shape(tensors[-1]), str(tensors[-1].dtype))
    driver.build(IRModule.from_expr(function), "interp")["main"](*arrays, result)
    return result


@pytest.mark.parametrize("name", CASES)
def test_central_differences(name: str) -> None:
    """The gradient with a random head, along a random direction of each input."""
    shapes, define = CASES[name]
    inputs = [te.placeholder(shape, "float64", f"x{at}") for at, shape in enumerate(shapes)]
    output = define(*inputs)
    rng = np.random.default_rng(1)
    arrays = [rng.uniform(0.1, 0.9, shape) for shape in shapes]
    shape = _shape(output)
    weights = rng.uniform(-1, 1, shape)
    head = te.placeholder(shape, "float64", "head")
    for at, gradient in enumerate(te.gradient(output, inputs, head)):
        assert _shape(gradient) == list(shapes[at])
        direction = rng.uniform(-1, 1, shapes[at])
        actual = (_run([*inputs, head, gradient], [*arrays, weights]) * direction).sum()
        values = []
        for sign in (1, -1):
            moved = [array + sign * 1e-6 * direction if at == other else array for other, array in enumerate(arrays)]
            values.append((_run([*inputs, output], moved) * weights).sum())
        np.testing.assert_allclose(actual, (values[0] - values[1]) / 2e-6, rtol=1e-6, atol=1e-8)


def test_jacobian() -> None:
    """Without a head the gradient is the derivative of each element by each."""
    a, b = te.placeholder((2, 3), "float64", "a"), te.placeholder((3, 2), "float64", "b")
    (jacobian,) = te.gradient(topi.matmul(a, b), a)
    assert _shape(jacobian) == [2, 2, 2, 3]
    values = np.arange(6.0).reshape(3, 2)
    expected = np.einsum("ik,lj->ijkl", np.eye(2), values)
    np.testing.assert_array_equal(_run([a, b, jacobian], [np.zeros((2, 3)), values]), expected)


def test_no_jacobian_is_a_tensor() -> None:
    """Tensors in between have the number of elements of the tensors that they are gradients of."""
    x, w = te.placeholder((1, 4, 8, 8), name="x"), te.placeholder((4, 4, 3, 3), name="w")
    y = topi.nn.relu(topi.nn.conv2d(topi.nn.conv2d(x, w, 1, 1, 1), w, 1, 1, 1))
    head = te.placeholder((1, 4, 8, 8), name="head")
    function: Any = create_prim_func([x, w, head, *te.gradient(y, [x, w], head)])
    sizes = [np.prod(_shape(buffer)) for buffer in function.body.block.alloc_buffers]
    assert max(sizes) <= 4 * 10 * 10


def test_independent_inputs() -> None:
    a, b = te.placeholder((2,), "float64", "a"), te.placeholder((3,), "float64", "b")
    gradients = te.gradient(topi.exp(a), [a, b])
    np.testing.assert_array_equal(_run([gradients[1]], []), np.zeros((2, 3)))


def test_branches_without_inputs_are_not_differentiated() -> None:
    a, b = te.placeholder((4,), "float64", "a"), te.placeholder((4,), "float64", "b")
    remainder = te.compute((4,), lambda i: te.fmod(b[i], b[i] * 0.75), name="remainder")
    output = te.compute((4,), lambda i: a[i] * remainder[i], name="output")
    head = te.placeholder((4,), "float64", "head")
    (gradient,) = te.gradient(output, a, head)
    values = [np.arange(1.0, 5.0) + step for step in range(3)]
    np.testing.assert_allclose(_run([a, b, head, gradient], values), values[2] * values[1] * 0.25)
    with pytest.raises(CannotDifferentiate):
        te.gradient(output, [a, b], head)


def test_what_cannot_be_differentiated() -> None:
    a = te.placeholder((4,), "float64", "a")
    argmax = te.comm_reducer(
        lambda x, y: (x[0] + y[0], x[1] + y[1]), lambda t0, t1: (te.const(0, t0), te.const(0, t1)), "pair"
    )
    k = te.reduce_axis((0, 4), "k")
    pair = te.compute((1,), lambda i: argmax((a[k], a[k]), axis=k), name="pair")
    with pytest.raises(CannotDifferentiate, match="pair: it has several results"):
        te.gradient(pair[0], [a])
    with pytest.raises(CannotDifferentiate, match="its function has no derivative"):
        te.gradient(te.compute((4,), lambda i: te.fmod(a[i], a[i]), name="b"), [a])


@pytest.mark.parametrize(
    ("shape", "extents", "place", "element"),
    [
        ((4, 4), (16,), lambda i: (i // 4, i % 4), "H[v_i0 * 4 + v_i1]"),
        ((4, 2, 3), (24,), lambda i: (i // 6, i // 3 % 2, i % 3), "H[v_i0 * 6 + v_i1 * 3 + v_i2]"),
        ((4, 4, 4), (16, 4), lambda i, j: (i // 4, j, i % 4), "H[v_i0 * 4 + v_i2, v_i1]"),
        ((4, 4), (4, 4), lambda i, j: (j, i), "H[v_i1, v_i0]"),
        (
            (8, 4),
            (4, 4),
            lambda i, j: (i + j, j),
            "T.if_then_else(0 <= v_i0 - v_i1 and v_i0 - v_i1 < 4, H[v_i0 - v_i1, v_i1], T.float32(0))",
        ),
        ((2, 4), (16,), lambda i: (i // 8, i % 4), "v_i0_1 // 8 == v_i0 and v_i0_1 % 4 == v_i1, H[v_i0_1]"),
        ((4,), (16,), lambda i: (i // 4,), "T.if_then_else(v_i0_1 // 4 == v_i0, H[v_i0_1], T.float32(0))"),
        ((te.var("n"), 4), (16,), lambda i: (i // 4, i % 4), "H[v_i0 * 4 + v_i1]"),
        ((4, 4), (te.var("n"),), lambda i: (i // 4, i % 4), "v_i0_1 // 4 == v_i0 and v_i0_1 % 4 == v_i1, H[v_i0_1]"),
    ],
)
def test_axes_are_solved_for(shape: Any, extents: Any, place: Any, element: str) -> None:
    """An element of a gradient is one of the head, without a sum, where the places that are read have an inverse."""
    A = te.placeholder(shape, name="A")
    B = te.compute(extents, lambda *i: A[place(*i)], name="B")
    head = te.placeholder(extents, name="H")
    made: Any = te.create_prim_func([head, *te.gradient(B, [A], head)])
    text = made.script()
    assert element in text
    assert ("with T.init" in text) == ("v_i0_1" in element)
