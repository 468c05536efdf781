"""Loop nests of every kind and extent: reductions, aliased views, threads, early exits."""

from __future__ import annotations

import random

from tvmscript.fuzz.codegen.writing import Kernel, Written, constant, under

_EXTENTS = (0, 1, 2, 3, 4, 7, 8, 16, 17, 31, 32, 33, 40, 64)
_FLOATS = ("float32", "float32", "float64", "int32", "float16")


def _extent(k: Kernel, names: list[str], *extents: int) -> tuple[str, int]:
    """Draw an extent as a constant or a variable, with its value."""
    value = k.pick(*(extents or _EXTENTS))
    if k.chance(0.7) and names:
        return k.size(names.pop(), value), value
    return str(value), value


def sums(rng: random.Random) -> Written:
    """Draw sums that are initialized in the first iteration, over possibly empty loops."""
    k = Kernel(rng)
    dtype = k.pick(*_FLOATS)
    names = list("nml")
    (rows, _), (columns, _), (terms, _) = (
        _extent(k, names, 1, 2, 5, 0, 8),
        _extent(k, names, 1, 4, 7, 16, 33),
        _extent(k, names, 0, 0, 1, 2, 5),
    )
    k.array("A", f"({rows}, {terms})", dtype)
    k.array("B", f"({terms}, {columns})", dtype)
    k.array("C", f"({rows}, {columns})", dtype)
    order = k.pick("ijk", "ikj", "kij", "ijk", "ijk")
    extents = {"i": rows, "j": columns, "k": terms}
    start = k.pick("k == 0", "k == 0", "0 == k", "k < 1", "k == 0 and T.bool(True)", "k == 1")
    if k.chance(0.2):
        start = f"{start} and {k.pick('j >= 0', 'i != 1', 'j == 0')}"
    body = [
        f"if {start}:",
        f"    C[i, j] = {constant(dtype, k.pick(0, 0, 3))}",
        f"C[i, j] = C[i, j] + A[i, k] * {k.pick('B[k, j]', 'B[k, j]', 'A[i, k]')}",
    ]
    if k.chance(0.3):
        kind = "T.serial"
    for name in reversed(order):
        kind = "T.parallel" if name == order[0] and name != "k" and k.chance(0.2) else "range"
        body = under(f"for {name} in {kind}({extents[name]}):", body)
    k.lines = body
    return Written(k.text(), k.sizes)


def views(rng: random.Random) -> Written:
    """Draw aliasing views in vectorizable loops."""
    k = Kernel(rng)
    dtype = k.pick(*_FLOATS)
    n = k.pick(16, 32, 48, 64, 96)
    memory = "M" if k.chance(0.4) else "A"
    k.array("A", "(256,)", dtype)
    k.array("B", "(256,)", dtype)
    lines: list[str] = []
    if memory == "M":
        lines += [f'M = T.decl_buffer((256,), "{dtype}")', *under("for i in range(256):", ["M[i] = A[i]"])]
    offset = k.pick(0, 1, 2, 4, 8, 31, 32)
    more = f", elem_offset={offset}" if k.chance(0.8) else ""
    lines.append(f'V = T.decl_buffer((192,), "{dtype}", data={memory}.data{more})')
    if k.chance(0.3):
        lines.append(f'W = T.decl_buffer((4, 64), "{dtype}", data={memory}.data)')
    one = constant(dtype, 1)
    for _ in range(k.number(1, 2)):
        value = k.pick(
            f"{memory}[i] + {one}",
            f"{memory}[i + {k.number(0, 9)}] * {constant(dtype, 3)}",
            f"V[i + {k.number(0, 5)}] + {memory}[{n} - i]",
            f"B[i] + {memory}[i]",
        )
        target = k.pick("V[i]", "V[i + 1]", f"{memory}[i]", "V[i]", f"{memory}[i + {k.number(1, 33)}]")
        body = [f"{target} = {value}"]
        if k.chance(0.3):
            body.append(f"B[i] = {k.pick('V[i]', f'{memory}[i + 1]')}")
        if k.chance(0.3):
            body = under(f"for j in range({k.pick(2, 3)}):", body)
        lines += under(f"for i in range({n}):", body)
    if memory == "M":
        lines += under("for i in range(256):", ["A[i] = M[i]"])
    k.lines = lines
    return Written(k.text(), k.sizes)


def arguments_that_meet(rng: random.Random) -> Written:
    """Draw kernels whose arguments overlap, without `tir.noalias`."""
    k = Kernel(rng)
    k.heads.clear()
    dtype = k.pick("float32", "int32", "float64", "int8")
    n, offset = k.pick(16, 32, 40, 64), k.number(0, 9)
    k.array("A", "(128,)", dtype)
    k.array("B", "(96,)", dtype)
    value = k.pick(f"A[i] + {constant(dtype, 1)}", f"A[{n} - i] + B[i]", f"A[i + {k.number(0, 9)}]")
    body = [k.pick(f"B[i] = {value}", f"B[i + 1] = {value}", f"A[i] = B[i] + {constant(dtype, 2)}")]
    if k.chance(0.3):
        body = under("for j in range(2):", body)
    k.lines = under(f"for i in range({n}):", body)
    return Written(k.text(), k.sizes, (("B", "A", offset),))


