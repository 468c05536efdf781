"""Hypothesis strategies of PrimFuncs that run: texts, functions and inputs.

from hypothesis import given
from tvmscript.testing.kernels import kernels

@given(kernels())
def test_lowers(func): ...

Extents are 0, 1, primes, powers of two and their neighbours; some are symbolic. Every access is in bounds, and every
read element was written before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from hypothesis import strategies as st

from tvmscript.backends.runtime.random_inputs import random_inputs
from tvmscript.ir.tir import PrimFunc, Var
from tvmscript.parser import from_source

EXTENTS: Final = (4, 1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 31, 33, 0)
DTYPES: Final = ("int32", "float32", "int8", "uint8", "int64", "float64", "uint16")
_FACTORS: Final = (2, 3, 4, 8)


class _Kernel:
    """Writer of a kernel: its parameters and lines."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        self.dtype: str = draw(st.sampled_from(DTYPES))
        self.index = draw(st.sampled_from(("int32", "int32", "int32", "int64")))
        self.params: list[str] = []
        self.lines: list[str] = []
        self.symbols: list[str] = []

    def extent(self, least: int = 0, extents: Sequence[int] = EXTENTS) -> str:
        """Draw a constant or symbolic extent."""
        if self.draw(st.integers(0, 4)) == 4 and len(self.symbols) < 2:
            self.symbols.append("nm"[len(self.symbols)])
            return self.symbols[-1]
        return self.number(self.draw(st.sampled_from([each for each in extents if each >= least])))

    def reduced_extent(self) -> str:
        """Draw the extent of a reduction axis; one in four is empty, which leaves the initial value."""
        return self.extent(extents=(*EXTENTS, 0, 0, 0, 0))

    def number(self, value: int) -> str:
        """Write an integer as an index."""
        return str(value) if self.index == "int32" else f"T.int64({value})"

    def value(self, number: int) -> str:
        """Write a constant of the element dtype."""
        return f"T.{self.dtype}({number})"

    def buffer(self, name: str, *shape: str) -> None:
        """Add a buffer parameter; some have padded rows."""
        extents = ", ".join(shape) + ("," if len(shape) == 1 else "")
        strides = ""
        if len(shape) == 2 and not self.symbols and self.draw(st.integers(0, 5)) == 5:
            strides = f", strides=({shape[1]} + {self.number(3)}, {self.number(1)})"
        self.params.append(name)
        self.lines.append(f'{name} = T.match_buffer({name.lower()}, ({extents}), "{self.dtype}"{strides})')

    def block(
        self, name: str, axes: list[tuple[str, str, str]], body: list[str], start: list[str] | None = None
    ) -> None:
        """Write a block over axes (name, kind S or R, extent); a loop may be split, with a predicate if
        necessary, and one may start at 2. Empty reductions are not split: an unrolled part has no init for all copies.
        """
        heads: list[str] = []
        binds: list[str] = []
        where = ""
        split = self.draw(st.integers(-len(axes) - 1, len(axes) - 1))
        shifted = self.draw(st.integers(-3 * len(axes) - 3, len(axes) - 1))
        for place, (axis, kind, extent) in enumerate(axes):
            kinds = {"S": "spatial", "R": "reduce", "C": "scan", "O": "opaque"}
            loop, value = f"l{axis}", f"l{axis}"
            if place == split and kind != "C" and (kind, extent) != ("R", self.number(0)):
                factor = self.number(self.draw(st.sampled_from(_FACTORS)))
                outer = f"({extent} + {factor} - {self.number(1)}) // {factor}"
                heads += [f"for {loop}_0 in range({outer}):", f"for {loop}_1 in range({factor}):"]
                value = f"{loop}_0 * {factor} + {loop}_1"
                where = f"T.where({value} < {extent})"
            elif place == shifted:
                low = self.number(2)
                heads.append(f"for {loop} in range({low}, {extent} + {low}):")
                value = f"{loop} - {low}"
            else:
                heads.append(f"for {loop} in range({extent}):")
            binds.append(f"{axis} = T.axis.{kinds[kind]}({extent}, {value})")
        inside = [*binds, *([where] if where else [])]
        if start is not None:
            inside += ["with T.init():", *("    " + line for line in start)]
        lines = [f'with T.block("{name}"):', *("    " + line for line in (*inside, *body))]
        for head in reversed(heads):
            lines = [head, *("    " + line for line in lines)]
        self.lines += lines

    def text(self) -> str:
        """The whole function."""
        params = ", ".join(f"{name.lower()}: T.handle" for name in self.params)
        symbols = [f"{name} = T.{self.index}()" for name in self.symbols]
        # arguments do not overlap, which backends may use
        promise = ['T.func_attr({"tir.noalias": T.bool(True)})'] if self.draw(st.booleans()) else []
        body = "".join(f"    {line}\n" for line in (*promise, *symbols, *self.lines))
        return f"@T.prim_func\ndef main({params}):\n{body}"


