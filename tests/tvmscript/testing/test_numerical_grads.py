"""Gradients against central differences."""

from __future__ import annotations

import numpy as np
import pytest

from tvmscript.testing import check_numerical_grads

X = np.array([[0.5, -1.0], [2.0, 3.0]])
Y = np.array([[1.0, 4.0], [-2.0, 0.25]])


def test_the_gradient_of_a_product() -> None:
    check_numerical_grads(lambda x, y: (x * x * y).sum(), [X, Y], [2 * X * Y, X * X])
    check_numerical_grads(lambda x, y: (x * x * y).sum(), {"x": X, "y": Y}, {"y": X * X})


def test_a_wrong_gradient() -> None:
    with pytest.raises(AssertionError, match="the gradient of 0 is"):
        check_numerical_grads(lambda x: (x * x).sum(), [X], [3 * X])


def test_differences_that_are_not_finite() -> None:
    with np.errstate(divide="ignore", invalid="ignore"), pytest.raises(ValueError, match="not finite"):
        check_numerical_grads(lambda x: np.log(x - x).sum(), [X], [X])
