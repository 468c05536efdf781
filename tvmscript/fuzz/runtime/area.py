"""Fuzz arrays, parameters, modules and times of calls against NumPy and Python."""

from __future__ import annotations

import math
import random
import statistics
from collections.abc import Callable
from functools import cache, partial
from typing import Any, Final

import numpy as np
import tvm_ffi

from tvmscript.backends import interp
from tvmscript.backends.runtime.array import NDArray, array, asarray, dtype_of, empty, from_dlpack, storage_dtype, zeros
from tvmscript.backends.runtime.device import Device
from tvmscript.backends.runtime.errors import (
    NoEntryFunction,
    NoSource,
    NotAnArray,
    UndecidedShape,
    UnknownFunction,
    UnsupportedDType,
    WrongKeywords,
    WrongValues,
)
from tvmscript.backends.runtime.module import Module
from tvmscript.backends.runtime.small_floats import decode, encode, values_of
from tvmscript.backends.runtime.timing import BenchmarkResult, measure
from tvmscript.fuzz.area import Area, Subjects
from tvmscript.fuzz.builds.building import build_scheduled
from tvmscript.fuzz.codegen.machine import as_main
from tvmscript.fuzz.laws import LawTable, require, require_refusal, some
from tvmscript.ir.core import TVMScriptError, WrongType
from tvmscript.ir.core.values.float_formats import FORMATS, encoder, value_of
from tvmscript.ir.tir.index_map import IndexMap
from tvmscript.parser import from_source

_DTYPES: Final = ("float32", "float64", "float16", "int8", "int32", "int64", "uint8", "uint16", "bool")
#: what modules can, by the bits of TVM's mask
_ABILITIES: Final = ("is_binary_serializable", "is_runnable", "is_dso_exportable")
#: where an array comes from in this package
_CPU: Final = Device(1)


def _values(rng: random.Random, dtype: str, shape: tuple[int, ...]) -> Any:
    numbers = np.array([rng.choice((0, 1, 2, 5, 100)) for _ in range(math.prod(shape))])
    return numbers.astype(dtype).reshape(shape)


def _arrays(rng: random.Random) -> None:
    """An array holds the values that NumPy's does; copies are apart, views and shared memory are not."""
    dtype, shape = rng.choice(_DTYPES), tuple(rng.randint(0, 4) for _ in range(rng.randrange(4)))
    values = _values(rng, dtype, shape)
    copies: list[NDArray] = [
        array(values), array(asarray(values)), array(values, _CPU),
        from_dlpack(array(values)), from_dlpack(array(values).to_dlpack()), array(array(values, "float64"), dtype),
    ]  # fmt: skip
    if 0 not in shape:
        copies += [asarray(np.from_dlpack(array(values))), array(values.tolist(), dtype)]
    for each in copies:
        facts = (each.shape, each.ndim, str(each.dtype), each.nbytes, each.numpy().tolist(), str(each.numpy().dtype))
        wanted = (shape, len(shape), dtype, values.nbytes, values.tolist(), dtype)
        require("arrays", f"{values!r}", facts, wanted)
        require("arrays", "its device", (each.device, each.__dlpack_device__()), (_CPU, (1, 0)))
    first = copies[0]
    require("arrays", "its text", (str(first), f"{first}"), (str(values), str(values)))
    if 0 not in shape:
        steps = tuple(math.prod(shape[axis + 1 :]) for axis in range(len(shape)))
        require("arrays", "strides", first.strides, steps)
    require("arrays", "as NumPy's", np.asarray(first).tolist(), values.tolist())
    itself = first.same_as(first), first.same_as(copies[1]), asarray(first) is first
    require("arrays", "itself", itself, (True, False, True))
    shared = asarray(values)
    before = values.copy()
    shared[:] = 1
    require("arrays", "shared memory", values.tolist(), np.ones(shape, dtype).tolist())
    require("arrays", "a copy", first.numpy().tolist(), before.tolist())
    target = empty(shape, dtype)
    require("arrays", "what is copied to", first.copyto(target) is target, True)
    require("arrays", "a copy of elements", target.numpy().tolist(), before.tolist())
    target.copyfrom(values)
    require("arrays", "new elements", target.numpy().tolist(), values.tolist())
    require("arrays", "a copy on a device", first.copyto(_CPU).numpy().tolist(), before.tolist())
    require("arrays", "zeros", zeros(shape, dtype).numpy().tolist(), np.zeros(shape, dtype).tolist())
    other = "int16"
    require_refusal("arrays", "another dtype", WrongType, lambda: first.copyto(empty(shape, other)))
    require_refusal("arrays", "another shape", WrongType, lambda: first.copyto(empty((*shape, 2), dtype)))
    require_refusal("arrays", "values of another shape", WrongValues, lambda: first.copyfrom(np.zeros((*shape, 2))))
    require_refusal("arrays", "a part", WrongType, lambda: first.__setitem__(slice(0, 1), 1))
    require_refusal("arrays", "no array", WrongType, lambda: asarray(3))
    require_refusal("arrays", "bytes in another order", UnsupportedDType, lambda: dtype_of(np.zeros(2, ">i4")))
    require_refusal("arrays", "texts", UnsupportedDType, lambda: array(["a"]))
    require("arrays", "lanes", empty(shape, "float32x4").shape, (*shape, 4))
    require("arrays", "one number", empty(3, dtype).shape, (3,))
    if shape and not isinstance(values.dtype.type(0), np.bool_):
        spec = ".1f" if values.dtype.kind == "f" else "d"
        require(
            "arrays",
            "a format",
            format(first, spec),
            np.array2string(before, formatter={"all": partial(_format, spec)}),
        )
    _check_strided(rng, dtype)