def joined(rng: random.Random) -> Written:
    """Draw nests whose index expressions can be fused, nearly fused, or not."""
    k = Kernel(rng)
    dtype = k.pick("float32", "float32", "float64", "int32")
    outer, inner = k.pick(1, 2, 3, 4, 5), k.pick(2, 4, 8, 16, 32)
    k.array("A", "(512,)", dtype)
    k.array("B", "(512,)", dtype)
    step = inner * k.pick(1, 1, 1, 2) + k.pick(0, 0, 0, 1)

    def at() -> str:
        scale = k.pick("", "", "", f" * {k.pick(2, 3)}")
        flat = k.pick(f"i * {step} + j", f"j + i * {step}", f"i * {inner} + j")
        shift = k.pick("", "", f" + {k.number(1, 9)}")
        return f"({flat}){scale if step <= 33 and outer <= 3 and inner <= 16 else ''}{shift}"

    value = k.pick(f"A[{at()}] * {constant(dtype, 2)}", f"A[{at()}] + A[{at()}]", f"A[{at()}] + B[{at()}]")
    extra = k.pick("", "", f" + T.Cast('{dtype}', i)", f" + T.Cast('{dtype}', j)")
    body = [f"B[{at()}] = {value}{extra}"]
    if k.chance(0.2):
        body = under(k.pick("if i < 2:", "if j != 3:"), body)
    kinds = k.pick(("range", "range"), ("range", "range"), ("T.unroll", "range"), ("range", "T.vectorized"))
    low = k.pick("", "", "1, ")
    k.lines = under(f"for i in {kinds[0]}({low}{outer}):", under(f"for j in {kinds[1]}({inner}):", body))
    return Written(k.text(), k.sizes)


def counted(rng: random.Random) -> Written:
    """Draw loops of any bounds, dtype and kind that use their variable as a value."""
    k = Kernel(rng)
    dtype = k.pick("int32", "int32", "int64", "uint8", "int16", "uint32", "int8", "uint64")
    is_signed = not dtype.startswith("u")
    n = k.pick(-3, -1, 0, 1, 2, 5, 9) if is_signed else k.pick(0, 1, 2, 5, 9)
    first = k.pick(0, 0, 1, 3) if not is_signed else k.pick(0, 0, 1, 3, -4, -1)
    k.scalar("n", dtype, n)
    k.scalar("s", dtype, first)
    kind = "int64"
    k.array("B", "(64,)", kind)
    low = k.pick(None, "s", constant(dtype, first))
    extent = k.pick("n", "n", f"n + {constant(dtype, 1)}", constant(dtype, k.pick(0, 1, 3, 8)), "n * n")
    loop = k.pick("T.serial", "T.serial", "T.unroll", "T.parallel", "T.parallel", "T.vectorized")
    if loop in ("T.vectorized", "T.unroll"):
        extent, low = constant(dtype, k.pick(1, 2, 4, 7)), k.pick(None, constant(dtype, first))
    begin = first if low is not None else 0
    place = f"T.Cast('int32', i) - ({begin})"
    value = k.pick(
        "T.Cast('int64', i)",
        "T.Cast('int64', i * i)",
        f"T.Cast('int64', i // {constant(dtype, 3)})",
        f"T.Cast('int64', i % {constant(dtype, 4)})",
        "T.Cast('int64', T.max(i, n))",
        "T.if_then_else(i < n, T.int64(7), T.int64(-7))",
    )
    body = [f"B[{place}] = B[{place}] + {value}"]
    if k.chance(0.3):
        body = under(f"for j in range({k.number(0, 3)}):", body)
    ends = f"{low}, {low} + {extent}" if low is not None else extent
    k.lines = under(f"for i in {loop}({ends}):", body)
    if k.chance(0.2):
        k.lines.append("B[63] = T.Cast('int64', n)")
    return Written(k.text(), k.sizes)


