"""Convolutions and pooling as one writes them, in several layouts, and what they must compute."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np

LAYOUTS = ("NCHW", "NHWC", "NCHWc")
#: channels of a block of NCHWc
BLOCK = 8


@dataclass(frozen=True)
class Convolution:
    """A convolution of any number of spatial dimensions."""

    batch: int
    inputs: int
    outputs: int
    sizes: tuple[int, ...]
    kernel: tuple[int, ...]
    stride: int = 1
    padding: int = 0
    dilation: int = 1
    groups: int = 1
    layout: str = "NCHW"
    #: of the data; integers of 8 bits are multiplied by int8, and added up in int32
    dtype: str = "float32"

    @property
    def is_narrow(self) -> bool:
        """Whether integers are multiplied."""
        return "int" in self.dtype

    @property
    def dtypes(self) -> tuple[str, str, str]:
        """The dtypes of data, weights and output."""
        return (self.dtype, "int8", "int32") if self.is_narrow else (self.dtype,) * 3

    @property
    def name(self) -> str:
        """The sizes in short."""
        marks = [
            f"{self.batch}x{self.inputs}x{'x'.join(map(str, self.sizes))} -> {self.outputs}",
            f"kernel {'x'.join(map(str, self.kernel))}",
            *(f"{name} {value}" for name, value, usual in self._options() if value != usual),
        ]
        return f"{', '.join(marks)} {self.layout}" + ("" if self.dtype == "float32" else f" {self.dtype}")

    def _options(self) -> tuple[tuple[str, int, int], ...]:
        return (
            ("stride", self.stride, 1),
            ("padding", self.padding, 0),
            ("dilation", self.dilation, 1),
            ("groups", self.groups, 1),
        )

    @property
    def output_sizes(self) -> tuple[int, ...]:
        """The spatial sizes of the output; some are below 1 where the kernel does not fit."""
        return tuple(
            (size + 2 * self.padding - self.dilation * (width - 1) - 1) // self.stride + 1
            for size, width in zip(self.sizes, self.kernel, strict=True)
        )

    @property
    def multiplications(self) -> int:
        """The number of products."""
        terms = self.inputs // self.groups * int(np.prod(self.kernel))
        return self.batch * self.outputs * int(np.prod(self.output_sizes)) * terms

    def shapes(self) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
        """Return the shapes of data, weights and output."""
        data = self._shape(self.batch, self.inputs, self.sizes)
        output = self._shape(self.batch, self.outputs, self.output_sizes)
        terms = self.inputs // self.groups
        match self.layout:
            case "NCHW":
                return data, (self.outputs, terms, *self.kernel), output
            case "NHWC":
                return data, (*self.kernel, terms, self.outputs), output
            case _:
                return data, (self.outputs // BLOCK, terms // BLOCK, *self.kernel, BLOCK, BLOCK), output

    def _shape(self, batch: int, channels: int, sizes: tuple[int, ...]) -> tuple[int, ...]:
        match self.layout:
            case "NCHW":
                return (batch, channels, *sizes)
            case "NHWC":
                return (batch, *sizes, channels)
            case _:
                return (batch, channels // BLOCK, *sizes, BLOCK)

    def text(self) -> str:
        """Return the program; padding is a block of its own."""
        x_shape, w_shape, y_shape = self.shapes()
        count = len(self.sizes)
        windows = [
            f"vp{place}"
            + f" * {self.stride}" * (self.stride > 1)
            + f" + vk{place}"
            + f" * {self.dilation}" * (self.dilation > 1)
            for place in range(count)
        ]
        pixels, kernel = [[f"v{kind}{place}" for place in range(count)] for kind in "pk"]
        channel = (
            "vi" if self.groups == 1 else f"vc // {self.outputs // self.groups} * {self.inputs // self.groups} + vi"
        )
        if self.groups == self.inputs and self.groups > 1:
            channel = "vc" if self.groups == self.outputs else f"vc // {self.outputs // self.groups}"
        axes = {"vn": self.batch, "vc": self.outputs}
        axes |= dict(zip(pixels, self.output_sizes, strict=True))
        axes |= {"vi": self.inputs // self.groups} | dict(zip(kernel, self.kernel, strict=True))
        match self.layout:
            case "NCHW":
                data, weights, output = [channel, *windows], ["vc", "vi", *kernel], ["vn", "vc", *pixels]
                order = ["vn", "vc", *pixels, "vi", *kernel]
            case "NHWC":
                data, weights, output = [*windows, channel], [*kernel, "vi", "vc"], ["vn", *pixels, "vc"]
                order = ["vn", *pixels, "vc", *kernel, "vi"]
            case _:
                axes |= {
                    "vc": self.outputs // BLOCK,
                    "vi": self.inputs // self.groups // BLOCK,
                    "vci": BLOCK,
                    "vii": BLOCK,
                }
                data, weights = ["vi", *windows, "vii"], ["vc", "vi", *kernel, "vii", "vci"]
                output = ["vn", "vc", *pixels, "vci"]
                order = [*output, "vi", *kernel, "vii"]
        kinds = "".join("R" if axis[1] in "ik" else "S" for axis in order)
        loops = [axis.replace("v", "l", 1) for axis in order]
        x_dtype, w_dtype, y_dtype = self.dtypes
        zero = f"T.{y_dtype}(0)"
        source, before = ("X", "") if self.padding == 0 else ("P", self._padding_text(x_shape, f"T.{x_dtype}(0)"))
        element = f"Y[{', '.join(output)}]"
        factors = [f"{source}[{', '.join(['vn', *data])}]", f"W[{', '.join(weights)}]"]
        if self.is_narrow:
            factors = [f'T.Cast("{y_dtype}", {factor})' for factor in factors]
        return f"""
