"""References of operators in NumPy, which `tests/cases/topi` uses, and schedules for tests."""

from __future__ import annotations

import numpy as np
import pytest

import tvmscript as tvm
from tvmscript import te, topi

REFERENCES = [name for name in dir(topi.testing) if name.endswith(("_python", "_nchw", "_ref"))]


def test_names() -> None:
    assert len(REFERENCES) > 45
    assert all(callable(getattr(topi.testing, name)) for name in REFERENCES)


@pytest.mark.parametrize("target", ["llvm", "interp"])
def test_convolution(target: str) -> None:
    random = np.random.default_rng(0)
    x, w = random.random((1, 3, 6, 6), "float32"), random.random((4, 3, 3, 3), "float32")
    compute, schedule = topi.testing.get_conv2d_nchw_implement(target)
    expected = topi.testing.conv2d_nchw_python(x, w, 2, 1)
    topi.testing.compare_numpy_tvm(
        [x, w], expected, target, tvm.cpu(0), lambda data, kernel: compute(data, kernel, 2, 1, 1), schedule
    )
    with pytest.raises(AssertionError, match="Not equal to tolerance"):
        topi.testing.compare_numpy_tvm(
            [x, w], expected + 1, target, tvm.cpu(0), lambda data, kernel: compute(data, kernel, 2, 1, 1), schedule
        )


def test_dispatch() -> None:
    """What is absent here is passed over."""
    table = {"generic": "plain", "cpu": topi.x86.schedule_conv2d_nchw, "gpu": "threads"}
    assert topi.testing.dispatch("llvm", table) == "plain"
    assert topi.testing.dispatch(tvm.target.Target("cuda"), table) == "threads"
    pair = (topi.nn.conv2d_nchw, topi.generic.schedule_conv2d_nchw)
    assert topi.testing.dispatch("llvm", {"generic": pair, "cpu": (topi.x86.conv2d_nchw, pair[1])}) is pair


def test_schedules() -> None:
    A = te.placeholder((4, 8), name="A")
    B = topi.exp(A)
    C = topi.nn.relu(B)
    schedule = topi.testing.get_injective_schedule("llvm")(C)
    assert [axis.var.name for axis in schedule[C].leaf_iter_vars] == ["i0.i1.fused"]
    assert "T.exp(A" in str(tvm.lower(schedule, [A, C], simple_mode=True)["main"].script())
    total = topi.sum(A, axis=1)
    assert len(topi.testing.get_reduce_schedule("llvm")(total)[total].leaf_iter_vars) == 2
    rank_0 = topi.exp(te.placeholder((), name="x"))
    assert topi.generic.schedule_elemwise([rank_0])[rank_0].leaf_iter_vars == []


@pytest.mark.parametrize("mode", ["align_corners", "half_pixel", "asymmetric"])
def test_rows_keep_lines(mode: str) -> None:
    """Linear interpolation of a line is the line, as far as it is inside."""
    line = np.arange(8, dtype="float32").reshape(1, 1, 8)
    resized = topi.testing.resize1d_python(line, 2, method="linear", coordinate_transformation_mode=mode)[0, 0]
    place = {
        "align_corners": np.linspace(0, 7, 16), "half_pixel": np.arange(16) / 2 - 0.25, "asymmetric": np.arange(16) / 2,
    }[mode]  # fmt: skip
    np.testing.assert_allclose(resized, np.clip(place, 0, 7), rtol=1e-6)


def test_transposed_convolution_is_the_adjoint() -> None:
    """The sum of products of a convolution and a tensor is that of the input and the transposed convolution."""
    random = np.random.default_rng(1)
    x, w, y = random.random((2, 3, 7, 7)), random.random((4, 3, 3, 3)), random.random((2, 4, 4, 4))
    forward = topi.testing.conv2d_nchw_python(x, w, 2, 1)
    backward = topi.testing.conv2d_transpose_nchw_python(y, w, 2, 1, (0, 0))
    np.testing.assert_allclose((forward * y).sum(), (x * backward).sum())
    gradient = topi.testing.conv2d_backward_weight_python(y, x, (3, 3), 2, 1)
    np.testing.assert_allclose((forward * y).sum(), (gradient * w).sum())


def test_pooled_gradients() -> None:
    x, gradient = np.random.default_rng(2).random((1, 2, 6, 6)), np.ones((1, 2, 3, 3))
    for kind in ("max", "avg"):
        moved = topi.testing.pool_grad_nchw(x, gradient, (2, 2), (2, 2), (0, 0, 0, 0), kind, False)
        # each window hands its gradient to its elements
        windows = moved.reshape(1, 2, 3, 2, 3, 2).sum((3, 5))
        np.testing.assert_allclose(windows, gradient)
    pooled = topi.testing.poolnd_python(x, (2, 2), (2, 2), (1, 1), (0, 0), (0, 0), "max", dtype="float64")
    np.testing.assert_array_equal(pooled, x.reshape(1, 2, 3, 2, 3, 2).max((3, 5)))


def test_slices() -> None:
    x = np.arange(24).reshape(4, 6)
    np.testing.assert_array_equal(topi.testing.strided_slice_python(x, [3], [-9], [-2]), x[::-2])
    np.testing.assert_array_equal(topi.testing.strided_slice_python(x, [1, 2], [2, -1], [], "size"), x[1:3, 2:])
    np.testing.assert_array_equal(topi.testing.slice_axis_python(x, 1, 1, 3), x[:, 1:3])
    banded = topi.testing.matrix_set_diag(np.zeros((3, 4)), np.array([[9, 1, 2], [3, 4, 5]]), (0, 1), "RIGHT_LEFT")
    np.testing.assert_array_equal(banded, [[3, 9, 0, 0], [0, 4, 1, 0], [0, 0, 5, 2]])
