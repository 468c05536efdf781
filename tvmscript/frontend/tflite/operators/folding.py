"""Compute operators on constant integers, such as sizes, by NumPy when a model is imported."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from tvmscript.frontend.tflite.operators.shape import new_shape
from tvmscript.frontend.tflite.operators.slices import slices
from tvmscript.frontend.tflite.values import Array, Node

Folder = Callable[[Node], Array | None]


def _folder(compute: Callable[[Node, list[Array]], Any]) -> Folder:
    """Return a function that computes integers where all inputs are constant."""

    def fold(node: Node) -> Array | None:
        arrays = [value for value in node.inputs if isinstance(value, np.ndarray)]
        if len(arrays) < len(node.inputs) or not all(array.dtype.kind in "iub" for array in arrays):
            return None
        if node.option("fusedActivationFunction"):
            return None
        result: npt.NDArray[Any] = np.asarray(compute(node, arrays))
        return result.astype(node.outputs[0].dtype)

    return fold


def _binary(function: Callable[[Array, Array], Array]) -> Folder:
    return _folder(lambda node, arrays: function(*arrays))


#: operator -> function that returns the result, None where it is not constant
FOLDERS: Final[dict[str, Folder]] = {
    "PACK": _folder(lambda node, arrays: np.stack(arrays, node.option("axis"))),
    "CONCATENATION": _folder(lambda node, arrays: np.concatenate(arrays, node.option("axis"))),
    "GATHER": _folder(lambda node, arrays: np.take(arrays[0], arrays[1], axis=node.option("axis"))),
    "STRIDED_SLICE": _folder(lambda node, arrays: arrays[0][slices(node, arrays[0].shape)]),
    "REDUCE_PROD": _folder(
        lambda node, arrays: np.prod(arrays[0], tuple(arrays[1].reshape(-1)), keepdims=bool(node.option("keepDims")))
    ),
    "RESHAPE": _folder(lambda node, arrays: arrays[0].reshape(new_shape(node))),
    "SQUEEZE": _folder(lambda node, arrays: arrays[0].reshape(node.outputs[0].shape)),
    "EXPAND_DIMS": _folder(lambda node, arrays: np.expand_dims(arrays[0], int(arrays[1].item()))),
    "CAST": _folder(lambda node, arrays: arrays[0]),
    "RANGE": _folder(lambda node, arrays: np.arange(*(array.item() for array in arrays[:3]))),
    "FILL": _folder(lambda node, arrays: np.full(arrays[0], arrays[1])),
    "ADD": _binary(np.add),
    "SUB": _binary(np.subtract),
    "MUL": _binary(np.multiply),
    "FLOOR_DIV": _binary(np.floor_divide),
    "MAXIMUM": _binary(np.maximum),
    "MINIMUM": _binary(np.minimum),
}