def left(rng: random.Random) -> Written:
    """Draw failing assertions and early returns in loops, branches, allocations and parallel loops."""
    k = Kernel(rng)
    n = k.number(0, 12)
    k.scalar("n", "int32", n)
    k.array("A", "(12,)", "int32")
    returns = k.pick("", "", "int32", "float32", "bool", "int64")
    at = k.number(0, 13)
    limit = k.pick(f"i < {at}", f"i != {at}", f"A[i] != A[{k.number(0, 11)}] or i == {k.number(0, 11)}")
    message = k.pick("numbers (100%)", "wrong", "ü \\\\n")
    stop = [f'assert {limit}, "{message}"']
    if returns and k.chance(0.7):
        stop = [f"if not ({limit}):", f"    T.ret(T.Cast('{returns}', i + 1))"]
    body = [f"A[i] = A[i] + {k.number(1, 9)}", *stop, "A[i] = A[i] * 3"]
    if k.chance(0.4):
        size = k.pick(3, 2000, 5000)
        body = [f'M = T.decl_buffer(({size},), "int64")', "M[2] = T.Cast('int64', i)", *body, "A[i] = A[i] + 1"]
    if k.chance(0.2):
        body = under("if i < 9:", body)
    kind = "T.parallel" if k.chance(0.2) and "T.ret" not in " ".join(body) and "!=" in limit else "range"
    k.lines = under(f"for i in {kind}({k.pick('n', '12', 'T.min(n, 5)')}):", body)
    if k.chance(0.3):
        room = k.pick("n * 700 + 1", "3000")
        k.lines = [f'H = T.decl_buffer(({room},), "int32")', "H[0] = 5", *k.lines, "A[0] = A[0] + H[0]"]
    if returns:
        k.returns = f" -> T.{returns}"
        k.lines.append(f"T.ret(T.Cast('{returns}', n + 2))")
    return Written(k.text(), k.sizes)


def memory(rng: random.Random) -> Written:
    """Draw allocations of any size and lifetime, accessed in several orders; constant data."""
    k = Kernel(rng)
    dtype = k.pick("int32", "float32", "int8", "int64", "uint16", "float64", "bool", "float16")
    k.array("A", "(64,)", dtype)
    more = k.number(0, 9)
    n = k.scalar("n", "int32", more)
    lines: list[str] = []
    close: list[str] = []
    for at in range(k.number(1, 3)):
        name, target = f"M{at}", k.array(f"B{at}", "(64,)", dtype)
        rows, columns = k.pick(1, 3, 7, 8, 40), k.pick(2, 5, 64, 300, 1033, 9001)
        shape, extents = k.pick(
            (f"({rows}, {columns})", (rows, columns)),
            (f"({rows * columns},)", (rows * columns,)),
            (f"({n} + {rows}, {columns})", (more + rows, columns)),
            (f"({n} + {columns},)", (more + columns,)),
            (f"({n} + 1, 2, 5)", (more + 1, 2, 5)),
            (f"({rows}, {columns}, 3)", (rows, columns, 3)),
        )
        # the first elements or the last ones
        filled = tuple(min(extent, 20) for extent in extents)
        is_last = k.chance(0.7)
        starts = [(extent - count) * is_last for extent, count in zip(extents, filled, strict=True)]
        lines.append(f'{name} = T.decl_buffer({shape}, "{dtype}")')
        loops = [f"x{axis}" for axis in range(len(filled))]
        value = f"A[({' + '.join(f'{var} * {3 + axis}' for axis, var in enumerate(loops))} + {at}) % 64]"
        fill = [f"{name}[{', '.join(loops)}] = {value}"]
        for var, start, extent in zip(reversed(loops), reversed(starts), reversed(filled), strict=True):
            fill = under(f"for {var} in range({start}, {start + extent}):", fill)
        lines += fill
        back = ", ".join(f"i % {extent} + {start}" for start, extent in zip(starts, filled, strict=True))
        close += under("for i in range(64):", [f"{target}[i] = {name}[{back}]"])
        last = ", ".join(str(start + extent - 1) for start, extent in zip(starts, filled, strict=True))
        close.append(f"A[{at}] = {name}[{last}]")
    if k.chance(0.3):
        kind = dtype if dtype in ("int32", "int8", "float32") else "int32"
        numbers = [k.number(-100, 100) for _ in range(5)]
        lines.append(f'K = T.allocate_const({numbers}, "{kind}", [5])')
        lines.append(f'KB = T.decl_buffer((5,), "{kind}", data=K)')
        close += under("for i in range(5):", [f"B0[i + 9] = T.Cast('{dtype}', KB[4 - i])"])
    k.lines = lines + close
    return Written(k.text(), k.sizes)


def whiles(rng: random.Random) -> Written:
    """Draw `while` loops with let bindings."""
    k = Kernel(rng)
    k.array("A", "(16,)", "int32")
    step, limit = k.number(1, 4), k.number(0, 15)
    body = [f"A[i] = A[i] + C[0] * {k.number(1, 3)}", f"C[0] = C[0] + {step}"]
    if k.chance(0.5):
        body = under(k.pick("with T.LetStmt(C[0] % 16) as i:", "with T.LetStmt(T.min(C[0], 15)) as i:"), body)
    else:
        body = [line.replace("[i]", "[C[0]]") for line in body]
    if k.chance(0.3):
        body.insert(0, f"A[{k.number(0, 15)}] = C[0]")
    k.lines = ['C = T.decl_buffer((1,), "int32")', "C[0] = 0", *under(f"while C[0] < {limit}:", body)]
    return Written(k.text(), k.sizes)
