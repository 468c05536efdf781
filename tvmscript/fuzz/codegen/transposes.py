"""Kernels that exchange rows and columns of tiles: whole squares, and tiles at the end of their arrays."""

from __future__ import annotations

import random

from tvmscript.fuzz.codegen.writing import Kernel, Written, under

_DTYPES = ("float32", "int8", "float64", "float16", "int32", "uint16", "bool", "int64")


def transposes(rng: random.Random) -> Written:
    """Draw rows that are stored as columns, by vectors whose elements are a row apart."""
    k = Kernel(rng)
    k.heads = ['T.func_attr({"tir.noalias": T.bool(True)})'] if k.chance(0.9) else []
    dtype = k.pick(*_DTYPES)
    if k.chance(0.5):
        return k.pick(_tile, _tile, _windows)(k, dtype)
    lanes, rows, columns = k.pick(4, 8, 16), k.number(1, 3), k.number(1, 3)
    k.array("A", f"({rows * lanes}, {columns * lanes})", dtype)
    k.array("C", f"({columns * lanes}, {rows * lanes})", dtype)
    column = k.pick("j", "j", "j", f"(j * 3 % {lanes})", f"({lanes - 1} - j)")
    store = f"C[jo * {lanes} + {column}, io * {lanes} + v] = A[io * {lanes} + v, jo * {lanes} + {column}]"
    inner = under(f"for j in T.unroll({lanes}):", under(f"for v in T.vectorized({lanes}):", [store]))
    k.lines = under(f"for jo, io in T.grid({columns}, {rows}):", inner)
    return Written(k.text(), k.sizes)


def _tile(k: Kernel, dtype: str) -> Written:
    """Write the transpose of a tile that is no square; its arrays end with it, or have other rows behind."""
    rows, columns, more = k.number(2, 20), k.number(2, 33), k.pick(0, 0, 3)
    k.array("A", f"({rows}, {columns + more})", dtype)
    k.array("C", f"({columns}, {rows + k.pick(0, 0, 5)})", dtype)
    value = k.pick("A[v, j]", "A[v, j]", f"A[v, j] + T.{dtype}(1)" if dtype != "bool" else "A[v, j]")
    k.lines = under(f"for j in T.unroll({columns}):", under(f"for v in T.vectorized({rows}):", [f"C[j, v] = {value}"]))
    return Written(k.text(), k.sizes)


def _windows(k: Kernel, dtype: str) -> Written:
    """Write the elements of windows, which may overlap, window by window: columns of a tile whose rows they are."""
    lanes, width, distance = k.pick(4, 8, 16, 5), k.pick(4, 8, 16, 3, 7), k.number(1, 4)
    k.array("A", f"({(lanes - 1) * distance + width},)", dtype)
    k.array("C", f"({width}, {lanes})", dtype)
    store = f"C[j, v] = A[v * {distance} + j]"
    k.lines = under(f"for j in T.unroll({width}):", under(f"for v in T.vectorized({lanes}):", [store]))
    return Written(k.text(), k.sizes)
