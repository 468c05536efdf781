"""Random graphs over images: convolutions, pooling, normalization, and what stands between them.

    image_text(random.Random(0))

`main` has the weights behind `num_input` parameters.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

#: batch, channels, rows, columns
Shape = tuple[int, ...]
_UNARY: Final = ("nn.relu", "tanh", "sigmoid", "negative", "nn.silu")
_BINARY: Final = ("add", "subtract", "multiply", "maximum")
_REDUCTIONS: Final = ("sum", "mean", "max", "variance")
#: elements of a tensor, at most
_LARGEST: Final = 400


@dataclass
class _Graph:
    """Bindings of `main`: its lines, its values, its weights."""

    rng: random.Random
    #: values of four axes -> shape
    images: dict[str, Shape]
    #: weight -> shape
    weights: dict[str, Shape] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)
    #: other values that can be returned
    others: list[str] = field(default_factory=list)

    def bind(self, expression: str, shape: Shape) -> str:
        name = f"v{len(self.lines)}"
        self.lines.append(f"{name} = {expression}")
        if len(shape) == 4:
            self.images[name] = shape
        else:
            self.others.append(name)
        return name

    def weight(self, shape: Shape) -> str:
        """Return a weight, perhaps one that is used already."""
        same = [name for name, other in self.weights.items() if other == shape]
        if same and self.rng.randrange(3) == 0:
            return self.rng.choice(same)
        name = f"w{len(self.weights)}"
        self.weights[name] = shape
        if self.rng.randrange(3) == 0:
            return self.emit(f"R.{self.rng.choice(_UNARY)}({name})")
        return name

    def emit(self, expression: str) -> str:
        """Bind a value that is no image."""
        name = f"v{len(self.lines)}"
        self.lines.append(f"{name} = {expression}")
        return name

    def image(self, fits: Callable[[Shape], bool] = lambda shape: True) -> str | None:
        """Choose an image, a recent one more often."""
        names = [name for name, shape in self.images.items() if fits(shape)]
        if not names:
            return None
        return self.rng.choice(names[-3:] if self.rng.randrange(2) else names)

    def step(self) -> None:
        """Add bindings of a random kind."""
        kinds: tuple[Callable[[str, Shape], None], ...] = (
            self.convolve, self.convolve, self.convolve, self.one, self.two, self.add_bias, self.pool, self.normalize,
            self.join, self.cut, self.reduce, self.permute, self.normalize_convolution,
        )  # fmt: skip
        name = self.image()
        assert name is not None
        self.rng.choice(kinds)(name, self.images[name])

    def convolve(self, name: str, shape: Shape) -> None:
        batch, channels, rows, columns = shape
        size, padding, stride = self.rng.choice((1, 3)), self.rng.randrange(2), self.rng.randint(1, 2)
        extents = [(extent + 2 * padding - size) // stride + 1 for extent in (rows, columns)]
        filters = self.rng.choice((2, 3, channels))
        groups = self.rng.choice((1, 1, channels))
        if groups == channels:
            filters = channels
        if min(extents) < 1 or filters > 6:
            return
        kernel = self.weight((filters, channels // groups, size, size))
        options = f"strides=[{stride}, {stride}], padding=[{padding}] * 4, groups={groups}"
        options = options.replace(f"[{padding}] * 4", str([padding] * 4))
        result = self.bind(f"R.nn.conv2d({name}, {kernel}, {options})", (batch, filters, *extents))
        if self.rng.randrange(3) == 0:
            self.normalize_batch(result, self.images[result])

    def one(self, name: str, shape: Shape) -> None:
        self.bind(f"R.{self.rng.choice(_UNARY)}({name})", shape)

    def two(self, name: str, shape: Shape) -> None:
        other = self.image(lambda each: each == shape)
        self.bind(f"R.{self.rng.choice(_BINARY)}({name}, {other})", shape)

    def add_bias(self, name: str, shape: Shape) -> None:
        bias = self.weight(self.rng.choice(((1, shape[1], 1, 1), (shape[1], 1, 1), (1, 1, 1, shape[3]), (shape[3],))))
        pair = [name, bias]
        self.rng.shuffle(pair)
        self.bind(f"R.{self.rng.choice(_BINARY)}({pair[0]}, {pair[1]})", shape)

    def pool(self, name: str, shape: Shape) -> None:
        if min(shape[2:]) < 2:
            return
        kind = self.rng.choice(("max_pool2d", "avg_pool2d", "adaptive_avg_pool2d"))
        if kind == "adaptive_avg_pool2d":
            self.bind(f"R.nn.{kind}({name}, output_size=[1, 2])", (*shape[:2], 1, 2))
            return
        extents = [(extent - 2) // 2 + 1 for extent in shape[2:]]
        self.bind(f"R.nn.{kind}({name}, pool_size=[2, 2], strides=[2, 2])", (*shape[:2], *extents))

    def normalize(self, name: str, shape: Shape) -> None:
        if self.rng.randrange(2):
            self.bind(f"R.nn.softmax({name}, axis={self.rng.randrange(-4, 4)})", shape)
        else:
            self.normalize_batch(name, shape)

    def normalize_batch(self, name: str, shape: Shape) -> None:
        """Normalize; the variance is a square, so that its root is there."""
        gamma, beta, mean, deviation = (self.weight((shape[1],)) for _ in range(4))
        variance = self.emit(f"R.multiply({deviation}, {deviation})")
        both = self.emit(
            f"R.nn.batch_norm({name}, {gamma}, {beta}, {mean}, {variance}, axis=1, epsilon=0.1, training=False)"
        )
        self.bind(f"{both}[0]", shape)

    def normalize_convolution(self, name: str, shape: Shape) -> None:
        """Normalize a convolution that nothing else uses, with numbers for all weights, as importers write it."""
        batch, channels, rows, columns = shape
        filters, is_free = self.rng.choice((1, 2, 3)), self.rng.randrange(2) == 0
        kernel = f'R.const({self.numbers((filters, channels, 1, 1), -2)}, "float32")'
        convolution = self.emit(f"R.nn.conv2d({name}, {kernel})")
        gamma, beta, mean, variance = (
            f'R.const({self.numbers((filters,), low)}, "float32")' for low in (-2, -2, -2, 1)
        )
        epsilon = self.rng.choice((0.5, 0.25, 0.75))
        options = f", center={self.rng.randrange(2) == 0}, scale={self.rng.randrange(2) == 0}" if is_free else ""
        statistics = f"{gamma}, {beta}, {mean}, {variance}, axis=1, epsilon={epsilon}{options}, training=False"
        both = self.emit(f"R.nn.batch_norm({convolution}, {statistics})")
        self.bind(f"{both}[0]", (batch, filters, rows, columns))

    def numbers(self, shape: Shape, low: int) -> str:
        """Write nested lists of multiples of 1/4 up to 2."""
        if not shape:
            return str(self.rng.randint(4 * low, 8) / 4)
        return f"[{', '.join([self.numbers(shape[1:], low) for _ in range(shape[0])])}]"

    def join(self, name: str, shape: Shape) -> None:
        axis = self.rng.randrange(4)
        rest = (*shape[:axis], *shape[axis + 1 :])
        other = self.image(lambda each: (*each[:axis], *each[axis + 1 :]) == rest)
        assert other is not None
        extent = shape[axis] + self.images[other][axis]
        if extent < 9:
            joined = (*shape[:axis], extent, *shape[axis + 1 :])
            self.bind(f"R.concat(({name}, {other}), axis={axis - 4 * self.rng.randrange(2)})", joined)

    def cut(self, name: str, shape: Shape) -> None:
        axes = [axis for axis, extent in enumerate(shape) if extent > 1]
        if not axes:
            return
        axis = self.rng.choice(axes)
        place = self.rng.randrange(1, shape[axis])
        both = self.emit(f"R.split({name}, indices_or_sections=[{place}], axis={axis})")
        index = self.rng.randrange(2)
        extent = (place, shape[axis] - place)[index]
        self.bind(f"{both}[{index}]", (*shape[:axis], extent, *shape[axis + 1 :]))

    def reduce(self, name: str, shape: Shape) -> None:
        axes = self.rng.sample(range(4), self.rng.randint(1, 2))
        is_kept = self.rng.randrange(3) > 0
        reduced = [1 if axis in axes else extent for axis, extent in enumerate(shape)]
        if not is_kept:
            reduced = [extent for axis, extent in enumerate(shape) if axis not in axes]
        kind = self.rng.choice(_REDUCTIONS)
        self.bind(f"R.{kind}({name}, axis={axes}, keepdims={is_kept})", tuple(reduced))

    def permute(self, name: str, shape: Shape) -> None:
        axes = self.rng.sample(range(4), 4)
        self.bind(f"R.permute_dims({name}, axes={axes})", tuple(shape[axis] for axis in axes))


def image_text(rng: random.Random, most: int = 8) -> str:
    """Write a module. `main` returns one to three of its values."""
    shape = (rng.randint(1, 2), rng.randint(2, 3), rng.randint(4, 6), rng.randint(4, 6))
    graph = _Graph(rng, {"x": shape})
    graph.convolve("x", shape)
    for _ in range(rng.randint(1, most)):
        graph.step()
    graph.one(*list(graph.images.items())[-1])
    own = [name for name in graph.images if name != "x"]
    results = rng.sample(own[-3:], rng.randint(1, min(2, len(own)))) + rng.sample(
        graph.others, min(1, len(graph.others))
    )
    params = {"x": shape, **graph.weights}
    declared = ", ".join(f'{name}: R.Tensor({extents}, "float32")' for name, extents in params.items())
    lines = [
        f"    def main({declared}):",
        '        R.func_attr({"num_input": 1})',
        "        with R.dataflow():",
        *(f"            {line}" for line in graph.lines),
        f"            R.output({', '.join(results)})",
        f"        return {results[0] if len(results) == 1 else '(' + ', '.join(results) + ')'}",
    ]
    return "@I.ir_module\nclass Module:\n    @R.function\n" + "\n".join(lines) + "\n"
