"""Random graph modules of small tensors that run: the text of a module with the functions `helper` and `main`.

    program_text(random.Random(0))

They have what graph passes rewrite: equal and unused values, copies, tuples, sums as factors, products with one factor,
permuted tensors that are concatenated, weights, calls of functions with unused parameters and results, conditionals.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

Shape = tuple[int, ...]
#: a parameter: a tensor, or a tuple of tensors
Param = Shape | list[Shape]

#: operators of one tensor that are smooth
SMOOTH: Final = ("exp", "sin", "cos", "negative", "sigmoid", "tanh", "nn.silu")
_OTHERS: Final = ("nn.relu", "abs", "nn.gelu", "square")
_BINARY: Final = ("add", "subtract", "multiply", "maximum", "minimum")
_REDUCTIONS: Final = ("sum", "mean", "max", "min", "variance")
#: shapes of parameters
_SHAPES: Final[tuple[Shape, ...]] = ((2, 3), (3, 4), (2, 4), (3,), (4,), (1, 3), (2, 3, 4))


@dataclass
class _Body:
    """Bindings of a function: its lines, and its values by name."""

    rng: random.Random
    #: tensors that can be used -> shape
    tensors: dict[str, Shape] = field(default_factory=dict)
    #: tuples that can be used -> shapes of their fields
    tuples: dict[str, list[Shape]] = field(default_factory=dict)
    #: (variable, expression), in order
    bindings: list[tuple[str, str]] = field(default_factory=list)
    #: functions of the module that can be called: name -> (shapes of parameters, shapes of results)
    callees: dict[str, tuple[list[Param], list[Shape]]] = field(default_factory=dict)
    #: operators of one tensor
    unary: Sequence[str] = SMOOTH + _OTHERS
    reductions: Sequence[str] = _REDUCTIONS
    norms: Sequence[str] = ("softmax", "log_softmax", "layer_norm")
    prefix: str = "v"

    def bind(self, expression: str, shape: Shape) -> str:
        name = f"{self.prefix}{len(self.bindings)}"
        self.bindings.append((name, expression))
        self.tensors[name] = shape
        return name

    def bind_tuple(self, expression: str, shapes: list[Shape]) -> str:
        name = f"{self.prefix}{len(self.bindings)}"
        self.bindings.append((name, expression))
        self.tuples[name] = shapes
        return name

    def tensor(self, fits: Callable[[Shape], bool] = lambda shape: True) -> str | None:
        """Choose a tensor, a recent one more often."""
        names = [name for name, shape in self.tensors.items() if fits(shape)]
        if not names:
            return None
        return self.rng.choice(names[-4:] if self.rng.randrange(2) else names)

    def step(self) -> None:
        """Add bindings of a random kind."""
        kinds: list[Callable[[], None]] = [
            self.one, self.one, self.two, self.two, self.with_constant, self.reduce, self.move_axes, self.reshape,
            self.product, self.product_of_sum, self.products, self.join, self.join_permuted, self.cut, self.pack,
            self.item, self.again, self.again, self.again, self.copy, self.choose, self.take, self.normalize, self.call,
            self.fold, self.fold, self.product_of_sum, *[self.call] * 4 * bool(self.callees),
        ]  # fmt: skip
        self.rng.choice(kinds)()

    def one(self) -> None:
        name = self.tensor()
        assert name is not None
        self.bind(f"R.{self.rng.choice(self.unary)}({name})", self.tensors[name])

    def two(self) -> None:
        name = self.tensor()
        assert name is not None
        shape = self.tensors[name]
        other = self.tensor(lambda other: len(other) <= len(shape) and _fits(shape, other))
        pair = [name, other]
        self.rng.shuffle(pair)
        self.bind(f"R.{self.rng.choice(_BINARY)}({pair[0]}, {pair[1]})", shape)

    def with_constant(self) -> None:
        name = self.tensor()
        number = self.rng.choice((0.5, 2.0, -1.0, 1.5))
        pair = [str(name), f'R.const({number}, "float32")']
        self.rng.shuffle(pair)
        assert name is not None
        self.bind(f"R.{self.rng.choice(_BINARY)}({pair[0]}, {pair[1]})", self.tensors[name])

    def fold(self) -> None:
        """A value of constants alone, and a product with it; kernels have scalars in them, so they are tensors."""
        name = self.tensor(lambda shape: len(shape) > 0)
        if name is None:
            return
        shape = self.tensors[name]
        numbers = [[self.rng.choice((0.5, 2.0, 3.0)) for _ in range(shape[-1])] for _ in range(2)]
        a, b = (f'R.const({each}, "float32")' for each in numbers)
        value = self.bind(f"R.{self.rng.choice(('subtract', 'power'))}({a}, {b})", shape[-1:])
        self.bind(f"R.multiply({name}, {value})", shape)

    def reduce(self) -> None:
        name = self.tensor(lambda shape: len(shape) > 0)
        if name is None:
            return
        shape = self.tensors[name]
        axis, keepdims = self.rng.randrange(len(shape)), self.rng.random() < 0.5
        rest = [1] if keepdims else []
        reduced = (*shape[:axis], *rest, *shape[axis + 1 :])
        reduction = self.rng.choice(self.reductions)
        self.bind(f"R.{reduction}({name}, axis=[{axis}], keepdims={keepdims})", reduced)

    def move_axes(self) -> None:
        name = self.tensor(lambda shape: len(shape) > 1)
        if name is None:
            return
        shape = self.tensors[name]
        axes = list(range(len(shape)))
        if self.rng.randrange(2):
            axes = axes[1:] + axes[:1]  # from three axes on, it is not its own inverse
        else:
            self.rng.shuffle(axes)
        self.bind(f"R.permute_dims({name}, axes={axes})", tuple(shape[axis] for axis in axes))

    def reshape(self) -> None:
        name = self.tensor()
        assert name is not None
        shape = self.tensors[name]
        kind = self.rng.randrange(4)
        if kind == 0 and shape:
            count = 1
            for extent in shape:
                count *= extent
            self.bind(f"R.reshape({name}, R.shape([{count}]))", (count,))
        elif kind == 1:
            axis = self.rng.randrange(len(shape) + 1)
            self.bind(f"R.expand_dims({name}, axis=[{axis}])", (*shape[:axis], 1, *shape[axis:]))
        elif kind == 2:
            self.bind(f"R.broadcast_to({name}, R.shape([2, {_text(shape)}]))", (2, *shape))
        elif len(shape) > 1:
            self.bind(f"R.reshape({name}, R.shape([{_text(shape[::-1])}]))", shape[::-1])

    def product(self) -> None:
        left = self.tensor(lambda shape: len(shape) >= 2)
        if left is None:
            return
        inner = self.tensors[left][-1]
        right = self.tensor(lambda shape: len(shape) == 2 and shape[0] == inner)
        if right is not None:
            self.bind(f"R.matmul({left}, {right})", (*self.tensors[left][:-1], self.tensors[right][1]))

    def product_of_sum(self) -> None:
        """A product with a sum, and a product of a product."""
        left = self.tensor(lambda shape: len(shape) == 2)
        if left is None:
            return
        inner = self.tensors[left][-1]
        right = self.tensor(lambda shape: len(shape) == 2 and shape[0] == inner)
        if right is None:
            return
        shape = self.tensors[right]
        other = self.bind(f"R.{self.rng.choice(self.unary)}({right})", shape)
        total = self.bind(f"R.add({right}, {other})", shape)
        self.bind(f"R.matmul({left}, {total})", (self.tensors[left][0], shape[1]))

    def products(self) -> None:
        """Products with one factor in common."""
        left = self.tensor(lambda shape: len(shape) == 2)
        if left is None:
            return
        inner = self.tensors[left][-1]
        for _ in range(2):
            right = self.tensor(lambda shape: len(shape) == 2 and shape[0] == inner)
            if right is not None:
                self.bind(f"R.matmul({left}, {right})", (self.tensors[left][0], self.tensors[right][1]))

    def join(self) -> None:
        name = self.tensor(lambda shape: len(shape) > 0)
        if name is None:
            return
        shape = self.tensors[name]
        axis = self.rng.randrange(len(shape))
        others = [
            str(self.tensor(lambda other: len(other) == len(shape) and _without(other, axis) == _without(shape, axis)))
            for _ in range(self.rng.randint(1, 2))
        ]
        extent = shape[axis] + sum(self.tensors[other][axis] for other in others)
        joined = (*shape[:axis], extent, *shape[axis + 1 :])
        if extent < 16:
            self.bind(f"R.concat(({', '.join([name, *others])}), axis={axis})", joined)

    def join_permuted(self) -> None:
        """A concatenation of tensors whose axes are permuted alike."""
        name = self.tensor(lambda shape: len(shape) == 2)
        if name is None:
            return
        shape = self.tensors[name]
        other = self.tensor(lambda each: len(each) == 2 and each[1] == shape[1])
        assert other is not None
        first = self.bind(f"R.permute_dims({name}, axes=[1, 0])", shape[::-1])
        second = self.bind(f"R.permute_dims({other}, axes=[1, 0])", self.tensors[other][::-1])
        extent = shape[0] + self.tensors[other][0]
        if extent < 16:
            self.bind(f"R.concat(({first}, {second}), axis=1)", (shape[1], extent))

    def cut(self) -> None:
        name = self.tensor(lambda shape: any(extent > 1 for extent in shape))
        if name is None:
            return
        shape = self.tensors[name]
        axis = self.rng.choice([at for at, extent in enumerate(shape) if extent > 1])
        at = self.rng.randint(1, shape[axis] - 1)
        shapes = [(*shape[:axis], extent, *shape[axis + 1 :]) for extent in (at, shape[axis] - at)]
        both = self.bind_tuple(f"R.split({name}, indices_or_sections=[{at}], axis={axis})", shapes)
        for index in self.rng.sample((0, 1), self.rng.randint(1, 2)):
            self.bind(f"{both}[{index}]", shapes[index])

    def pack(self) -> None:
        names = [str(self.tensor()) for _ in range(self.rng.randint(1, 3))]
        self.bind_tuple(f"({', '.join(names)},)", [self.tensors[name] for name in names])
        if self.rng.randrange(2):
            self.item()

    def item(self) -> None:
        """An item of a tuple, and an operator of it, which fusion takes together."""
        if self.tuples:
            name = self.rng.choice(list(self.tuples))
            index = self.rng.randrange(len(self.tuples[name]))
            shape = self.tuples[name][index]
            self.bind(f"R.{self.rng.choice(self.unary)}({self.bind(f'{name}[{index}]', shape)})", shape)

    def again(self) -> None:
        """An expression that is there already."""
        tensor_bindings = [(name, expression) for name, expression in self.bindings if name in self.tensors]
        if tensor_bindings:
            name, expression = self.rng.choice(tensor_bindings)
            self.bind(expression, self.tensors[name])

    def copy(self) -> None:
        name = self.tensor()
        assert name is not None
        self.bind(name, self.tensors[name])

    def choose(self) -> None:
        name = self.tensor()
        assert name is not None
        shape = self.tensors[name]
        other = self.tensor(lambda each: each == shape)
        question = f"{self.prefix}{len(self.bindings)}"
        self.bindings.append((question, f"R.{self.rng.choice(('less', 'greater_equal'))}({name}, {other})"))
        self.bind(f"R.where({question}, {other}, {name})", shape)

    def take(self) -> None:
        name = self.tensor(lambda shape: len(shape) > 1)
        if name is None:
            return
        shape = self.tensors[name]
        axis = self.rng.randrange(len(shape))
        self.bind(f"R.take({name}, ix, axis={axis})", (*shape[:axis], 2, *shape[axis + 1 :]))

    def normalize(self) -> None:
        name = self.tensor(lambda shape: len(shape) > 1)
        if name is None:
            return
        shape = self.tensors[name]
        kind = self.rng.choice(self.norms)
        last = shape[-1]
        if kind in ("softmax", "log_softmax"):
            self.bind(f"R.nn.{kind}({name}, axis={self.rng.randrange(-1, len(shape))})", shape)
            return
        gamma, beta = (self.tensor(lambda each: each == (last,)) for _ in range(2))
        if gamma is None:
            return
        self.bind(f"R.nn.layer_norm({name}, {gamma}, {beta}, axes=[-1])", shape)

    def call(self) -> None:
        if not self.callees:
            return
        callee = self.rng.choice(list(self.callees))
        params, results = self.callees[callee]
        args = [self.argument(param) for param in params]
        if None in args:
            return
        expression = f"cls.{callee}({', '.join(map(str, args))}, ix)"
        if len(results) == 1:
            self.bind(expression, results[0])
            return
        self.bind_tuple(expression, results)
        self.item()

    def argument(self, param: Param) -> str | None:
        """Choose a value for a parameter, None where there is none."""
        if not isinstance(param, list):
            return self.tensor(lambda shape: shape == param)
        fields = [self.argument(field) for field in param]
        return None if None in fields else f"({', '.join(map(str, fields))},)"


def _fits(shape: Shape, other: Shape) -> bool:
    """Whether the second shape broadcasts to the first."""
    return all(b in (a, 1) for a, b in zip(reversed(shape), reversed(other), strict=False))


def _without(shape: Shape, axis: int) -> Shape:
    return (*shape[:axis], *shape[axis + 1 :])


def _text(shape: Shape) -> str:
    return ", ".join(map(str, shape)) + ("," if len(shape) == 1 else "")


def _info(shape: Param) -> str:
    if isinstance(shape, list):
        return f"R.Tuple({', '.join(map(_info, shape))})"
    return f'R.Tensor(({_text(shape)}), "float32")'


def program_text(rng: random.Random, most: int = 14) -> str:
    """Write a module. `main` returns some of its values; it may have weights behind `num_input` parameters."""
    callees: dict[str, tuple[list[Param], list[Shape]]] = {}
    functions: list[str] = []
    if rng.randrange(2):
        helper = _Body(rng, {f"p{at}": shape for at, shape in enumerate(rng.sample(_SHAPES, rng.randint(1, 2)))})
        helper.prefix = "h"
        if rng.randrange(2):
            helper.tuples["t"] = rng.sample(_SHAPES, 2)
        params: dict[str, Param] = {**helper.tensors, **helper.tuples}
        helper.item()
        for _ in range(rng.randint(1, 4)):
            helper.step()
        helper.one()
        results = _results(helper, rng.randint(1, 2))
        callees["helper"] = (list(params.values()), [helper.tensors[name] for name in results])
        functions.append(_function("helper", params, helper, results, True, rng))
    main = _Body(rng, {f"x{at}": shape for at, shape in enumerate(_SHAPES) if rng.random() < 0.6}, callees=callees)
    main.tensors.setdefault("x0", (2, 3))
    params = {**main.tensors}
    for _ in range(rng.randint(2, most)):
        main.step()
    main.one()
    functions.append(_function("main", params, main, _results(main, rng.randint(1, 3)), False, rng))
    return "@I.ir_module\nclass Module:\n" + "\n\n".join(functions) + "\n"


def scalar_text(rng: random.Random, most: int = 8) -> str:
    """Write a module whose `main` returns a float scalar, a smooth function of its parameters, for gradients."""
    tensors: dict[str, Shape] = {"x0": (2, 3), "x1": (3, 2), "x2": (3,)}
    if rng.randrange(2):
        tensors["x3"] = (2, 3, 4)
    main = _Body(rng, tensors, unary=(*SMOOTH, "grad.start_checkpoint", "grad.end_checkpoint"))
    main.reductions, main.norms = ("sum", "mean", "variance"), ("softmax", "log_softmax")
    params: dict[str, Param] = {**main.tensors}
    steps = [
        main.one, main.two, main.with_constant, main.reduce, main.move_axes, main.reshape, main.product, main.products,
        main.join, main.cut, main.pack, main.item, main.copy, main.take, main.choose, main.normalize,
    ]  # fmt: skip
    for _ in range(rng.randint(2, most)):
        rng.choice(steps)()
    if rng.randrange(2):
        main.one()  # kinds with many operators are rare: each operator shall have its turn
    if rng.randrange(2):
        main.two()
    used = [name for name in main.tensors if name not in params] or list(params)
    parts = [main.bind(f"R.sum({name})", ()) for name in rng.sample(used, min(len(used), rng.randint(1, 3)))]
    total = parts[0]
    for part in parts[1:]:
        total = main.bind(f"R.add({total}, {part})", ())
    return "@I.ir_module\nclass Module:\n" + _function("main", params, main, [total], False, rng, whole=True) + "\n"


def _results(body: _Body, count: int) -> list[str]:
    own = [name for name, _ in body.bindings if name in body.tensors] or list(body.tensors)
    return [body.rng.choice(own[-3:] if body.rng.randrange(2) else own) for _ in range(count)]


def _function(
    name: str,
    params: dict[str, Param],
    body: _Body,
    results: list[str],
    is_private: bool,
    rng: random.Random,
    whole: bool = False,
) -> str:
    """Write a function. Its bindings stand in dataflow blocks and plain ones; `whole`: in one dataflow block."""
    declared = [f"{param}: {_info(shape)}" for param, shape in params.items()] + ['ix: R.Tensor((2,), "int64")']
    lines = ["    @R.function(private=True)" if is_private else "    @R.function"]
    lines.append(f"    def {name}({', '.join(declared)}):")
    lines.append("        cls = Module")
    attrs = rng.randrange(3) if not is_private and not whole else 1
    if attrs == 0:
        lines.append(f'        R.func_attr({{"num_input": {rng.randint(0, len(params))}}})')
    count = len(body.bindings)
    ends = [count] if whole else sorted({*rng.choices(range(1, count + 1), k=3), count})
    start = 0
    for end in ends:
        part = body.bindings[start:end]
        rest = " ".join([expression for _, expression in body.bindings[end:]] + results)
        words = set(rest.replace("(", " ").replace(")", " ").replace(",", " ").replace("[", " ").split())
        if whole or rng.randrange(3):
            outputs = [variable for variable, _ in part if variable in words] or [part[-1][0]]
            lines.append("        with R.dataflow():")
            lines += [f"            {variable} = {expression}" for variable, expression in part]
            lines.append(f"            R.output({', '.join(outputs)})")
        else:
            lines += [f"        {variable} = {expression}" for variable, expression in part]
        start = end
    lines.append(f"        return {results[0] if len(results) == 1 else '(' + ', '.join(results) + ')'}")
    return "\n".join(lines)