def _elementwise(k: _Kernel) -> None:
    rank = k.draw(st.integers(0, 3))
    shape = [k.extent() for _ in range(rank)]
    for name in "AB":
        k.buffer(name, *shape)
    axes = [f"v{place}" for place in range(rank)]
    at = ", ".join(axes) or "()"
    form = k.draw(
        st.sampled_from(("A[{0}] + {1}", "T.max(A[{0}], {1})", "A[{0}] * A[{0}]", "T.Select({2}, A[{0}], {1})"))
    )
    condition = f"{axes[0]} % {k.number(2)} == {k.number(0)}" if axes else f"A[{at}] < {k.value(3)}"
    body = f"B[{at}] = {form.format(at, k.value(3), condition)}"
    k.block("B", [(axis, "S", extent) for axis, extent in zip(axes, shape, strict=True)], [body])


def _reduction(k: _Kernel) -> None:
    rows, columns = k.extent(), k.reduced_extent()
    k.buffer("A", rows, columns)
    k.buffer("B", rows)
    how = k.draw(st.sampled_from(("B[i] + A[i, j]", "T.max(B[i], A[i, j])", "T.min(B[i], A[i, j])")))
    start = k.value(0 if how.startswith("B") else 3)
    k.block("B", [("i", "S", rows), ("j", "R", columns)], [f"B[i] = {how}"], [f"B[i] = {start}"])


def _total(k: _Kernel) -> None:
    """A full reduction along one or two axes into a scalar buffer."""
    names = "ij"[: k.draw(st.integers(1, 2))]
    extents = [k.reduced_extent() for _ in names]
    k.buffer("A", *extents)
    k.buffer("B")
    axes = [(name, "R", extent) for name, extent in zip(names, extents, strict=True)]
    k.block("B", axes, [f"B[()] = B[()] + A[{', '.join(names)}]"], [f"B[()] = {k.value(0)}"])


def _stencil(k: _Kernel) -> None:
    extent, radius = k.extent(1), k.draw(st.integers(1, 2))
    k.buffer("A", extent)
    k.buffer("B", extent)
    terms = [
        f"T.if_then_else({k.number(0)} <= i + {k.number(d)} and i + {k.number(d)} < {extent}, "
        f"A[i + {k.number(d)}], {k.value(0)})"
        for d in range(-radius, radius + 1)
    ]
    k.block("B", [("i", "S", extent)], [f"B[i] = {' + '.join(terms)}"])


def _matmul(k: _Kernel) -> None:
    n, m, depth = k.extent(), k.extent(), k.reduced_extent()
    k.buffer("A", n, depth)
    k.buffer("B", depth, m) if (is_plain := k.draw(st.booleans())) else k.buffer("B", m, depth)
    k.buffer("C", n, m)
    right = "B[k, j]" if is_plain else "B[j, k]"
    axes = [("i", "S", n), ("j", "S", m), ("k", "R", depth)]
    k.block("C", axes, [f"C[i, j] = C[i, j] + A[i, k] * {right}"], [f"C[i, j] = {k.value(0)}"])


def _scan(k: _Kernel) -> None:
    rows, columns = k.extent(1), k.extent(1)
    k.buffer("A", rows, columns)
    k.buffer("B", rows, columns)
    one = k.number(1)
    k.block(
        "B",
        [("t", "C", rows), ("j", "S", columns)],
        [f"if t == {k.number(0)}:", "    B[t, j] = A[t, j]", "else:", f"    B[t, j] = B[t - {one}, j] + A[t, j]"],
    )


def _transpose(k: _Kernel) -> None:
    rows, columns = k.extent(), k.extent()
    k.buffer("A", rows, columns)
    k.buffer("B", columns, rows)
    k.block("B", [("i", "S", columns), ("j", "S", rows)], ["B[i, j] = A[j, i]"])


