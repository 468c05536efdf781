"""Compute operators on constant integers, such as sizes, by NumPy when a model is imported."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

import numpy as np
import numpy.typing as npt

from tvmscript.frontend.tflite.operators.shape import new_shape
from tvmscript.frontend.tflite.operators.slices import slices
from tvmscript.frontend.tflite.values import Array, Node

#: largest tensor that is computed when the model is imported
FOLDED_ELEMENTS: Final = 4096
#: those that NumPy computes with
_FOLDED_DTYPES: Final = frozenset(("bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64",
                                   "float16", "float32", "float64"))  # fmt: skip
Folder = Callable[[Node], Array | None]


def _folder(compute: Callable[[Node, list[Array]], npt.ArrayLike | None]) -> Folder:
    """Return a function that computes integers where all inputs are constant."""

    def fold(node: Node) -> Array | None:
        arrays = [value for value in node.inputs if isinstance(value, np.ndarray)]
        if len(arrays) < len(node.inputs) or not all(array.dtype.kind in "iub" for array in arrays):
            return None
        dtype = node.outputs[0].dtype
        if node.option("fusedActivationFunction") or dtype not in _FOLDED_DTYPES:
            return None
        result = compute(node, arrays)
        return None if result is None else np.asarray(result).astype(dtype)

    return fold


def _binary(function: Callable[[Array, Array], Array]) -> Folder:
    return _folder(lambda node, arrays: function(arrays[0], arrays[1]))


def _filled(node: Node, arrays: list[Array]) -> Array | None:
    """Return a tensor of one number, None where it is too large to compute."""
    return np.full(arrays[0], arrays[1]) if math.prod(map(int, arrays[0])) <= FOLDED_ELEMENTS else None


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
    "FILL": _folder(_filled),
    "ADD": _binary(np.add),
    "SUB": _binary(np.subtract),
    "MUL": _binary(np.multiply),
    "FLOOR_DIV": _binary(np.floor_divide),
    "MAXIMUM": _binary(np.maximum),
    "MINIMUM": _binary(np.minimum),
}
