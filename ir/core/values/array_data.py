"""Constant data that is a NumPy array, with the names of TVM's arrays."""

from __future__ import annotations

from typing import Any

import numpy as np


class ArrayData(np.ndarray[Any, np.dtype[Any]]):
    """A view of the array that a constant was made from."""

    def numpy(self) -> np.ndarray[Any, np.dtype[Any]]:
        """Return a copy of the elements."""
        return np.array(self, subok=False)

    asnumpy = numpy


def view_array(value: object) -> object:
    """Return a view of an array, another value as it is."""
    return value.view(ArrayData) if isinstance(value, np.ndarray) else value