def _chain(k: _Kernel) -> None:
    """Two or three blocks with buffers between them."""
    extent = k.extent(1)
    last = f"{extent} - {k.number(1)}"
    k.buffer("A", extent)
    k.buffer("B", extent)
    k.lines.append(f'Y = T.alloc_buffer(({extent},), "{k.dtype}")')
    k.block("Y", [("i", "S", extent)], [f"Y[i] = A[i] + {k.value(1)}"])
    source = "Y"
    if k.draw(st.booleans()):
        source = "Z"
        k.lines.append(f'Z = T.alloc_buffer(({extent},), "{k.dtype}")')
        k.block("Z", [("i", "S", extent)], [f"Z[i] = Y[{k.draw(st.sampled_from(('i', f'{last} - i')))}]"])
    k.block("B", [("i", "S", extent)], [f"B[i] = {source}[{last} - i] * {k.value(2)}"])


def _apart(k: _Kernel) -> None:
    """Two buffers of different sizes with disjoint lifetimes."""
    extent, one = k.extent(1), k.number(1)
    whole = f"{extent} + {k.number(2)}"
    k.buffer("A", extent)
    k.buffer("B", extent)
    k.lines.append(f'Y = T.alloc_buffer(({extent},), "{k.dtype}")')
    k.lines.append(f'Z = T.alloc_buffer(({whole},), "{k.dtype}")')
    k.block("Y", [("i", "S", extent)], [f"Y[i] = A[i] + {k.value(1)}"])
    k.block("B", [("i", "S", extent)], [f"B[i] = Y[{extent} - {one} - i]"])
    k.block("Z", [("i", "S", whole)], [f"Z[i] = T.if_then_else(i < {extent}, A[i], {k.value(3)})"])
    k.block("C", [("i", "S", extent)], [f"B[i] = B[i] + Z[{extent} + {one} - i]"])


def _guarded(k: _Kernel) -> None:
    """Guarded writes; other elements keep their values."""
    extent = k.extent(1)
    k.buffer("A", extent)
    k.buffer("B", extent)
    divisor = k.number(k.draw(st.sampled_from((2, 3, 7, -2))))
    compare = k.draw(st.sampled_from(("==", "<", ">=", "!=")))
    k.block(
        "B", [("i", "S", extent)], [f"if (i * {k.number(3)}) % {divisor} {compare} {k.number(0)}:", "    B[i] = A[i]"]
    )


def _padded(k: _Kernel) -> None:
    """A padded block."""
    extent, one = k.extent(1), k.number(1)
    whole = f"{extent} + {k.number(2)}"
    k.buffer("A", extent)
    k.buffer("B", whole)
    k.lines.append(f'Y = T.alloc_buffer(({extent},), "{k.dtype}")')
    k.block("Y", [("i", "S", extent)], [f"Y[i] = A[i] + {k.value(1)}"])
    value = f"T.if_then_else({one} <= i and i < {extent} + {one}, Y[i - {one}], {k.value(3)})"
    k.block("B", [("i", "S", whole)], [f"B[i] = {value}"])


def _carried(k: _Kernel) -> None:
    """Two blocks in one loop with a loop-carried dependence, upwards or downwards."""
    extent, one = k.extent(1), k.number(1)
    last = f"{extent} - {one}"
    k.buffer("A", extent)
    k.buffer("B", extent)
    k.lines.append(f'Y = T.alloc_buffer(({extent},), "{k.dtype}")')
    is_upwards = k.draw(st.booleans())
    at, has, before = (
        ("l", f"i > {k.number(0)}", f"i - {one}") if is_upwards else (f"{last} - l", f"i < {last}", f"i + {one}")
    )
    axis = f"i = T.axis.scan({extent}, {at})"
    k.lines += [
        f"for l in range({extent}):",
        '    with T.block("Y"):',
        f"        {axis}",
        f"        Y[i] = A[i] + {k.value(1)}",
        '    with T.block("B"):',
        f"        {axis}",
        f"        B[i] = Y[i] + T.if_then_else({has}, Y[{before}], {k.value(0)})",
    ]


def _partly(k: _Kernel) -> None:
    """A buffer of which only one half is written and read."""
    extent = k.extent(1)
    half = f"({extent} + {k.number(1)}) // {k.number(2)}"
    k.buffer("A", extent)
    k.buffer("B", extent)
    k.lines.append(f'Y = T.alloc_buffer(({extent},), "{k.dtype}")')
    last = f"{extent} - {k.number(1)}"
    at, has = ("i", f"i < {half}") if k.draw(st.booleans()) else (f"{last} - i", f"i > {last} - {half}")
    k.block("Y", [("i", "S", half)], [f"Y[{at}] = A[{at}] + {k.value(1)}"])
    k.block("B", [("i", "S", extent)], [f"B[i] = T.if_then_else({has}, Y[i], {k.value(3)})"])


