"""Functions inside of functions, with values of the outside: lifted or not, they compute what Python's closures do."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from tvmscript import graph_build
from tvmscript.fuzz.errors import LevelsDisagree
from tvmscript.fuzz.observing import observe
from tvmscript.ir.core import IRModule
from tvmscript.ir.relax.verify import verify
from tvmscript.ir.transform.registry import get_pass
from tvmscript.parser import from_source
from tvmscript.testing.round_trip import check_round_trip

#: the pass that such programs are drawn for
LAMBDA_LIFT: Final = "relax.LambdaLift"
_OPERATORS: Final[Mapping[str, Callable[[Any, Any], Any]]] = {
    "add": np.add, "subtract": np.subtract, "multiply": np.multiply, "maximum": np.maximum,
}  # fmt: skip
_SHAPE: Final = (2, 3)
_INFO: Final = f'R.Tensor({_SHAPE}, "float32")'
Values = Mapping[str, Any]


@dataclass(frozen=True)
class Closures:
    """A program that the seed draws."""

    seed: int


class _Writer:
    """The lines of a function, each with what it computes."""

    def __init__(self, rng: random.Random, tensors: Sequence[str], callees: Mapping[str, int], depth: int) -> None:
        self.rng = rng
        self.tensors = list(tensors)
        #: function -> number of parameters
        self.callees = dict(callees)
        self.depth = depth
        self.lines: list[str] = []
        self.bindings: list[tuple[str, Callable[[Values], Any]]] = []

    def name(self) -> str:
        return f"v{self.depth}{self.rng.getrandbits(24):x}"

    def fill(self, count: int) -> None:
        for _ in range(count):
            kind = self.rng.randrange(4)
            if kind == 0 and self.depth < 2:
                self.define()
            elif kind == 1 and self.callees:
                self.call(self.rng.choice(list(self.callees)))
            else:
                self.combine()

    def combine(self) -> None:
        name, operator = self.name(), self.rng.choice(list(_OPERATORS))
        left, right = (self.rng.choice(self.tensors) for _ in range(2))
        function = _OPERATORS[operator]
        self.lines.append(f"{name} = R.{operator}({left}, {right})")
        self.bindings.append((name, lambda values: function(values[left], values[right])))
        self.tensors.append(name)

    def define(self) -> None:
        """Define a function, which may use all that is around, and call it."""
        name, params = self.name(), [self.name() for _ in range(self.rng.randint(1, 2))]
        inner = _Writer(self.rng, [*self.tensors, *params], self.callees, self.depth + 1)
        inner.fill(self.rng.randint(1, 3))
        inner.combine()
        declared = ", ".join(f"{param}: {_INFO}" for param in params)
        body = [*inner.lines, f"return {inner.tensors[-1]}"]
        self.lines += ["@R.function", f"def {name}({declared}) -> {_INFO}:", *(f"    {line}" for line in body)]

        def closure(values: Values) -> Any:
            return lambda *given: inner.run({**values, **dict(zip(params, given, strict=True))})

        self.bindings.append((name, closure))
        self.callees[name] = len(params)
        self.call(name)

    def call(self, callee: str) -> None:
        name, operands = self.name(), [self.rng.choice(self.tensors) for _ in range(self.callees[callee])]
        self.lines.append(f"{name} = {callee}({', '.join(operands)})")
        self.bindings.append((name, lambda values: values[callee](*(values[each] for each in operands))))
        self.tensors.append(name)

    def run(self, values: Values) -> Any:
        """Return the last value, of Python's closures."""
        own = dict(values)
        for name, compute in self.bindings:
            own[name] = compute(own)
        return own[self.tensors[-1]]


def check_closures(example: Closures) -> None:
    """Raises `LevelsDisagree`; propagates other errors."""
    writer = _Writer(random.Random(example.seed), ["x", "y"], {}, 0)
    writer.fill(2)
    writer.define()
    lines = ["@R.function", f"def main(x: {_INFO}, y: {_INFO}):", *(f"    {line}" for line in writer.lines)]
    body = "\n".join(f"    {line}" for line in [*lines, f"    return {writer.tensors[-1]}"])
    mod: IRModule = from_source(f"@I.ir_module\nclass Module:\n{body}\n")
    numbers = np.random.default_rng(example.seed)
    arrays = [np.asarray(numbers.integers(-2, 3, _SHAPE), "float32") for _ in range(2)]
    with np.errstate(all="ignore"):
        expected = writer.run(dict(zip("xy", arrays, strict=True)))
    lifted = get_pass(LAMBDA_LIFT)(mod)
    observe(LAMBDA_LIFT, lifted.script)
    verify(lifted)
    check_round_trip(lifted, f"the result of {LAMBDA_LIFT}")
    for name, each, pipeline in (("the graph", mod, _keep), (LAMBDA_LIFT, lifted, _keep), ("relax.build", mod, None)):
        options: dict[str, Any] = {} if pipeline is None else {"pipeline": pipeline}
        executable = graph_build.build(each, "interp", exec_mode="bytecode", **options)
        with np.errstate(all="ignore"):
            result: Any = executable.functions["main"](*(array.copy() for array in arrays))
        value = result.numpy()
        wrong = ~np.isclose(value, expected, 1e-5, 1e-5, equal_nan=True)
        for index in np.argwhere(wrong)[:1]:
            at = tuple(index)
            raise LevelsDisagree(
                name=name, other="Python", buffer="", index=[*map(int, at)], before=expected[at], after=value[at]
            )


def _keep(mod: IRModule) -> IRModule:
    return mod
