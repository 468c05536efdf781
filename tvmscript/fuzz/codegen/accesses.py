"""Kernels with vector accesses: strided, backward, broadcast, scattered, masked."""

from __future__ import annotations

import random

from tvmscript.fuzz.codegen.writing import DTYPES, Kernel, Written, under

#: elements of a row, a power of two: any number becomes an index by a mask
WIDE = 64
_ROWS = 3
_LANES = (4, 2, 3, 8, 16, 5, 24)


def _lanes_at(k: Kernel, lanes: int) -> str:
    """Draw `lanes` indices inside of a row; `i` is below 3."""
    form = k.pick("step", "step", "repeated", "loaded", "computed", "variable", "step")
    if form == "repeated":
        return f"T.Broadcast({k.pick('i', 'i * 5 + 1', str(k.number(0, WIDE - 1)))}, {lanes})"
    if form == "loaded":
        return f"T.bitwise_and(X[T.Ramp(i * {lanes}, 1, {lanes})], T.Broadcast({WIDE - 1}, {lanes}))"
    if form == "computed":
        return f"T.Ramp(i, {k.number(1, 2)}, {lanes}) * T.Broadcast({k.number(1, 1)}, {lanes})"
    if form == "variable":
        return f"T.Ramp(i + {k.number(0, 9)}, w, {lanes})"
    step = k.pick(1, 1, -1, -1, 2, 3, -2)
    reach = step * (lanes - 1)
    first = k.number(max(0, -reach), WIDE - 3 - max(0, reach))
    return f"T.Ramp({k.pick('i + ', '')}{first}, {step}, {lanes})"


def _mask(k: Kernel, lanes: int) -> str:
    form = k.pick("active", "numbers", "loaded", "all")
    if form == "active":
        first, some = k.pick(("0", k.number(0, lanes)), ("i * 2", k.number(0, 2 * lanes)), ("i - 2", k.number(-3, 3)))
        return f'T.get_active_lane_mask("boolx{lanes}", {first}, {some})'
    if form == "numbers":
        compare = k.pick("<", ">=", "!=")
        return f"T.Ramp(0, 1, {lanes}) {compare} T.Broadcast({k.number(0, lanes)}, {lanes})"
    if form == "loaded":
        return f"X[T.Ramp(i * {lanes}, 1, {lanes})] < T.Broadcast(3, {lanes})"
    return f"T.Broadcast(X[i] < {k.number(-2, 5)}, {lanes})"


def vectors(rng: random.Random) -> Written:
    """Draw vector loads and stores in many forms."""
    k = Kernel(rng)
    dtype = k.pick(*DTYPES)
    k.scalar("w", "int32", k.number(1, 3))
    k.array("X", f"({_ROWS * 16},)", "int32")
    rank = k.pick(1, 1, 2)
    for name in "AB":
        strides = ""
        if rank == 2:
            strides = k.pick("", f", strides=({WIDE + 5}, 1)", f", strides=({2 * WIDE}, 2)", f", strides=(1, {_ROWS})")
        elif k.chance(0.2):
            strides = f", strides=({k.number(2, 3)},)"
        k.array(name, f"({WIDE},)" if rank == 1 else f"({_ROWS}, {WIDE})", dtype, strides)
    body: list[str] = []
    for _ in range(k.number(2, 7)):
        lanes = k.pick(*_LANES)
        source, target = k.pick("A", "B"), k.pick("B", "B", "A")
        where, into = ((k.pick("i, ", "2 - i, ", "0, ") if rank == 2 else "") + _lanes_at(k, lanes) for _ in "rw")
        value = f"{source}[{where}]"
        if k.chance(0.3):
            value = f"{source}.vload([{where}], predicate={_mask(k, lanes)})"
        if k.chance(0.3):
            body.append(f"{target}.vstore([{into}], {value}, predicate={_mask(k, lanes)})")
        else:
            body.append(f"{target}[{into}] = {value}")
    k.lines = under(f"for i in range({_ROWS}):", body)
    return Written(k.text(), k.sizes)


