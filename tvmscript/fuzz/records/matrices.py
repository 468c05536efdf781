"""Ask a function about all kinds of arguments that its annotations allow: numbers, expressions, statements, programs.

Programs hand few kinds of arguments to a function, which answers the same with most of its conditions changed. Here
each gets the same values of each class, also those that no program hands over: what it refuses is an answer.
"""

from __future__ import annotations

import collections.abc
import importlib
import inspect
import types
import typing
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import islice
from operator import attrgetter
from typing import Any, Final

from tvmscript.backends.llvm.target import Target as Machine
from tvmscript.fuzz.observing import observe
from tvmscript.fuzz.records.outcomes import describe
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.core import DType, IRModule, Node, Target, TVMScriptError, nodes
from tvmscript.ir.core.targets.machine_model import MachineModel, machine_model
from tvmscript.ir.tir import Expr, IntImm, Var
from tvmscript.parser import from_source

#: calls of a function
_MOST: Final = 96
#: values of a class
_MOST_VALUES: Final = 24
_TARGETS: Final = (
    "llvm -mtriple=x86_64-pc-linux-gnu -mcpu=skylake-avx512", "llvm -mtriple=x86_64-pc-linux-gnu -mcpu=haswell",
    "llvm -mtriple=aarch64-linux-gnu -mattr=+sve", "cuda -arch=sm_90a",
)  # fmt: skip
_NUMBERS: Final = (0, 1, 2, 3, 4, 7, 8, 16, -1, -4, 64)
_DTYPES: Final = ("int32", "float32", "bool", "int64", "float16", "int8", "uint8", "float32x4", "bfloat16", "handle")
_PROGRAMS: Final = """\
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def product(A: T.Buffer((16, 8), "float32"), B: T.Buffer((8, 4), "float32"), C: T.Buffer((16, 4), "float32")):
        for i, j, k in T.grid(16, 4, 8):
            with T.block("C"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                T.reads(A[vi, vk], B[vk, vj])
                T.writes(C[vi, vj])
                with T.init():
                    C[vi, vj] = T.float32(0)
                C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]

    @T.prim_func(private=True)
    def statements(
        a: T.handle, I: T.Buffer((64,), "int32"), H: T.Buffer((8, 4), "float16", strides=(5, 1)), n: T.int32, m: T.int64
    ):
        A = T.match_buffer(a, (n, 8), "float32")
        S = T.decl_buffer((64,), "int32", scope="shared")
        for x in range(8):
            for y in T.parallel(4):
                if x < y and I[x] > 3 or not x == 2:
                    S[x * 4 + y] = I[(x + y) // 2] + I[7 - x] % 3
                else:
                    S[x] = T.max(T.min(x, n), y * 4 - x)
        for x in T.vectorized(4):
            A[n - 1, x] = T.exp(A[0, x + 1]) + T.Cast("float32", H[x, 0])
        S[0:8] = I[8:16]
        S[T.Ramp(n, 2, 4)] = T.Broadcast(I[0], 4)
        z: T.int32 = T.if_then_else(n > 0, I[n], 0) // 4
        while S[z] < 10:
            S[z] = T.Select(n > z, S[z] + 1, T.bitwise_and(z, 7))
        with T.attr(0, "pragma_unroll", 1):
            T.evaluate(T.call_extern("int32", "f", I.data, T.Cast("int32", m) + 1))

    @T.prim_func(private=True)
    def kernel(A: T.Buffer((64,), "float32"), B: T.Buffer((8, 8), "float32")):
        bx = T.launch_thread("blockIdx.x", 2)
        tx = T.launch_thread("threadIdx.x", 32)
        S = T.allocate([32], "float32", "shared")
        S_1 = T.Buffer((32,), data=S, scope="shared")
        S_1[tx] = A[bx * 32 + tx]
        T.tvm_storage_sync("shared")
        B[tx // 8 + bx * 4, tx % 8] = S_1[31 - tx] * T.float32(2)

    @R.function
    def main(
        x: R.Tensor((2, 3, "k"), "float32"), w: R.Tensor((4, 5), "float16"), s: R.Tensor("int8", ndim=2),
        t: R.Tensor("float32"),
    ):
        with R.dataflow():
            a = R.permute_dims(x)
            b = R.add(x, R.const(1.0))
            c = (R.sum(b, axis=[0]), R.astype(w, "float32"), R.shape_of(t))
            d = c[1]
            R.output(a, c, d)
        e = R.call_tir(Module.product, (d, d), out_sinfo=R.Tensor((16, 4), "float32"))
        f = R.call_packed("g", e, R.prim_value(3), R.str("s"), R.dtype("int8"), sinfo_args=R.Object)
        return (a, s, f)
"""


def check_matrix(*paths: str) -> None:
    """Call functions, `ir.arith.deduce_bound:deduce_bound`, with arguments of all kinds that their annotations name."""
    for path in paths:
        module, _, name = path.partition(":")
        try:
            function: Any = attrgetter(name)(importlib.import_module(f"tvmscript.{module}"))
            choices = choices_of(function)
        except (ImportError, AttributeError, NotImplementedError) as error:
            observe("unknown", str, error)
            continue
        observe(name, "\n".join, list(_answers(function, choices)))