@T.prim_func
def main(
    X: T.Buffer({x_shape}, "{x_dtype}"),
    W: T.Buffer({w_shape}, "{w_dtype}"),
    Y: T.Buffer({y_shape}, "{y_dtype}"),
):
    T.func_attr({{"tir.noalias": T.bool(True)}}){before}
    for {", ".join(loops)} in T.grid({", ".join(str(axes[axis]) for axis in order)}):
        with T.block("Y"):
            {", ".join(order)} = T.axis.remap("{kinds}", [{", ".join(loops)}])
            with T.init():
                {element} = {zero}
            {element} = {element} + {" * ".join(factors)}
"""

    def _padding_text(self, shape: tuple[int, ...], zero: str) -> str:
        first = 1 if self.layout == "NHWC" else 2
        padded = self._padded_shape(shape)
        axes = [f"v{place}" for place in range(len(shape))]
        spatial = range(first, first + len(self.sizes))
        condition = " and ".join(
            f"{self.padding} <= v{place} and v{place} < {self.padding + shape[place]}" for place in spatial
        )
        index = ", ".join(f"{axis} - {self.padding}" if place in spatial else axis for place, axis in enumerate(axes))
        loops = ", ".join(f"i{place}" for place in range(len(shape)))
        return f"""
    P = T.alloc_buffer({padded}, "{self.dtype}")
    for {loops} in T.grid({", ".join(map(str, padded))}):
        with T.block("P"):
            {", ".join(axes)} = T.axis.remap("{"S" * len(shape)}", [{loops}])
            P[{", ".join(axes)}] = T.if_then_else({condition}, X[{index}], {zero})"""

    def _padded_shape(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        first = 1 if self.layout == "NHWC" else 2
        spatial = range(first, first + len(self.sizes))
        return tuple(size + 2 * self.padding * (place in spatial) for place, size in enumerate(shape))

    def arguments(self, generator: np.random.Generator) -> list[Any]:
        """Return data, weights and a place for the output."""
        x, w, y = self.shapes()
        values: list[Any] = []
        for shape, dtype in zip((x, w), self.dtypes, strict=False):
            if self.is_narrow:
                range_ = np.iinfo(dtype)
                values.append(generator.integers(range_.min, range_.max + 1, shape).astype(dtype))
            else:
                values.append(generator.uniform(-1, 1, shape).astype(dtype))
        return [*values, np.zeros(y, self.dtypes[2])]

    def expected(self, x: Any, w: Any) -> Any:
        """Return the output in float64."""
        count = len(self.sizes)
        x, w = (each.astype("float64") for each in (x, w))
        match self.layout:
            case "NCHW":
                pass
            case "NHWC":
                x, w = np.moveaxis(x, -1, 1), np.moveaxis(w, (-1, -2), (0, 1))
            case _:
                x = np.moveaxis(x, -1, 2).reshape(self.batch, self.inputs, *self.sizes)
                w = np.moveaxis(w, (-1, -2), (1, 3)).reshape(self.outputs, self.inputs, *self.kernel)
        pads = [(self.padding, self.padding)] * count
        x = np.pad(x, [(0, 0), (0, 0), *pads])
        per_group, terms = self.outputs // self.groups, self.inputs // self.groups
        y = np.zeros((self.batch, self.outputs, *self.output_sizes))
        for place in product(*map(range, self.kernel)):
            window = tuple(
                slice(at * self.dilation, at * self.dilation + (size - 1) * self.stride + 1, self.stride)
                for at, size in zip(place, self.output_sizes, strict=True)
            )
            part = x[(slice(None), slice(None), *window)]
            for group in range(self.groups):
                channels = slice(group * per_group, (group + 1) * per_group)
                data = part[:, group * terms : (group + 1) * terms]
                y[:, channels] += np.moveaxis(np.tensordot(w[(channels, slice(None), *place)], data, (1, 1)), 1, 0)
        match self.layout:
            case "NCHW":
                return y
            case "NHWC":
                return np.moveaxis(y, 1, -1)
            case _:
                blocks = y.reshape(self.batch, self.outputs // BLOCK, BLOCK, *self.output_sizes)
                return np.moveaxis(blocks, 2, -1)

    def tolerance(self) -> float:
        """Return the greatest error of an element that rounding explains."""
        if self.is_narrow:
            return 0.0
        terms = self.multiplications / (self.batch * self.outputs * np.prod(self.output_sizes))
        return float(np.finfo(self.dtype).eps * (terms + 8))


@dataclass(frozen=True)
class Pooling:
    """Maxima or means over windows; padding counts as nothing for maxima, as zeros for means."""

    is_max: bool
    batch: int
    channels: int
    sizes: tuple[int, ...]
    kernel: tuple[int, ...]
    stride: int = 1
    padding: int = 0
    layout: str = "NCHW"
    dtype: str = "float32"

    @property
    def name(self) -> str:
        """The sizes in short."""
        kind, sizes, kernel = (
            "max" if self.is_max else "mean",
            *("x".join(map(str, each)) for each in (self.sizes, self.kernel)),
        )
        return (
            f"{kind} of {kernel}, stride {self.stride}, padding {self.padding}, "
            f"{self.batch}x{self.channels}x{sizes} {self.layout} {self.dtype}"
        )

    @property
    def output_sizes(self) -> tuple[int, ...]:
        """The spatial sizes of the output; some are below 1 where the window does not fit."""
        return tuple(
            (size + 2 * self.padding - width) // self.stride + 1
            for size, width in zip(self.sizes, self.kernel, strict=True)
        )

    def shape(self, sizes: Sequence[int]) -> tuple[int, ...]:
        """Return the shape of data of these spatial sizes."""
        if self.layout == "NCHW":
            return (self.batch, self.channels, *sizes)
        return (self.batch, *sizes, self.channels)

    def text(self) -> str:
        """Return the program; padding and the division are blocks of their own."""
        spatial = range(2, 2 + len(self.sizes)) if self.layout == "NCHW" else range(1, 1 + len(self.sizes))
        shape, output = self.shape(self.sizes), self.shape(self.output_sizes)
        padded = self.shape([size + 2 * self.padding for size in self.sizes])
        axes = [f"v{place}" for place in range(len(shape))]
        loops = [f"l{place}" for place in range(len(shape))]
        kernel = [f"k{place}" for place in spatial]
        window = ", ".join(
            f"{axis} * {self.stride} + v{axis.replace('v', 'k')}" if place in spatial else axis
            for place, axis in enumerate(axes)
        )
        here, kinds = ", ".join(axes), "S" * len(axes)
        start = f'T.min_value("{self.dtype}")' if self.is_max else f"T.{self.dtype}(0)"
        source, before, after, into = "X", "", "", "Y"
        if self.padding:
            source = "P"
            inside = " and ".join(f"{self.padding} <= v{at} and v{at} < {self.padding + shape[at]}" for at in spatial)
            index = ", ".join(f"{axis} - {self.padding}" if at in spatial else axis for at, axis in enumerate(axes))
            before = f"""
    P = T.alloc_buffer({padded}, "{self.dtype}")
    for {", ".join(loops)} in T.grid({", ".join(map(str, padded))}):
        with T.block("P"):
            {here} = T.axis.remap("{kinds}", [{", ".join(loops)}])
            P[{here}] = T.if_then_else({inside}, X[{index}], {start})"""
        if not self.is_max:
            into = "S"
            before += f"""
    S = T.alloc_buffer({output}, "{self.dtype}")"""
            after = f"""    for {", ".join(loops)} in T.grid({", ".join(map(str, output))}):
        with T.block("Y"):
            {here} = T.axis.remap("{kinds}", [{", ".join(loops)}])
            Y[{here}] = S[{here}] / T.{self.dtype}({int(np.prod(self.kernel))})
