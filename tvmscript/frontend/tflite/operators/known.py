"""Operators on arrays that are known when a model is imported, such as sizes: computed by NumPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from tvmscript.frontend.tensor_info import shape_of
from tvmscript.frontend.tflite.operators.slices import slices
from tvmscript.frontend.tflite.values import Array, Node


def _sizes(node: Node) -> Array:
    value = node.inputs[0]
    sizes = value.shape if isinstance(value, np.ndarray) else shape_of(node.tensor(0))
    return np.array(sizes, node.outputs[0].dtype)


def _folded(compute: Callable[[Node, list[Array]], Any]) -> Callable[[Node], Array | None]:
    """Compute a result of integers where all inputs are known."""

    def fold(node: Node) -> Array | None:
        arrays = [value for value in node.inputs if isinstance(value, np.ndarray)]
        if len(arrays) < len(node.inputs) or not all(array.dtype.kind in "iub" for array in arrays):
            return None
        result: npt.NDArray[Any] = np.asarray(compute(node, arrays))
        return result.astype(node.outputs[0].dtype)

    return fold


def _binary(function: Callable[[Array, Array], Array]) -> Callable[[Node], Array | None]:
    return _folded(lambda node, arrays: function(*arrays))


#: operator -> function that returns the result, None where it is not known
KNOWN: Final[dict[str, Callable[[Node], Array | None]]] = {
    "SHAPE": _sizes,
    "PACK": _folded(lambda node, arrays: np.stack(arrays, node.option("axis"))),
    "CONCATENATION": _folded(lambda node, arrays: np.concatenate(arrays, node.option("axis"))),
    "GATHER": _folded(lambda node, arrays: np.take(arrays[0], arrays[1], axis=node.option("axis"))),
    "STRIDED_SLICE": _folded(lambda node, arrays: arrays[0][slices(node, arrays[0].shape)]),
    "REDUCE_PROD": _folded(
        lambda node, arrays: np.prod(arrays[0], tuple(arrays[1].reshape(-1)), keepdims=bool(node.option("keepDims")))
    ),
    "RESHAPE": _folded(lambda node, arrays: arrays[0].reshape(arrays[1])),
    "SQUEEZE": _folded(lambda node, arrays: arrays[0].reshape(node.outputs[0].shape)),
    "EXPAND_DIMS": _folded(lambda node, arrays: np.expand_dims(arrays[0], int(arrays[1].item()))),
    "CAST": _folded(lambda node, arrays: arrays[0]),
    "RANGE": _folded(lambda node, arrays: np.arange(*(array.item() for array in arrays))),
    "FILL": _folded(lambda node, arrays: np.full(arrays[0], arrays[1])),
    "ADD": _binary(np.add),
    "SUB": _binary(np.subtract),
    "MUL": _binary(np.multiply),
    "FLOOR_DIV": _binary(np.floor_divide),
    "MAXIMUM": _binary(np.maximum),
    "MINIMUM": _binary(np.minimum),
}