def choices_of(function: Callable[..., Any]) -> dict[str, Sequence[Any]]:
    """Return the values of each parameter. Raises `NotImplementedError` where one has another annotation."""
    hints = typing.get_type_hints(function)
    parameters = inspect.signature(function).parameters.values()
    if any(each.kind in (each.VAR_POSITIONAL, each.VAR_KEYWORD) for each in parameters):
        raise NotImplementedError(function.__name__)
    return {each.name: values_of(hints.get(each.name)) for each in parameters}


def _answers(function: Callable[..., Any], choices: Mapping[str, Sequence[Any]]) -> Iterator[str]:
    for arguments in _combined(choices):
        try:
            answer = function(**{name: value() if callable(value) else value for name, value in arguments.items()})
            yield _told([*islice(answer, _MOST)] if isinstance(answer, Iterator) else answer)
        except TVMScriptError as error:
            yield f"{error.code} {error.text}"
        except Exception as error:  # noqa: BLE001  # arguments of other kinds than programs have
            yield type(error).__name__


def _combined(choices: Mapping[str, Sequence[Any]]) -> Iterator[dict[str, Any]]:
    """Yield arguments: all there are if they are few, else some in which each value meets several of the others."""
    count = 1
    for values in choices.values():
        count *= len(values)
    step = max(count // _MOST, 1) | 1  # odd: it meets the sizes of few factors
    for place in range(0, count, step):
        arguments: dict[str, Any] = {}
        for name, values in choices.items():
            place, index = divmod(place, len(values))
            arguments[name] = values[index]
        yield arguments


def values_of(hint: Any) -> Sequence[Any]:
    """Return values of a type; a function makes those that change. Raises `NotImplementedError` for other types."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        return [value for each in arguments for value in values_of(each)[: _MOST_VALUES // len(arguments)]]
    if origin is tuple and len(arguments) == 2 and arguments[1] is Ellipsis:
        return [(), *map(tuple, _lists(arguments[0]))]
    if origin in (list, collections.abc.Sequence, collections.abc.Iterable, collections.abc.Collection):
        return [list, *((lambda each=each: [*each]) for each in _lists(arguments[0]))]
    if origin in (set, collections.abc.Set, frozenset):
        return [set, *((lambda each=each: {*each}) for each in _lists(arguments[0]))]
    if origin in (dict, collections.abc.Mapping):
        keys, values = values_of(arguments[0]), values_of(arguments[1])
        return [dict, *((lambda pair=pair: {pair[0]: pair[1]}) for pair in zip(keys, values, strict=False))]
    if isinstance(hint, collections.abc.Hashable) and (plain := _plain().get(hint)) is not None:
        return plain
    if isinstance(hint, type) and (found := [node for node in _pool() if isinstance(node, hint)]):
        return _spread(found)
    raise NotImplementedError(str(hint))


def _lists(hint: Any) -> list[Any]:
    values = values_of(hint)
    return [values[start : start + count] for count in (1, 2, 3) for start in range(0, len(values), 4)]


def _spread(found: list[Any]) -> list[Any]:
    """Return values of each class first, as far as there is room."""
    by_class: dict[type, list[Any]] = {}
    for node in found:
        by_class.setdefault(type(node), []).append(node)
    ordered = [each[place] for place in range(_MOST_VALUES) for each in by_class.values() if place < len(each)]
    return ordered[:_MOST_VALUES]


@cache
def _plain() -> Mapping[Any, Sequence[Any]]:
    x = next(node for node in _pool() if isinstance(node, Var) and node.name == "x")

    def analyzer() -> Analyzer:
        made = Analyzer()
        made.bind_bounds(x, low=0, high=7)
        return made

    return {
        int: _NUMBERS, bool: (False, True), type(None): (None,), str: ("", "x", "float32", "NCHW", "global"),
        float: (0.0, 1.0, -2.5), DType: [*map(DType, _DTYPES)], Analyzer: (analyzer,),
        Target: [*map(Target.make, _TARGETS)], MachineModel: [*map(machine_model, _TARGETS[:2])],
        Machine: [Machine.parse(text, 3) for text in _TARGETS[:2]],
    }  # fmt: skip


@cache
def _pool() -> list[Node]:
    """Return the nodes of the programs, those of each class that differ, and their types."""
    module = from_source(_PROGRAMS, check_well_formed=False)
    assert isinstance(module, IRModule)
    found = dict.fromkeys([module, *module.values(), *nodes(module)])
    infos = (getattr(node, "struct_info", None) for node in [*found])
    found |= dict.fromkeys(info for info in infos if isinstance(info, Node))
    return [*found, *(IntImm(dtype, value) for dtype in ("int32", "int64", "int8") for value in (0, 1, 4, -2))]


def _told(value: Any) -> str:
    """Describe an answer; expressions as text, with the names of variables."""
    if isinstance(value, Expr):
        return str(value)
    if isinstance(value, (tuple, list)):
        return f"({', '.join(map(_told, value))})"
    return describe(value)