def _triangle(k: _Kernel) -> None:
    """A triangular nest; the block has axes, or uses the loop variables."""
    extent = k.extent(1)
    k.buffer("A", extent, extent)
    k.buffer("B", extent, extent)
    k.lines += [f"for i in range({extent}):", f"    for j in range(i + {k.number(1)}):", '        with T.block("B"):']
    if k.draw(st.booleans()):
        inside = [f"vi = T.axis.spatial({extent}, i)", f"vj = T.axis.spatial({extent}, j)", "B[vi, vj] = A[vj, vi]"]
    else:
        inside = ["T.reads(A[j, i])", "T.writes(B[i, j])", "B[i, j] = A[j, i]"]
    k.lines += ["            " + line for line in inside]


def _rounded(k: _Kernel) -> None:
    """Divisions and remainders of negative numbers, and values that are rounded to a narrower dtype and back."""
    extent = k.extent(1)
    k.buffer("A", extent)
    k.buffer("B", extent)
    is_float, is_signed = k.dtype.startswith("float"), not k.dtype.startswith("uint")
    operator = k.draw(st.sampled_from(("//", "%")))
    divisor = k.draw(st.sampled_from((2, 3, 7, -2, -3)))
    forms = [f'T.Cast("{k.dtype}", (i - {k.number(5)}) {operator} {k.number(divisor)})']
    if not is_float:
        forms.append(f"A[i] {operator} {k.value(divisor if is_signed else abs(divisor))}")
    if is_float:
        narrow = k.draw(st.sampled_from(("float16", "float32") if k.dtype == "float64" else ("float16",)))
        forms.append(f'T.Cast("{k.dtype}", T.Cast("{narrow}", A[i]))')
    elif k.dtype in ("int32", "int64"):
        # of float32, the first integer that is rounded
        forms.append(f'T.Cast("{k.dtype}", T.Cast("float32", T.Cast("{k.dtype}", i) + {k.value(2**24 + 1)}))')
    else:
        forms.append(f'T.Cast("{k.dtype}", T.Cast("int32", A[i]) * 77 {operator} {divisor})')
    k.block("B", [("i", "S", extent)], [f"B[i] = {k.draw(st.sampled_from(forms))}"])


#: kind of kernel -> its writer
KINDS: Final[dict[str, Callable[[_Kernel], None]]] = {
    "elementwise": _elementwise,
    "reduction": _reduction,
    "total": _total,
    "stencil": _stencil,
    "matmul": _matmul,
    "scan": _scan,
    "transpose": _transpose,
    "chain": _chain,
    "apart": _apart,
    "guarded": _guarded,
    "padded": _padded,
    "carried": _carried,
    "partly": _partly,
    "triangle": _triangle,
    "rounded": _rounded,
}


@st.composite
def kernel_texts(draw: st.DrawFn, kind: str | None = None) -> str:
    """Draw the text of a kernel of a kind of `KINDS`; by default of any."""
    kernel = _Kernel(draw)
    KINDS[kind or draw(st.sampled_from(list(KINDS)))](kernel)
    return kernel.text()


def kernels(kind: str | None = None) -> st.SearchStrategy[PrimFunc]:
    """Strategy of kernels of a kind of `KINDS`; by default of any."""
    return kernel_texts(kind).map(from_source)


def sizes_for(func: PrimFunc) -> st.SearchStrategy[dict[str, int]]:
    """Strategy of sizes for the symbolic extents of parameters, including 0 and 1."""
    names = sorted({each.name for buffer in func.buffer_map.values() for each in buffer.shape if isinstance(each, Var)})
    return st.fixed_dictionaries({name: st.sampled_from(EXTENTS) for name in names})


def inputs_for(func: PrimFunc) -> st.SearchStrategy[list[Any]]:
    """Strategy of arguments for a function, including its symbolic extents."""
    return st.builds(
        lambda seed, dims: [argument.value for argument in random_inputs(func, seed, dims)],
        st.integers(0, 2**16),
        sizes_for(func),
    )


__all__ = ["KINDS", "inputs_for", "kernel_texts", "kernels", "sizes_for"]
