"""Nested blocks for block lowering: reductions with any domain, predicates, inferred regions.

Buffers are two-dimensional: `A` and `V` are read, the outputs are written; `n` is below 8.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from tvmscript.fuzz.programs import RandomWriter, Seed, function_text, indented, nested

Item = TypeVar("Item")
#: rows and columns of the input, and of each output
_SIZE: Final = 16


class _Blocks(RandomWriter):
    """Base of the writers of this module."""

    def __init__(self, seed: Seed) -> None:
        super().__init__(seed)
        self.outputs: list[str] = []

    def pick(self, items: Sequence[Item]) -> Item:
        return self.random.choice(items)

    def output(self) -> str:
        self.outputs.append(f"B{len(self.outputs)}")
        return self.outputs[-1]

    def loop(self, extent: int | str, start: int | str = 0, *kinds: str, notes: str = "") -> tuple[str, str]:
        """Draw a loop: its variable and head."""
        var, kind = self.name("i"), self.pick(kinds or ("serial",))
        bounds = str(extent) if start == 0 else f"{start}, {start} + {extent}"
        if isinstance(start, int) and isinstance(extent, int) and start:
            bounds = f"{start}, {start + extent}"
        return var, f"for {var} in T.{kind}({bounds}{notes}):"

    def function(self, body: list[str]) -> str:
        params = [f'A: T.Buffer(({_SIZE}, {_SIZE}), "int32")', f'V: T.Buffer(({_SIZE * 4},), "int32")']
        params += [f'{name}: T.Buffer(({_SIZE}, {_SIZE}), "int32")' for name in self.outputs]
        return function_text([*params, "n: T.int32"], body)


def _several(seed: Seed, write: Callable[[_Blocks], list[str]]) -> str:
    """Write a function of one to four parts."""
    writer = _Blocks(seed)
    return writer.function([line for _ in range(writer.pick((1, 2, 3, 4))) for line in write(writer)])


def sums(seed: Seed) -> str:
    """Write reductions over one to three axes with any domain minimum, and inits of one or more statements."""
    return _several(seed, _sum)


def _sum(writer: _Blocks) -> list[str]:
    target, count = writer.output(), writer.pick((1, 1, 2, 3))
    rows, start_of_rows = writer.pick((1, 2, 4, 7)), writer.pick((0, 0, 3))
    i, head = writer.loop(rows, 0, "serial", "parallel", "unroll")
    heads, reduced, lines = [head], [], []
    shift = f" + {start_of_rows}" if start_of_rows else ""
    lines.append(f"vi = T.axis.spatial(({start_of_rows}, {start_of_rows + rows}), {i}{shift})")
    predicates: list[str] = []
    for _ in range(count):
        extent, start = writer.pick((1, 2, 3, 4)), writer.pick((0, 0, 2, 5))
        axis = writer.name("vk")
        if extent == 3 and writer.chance(0.5):
            outer, one = writer.loop(2)
            inner, other = writer.loop(2)
            heads += [one, other]
            value = f"{outer} * 2 + {inner}"
            predicates.append(f"{value} < 3")
        else:
            value, one = writer.loop(extent)
            heads.append(one)
        where = f" + {start}" if start else ""
        lines.append(f"{axis} = T.axis.reduce(({start}, {start + extent}), {value}{where})")
        reduced.append(axis)
    if writer.chance(0.3):
        place = writer.random.randrange(len(heads))
        heads[0], heads[place] = heads[place], heads[0]
    if predicates:
        lines.append(f"T.where({' and '.join(predicates)})")
    element = f"{target}[vi, 1]"
    first = writer.pick(("0", "vi", "n", "A[vi, 2]"))
    init = writer.pick(
        ([f"{element} = {first}"], ["if n < 4:", f"    {element} = {first}", "else:", f"    {element} = 1"])
    )
    lines += ["with T.init():", *indented(init)]
    value = f"A[vi, ({' + '.join(reduced)}) % {_SIZE}]"
    lines.append(
        f"{element} = "
        + writer.pick((f"{element} + {value}", f"{element} * 2 + {value}", f"T.max({element}, {value})"))
    )
    body = nested(heads, ['with T.block("sum"):', *indented(lines)])
    if writer.chance(0.4):
        other = writer.output()
        j, head = writer.loop(4)
        body += [
            head,
            '    with T.block("after"):',
            f"        vj = T.axis.spatial(4, {j})",
            f"        {other}[vj, 0] = A[vj, vj] + 1",
        ]
    return body


def blocks_in_blocks(seed: Seed) -> str:
    """Write nested blocks that use the axes of outer blocks."""
    return _several(seed, _nested)


def _nested(writer: _Blocks) -> list[str]:
    target, rows, columns = writer.output(), writer.pick((2, 4)), writer.pick((2, 4))
    i, head = writer.loop(rows, 0, "serial", "parallel")
    j, one = writer.loop(columns)
    start = writer.pick((0, 0, 3))
    shift = f" + {start}" if start else ""
    column = writer.pick((f"vo % {rows} * 2 + {j}", f"{j}", f"{j} + vo"))
    inner = [
        f"vi = T.axis.spatial({_SIZE}, {writer.pick(('vo', 'vo * 2'))})",
        f"vj = T.axis.spatial({_SIZE}, {column})",
    ]
    inner += [f"T.where({writer.pick(('vo + ' + j + ' < 6', 'vo != 2', j + ' < n'))})"] if writer.chance(0.4) else []
    element = f"{target}[vi, vj]"
    inner += ["T.reads(A[vi, vo])", f"T.writes({element})", f"{element} = A[vi, vo] + vj + vo"]
    lines = [f"vo = T.axis.spatial(({start}, {start + rows}), {i}{shift})"]
    lines += [f"T.reads(A[0:{_SIZE}, vo])", f"T.writes({target}[0:{_SIZE}, 0:{_SIZE}])"]
    lines += [one, '    with T.block("inner"):', *indented(indented(inner))]
    return [head, '    with T.block("outer"):', *indented(indented(lines))]


def opaque_blocks(seed: Seed) -> str:
    """Write opaque blocks with predicates, allocations, annotations, and unit loops with any minimum."""
    return _several(seed, _opaque)


def _opaque(writer: _Blocks) -> list[str]:
    target = writer.output()
    heads: list[str] = []
    places: list[str] = []
    for extent in (writer.pick((1, 1, 4, 3)), writer.pick((1, 1, 4, 2))):
        starts: tuple[int | str, ...] = (0, 2, 5, "n")
        start = writer.pick(starts)
        notes = writer.pick(
            (
                "",
                "",
                ', annotations={"pragma_auto_unroll_max_step": 4}',
                ', annotations={"pragma_note": "x", "kept": 1}',
            )
        )
        var, head = writer.loop(extent, start, "serial", "serial", "parallel", notes=notes)
        heads.append(head)
        places.append(f"{var} % {_SIZE}")
    condition = writer.pick(
        ("", f"{places[0]} < n", f"{places[1]} + 1 < 4 and {places[0]} != 3", f"V[{places[1]}] < 2")
    )
    lines = [f"T.where({condition})"] if condition else []
    row, column = places
    lines += [f"T.reads(A[{row}, 0:{_SIZE}], V[0:{_SIZE * 4}])", f"T.writes({target}[{row}, {column}])"]
    if writer.chance(0.4):
        lines.append(writer.pick(('T.block_attr({"pragma_import_c": "x"})', 'T.block_attr({"note": 1})')))
    if writer.chance(0.6):
        memory, size = writer.name("M"), writer.pick((2, 3))
        scope = writer.pick(("", ', scope="local"'))
        lines.append(f'{memory} = T.alloc_buffer(({size}, 2), "int32"{scope})')
        k, head = writer.loop(size)
        lines += [head, f"    {memory}[{k}, {k} % 2] = A[{row}, {k}] + {k}"]
        lines.append(f"{target}[{row}, {column}] = {memory}[1, 1] + {memory}[0, 0] + {column}")
    else:
        lines.append(f"{target}[{row}, {column}] = A[{row}, {column}] + 2")
    return nested(heads, ['with T.block("opaque"):', *indented(lines)])


def _region(writer: _Blocks, row: str, rows: int, columns: int, offset: int) -> str:
    return f"[{row}:{row} + {rows}, {offset}:{offset + columns}]"


def matched_regions(seed: Seed) -> str:
    """Write matched buffers: of lower rank, with symbolic strides and offsets, nested."""
    return _several(seed, _tile)


def _tile(writer: _Blocks) -> list[str]:
    target = writer.output()
    rows, columns, offset = writer.pick((1, 2, 4)), writer.pick((4, 8)), writer.pick((0, 4, 8))
    i, head = writer.loop(_SIZE // 4, 0, "serial", "parallel")
    row = writer.pick((f"{i} * 4", f"{i}", f"{i} * 2 + 1"))
    if rows > 1 and row == f"{i}":
        row = f"{i} * 4"
    lines = [
        f"T.reads(A{_region(writer, row, rows, columns, offset)})",
        f"T.writes({target}{_region(writer, row, rows, columns, offset)})",
    ]
    is_flat = rows == 1 and writer.chance(0.5)
    given, names = writer.pick(
        (
            ("", []),
            (", offset_factor=1", []),
            (", strides=({}), offset_factor=1", ["s0", "s1"]),
            (", elem_offset=e, offset_factor=4", ["e"]),
            (", strides=({}), elem_offset=e", ["s0", "s1", "e"]),
        )
    )
    if is_flat:
        names = [name for name in names if name != "s0"]
    given = given.format("s1," if is_flat else "s0, s1")
    lines += [f"{name} = T.int32()" for name in names]
    shape = f"({columns},)" if is_flat else f"({rows}, {columns})"
    region = _region(writer, row, rows, columns, offset)
    lines.append(f'M = T.match_buffer(A{region}, {shape}, "int32"{given})')
    lines.append(f'W = T.match_buffer({target}{region}, ({rows}, {columns}), "int32", offset_factor=1)')
    used = "".join(f" + {name}" for name in names if writer.chance(0.8))
    k, one = writer.loop(rows)
    j, other = writer.loop(columns)
    load = f"M[{j}]" if is_flat else f"M[{k}, {j}]"
    inside = [f"W[{k}, {j}] = {load} * 2{used}"]
    if writer.chance(0.4) and not is_flat:
        inside = [
            'with T.block("inner"):',
            f"    T.reads(M[{k}, 0:{columns}])",
            f"    T.writes(W[{k}, {j}])",
            f'    R = T.match_buffer(M[{k}, 0:{columns}], ({columns},), "int32", offset_factor=1)',
            f"    W[{k}, {j}] = R[{columns - 1} - {j}] + R[{j}]{used}",
        ]
    lines += [one, *indented([other, *indented(inside)])]
    return [head, *indented(['with T.block("tile"):', *indented(lines)])]


def windows(seed: Seed) -> str:
    """Write allocations of which each iteration uses a window: moving, strided, of variable size, guarded;
    with vectors and threads.
    """
    return _several(seed, _window)


def _window(writer: _Blocks) -> list[str]:
    target, memory = writer.output(), writer.name("M")
    scope = writer.pick(("global", "global", "local", "shared"))
    outer, extent = writer.pick((2, 3, 4)), writer.pick((1, 2, 3, 4))
    start = writer.pick((0, 0, 1, 2))
    i, head = writer.loop(outer, start)
    j, fill = writer.loop(extent, writer.pick((0, 0, 1)))
    k, use = writer.loop(extent, 0)
    fill = fill.replace(f"1, {1 + extent}", str(extent))
    row = writer.pick((f"{i}", f"{i} * 2", f"{i} + 1", "n", "3", f"6 - {i}", f"{i} // 2"))
    scale, shift = writer.pick((1, 1, 2, 3)), writer.pick((0, 1, 2))
    along = writer.pick(("", f" + {i}", f" + {outer + start} - {i}"))
    if writer.chance(0.2):
        bound = f"{i} - {start} + 1" if start else f"{i} + 1"
        j, fill = writer.loop(bound)
        k, use = writer.loop(bound)
        scale = 1
    column = f"{{}} * {scale} + {shift}{along}" if scale > 1 else f"{{}} + {shift}{along}"
    written, read = f"{memory}[{row}, {column.format(j)}]", f"{memory}[{row}, {column.format(k)}]"
    store = [f"{written} = A[{j}, {i} % 4] + {j}"]
    load = [f"{target}[{i}, {k}] = {read} * 2"]
    if writer.chance(0.3):
        condition = writer.pick((f"{{}} < {extent - 1}", "{} < n", "{} >= 1"))
        store = [f"if {condition.format(j)}:", *indented(store)]
        load = [f"if {condition.format(k)}:", *indented(load)]
    if writer.chance(0.15):
        fill, use = "if True:", "if True:"
        store = [f"{memory}[{row}, T.Ramp({shift}, 1, 4)] = A[{i}, T.Ramp(2, 1, 4)]"]
        load = [f"{target}[{i}, T.Ramp(0, 1, 4)] = {memory}[{row}, T.Ramp({shift + 3}, -1, 4)]"]
        lines = [*store, *load]
    else:
        lines = [fill, *indented(store), use, *indented(load)]
    shape = f"({_SIZE}, {_SIZE * 2})"
    notes = ""
    if writer.chance(0.3):
        how = [0, writer.pick((0, 1)), writer.pick((4, 8, 32)), writer.pick((0, 1, 3))]
        notes = f'T.block_attr({{"buffer_dim_align": [{how}]}})'
    if notes:
        block = ['with T.block("fill"):', f"    T.reads(A[0:{_SIZE}, 0:{_SIZE}])"]
        block += [f"    T.writes({memory}[0:{_SIZE}, 0:{_SIZE * 2}])", f"    {notes}"]
        split = len(lines) // 2
        lines = [*block, *indented(lines[:split]), *lines[split:]]
    inside = [f"T.reads(A[0:{_SIZE}, 0:{_SIZE}])", f"T.writes({target}[{i}, 0:{_SIZE}])"]
    allocated = f'{memory} = T.alloc_buffer({shape}, "int32", scope="{scope}")'
    if writer.chance(0.6):
        return [head, *indented(['with T.block("window"):', *indented([*inside, allocated, *lines])])]
    return [allocated, head, *indented(['with T.block("window"):', *indented([*inside, *lines])])]


def planned(seed: Seed) -> str:
    """Write root allocations that are used in one loop, in several, across iterations of a reduction, or not at all."""
    writer = _Blocks(seed)
    target = writer.output()
    names = [writer.name("M") for _ in range(writer.pick((1, 2, 3)))]
    lines = [f'{name} = T.alloc_buffer(({_SIZE}, {_SIZE}), "int32")' for name in names]
    rows, columns = writer.pick((2, 4)), writer.pick((3, 4))
    i, head = writer.loop(rows)
    body: list[str] = []
    buffers = ["A"]
    places = ("vj", f"(vj + 1) % {columns}")
    together = writer.chance(0.6)
    for name in names:
        j, inner = writer.loop(columns)
        source = writer.pick(buffers)
        body += [
            inner,
            *indented(
                [
                    f'with T.block("{name}"):',
                    f'    vi, vj = T.axis.remap("SS", [{i}, {j}])',
                    f"    {name}[vi, vj] = {source}[vi, {writer.pick(places)}] + {writer.pick(('vj', '2'))}",
                ]
            ),
        ]
        buffers.append(name)
        if not together:
            lines += [head, *indented(body)]
            i, head = writer.loop(rows)
            body = []
    j, inner = writer.loop(columns)
    if writer.chance(0.4):
        use = [
            f'vi, vk = T.axis.remap("SR", [{i}, {j}])',
            "with T.init():",
            f"    {target}[vi, 0] = 0",
            f"{target}[vi, 0] = {target}[vi, 0] + {buffers[-1]}[vi, vk]",
        ]
    else:
        use = [
            f'vi, vj = T.axis.remap("SS", [{i}, {j}])',
            f"{target}[vi, vj] = {buffers[-1]}[vi, vj] + {writer.pick(buffers)}[vi, vj]",
        ]
    body += [inner, *indented(['with T.block("use"):', *indented(use)])]
    return writer.function([*lines, head, *indented(body)])