def _format(spec: str, element: Any) -> str:
    return format(element, spec)


def _check_strided(rng: random.Random, dtype: str) -> None:
    """Check arrays whose elements are apart or in reverse, and views of memory."""
    whole = _values(rng, dtype, (4, 6))
    strided = whole[rng.choice((slice(None), slice(1, 3), slice(None, None, -1))), :: rng.choice((1, 2, -1))]
    tensor = asarray(tvm_ffi.from_dlpack(strided))
    for each in (asarray(strided), asarray(asarray(strided)), from_dlpack(strided), tensor):
        require("strides", strided.strides, each.numpy().tolist(), strided.tolist())
        require("strides", "in elements", each.strides, tuple(step // strided.itemsize for step in strided.strides))
    memory = array(whole)
    count, size = rng.randint(1, 6), whole.itemsize
    offset = rng.randint(0, 24 - count) * size
    view = memory.view((count,), None, offset)
    require(
        "views", f"of {count} elements", view.numpy().tolist(), whole.reshape(-1)[offset // size :][:count].tolist()
    )
    bytes_ = memory.view((whole.nbytes,), "uint8")
    require("views", "bytes", bytes_.numpy().tobytes(), whole.tobytes())
    require("views", "their memory", (view.address - memory.address, view.is_view), (offset, False))
    view[:] = 0
    require("views", "what is written", memory.numpy().reshape(-1)[offset // size :][:count].tolist(), [0] * count)
    for wrong, at in (((25,), 0), ((1,), 24 * size), ((1,), -size), ((24,), size)):
        require_refusal("views", f"{wrong} from {at}", WrongValues, partial(memory.view, wrong, None, at))
    if not strided.flags.c_contiguous:
        require_refusal("views", "elements that are apart", WrongValues, lambda: asarray(strided).view((1,)))


def _small_floats(rng: random.Random) -> None:
    """Arrays of narrow floats have the patterns that numbers one by one have."""
    name = rng.choice([*FORMATS])
    form, encode_one = FORMATS[name], encoder(name)
    numbers = [rng.choice((0.0, -0.0, 1.0, -1.5, math.inf, -math.inf, math.nan, 1e9, 2.0**-9)) for _ in range(4)]
    numbers += [rng.uniform(-4, 4) * 2.0 ** rng.randint(-12, 12) for _ in range(12)]
    patterns = encode(np.array(numbers, "float64"), name)
    require("small floats", f"{numbers} of {name}", patterns.tolist(), [encode_one(number) for number in numbers])
    stored = array(np.array(numbers), name)
    require("small floats", "an array", stored.on_host().tolist(), patterns.tolist())
    require("small floats", "its storage", stored.on_host().dtype, storage_dtype(name))
    values = decode(patterns, name).tolist()
    for pattern, value in zip(patterns.tolist(), values, strict=True):
        require("small floats", f"{pattern:#x} of {name}", float(value), float(np.float32(value_of(pattern, form))))
    some_pattern = rng.randrange(1 << min(form.bits, 8))
    if name != "bfloat16":
        require(
            "small floats", f"{some_pattern:#x} of {name}", values_of(name)[some_pattern], value_of(some_pattern, form)
        )


def _mapped(rng: random.Random) -> None:
    """An array under an index map has its elements at the mapped places."""
    maps: tuple[Callable[..., Any], ...] = (
        lambda i, j: (j, i), lambda i, j: i * 6 + j, lambda i, j: (i, j // 2, j % 2), lambda i, j: (j // 3, i, j % 3),
    )  # fmt: skip
    function = rng.choice(maps)
    values = _values(rng, rng.choice(_DTYPES), (4, 6))
    mapped = IndexMap.from_func(function).map_ndarray(array(values)).numpy()
    for i in range(4):
        for j in range(6):
            require("index maps", f"the element {i}, {j}", mapped[function(i, j)].item(), values[i, j].item())
    require_refusal(
        "index maps", "more places", WrongType, lambda: IndexMap.from_func(lambda i, j: i * 7 + j).map_ndarray(values)
    )


_PROGRAM: Final = """
@T.prim_func
def main(a: T.handle, b: T.handle, k: T.int32, c: T.handle):
    n, m = T.int32(), T.int32()
    A = T.match_buffer(a, (n, 2), "{dtype}")
    B = T.match_buffer(b, ({extent},), "{dtype}")
    C = T.match_buffer(c, (k, m), "{dtype}")
    for i in range({extent}):
        B[i] = A[i % n, 0] + T.{dtype}(1)
"""


def _parameters(rng: random.Random) -> None:
    """Arguments by name are those by place; `...` is a new array of the size that the others determine."""
    dtype, extent = rng.choice(("float32", "int32")), rng.choice(("n", "n * 2", "n + 1", "k"))
    built = interp.build(from_source(_PROGRAM.format(dtype=dtype, extent=extent)))["main"]
    n, k, m = rng.randint(1, 4), rng.randint(1, 4), rng.randint(1, 3)
    a, c = _values(rng, dtype, (n, 2)), np.zeros((k, m), dtype)
    size = {"n": n, "n * 2": 2 * n, "n + 1": n + 1, "k": k}[extent]
    results = [np.zeros(size, dtype) for _ in range(3)]
    built(a, results[0], k, c)
    built(a=a, b=results[1], k=k, c=c)
    built(a, results[2], c=c, k=k)
    allocated = built(a, ..., k, c)
    wanted = [a[i % n, 0].item() + 1 for i in range(size)]
    for each in (*results, allocated):
        require("parameters", f"{extent} elements", (each.tolist(), str(each.dtype)), (wanted, dtype))
    require_refusal("parameters", "no size", UndecidedShape, lambda: built(a, results[0], k, ...))
    require_refusal("parameters", "a number", NotAnArray, lambda: built(a, results[0], ..., c))
    require_refusal("parameters", "a name", WrongKeywords, lambda: built(a, results[0], k, d=c))
    require_refusal("parameters", "twice", WrongKeywords, lambda: built(a, results[0], k, c, a=a))


class _OtherArray(np.ndarray[Any, Any]):
    """An array that no shortcut takes: its fields are not read, but told by NumPy."""


def _draw_array(rng: random.Random, dtype: str, rows: int) -> Any:
    """Return an array of two dimensions, perhaps with another layout, dtype or order of bytes, or frozen."""
    columns = rng.choice((3,) * 9 + (1, 4))
    memory = np.zeros(rows * columns * 16 + 1, "uint8")
    form = rng.choice((*["plain"] * 9, "transposed", "apart", "reversed", "unaligned"))
    values = np.arange(rows * columns).astype(dtype)
    if form == "unaligned":
        result = memory[1 : 1 + values.nbytes].view(dtype)
        result[:] = values
        result = result.reshape(rows, columns)
    elif form == "transposed":
        result = values.reshape(columns, rows).T
    else:
        result = values.reshape(rows, columns)
    if form == "apart":
        result = np.repeat(result, 2, axis=1)[:, ::2]
    if form == "reversed":
        result = result[:, ::-1]
    if rng.random() < 0.1:
        result = result.astype(result.dtype.newbyteorder())
    if rng.random() < 0.1:
        result.flags.writeable = False
    return result.reshape(rng.choice(((-1,), (rows, columns, 1)))) if rng.random() < 0.05 else result


def _handed_over(rng: random.Random) -> None:
    """Arrays of NumPy, whose fields compiled code reads, are taken and refused as those that NumPy describes."""
    dtype = rng.choice(("float32", "float64", "int8", "int32", "uint16", "bool"))
    function, outcomes, rows = _copy_of(dtype), list[Any](), rng.randint(1, 3)
    arrays = [
        _draw_array(rng, some_dtype, rows if rng.random() < 0.95 else rng.randint(1, 3))
        for some_dtype in rng.choice(((dtype, dtype),) * 9 + ((dtype, rng.choice(_DTYPES)),))
    ]
    for kind in (np.ndarray, _OtherArray):
        copies = [_with_layout(each) for each in arrays]
        try:
            function(*[each.view(kind) for each in copies])
            outcomes.append([each.tolist() for each in copies])
        except TVMScriptError as error:
            outcomes.append((type(error).__name__, error.text, [each.tolist() for each in copies]))
    facts = [(each.dtype.str, each.shape, each.strides, each.flags.writeable) for each in arrays]
    require("handed over", facts, outcomes[0], outcomes[1])


def _with_layout(array: Any) -> Any:
    """Return a copy of an array with its strides, alignment and flags."""
    owner = array
    while owner.base is not None:
        owner = owner.base
    memory = np.frombuffer(bytearray(owner.tobytes("A")), "uint8")
    offset = array.ctypes.data - owner.ctypes.data
    copy = np.ndarray(array.shape, array.dtype, memory.data, offset, array.strides)
    copy.flags.writeable = array.flags.writeable
    return copy


@cache
def _copy_of(dtype: str) -> Any:
    """Return a function that copies an array of any number of rows of three elements."""
    text = (
        "@T.prim_func\ndef main(a: T.handle, b: T.handle):\n    n = T.int32()\n"
        f"    A = T.match_buffer(a, (n, 3), '{dtype}')\n    B = T.match_buffer(b, (n, 3), '{dtype}')\n"
        "    for i, j in T.grid(n, 3):\n        B[i, j] = A[i, j]\n"
    )
    return build_scheduled(as_main(from_source(text)), "llvm")["main"]


def _pair(name: str, place: int) -> tuple[str, int]:
    return name, place


def _modules(rng: random.Random) -> None:
    """Modules find functions by name, in themselves and in what they import."""
    names = ["f", "g", "main"]
    sets = [set(some(rng, names, 3)) for _ in range(2)]
    functions: list[dict[str, Any]] = [
        {name: partial(_pair, name, place) for name in each} for place, each in enumerate(sets)
    ]
    called: list[int] = []

    def make_source() -> str:
        called.append(1)
        return "made"

    sources: dict[str, str | Callable[[], str]] = {"ll": "text", "asm": make_source}
    module, other = Module(functions[0], sources, target="llvm -mcpu=x"), Module(functions[1])
    for name in names:
        require("modules", f"has {name}", (name in module, module.implements_function(name)), (name in sets[0],) * 2)
        if name not in sets[0]:
            require_refusal("modules", name, UnknownFunction, partial(module.__getitem__, name))
    module.import_module(other)
    for name in sets[0] | sets[1]:
        place = 0 if name in sets[0] else 1
        require("modules", name, module.get_function(name, query_imports=True)(), (name, place))
        require("modules", f"implements {name}", module.implements_function(name, query_imports=True), True)
    for name in sets[1] - sets[0]:
        require_refusal("modules", name, UnknownFunction, partial(module.get_function, name))
    require("modules", "imports", module.imported_modules, (other,))
    module.clear_imports()
    require("modules", "no imports", module.imported_modules, ())
    entry = "main" if "main" in sets[0] else next(iter(functions[0]), "") if len(sets[0]) == 1 else ""
    if entry:
        require("modules", "the entry", (module(), module[Module.entry_name]()), ((entry, 0),) * 2)
    else:
        require_refusal("modules", "the entry", NoEntryFunction, lambda: module.entry_func)
    sources_of = (module.get_source(), module.get_source("asm"), module.get_source("asm"), len(called))
    require("modules", "sources", sources_of, ("text", "made", "made", 1))
    require("modules", "kinds", (module.source_kinds, module.format, other.format), (("ll", "asm"), "ll", ""))
    require_refusal("modules", "another source", NoSource, lambda: module.get_source("c"))
    require("modules", "its target", (module.type_key, other.type_key), ("llvm", ""))
    require("modules", "what it can", module.get_property_mask(), 2)
    can = [rng.randrange(2) == 1 for _ in _ABILITIES]
    kind: type[Module] = type("Kind", (Module,), dict(zip(_ABILITIES, can, strict=True)))
    mask = sum(1 << bit for bit, is_able in enumerate(can) if is_able)
    require("modules", f"what {can} can", kind({}).get_property_mask(), mask)


def _times(rng: random.Random) -> None:
    """As many calls are timed as asked for, after one that does not count; the statistics are Python's."""
    calls: list[object] = []
    number, repeat = rng.randint(1, 4), rng.randint(1, 4)
    result = measure(calls.append, (7,), number=number, repeat=repeat)
    require("times", f"{repeat} of {number}", (len(result.results), calls), (repeat, [7] * (number * repeat + 1)))
    times = tuple(rng.choice((0.25, 0.5, 1.0, 4.0)) for _ in range(rng.randint(1, 5)))
    known = BenchmarkResult(times)
    actual = (known.mean, known.median, known.min, known.max, known.std)
    order = sorted(times)
    middle = (order[(len(order) - 1) // 2] + order[len(order) // 2]) / 2
    wanted = (sum(times) / len(times), middle, order[0], order[-1], statistics.pstdev(times))
    require("times", times, actual, wanted)
    row = [float(each) for each in str(known).splitlines()[-1].split()]
    require("times", "the table", row[:4], [round(1e3 * each, 4) for each in (wanted[0], middle, order[-1], order[0])])
    calls.clear()
    long = measure(lambda: calls.append(0), (), number=1, repeat=1, min_repeat_ms=0.05)
    require("times", "enough calls", (len(calls) > 1, long.results[0] * max(len(calls), 1) > 0), (True, True))


LAWS: Final = LawTable(
    "tvmscript.fuzz.runtime.area",
    {
        "arrays": _arrays, "small_floats": _small_floats, "mapped": _mapped, "parameters": _parameters,
        "handed_over": _handed_over, "modules": _modules, "times": _times,
    },
)  # fmt: skip
AREA: Final = Area(
    "runtime", "arrays, parameters and modules of calls", LAWS.examples, LAWS.check, LAWS.write,
    subjects=Subjects("law", lambda: LAWS.laws, LAWS.examples),
)  # fmt: skip