def elements(rng: random.Random) -> Written:
    """Draw element accesses in permuted order to strided buffers, or buffers of vectors, of up to three dimensions."""
    k = Kernel(rng)
    dtype = k.pick(*DTYPES)
    index = k.pick("int32", "int32", "int64", "int16", "uint8", "uint32")
    shape = [k.pick(1, 2, 3, 5, 7) for _ in range(k.number(1, 3))]
    lanes = k.pick(1, 1, 1, 4, 2) if dtype not in ("bool",) else 1
    kind = dtype if lanes == 1 else f"{dtype}x{lanes}"
    order = list(range(len(shape)))
    rng.shuffle(order)
    strides = [0] * len(shape)
    step = k.pick(1, 1, 2)
    for axis in order:
        strides[axis] = step
        step *= shape[axis] + k.pick(0, 0, 1)
    has_strides = lanes == 1 and k.chance(0.5)
    k.array("A", _tuple(shape), kind, f", strides={_tuple(strides)}" if has_strides else "")
    k.array("B", _tuple(shape), kind)
    k.array("C", _tuple([shape[-1]]), kind, ", elem_offset=0" if k.chance(0.3) else "")
    loops = [f"v{axis}" for axis in range(len(shape))]
    back = [k.pick(var, f"{extent - 1} - {var}") for var, extent in zip(loops, shape, strict=True)]
    if index != "int32":
        back = [f"T.Cast({index!r}, {each})" for each in back]
    inside = [f"B[{', '.join(loops)}] = A[{', '.join(back)}]", f"C[{loops[-1]}] = B[{', '.join(back)}]"]
    if k.chance(0.4) and lanes == 1:
        # quotients and remainders of what may be negative
        shift, by = k.number(-9, 9), k.pick(2, 3, 4)
        extent = shape[-1]
        digit = k.pick(f"(v0 * 3 + {shift}) // {by}", f"T.truncdiv(v0 * 3 + {shift}, {by})", f"v0 - {shift}")
        inside.append(f"C[({digit}) % {extent}] = A[{', '.join(back)}]")
    for var, extent in zip(reversed(loops), reversed(shape), strict=True):
        inside = under(f"for {var} in range({extent}):", inside)
    k.lines = inside
    return Written(k.text(), k.sizes)


def _tuple(items: list[int]) -> str:
    return f"({', '.join(map(str, items))},)"


def guarded_loads(rng: random.Random) -> Written:
    """Draw loads that are out of bounds unless guarded by their condition."""
    k = Kernel(rng)
    dtype = k.pick("float32", "int32", "float64", "int8", "float16", "bool")
    n = k.number(1, 40)
    size = k.size("n", n) if k.chance(0.4) else str(n)
    shift = k.number(1, 2000)
    k.array("A", f"({size},)", dtype)
    k.array("B", f"({size} + 8,)", dtype)
    zero = f"T.Cast({dtype!r}, 0)" if dtype != "bool" else "T.bool(False)"
    at = f"i - {shift}" if k.chance(0.5) else f"(i - {shift}) * 1000"
    inside = f"{shift} <= i and i < {size} + {shift}"
    load = f"A[T.if_then_else({inside}, i - {shift}, {at})]"
    form = k.pick("if_then_else", "reversed", "and", "or", "statement", "both")
    if form == "if_then_else":
        lines = [f"B[i] = T.if_then_else({inside}, {load}, {zero})"]
    elif form == "reversed":
        lines = [f"B[i] = T.if_then_else(not ({inside}), {zero}, {load})"]
    elif form == "and":
        lines = [f"if {inside} and {load} == {load}:", "    B[i] = B[i + 1 - 1]"]
    elif form == "or":
        lines = [f"if not ({inside}) or {load} != {zero}:", f"    B[i] = {zero}"]
    elif form == "statement":
        lines = [f"if {inside}:", f"    B[i] = {load}", "else:", f"    B[i] = {zero}"]
    else:
        other = f"A[({size} - 1 - i) * {k.pick(1, 500)}]"
        lines = [f"B[i] = T.if_then_else({inside}, {load}, T.if_then_else(i == {size} - 1, {other}, {zero}))"]
    k.lines = under(f"for i in range({size} + 8):", lines)
    return Written(k.text(), k.sizes)
