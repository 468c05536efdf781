"""Functions that no schedule has touched, for the rules of the default schedules: products, windows, chains, scans."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Final

from tvmscript.fuzz.codegen.writing import Kernel, Written, under

_FLOATS: Final = ("float32", "float32", "float64", "float16")
#: the dtypes of the factors and of the sum
_PRODUCTS: Final = (
    *(((dtype,) * 3) for dtype in ("float32", "float32", "float64")),
    *((left, right, "int32") for left in ("int8", "uint8") for right in ("int8", "uint8")),
    ("float16", "float16", "float32"),
)
#: results of products that may have many terms
_FEW: Final = 64


def _size(k: Kernel, *usual: int) -> int:
    """Draw a size at the edges of tiles and vectors, or any."""
    return max(k.pick(*usual) + k.pick(0, 0, 1, -1), 1) if k.chance(0.7) else k.number(1, 70)


def write_block(name: str, kinds: str, extents: list[str], body: list[str]) -> list[str]:
    """Write loops around a block whose axes are `v0`, `v1`, ..."""
    loops = [f"{name.lower()}{place}" for place in range(len(extents))]
    axes = ", ".join(f"v{place}" for place in range(len(extents)))
    if len(loops) == 1:
        head, bind = f"for {loops[0]} in range({extents[0]}):", f"v0 = T.axis.{_AXES[kinds]}({extents[0]}, {loops[0]})"
    else:
        head = f"for {', '.join(loops)} in T.grid({', '.join(extents)}):"
        bind = f'{axes} = T.axis.remap("{kinds}", [{", ".join(loops)}])'
    return under(head, under(f'with T.block("{name}"):', [bind, *body]))


_AXES: Final = {"S": "spatial", "R": "reduce"}


def write_temporary(name: str, shape: str, dtype: str) -> str:
    return f'{name} = T.alloc_buffer({shape}, "{dtype}")'


def products(rng: random.Random) -> Written:
    """Draw a product of matrices of any layout, perhaps with blocks in front of and behind it."""
    k = Kernel(rng)
    left, right, total = k.pick(*_PRODUCTS)
    rows, columns, terms = _size(k, 1, 4, 6, 12, 33), _size(k, 1, 8, 16, 32, 64), _size(k, 1, 4, 16, 33, 64)
    if rows * columns <= _FEW and k.chance(0.5):
        terms = k.number(70, 600)  # which lanes share
    m, n, t = str(rows), str(columns), str(terms)
    if k.chance(0.2):
        m = k.size("m", rows)
    if k.chance(0.15):
        t = k.size("t", terms)
    batch = k.pick([], [], [], [str(k.number(1, 3))])
    outer = "".join(f"{size}, " for size in batch)
    b = len(batch)
    of_batch = "".join(f"v{place}, " for place in range(b))
    i, j, s = (f"v{b + place}" for place in range(3))
    a_shape, a_index = k.pick((f"{m}, {t}", f"{i}, {s}"), (f"{m}, {t}", f"{i}, {s}"), (f"{t}, {m}", f"{s}, {i}"))
    b_shape, b_index = k.pick((f"{t}, {n}", f"{s}, {j}"), (f"{t}, {n}", f"{s}, {j}"), (f"{n}, {t}", f"{j}, {s}"))
    c_shape, c_index = k.pick((f"{m}, {n}", f"{i}, {j}"), (f"{m}, {n}", f"{i}, {j}"), (f"{n}, {m}", f"{j}, {i}"))
    k.array("A", f"({outer}{a_shape})", left)
    k.array("B", f"({outer}{b_shape})", right)
    k.array("C", f"({outer}{c_shape})", total)
    lines: list[str] = []
    source, result = "A", "C"
    if k.chance(0.25) and left == total:
        source = "P"
        lines.append(write_temporary("P", f"({outer}{a_shape})", left))
        extents = [*batch, *a_shape.split(", ")]
        at = ", ".join(f"v{place}" for place in range(len(extents)))
        value = k.pick(
            f"A[{at}] + T.{left}(1)", f"T.if_then_else(v{b} > 0, A[{at}], T.{left}(2))", f"T.max(A[{at}], T.{left}(0))"
        )
        lines += write_block("P", "S" * len(extents), extents, [f"P[{at}] = {value}"])
    epilogue = k.chance(0.3)
    if "t" in k.sizes and not epilogue and k.chance(0.3):
        k.sizes["t"] = 0  # results stay as they are; without a value, nothing may read them
    if epilogue:
        result = "Q"
        lines.append(write_temporary("Q", f"({outer}{c_shape})", total))
        k.array("D", f"({n},)", total)
    element = f"{result}[{of_batch}{c_index}]"
    factors = (f"{source}[{of_batch}{a_index}]", f"B[{of_batch}{b_index}]")
    value = " * ".join(
        x if dtype == total else f'T.Cast("{total}", {x})' for x, dtype in zip(factors, (left, right), strict=True)
    )
    body = [
        *under("with T.init():", [f"{element} = T.{total}({k.pick(0, 0, 0, 1)})"]),
        f"{element} = {element} + {value}",
    ]
    lines += write_block("M", "S" * (b + 2) + "R", [*batch, m, n, t], body)
    if epilogue:
        extra = k.pick(f"{element} + D[{j}]", f"T.max({element}, T.{total}(0))", f"{element} * T.{total}(2)")
        lines += write_block("E", "S" * (b + 2), [*batch, m, n], [f"C[{of_batch}{c_index}] = {extra}"])
    k.lines = lines
    return Written(k.text(), k.sizes)


def windows(rng: random.Random) -> Written:
    """Draw a convolution of one or two dimensions, perhaps in groups, perhaps behind a block that pads its data."""
    k = Kernel(rng)
    dtype = k.pick("float32", "float32", "float64")
    pixels, channels, inputs = _size(k, 3, 7, 14), _size(k, 4, 16, 33), k.pick(1, 3, 4, 16)
    kernel, stride, dilation, padding = k.pick(1, 2, 3), k.pick(1, 1, 2), k.pick(1, 1, 2), k.pick(0, 0, 1)
    rows, groups = k.pick(1, 2, 5), k.pick(1, 1, 1, 2, 5, 16)
    outputs = max(channels // groups, 1)
    channels = outputs * groups
    reach = (pixels - 1) * stride + (kernel - 1) * dilation + 1
    height = rows + kernel - 1
    size, tall = max(reach - 2 * padding, 1), height
    reach = size + 2 * padding
    pixels = (reach - (kernel - 1) * dilation - 1) // stride + 1
    if pixels < 1:
        kernel, pixels = 1, (reach - 1) // stride + 1
    is_last = k.chance(0.5)

    def place(channel: str, row: str, pixel: str) -> str:
        return f"{row}, {pixel}, {channel}" if is_last else f"{channel}, {row}, {pixel}"

    k.array("A", f"({place(str(inputs * groups), str(tall), str(size))})", dtype)
    weights = k.pick("oihw", "hwio")
    shape = {"o": channels, "i": inputs, "h": kernel, "w": kernel}
    k.array("W", f"({', '.join(str(shape[each]) for each in weights)})", dtype)
    k.array("C", f"({place(str(channels), str(tall - kernel + 1), str(pixels))})", dtype)
    lines: list[str] = []
    source = "A"
    if padding:
        source = "P"
        padded = place(str(inputs * groups), str(tall), str(reach))
        lines.append(write_temporary("P", f"({padded})", dtype))
        pixel = "v1" if is_last else "v2"
        at = "v0, v1 - 1, v2" if is_last else "v0, v1, v2 - 1"
        value = f"T.if_then_else({pixel} >= 1 and {pixel} < {size + 1}, A[{at}], T.{dtype}(0))"
        lines += write_block("P", "SSS", padded.split(", "), [f"P[v0, v1, v2] = {value}"])
    axes = {"o": "v0", "i": "v3", "h": "v4", "w": "v5"}
    out = f"C[{place('v0', 'v1', 'v2')}]"
    group = f"v0 // {outputs}" if outputs > 1 else "v0"
    channel = "v3" if groups == 1 else f"{group} * {inputs} + v3"
    data = f"{source}[{place(channel, 'v1 + v4', f'v2 * {stride} + v5 * {dilation}')}]"
    body = [
        *under("with T.init():", [f"{out} = T.{dtype}(0)"]),
        f"{out} = {out} + {data} * W[{', '.join(axes[each] for each in weights)}]",
    ]
    extents = [channels, tall - kernel + 1, pixels, inputs, kernel, kernel]
    lines += write_block("M", "SSSRRR", [str(extent) for extent in extents], body)
    k.lines = lines
    return Written(k.text(), k.sizes)


def chains(rng: random.Random) -> Written:
    """Draw blocks that compute elements of their own: broadcasts, exchanged axes, conditions, several uses."""
    k = Kernel(rng)
    dtype = k.pick(*_FLOATS, "int32", "int8")
    sizes = [str(_size(k, 4, 8, 16, 33)) for _ in range(k.pick(1, 2, 2, 2, 3))]
    if k.chance(0.2):
        sizes[0] = k.size("n", int(sizes[0]))
    rank = len(sizes)
    names = [f"v{axis}" for axis in range(rank)]
    k.array("A", f"({', '.join(sizes)},)", dtype)
    k.array("B", f"({sizes[-1]},)", dtype)
    stages, lines = k.number(1, 3), list[str]()
    shapes: dict[str, list[int]] = {"A": [*range(rank)]}
    for stage in range(stages):
        order = [*range(rank)]
        if k.chance(0.4):
            rng.shuffle(order)
        target = "C" if stage == stages - 1 else f"X{stage}"
        axes = {axis: names[place] for place, axis in enumerate(order)}
        source = k.pick(*shapes)
        first = f"{source}[{', '.join(axes[axis] for axis in shapes[source])}]"
        other = k.pick(*shapes)
        second = f"{other}[{', '.join(axes[axis] for axis in shapes[other])}]"
        value = k.pick(
            first,
            f"{first} + B[{axes[rank - 1]}]",
            f"{first} + {second}",
            f"T.max({first}, {second}) * T.{dtype}(2)",
            f"T.if_then_else({axes[0]} > 1, {first}, T.{dtype}(1))",
            f"T.Select({first} > {second}, {first}, B[{axes[rank - 1]}])",
        )
        shape = f"({', '.join(sizes[axis] for axis in order)},)"
        if target == "C":
            k.array("C", shape, dtype)
        else:
            lines.append(write_temporary(target, shape, dtype))
        lines += write_block(
            f"b{stage}", "S" * rank, [sizes[axis] for axis in order], [f"{target}[{', '.join(names)}] = {value}"]
        )
        shapes[target] = order
    k.lines = lines
    return Written(k.text(), k.sizes)


def sums(rng: random.Random) -> Written:
    """Draw a reduction of rows or columns, what it reads, and blocks that use each of its results many times."""
    k = Kernel(rng)
    dtype = k.pick("float32", "float32", "float64", "int32")
    rows, columns = str(_size(k, 1, 5, 16, 33)), str(_size(k, 4, 16, 64, 33))
    if k.chance(0.2):
        columns = k.size("n", int(columns))
    k.array("A", f"({rows}, {columns})", dtype)
    axis = k.pick(0, 1)
    size = (rows, columns)[axis]
    lines: list[str] = []
    source = "A"
    if k.chance(0.4):
        source = "P"
        lines.append(write_temporary("P", f"({rows}, {columns})", dtype))
        value = k.pick(
            f"A[v0, v1] + T.{dtype}(1)", f"T.if_then_else(v1 > 0, A[v0, v1], T.{dtype}(1))", "A[v0, v1] * A[v0, v1]"
        )
        lines += write_block("P", "SS", [rows, columns], [f"P[v0, v1] = {value}"])
    is_last = k.chance(0.5)
    result = "C" if is_last else "S"
    if is_last:
        k.array("C", f"({size},)", dtype)
    else:
        lines.append(write_temporary("S", f"({size},)", dtype))
    read = f"{source}[v0, v1]" if axis == 0 else f"{source}[v1, v0]"
    form = k.pick("sum", "sum", "max", "min")
    start, step = {
        "sum": (f"T.{dtype}(0)", f"{result}[v0] + {read}"),
        "max": (f'T.min_value("{dtype}")', f"T.max({result}[v0], {read})"),
        "min": (f'T.max_value("{dtype}")', f"T.min({result}[v0], {read})"),
    }[form]
    body = [*under("with T.init():", [f"{result}[v0] = {start}"]), f"{result}[v0] = {step}"]
    lines += write_block("R", "SR", [size, (columns, rows)[axis]], body)
    if not is_last:
        k.array("C", f"({rows}, {columns})", dtype)
        value = k.pick(f"{source}[v0, v1] - S[v{axis}]", f"S[v{axis}] * T.{dtype}(2) + A[v0, v1]")
        lines += write_block("U", "SS", [rows, columns], [f"C[v0, v1] = {value}"])
    k.lines = lines
    return Written(k.text(), k.sizes)


def scans(rng: random.Random) -> Written:
    """Draw columns whose elements are computed in order, from others of the same column or of a neighbouring one."""
    k = Kernel(rng)
    dtype = k.pick("float32", "float32", "float64")
    rows, columns = _size(k, 2, 4, 9) + 1, _size(k, 8, 33, 48, 70)
    shift = k.pick(0, 0, 1, -1, k.number(0, columns - 1))
    k.array("A", f"({rows}, {columns})", dtype)
    k.array("C", f"({rows}, {columns})", dtype)
    source, target = f"v0 + {max(shift, 0)}", f"v0 + {max(-shift, 0)}"
    step = f"C[s + 1, {target}] = C[s, {source}] + A[s + 1, {target}]"
    is_backward = k.chance(0.2)
    if is_backward:
        step = f"C[{rows - 2} - s, {target}] = C[{rows - 1} - s, {source}] + A[s, {target}]"
    loop = "T.serial" if shift else k.pick("T.serial", "T.parallel")
    extent = columns - abs(shift)
    body = [f"v0 = T.axis.spatial({extent}, i)", *under(f"for s in range({rows - 1}):", [step])]
    k.lines = under(f"for i in {loop}({extent}):", under('with T.block("S"):', body))
    return Written(k.text(), k.sizes)


#: how an element stays: `{v}` is the extreme so far, `{t}` the term, `{i}` its place, `{p}` that of the term
_STAYS: Final = (
    "{v} >= {t}", "{v} > {t}", "{t} <= {v}", "{v} <= {t}", "{v} < {t}", "{t} > {v}",
    "{t} < {v} or ({v} == {t} and {i} < {p})", "{v} < {t} or ({t} == {v} and {p} > {i})",
)  # fmt: skip


def extremes(rng: random.Random) -> Written:
    """Draw the extreme of each row with its place: the first one, or the last one of equal terms."""
    k = Kernel(rng)
    dtype, index = k.pick("float32", "float32", "float64"), k.pick("int32", "int64")
    rows, terms = k.number(1, 4), _size(k, 1, 8, 33, 64, 200)
    k.heads = ['T.func_attr({"tir.noalias": T.bool(True)})'] if k.chance(0.8) else []
    k.array("A", f"({rows}, {terms})", dtype)
    k.array("I", f"({rows},)", index)
    k.array("V", f"({rows},)", dtype)
    place = f"T.Cast({index!r}, {k.pick('v1', 'v1', 'v1 * 2 + 5')})"
    whole = k.pick(*_STAYS).format(v="V[v0]", t="A[v0, v1]", i="I[v0]", p=place)
    short = whole.partition(" or ")[0]
    start = k.pick("min", "max")
    init = under("with T.init():", [f"I[v0] = T.{index}(-1)", f'V[v0] = T.{start}_value("{dtype}")'])
    body = [
        f"w0: T.{index} = T.Select({whole}, I[v0], {place})",
        f"w1: T.{dtype} = T.Select({k.pick(whole, short)}, V[v0], A[v0, v1])",
        *k.pick(("I[v0] = w0", "V[v0] = w1"), ("V[v0] = w1", "I[v0] = w0")),
    ]
    k.lines = write_block("E", "SR", [str(rows), str(terms)], [*(init if k.chance(0.8) else []), *body])
    return Written(k.text(), k.sizes)


FAMILIES: Final[dict[str, Callable[[random.Random], Written]]] = {
    "products": products,
    "windows": windows,
    "chains": chains,
    "sums": sums,
    "extremes": extremes,
    "scans": scans,
}
