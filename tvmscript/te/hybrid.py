"""Hybrid functions: TVM's `te.hybrid`. `@te.hybrid.script` makes operations of Python functions with loops."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tvmscript import driver
from tvmscript.ir.core.span import Source
from tvmscript.ir.te.construct import placeholder
from tvmscript.ir.te.schedule.hybrid_source import hybrid_source
from tvmscript.ir.te.schedule.schedule import Schedule, create_schedule
from tvmscript.ir.te.tensor import Tensor
from tvmscript.parser.hybrid import parse_hybrid
from tvmscript.parser.names.namespace import NotDecoratable
from tvmscript.parser.source.closure import Closure, capture_names
from tvmscript.parser.source.lookup import source_of
from tvmscript.parser.source.tree import SourceTree

__all__ = ["HybridFunction", "HybridModule", "build", "script"]


class HybridFunction:
    """A hybrid function. Called with tensors it returns tensors; called with arrays it runs in the interpreter."""

    def __init__(self, tree: SourceTree, captured: Callable[[], Closure]) -> None:
        self.tree = tree
        self._captured = captured

    @property
    def __name__(self) -> str:
        return str(getattr(self.tree.definition, "name", ""))

    def __call__(self, *args: Any) -> Any:
        """Return the output, or a list of several; of arrays a tuple. Raises `DiagnosticError`."""
        if any(hasattr(arg, "__array__") or hasattr(arg, "numpy") for arg in args):
            return self._run(args)
        op = parse_hybrid(self.tree, self._captured(), args)
        return op.outputs[0] if len(op.outputs) == 1 else list(op.outputs)

    def _run(self, args: Sequence[Any]) -> Any:
        """Compute the outputs for arrays."""
        arrays: list[Any] = []
        inputs: list[Tensor] = []
        formal = list(args)
        for place, arg in enumerate(args):
            if not isinstance(arg, (int, float, tuple, list)):
                arrays.append(np.asarray(arg.numpy() if hasattr(arg, "numpy") else arg))
                inputs.append(placeholder(arrays[-1].shape, str(arrays[-1].dtype), f"arg{place}"))
                formal[place] = inputs[-1]
        outputs = self(*formal)
        tensors: list[Tensor] = outputs if isinstance(outputs, list) else [outputs]
        shapes: list[Any] = [tensor.shape for tensor in tensors]
        results = [
            np.zeros([int(size) for size in shape], str(tensor.dtype))
            for shape, tensor in zip(shapes, tensors, strict=True)
        ]
        driver.build(create_schedule(tensors[0].op), [*inputs, *tensors], "interp")(*arrays, *results)
        return results[0] if len(results) == 1 else tuple(results)

    def __repr__(self) -> str:
        return f"<hybrid function {self.__name__}>"


def script(pyfunc: Callable[..., Any]) -> HybridFunction:
    """Decorate a hybrid function. Its source is read, and never executed. Raises `NotDecoratable`, `NoSource`."""
    if not inspect.isfunction(pyfunc):
        raise NotDecoratable(name="te.hybrid.script", expected="a Python function", got=repr(pyfunc))
    current = inspect.currentframe()
    tree = source_of(pyfunc, None if current is None else current.f_back)
    return HybridFunction(tree, lambda: capture_names(pyfunc, None))


class HybridModule:
    """A hybrid function as text: `get_source()`, `save(path)`, `load(path)`; called with arrays it runs."""

    def __init__(self, src: str | None = None, name: str | None = None) -> None:
        self.src_ = src
        self.name = name
        self.func_ = None if src is None else _read(src, "<hybrid>")

    def __call__(self, *args: Any) -> Any:
        """Call the function. Raises `NotDecoratable` where none is loaded."""
        return self._function()(*args)

    def _function(self) -> HybridFunction:
        if self.func_ is None:
            raise NotDecoratable(name="HybridModule", expected="the text of a function", got="none")
        return self.func_

    def get_source(self) -> str:
        """Return the text."""
        self._function()
        return self.src_ or ""

    def save(self, path: str) -> None:
        """Write the text to a file."""
        Path(path).write_text(self.get_source(), "utf-8")

    def load(self, path: str) -> None:
        """Read the text of a file, without executing it."""
        self.src_ = Path(path).read_text("utf-8")
        self.func_ = _read(self.src_, path)
        self.name = self.name or self.func_.__name__


def _read(text: str, path: str) -> HybridFunction:
    """Return the first function of a text. Raises `InvalidSyntax`, `NotDecoratable`."""
    tree = SourceTree(Source(text, path))
    functions = [node for node in tree.tree.body if isinstance(node, ast.FunctionDef)]
    if not functions:
        raise NotDecoratable(name="HybridModule", expected="the text of a function", got=repr(text[:40]))
    part = tree.part([functions[0]], 1, len(tree.source.lines))
    return HybridFunction(part, lambda: Closure({}, {}))


def build(
    sch: Schedule, inputs: Sequence[Tensor], outputs: Sequence[Tensor], name: str = "hybrid_func"
) -> HybridModule:
    """Return a schedule as a hybrid function. Raises `InvalidSchedule` for what hybrid functions do not have."""
    return HybridModule("import tvm\n" + hybrid_source(sch, inputs, outputs, name), name)
