"""Gradients against central differences: TVM's `testing.check_numerical_grads`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, cast

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Inputs = Iterable[Array] | Mapping[str, Array]


def check_numerical_grads(
    function: Callable[..., Any],
    input_values: Inputs,
    grad_values: Inputs,
    function_value: float | None = None,
    delta: float = 1e-3,
    atol: float = 1e-2,
    rtol: float = 0.1,
) -> None:
    """Compare the gradients of a function whose result is a number with central differences of it.

    `function` takes the values in order, or by name where `input_values` is a mapping. Raises `AssertionError` where
    the distance to the differences is more than `atol * sqrt(size) + rtol * norm`.
    """
    inputs, grads = _by_name(input_values), _by_name(grad_values)
    call = _call_with_names(function) if isinstance(input_values, Mapping) else _call_in_order(function)
    if function_value is None:
        function_value = call(inputs)
    for name, grad in grads.items():
        numerical = _central_differences(call, inputs, name, delta)
        if not np.isfinite(numerical).all():
            raise ValueError(f"the differences of {name} are not finite: {function_value}")
        distance, norm = np.linalg.norm(numerical - grad), np.linalg.norm(numerical)
        if not distance <= atol * np.sqrt(grad.size) + rtol * norm:
            raise AssertionError(f"the gradient of {name} is {distance:.3g} away from differences of norm {norm:.3g}")


def _by_name(values: Inputs) -> dict[str, Array]:
    named = values if isinstance(values, Mapping) else {str(i): value for i, value in enumerate(values)}
    return {name: np.array(value) for name, value in cast("Mapping[str, Array]", named).items()}


def _call_with_names(function: Callable[..., Any]) -> Callable[[dict[str, Array]], float]:
    return lambda inputs: float(np.asarray(function(**inputs)).item())


def _call_in_order(function: Callable[..., Any]) -> Callable[[dict[str, Array]], float]:
    return lambda inputs: float(np.asarray(function(*inputs.values())).item())


def _central_differences(
    call: Callable[[dict[str, Array]], float], inputs: dict[str, Array], name: str, delta: float
) -> Array:
    """Return (f(x + delta) - f(x - delta)) / (2 delta) for each element of an input."""
    values = inputs[name]
    result = np.zeros(values.shape, "float64")
    for index in np.ndindex(values.shape):
        moved = []
        for step in (delta, -delta):
            changed = values.copy()
            changed[index] += step
            moved.append(call({**inputs, name: changed}))
        result[index] = (moved[0] - moved[1]) / (2 * delta)
    return result
