"""Functions of operators of models: joins of arrays, reductions to several results, large intermediate arrays."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Final

from tvmscript.fuzz.builds.plain import write_block, write_temporary
from tvmscript.fuzz.codegen.writing import Kernel, Written, under
from tvmscript.ir.core.targets.machine_model import machine_model

_DTYPES: Final = ("float32", "float32", "float64")
#: bytes of intermediate arrays that are kept for the next call, at least
_LARGE: Final = 128 << 10


def joins(rng: random.Random) -> Written:
    """Draw a concatenation of two or three arrays, or a repeated one, perhaps with the layout of a reshape."""
    k = Kernel(rng)
    dtype = k.pick(*_DTYPES, "int32", "int8")
    rows, size = k.number(1, 40), k.pick(16, 17, 24, 32, 48, 5)
    if k.chance(0.4):
        count = k.number(2, 5)
        k.array("A", f"({rows}, {size})", dtype)
        columns, value = (
            size * count,
            k.pick(f"A[v0, v1 % {size}]", f"A[(v1 // {size * count} + v0) % {rows}, v1 % {size}]"),
        )
    else:
        sizes = [k.number(1, 40) for _ in range(k.number(2, 3))]
        columns, value = sizes[0], "A0[v0, v1]"
        k.array("A0", f"({rows}, {sizes[0]})", dtype)
        for place, width in enumerate(sizes[1:], 1):
            k.array(f"A{place}", f"({rows}, {width})", dtype)
            value = f"T.if_then_else({columns} <= v1, A{place}[v0, v1 - {columns}], {value})"
            columns += width
    k.array("C", f"({rows}, {columns})", dtype)
    k.lines = write_block("J", "SS", [str(rows), str(columns)], [f"C[v0, v1] = {value}"])
    return Written(k.text(), k.sizes)


def results(rng: random.Random) -> Written:
    """Draw a reduction of rows into several results, some of which may read others."""
    k = Kernel(rng)
    dtype = k.pick(*_DTYPES, "int32")
    rows, columns = k.number(1, 5), str(k.pick(4, 16, 33, 64, 100) + k.pick(0, 1, -1))
    if k.chance(0.2):
        columns = k.size("n", int(columns))
    k.array("A", f"({rows}, {columns})", dtype)
    names = ["S", "Q", "P"][: k.pick(2, 2, 3)]
    element = "A[v0, v1]"
    for name in names:
        k.array(name, f"({rows},)", dtype)
    starts, values, stores = list[str](), list[str](), list[str]()
    for place, name in enumerate(names):
        own, low = f"{name}[v0]", f'T.min_value("{dtype}")'
        other = k.pick(element, element, f"S[v0] * {element}", "s0" if place else element)
        start, value = k.pick(
            (f"T.{dtype}(0)", f"{own} + {other}"),
            (f"T.{dtype}(0)", f"{own} + {element} * {element}"),
            (low, f"T.max({own}, {element})"),
        )
        starts.append(f"{own} = {start}")
        values.append(f"s{place}: T.{dtype} = {value}")
        stores.append(f"{own} = s{place}")
    body = [*under("with T.init():", starts), *values, *stores]
    k.lines = write_block("R", "SR", [str(rows), columns], body)
    return Written(k.text(), k.sizes)


def large(rng: random.Random, target: str = "llvm") -> Written:
    """Draw a product of a few rows and a matrix that caches of the target do not hold, or two large intermediate
    arrays that live together."""
    k = Kernel(rng)
    if k.chance(0.5):
        rows, columns = k.pick(1, 1, 2, 3), k.pick(512, 520, 600)
        terms = machine_model(target).l2_bytes // (4 * columns) + k.number(1, 9)
        for name, shape in (("A", (rows, terms)), ("B", (terms, columns)), ("C", (rows, columns))):
            k.array(name, f"{shape}", "float32")
        body = [*under("with T.init():", ["C[v0, v1] = T.float32(0)"]), "C[v0, v1] = C[v0, v1] + A[v0, v2] * B[v2, v1]"]
        k.lines = write_block("M", "SSR", [str(rows), str(columns), str(terms)], body)
        return Written(k.text(), k.sizes)
    count = _LARGE // 4 + k.number(1, _LARGE // 4)
    lines = list[str]()
    for name in "AB":
        k.array(name, f"({count},)", "float32")
        lines.append(write_temporary(f"{name}8", f"({count},)", "float32"))
    for name in "AB":
        lines += write_block(f"D{name}", "S", [str(count)], [f"{name}8[v0] = {name}[v0] / T.float32(8)"])
    k.array("C", f"({count},)", "float32")
    value = f"A8[v0] * B8[{count - 1} - v0] + A8[{count - 1} - v0] * B8[v0]"
    k.lines = [*lines, *write_block("E", "S", [str(count)], [f"C[v0] = {value}"])]
    return Written(k.text(), k.sizes)


FAMILIES: Final[dict[str, Callable[[random.Random], Written]]] = {"joins": joins, "results": results, "large": large}
