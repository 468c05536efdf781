"""`Parameter`: a weight of a module, with or without a value."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from tvmscript.backends.runtime.array import NDArray, array, from_dlpack
from tvmscript.frontend.nn.errors import WrongParameterValue
from tvmscript.frontend.nn.tensor import Size, Tensor


class _Defaults:
    """What layers take where nothing is given."""

    dtype = "float32"


def get_default_dtype() -> str:
    """Return the dtype of parameters that are made without one."""
    return _Defaults.dtype


def set_default_dtype(dtype: str) -> None:
    """Set the dtype of parameters that are made without one."""
    _Defaults.dtype = dtype


class Parameter(Tensor):
    """A weight: a tensor that may have a value, `data`. Names in its shape are sizes of the exported functions."""

    def __init__(self, shape: Sequence[Size], dtype: str | None = None) -> None:
        super().__init__(_expr=Tensor.placeholder(shape, dtype or get_default_dtype(), "param").expr)
        self._data: NDArray | None = None
        self.attrs: dict[str, Any] = {}

    @property
    def data(self) -> NDArray | None:
        """The value, None where there is none."""
        return self._data

    @data.setter
    def data(self, data: Any) -> None:
        """Set the value: an `nd` array, a NumPy array, a tensor that has DLPack, or None.

        Raises `WrongParameterValue` for another shape or dtype.
        """
        value = None if data is None else as_array(data)
        if value is not None and (value.shape != tuple(self.shape) or str(value.dtype) != self.dtype):
            got = f"{value.dtype} of shape {value.shape}"
            expected = f"{self.dtype} of shape {tuple(self.shape)}"
            raise WrongParameterValue(name=self.expr.name_hint, expected=expected, got=got)
        self._data = value

    def to(self, dtype: str | None = None) -> None:
        """Change the dtype. Raises `WrongParameterValue` where the parameter has a value."""
        if dtype is None:
            return
        if self._data is not None:
            raise WrongParameterValue(
                name=self.expr.name_hint, expected=f"no value when it is converted to {dtype}", got="a value"
            )
        self.expr = Tensor.placeholder(self.shape, dtype, "param").expr


def as_array(data: Any) -> NDArray:
    """Return an array of the same elements; memory is shared where that is possible."""
    if isinstance(data, NDArray):
        return data
    if hasattr(data, "detach"):  # tensors of torch that take part in gradients do not share their memory
        data = data.detach()
    with suppress(RuntimeError, BufferError, TypeError):
        return from_dlpack(data)
    return array(data)