"""
        term = f"{source}[{window}]"
        own = f"{into}[{here}]"
        return f"""
@T.prim_func
def main(X: T.Buffer({shape}, "{self.dtype}"), Y: T.Buffer({output}, "{self.dtype}")):
    T.func_attr({{"tir.noalias": T.bool(True)}}){before}
    for {", ".join([*loops, *kernel])} in T.grid({", ".join(map(str, (*output, *self.kernel)))}):
        with T.block("windows"):
            {", ".join([*axes, *(f"v{axis}" for axis in kernel)])} = T.axis.remap(
                "{kinds}{"R" * len(kernel)}", [{", ".join([*loops, *kernel])}]
            )
            with T.init():
                {own} = {start}
            {own} = {f"T.max({own}, {term})" if self.is_max else f"{own} + {term}"}
{after}"""

    def arguments(self, generator: np.random.Generator) -> list[Any]:
        """Return data and a place for the output."""
        data = generator.uniform(-100, 100, self.shape(self.sizes)).astype(self.dtype)
        return [data, np.zeros(self.shape(self.output_sizes), self.dtype)]

    def expected(self, x: Any) -> Any:
        """Return the output in float64."""
        first = 2 if self.layout == "NCHW" else 1
        spatial = range(first, first + len(self.sizes))
        pads = [(self.padding, self.padding) if place in spatial else (0, 0) for place in range(x.ndim)]
        x = np.pad(x.astype("float64"), pads, constant_values=-np.inf if self.is_max else 0)
        parts: list[Any] = []
        for place in product(*map(range, self.kernel)):
            window = [slice(None)] * x.ndim
            for axis, at, size in zip(spatial, place, self.output_sizes, strict=True):
                window[axis] = slice(at, at + (size - 1) * self.stride + 1, self.stride)
            parts.append(x[tuple(window)])
        return np.max(parts, axis=0) if self.is_max else np.mean(parts, axis=0)


def draw_pooling(generator: random.Random) -> Pooling:
    """Return a pooling of at most some million terms."""
    while True:
        count = generator.choice((1, 2, 2, 2, 3))
        drawn = Pooling(
            generator.random() < 0.5,
            generator.choice((1, 1, 2)),
            round(2 ** generator.uniform(0, 7)),
            tuple(round(2 ** generator.uniform(0, 6.5 if count < 3 else 4)) for _ in range(count)),
            tuple(generator.choice((1, 2, 3, 3, 5, 7)) for _ in range(count)),
            generator.choice((1, 1, 2, 2, 3)),
            generator.choice((0, 0, 1, 1, 2)),
            generator.choice(("NCHW", "NHWC")),
            generator.choice(("float32", "float32", "float64")),
        )
        is_inside = drawn.padding < min(drawn.kernel) and min(drawn.output_sizes) > 0
        if is_inside and np.prod(drawn.shape(drawn.output_sizes)) * np.prod(drawn.kernel) <= 1 << 21:
            return drawn


def draw(generator: random.Random, most: int = 1 << 24) -> Convolution:
    """Return a convolution of at most so many products."""
    while True:
        count = generator.choice((1, 2, 2, 2, 2, 3))
        layout = generator.choice((*LAYOUTS, "NCHW", "NHWC"))
        groups = generator.choice((1, 1, 1, 1, 2, 3, 8, 16, 32))
        inputs, outputs = (groups * round(2 ** generator.uniform(0, 7.5 if groups == 1 else 4)) for _ in range(2))
        if generator.random() < 0.2:
            groups = inputs
            outputs = inputs * generator.choice((1, 1, 1, 2))
        if layout == "NCHWc":
            groups, inputs, outputs = 1, -(-inputs // BLOCK) * BLOCK, -(-outputs // BLOCK) * BLOCK
        drawn = Convolution(
            generator.choice((1, 1, 2, 3)),
            inputs,
            outputs,
            tuple(round(2 ** generator.uniform(0, 7 if count < 3 else 4)) for _ in range(count)),
            tuple(generator.choice((1, 2, 3, 3, 5, 7)) for _ in range(count)),
            generator.choice((1, 1, 1, 2, 3)),
            generator.choice((0, 0, 1, 1, 2, 3)),
            generator.choice((1, 1, 1, 2)),
            groups,
            layout,
            generator.choice(("float32", "float32", "float32", "float64")),
        )
        if generator.random() < 0.2:
            drawn = replace(drawn, kernel=(1,) * count, padding=0)
        if min(drawn.output_sizes) > 0 and drawn.multiplications <= most:
            return drawn
