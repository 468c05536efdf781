"""Small programs, and many more drawn at random, for tests of primitives: chains of stages over 2-d buffers."""

from __future__ import annotations

from random import Random

#: kind -> shape of the result, and the value at vi, vj; `{s}` is the source, `{p}` and `{q}` are its extents
_STAGES: dict[str, tuple[str, str]] = {
    "double": ("{p} {q}", "{s}[vi, vj] * T.float32(2)"),
    "chosen": ("{p} {q}", "T.if_then_else(vj > 1, {s}[vi, vj], T.float32(0))"),
    "stencil": ("{p}-2 {q}-1", "{s}[vi, vj] + {s}[vi + 2, vj + 1] + {s}[vi + 1, vj]"),
    "transposed": ("{q} {p}", "{s}[vj, vi] + T.float32(1)"),
    "padded": (
        "{p}+2 {q}+2",
        "T.if_then_else(1 <= vi and vi < {p} + 1 and 1 <= vj and vj < {q} + 1, {s}[vi - 1, vj - 1], T.float32(0))",
    ),
    "shifted": ("{p}-2 {q}", "{s}[vi + 2, vj]"),
    "halved": ("{p}//2 {q}", "{s}[vi * 2, vj] + {s}[vi * 2 + 1, vj]"),
}
_SCOPES = ("global", "global", "global", "shared", "local")


def chain(rng: Random) -> tuple[str, list[str]]:
    """The text of a kernel of two to five stages, and the names of its blocks."""
    rows, columns = rng.choice((8, 16, 24)), rng.choice((8, 16, 20))
    buffers = [("A", rows, columns)]
    body: list[str] = []
    for number in range(rng.randint(1, 4)):
        source = buffers[-1] if rng.random() < 0.8 else rng.choice(buffers)
        name = f"B{number}"
        if rng.random() < 0.15:
            made = (name, source[1], source[2])
            body += _reduction(name, source)
        else:
            shape, value = _STAGES[rng.choice([*_STAGES])]
            made_rows, made_columns = (_size(part, source) for part in shape.split())
            made = (name, made_rows, made_columns)
            body += _stage(rng, made, value.format(s=source[0], p=source[1], q=source[2]))
        buffers.append(made)
    last, height, width = buffers[-1]
    body += _stage(
        rng,
        ("OUT", rows, columns),
        f"T.if_then_else(vi < {height} and vj < {width}, {last}[vi, vj], T.float32(0))"
        if (height, width) != (rows, columns)
        else f"{last}[vi, vj] + T.float32(1)",
    )
    allocated = [
        f'    {name} = T.alloc_buffer(({p}, {q}), scope="{rng.choice(_SCOPES)}")' for name, p, q in buffers[1:]
    ]
    head = f'def main(A: T.Buffer(({rows}, {columns}), "float32"), OUT: T.Buffer(({rows}, {columns}), "float32")):'
    return "\n".join(["@T.prim_func", head, *allocated, *body, ""]), [*(name for name, *_ in buffers[1:]), "OUT"]


def _size(part: str, source: tuple[str, int, int]) -> int:
    value = part.format(p=source[1], q=source[2])
    for sign in ("-", "+", "//"):
        if sign in value:
            a, b = (int(item) for item in value.split(sign))
            return a - b if sign == "-" else a + b if sign == "+" else a // b
    return int(value)


def _stage(rng: Random, made: tuple[str, int, int], value: str) -> list[str]:
    name, rows, columns = made
    if rng.random() < 0.15:
        factor = rng.choice((3, 4))
        where = [f"            T.where(j0 * {factor} + j1 < {columns})"] if columns % factor else []
        return [
            f"    for i, j0, j1 in T.grid({rows}, {-(-columns // factor)}, {factor}):",
            f'        with T.block("{name}"):',
            *where,
            f"            vi = T.axis.spatial({rows}, i)",
            f"            vj = T.axis.spatial({columns}, j0 * {factor} + j1)",
            f"            {name}[vi, vj] = {value}",
        ]
    return [
        f"    for i, j in T.grid({rows}, {columns}):",
        f'        with T.block("{name}"):',
        '            vi, vj = T.axis.remap("SS", [i, j])',
        f"            {name}[vi, vj] = {value}",
    ]


def _reduction(name: str, source: tuple[str, int, int]) -> list[str]:
    _, rows, columns = source
    return [
        f"    for i, j, k in T.grid({rows}, {columns}, {columns}):",
        f'        with T.block("{name}"):',
        '            vi, vj, vk = T.axis.remap("SSR", [i, j, k])',
        "            with T.init():",
        f"                {name}[vi, vj] = T.float32(0)",
        f"            {name}[vi, vj] = {name}[vi, vj] + {source[0]}[vi, vk]",
    ]
