"""What TVM registers or ships as TVMScript: tensor intrinsics, and every function that its own Python files decorate."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import textwrap
from collections.abc import Callable
from typing import Any

import tvm
from store import Store
from tvm.script import tir as T

#: Modules whose import decorates functions.
SHIPPED = [
    "tvm.tir.tensor_intrin.x86",
    "tvm.tir.tensor_intrin.arm_cpu",
    "tvm.tir.tensor_intrin.cuda",
    "tvm.tir.tensor_intrin.rocm",
    "tvm.tir.tensor_intrin.hip",
    "tvm.tir.tensor_intrin.hexagon",
    "tvm.tir.tensor_intrin.dot_product_common",
    "tvm.utils.roofline.cuda",
    "tvm.utils.roofline.x86",
]


class Collector:
    """Stands in for `T.prim_func`: keeps the text of each decorated function with the values that it captures."""

    def __init__(self, store: Store, original: Any) -> None:
        self.store, self.original = store, original

    def __call__(self, func: Any = None, private: bool = False, check_well_formed: bool = True) -> Any:
        if func is None:
            return lambda inner: self(inner, private, check_well_formed)
        made = self.original(func, private=private, check_well_formed=check_well_formed)
        self.keep(func, made)
        return made

    def keep(self, func: Callable[..., Any], made: Any) -> None:
        """Write the text down where it needs nothing but plain values around it."""
        text = textwrap.dedent(inspect.getsource(func))
        used = {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}
        captured = inspect.getclosurevars(func)
        values = {name: value for name, value in {**captured.globals, **captured.nonlocals}.items() if name in used}
        plain = {name: value for name, value in values.items() if is_plain(value)}
        if set(values) - set(plain) - {"T", "tir", "I", "tvm"}:
            return
        heading = "".join(f"{name} = {value!r}\n" for name, value in sorted(plain.items()))
        self.store.source("shipped-source", func.__name__, heading + text, made)


def is_plain(value: Any) -> bool:
    """Whether a value can be written as a literal."""
    if isinstance(value, list | tuple):
        return all(is_plain(item) for item in value)
    return isinstance(value, bool | int | float | str)


def collect(store: Store) -> None:
    """Import the shipped modules with the collector in place, and call what makes functions."""
    T.prim_func = Collector(store, T.prim_func)
    T.prim_func.dispatch_token = "tir"
    try:
        for name in SHIPPED:
            try:
                importlib.reload(importlib.import_module(name))
            except Exception as error:  # noqa: BLE001  # whatever TVM raises is an answer
                store.failures.append(f"shipped/{name}: {error}"[:200])
        for name, make in makers():
            store.attempt("shipped", name, make)
    finally:
        T.prim_func = T.prim_func.original


def makers() -> list[tuple[str, Callable[[], Any]]]:
    """Functions that return functions, with arguments."""
    cumsum = importlib.import_module("tvm.relax.backend_tir.cumsum")
    return [
        (f"cumsum-{dtype}", lambda d=dtype: cumsum.gpu_2d_continuous_cumsum(in_dtype=d))
        for dtype in ("float32", "int32")
    ]


def registered(store: Store) -> None:
    """Descriptions and implementations of the tensor intrinsics."""
    for info in pkgutil.iter_modules(importlib.import_module("tvm.tir.tensor_intrin").__path__):
        importlib.import_module(f"tvm.tir.tensor_intrin.{info.name}")
    for name in intrinsic_names():
        found = tvm.tir.TensorIntrin.get(name, allow_missing=True)
        if found is not None:
            store.attempt("intrinsic", f"{name}-desc", lambda f=found: f.desc)
            store.attempt("intrinsic", f"{name}-impl", lambda f=found: f.impl)


def intrinsic_names() -> list[str]:
    """The names that the shipped modules define."""
    names: set[str] = set()
    for info in pkgutil.iter_modules(importlib.import_module("tvm.tir.tensor_intrin").__path__):
        module = importlib.import_module(f"tvm.tir.tensor_intrin.{info.name}")
        for value in vars(module).values():
            found = [value] if isinstance(value, str) else list(value.values()) if isinstance(value, dict) else []
            names.update(item for item in found if isinstance(item, str))
        names.update(node.value for node in ast.walk(ast.parse(inspect.getsource(module)))
                     if isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) < 80)  # fmt: skip
    return sorted(names)


def run(store: Store) -> None:
    """Everything that comes with TVM."""
    registered(store)
    collect(store)
