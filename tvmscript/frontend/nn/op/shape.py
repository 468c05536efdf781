"""Operators that rearrange elements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tvmscript.frontend.nn.errors import UnsupportedLayerOption
from tvmscript.frontend.nn.tensor import Tensor, emit, wrap_nested
from tvmscript.language import R


def unsqueeze(x: Tensor, dim: int, name: str = "unsqueeze") -> Tensor:
    """Return the tensor with a new axis of size 1."""
    return emit(R.expand_dims(x.expr, dim), name)


def squeeze(x: Tensor, axis: int = -1, name: str = "squeeze") -> Tensor:
    """Return the tensor without an axis of size 1."""
    return emit(R.squeeze(x.expr, axis), name)


def concat(x: Sequence[Tensor], dim: int, name: str = "concat") -> Tensor:
    """Return tensors one after the other along an axis."""
    return emit(R.concat([tensor.expr for tensor in x], dim), name)


def chunk(x: Tensor, chunks: int, dim: int = 0, name: str = "chunk") -> tuple[Tensor, ...]:
    """Return parts of equal size along an axis."""
    parts: tuple[Tensor, ...] = wrap_nested(R.split(x.expr, chunks, dim), name)
    return parts


def split(
    ary: Tensor, indices_or_sections: int | Sequence[int], axis: int = 0, name: str = "split"
) -> tuple[Tensor, ...]:
    """Return parts along an axis, of equal size or between indices."""
    parts: tuple[Tensor, ...] = wrap_nested(R.split(ary.expr, indices_or_sections, axis), name)
    return parts


def broadcast_to(x: Tensor, shape: Sequence[Any], name: str = "broadcast_to") -> Tensor:
    """Return the tensor repeated along axes of size 1."""
    return emit(R.broadcast_to(x.expr, shape), name)


def permute_dims(x: Tensor, axes: Sequence[int] | None = None, name: str | None = None) -> Tensor:
    """Return the tensor with its axes in this order; reversed without one."""
    if name is None:
        own: str = getattr(x.expr, "name_hint", "")
        name = own.replace("linear", "matmul") if "linear" in own else "permute_dims"
    return permute(x, axes, name)


def permute(x: Tensor, axes: Sequence[int] | None, name: str = "permute") -> Tensor:
    """Return the tensor with its axes in this order; reversed without one."""
    return emit(R.permute_dims(x.expr, axes=axes), name)


def reshape(x: Tensor, shape: Sequence[Any], name: str = "reshape") -> Tensor:
    """Return the elements in another shape; -1 is the size that remains, 0 the same size."""
    return emit(R.reshape(x.expr, shape), name)


def repeat(x: Tensor, repeats: int, axis: int | None = None, name: str = "repeat") -> Tensor:
    """Return the tensor with each element repeated, along an axis or flattened."""
    return emit(R.repeat(x.expr, repeats, axis), name)


def take(x: Tensor, indices: Tensor, axis: int | None = None, name: str = "take") -> Tensor:
    """Return the elements at indices along an axis."""
    return emit(R.take(x.expr, indices.expr, axis), name)


def pad(x: Tensor, pad: Sequence[int], mode: str = "constant", value: float = 0, name: str = "pad") -> Tensor:
    """Return the tensor with elements added before and after each axis."""
    return emit(R.nn.pad(x.expr, pad_width=pad, pad_value=value, pad_mode=mode), name)


def triu(x: Tensor, diagonal: int = 0, name: str = "triu") -> Tensor:
    """Return the upper triangle, zeros elsewhere."""
    return emit(R.triu(x.expr, diagonal), name)


def interpolate(
    x: Tensor,
    size: Any = None,
    scale_factor: Any = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
    recompute_scale_factor: bool | None = None,
    antialias: bool | None = None,
    data_layout: str = "NCHW",
    name: str = "interpolate",
) -> Tensor:
    """Return images in another size, `size` or a multiple of theirs. Raises `UnsupportedLayerOption`."""
    for option, value in (("recompute_scale_factor", recompute_scale_factor), ("antialias", antialias)):
        if value is not None:
            raise UnsupportedLayerOption(name="interpolate", option=option)
    if size is None:
        size = _scaled(x, scale_factor, data_layout)
    method = "nearest_neighbor" if mode.startswith("nearest") else mode.removeprefix("bi")
    coordinates = "align_corners" if align_corners else "half_pixel"
    if method == "nearest_neighbor":
        coordinates = "asymmetric"
    resized = R.image.resize2d(
        x.expr, size, layout=data_layout, method=method, coordinate_transformation_mode=coordinates
    )
    return emit(resized, name)


def _scaled(x: Tensor, scale_factor: Any, data_layout: str) -> list[int]:
    """Return the sizes of the axes of space times one factor, or one factor each."""
    extents = [extent for extent, axis in zip(x.shape, data_layout, strict=True) if axis not in "NC"]
    factors = scale_factor if isinstance(scale_factor, (list, tuple)) else [scale_factor] * len(extents)
    return [int(extent * factor) for extent, factor in zip(extents, factors, strict=True)]
