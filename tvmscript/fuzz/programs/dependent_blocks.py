"""Programs for schedules whose blocks depend on each other in every way, which chains of stages do not.

Buffers are written in part, by several blocks, after they are read, in place, and by blocks inside of other blocks.
Every choice is made by `pick(n)`, as in `fuzz.programs.stages`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeVar

from tvmscript.fuzz.programs import indented
from tvmscript.fuzz.programs.stages import Pick

Item = TypeVar("Item")

_ROWS, _COLUMNS = 6, 5
_SUMMED = 4
_SHAPE = f"({_ROWS}, {_COLUMNS})"


@dataclass
class _Writer:
    pick: Pick
    dtype: str = "int32"
    #: buffers that can be read and written
    known: list[str] = field(default_factory=list[str])
    lines: list[str] = field(default_factory=list[str])
    count: int = 0
    #: temporaries of nests with several blocks
    declared: list[str] = field(default_factory=list[str])

    def one_of(self, items: tuple[Item, ...] | list[Item]) -> Item:
        return items[self.pick(len(items))]

    def target(self) -> str:
        """Draw a buffer to write, mostly an output or a buffer in between."""
        return self.one_of([*self.known[2:], *self.known])

    def block(self, target: str, *, is_whole: bool = False) -> list[str]:
        """Write a block that writes a buffer, or a part of it."""
        kind = 0 if is_whole else self.pick(9)
        name = f"S{self.count}"
        self.count += 1
        if kind == 8:
            return self.together(name, target)
        if kind == 7:
            return self.nested(name, target)
        if kind >= 5:
            return self.product(name, target)
        return self.elements(name, target, is_whole=is_whole)

    def part(self, size: int, *, is_whole: bool) -> tuple[int, int]:
        """Draw a range of a dimension."""
        if is_whole or self.pick(2):
            return 0, size
        extent = self.pick(size - 1) + 1
        return self.pick(size - extent + 1), extent

    def elements(self, name: str, target: str, *, is_whole: bool) -> list[str]:
        """Write a block without a reduction."""
        row, rows = self.part(_ROWS, is_whole=is_whole)
        column, columns = self.part(_COLUMNS, is_whole=is_whole)
        source, other = self.one_of(self.known), self.one_of(self.known)
        if is_whole:
            source, other = self.known[0], self.known[1]
        index = self.one_of(("vi, vj", "vi, vj", "vi, 0", f"{_ROWS - 1} - vi, vj", f"(vi + 1) % {_ROWS}, vj"))
        value = self.one_of(
            (
                f"{source}[{index}] + T.{self.dtype}({self.count})",
                f"{source}[{index}] - {other}[vi, vj] * T.{self.dtype}(2)",
                f"T.if_then_else(vi < {_ROWS // 2}, {source}[{index}], {other}[vi, vj])",
            )
        )
        store = f"{target}[vi, vj] = {value}"
        body = [store]
        if not is_whole and self.pick(6) == 5:
            body = [f"if vj > {self.pick(_COLUMNS)}:", *indented([store])]
        where = [] if is_whole or self.pick(6) != 5 else [f"T.where(i + j < {self.pick(8) + 1})"]
        # the offset is in the binding or in the loop
        if self.pick(2):
            head, axes = f"for i, j in T.grid({rows}, {columns}):", (f"{row} + i", f"{column} + j")
            return [head, *self.named(name, axes, where, body)]
        head = f"for i in range({row}, {row + rows}):"
        inner = f"for j in range({column}, {column + columns}):"
        return [head, *indented([inner, *self.named(name, ("i", "j"), where, body)])]

    def named(self, name: str, axes: tuple[str, str], where: list[str], body: list[str]) -> list[str]:
        """Write a block over two spatial axes, indented by one level."""
        lines = [f"vi = T.axis.spatial({_ROWS}, {axes[0]})", f"vj = T.axis.spatial({_COLUMNS}, {axes[1]})", *where]
        return indented([f'with T.block("{name}"):', *indented([*lines, *body])])

    def product(self, name: str, target: str) -> list[str]:
        """Write a reduction of all rows and columns, or of the first."""
        rows, columns = self.one_of((_ROWS, _ROWS, 4)), self.one_of((_COLUMNS, _COLUMNS, 3))
        left, right = self.one_of(self.known), self.one_of(self.known)
        value = self.one_of((f"{left}[vi, vk] * {right}[vk, vj]", f"{left}[vi, vk]"))
        start = self.one_of((0, 0, 1))
        return [
            f"for i, j, k in T.grid({rows}, {columns}, {_SUMMED}):",
            f'    with T.block("{name}"):',
            '        vi, vj, vk = T.axis.remap("SSR", [i, j, k])',
            "        with T.init():",
            f"            {target}[vi, vj] = T.{self.dtype}({start})",
            f"        {target}[vi, vj] = {target}[vi, vj] + {value}",
        ]

    def nested(self, name: str, target: str) -> list[str]:
        """Write a block with two blocks inside: the second one may read what the first one writes."""
        source, other = self.one_of(self.known), self.one_of(self.known)
        second = self.one_of((target, target, other))
        rows = self.one_of((_ROWS, 3))
        inner: list[str] = []
        for suffix, to, value in (
            ("first", target, f"{source}[vo, vj] + T.{self.dtype}(1)"),
            ("second", second, f"{target}[vo, vj] - {other}[vo, vj]"),
        ):
            inner += [
                f"for j in range({_COLUMNS}):",
                f'    with T.block("{name}_{suffix}"):',
                f"        vj = T.axis.spatial({_COLUMNS}, j)",
                f"        {to}[vo, vj] = {value}",
            ]
        return [
            f"for i in range({rows}):",
            f'    with T.block("{name}"):',
            f"        vo = T.axis.spatial({_ROWS}, i)",
            *indented(indented(inner)),
        ]

    def together(self, name: str, target: str) -> list[str]:
        """Write a nest of two or three blocks that pass on a temporary."""
        temporary, source = f"P{self.count}", self.one_of(self.known)
        shape, index = self.one_of((("(1,)", "0"), ("(1,)", "0"), (f"({_COLUMNS},)", "vj"), (_SHAPE, "vi, vj")))
        self.declared.append(f'{temporary} = T.alloc_buffer({shape}, "{self.dtype}")')
        stores = [
            [f"{temporary}[{index}] = {source}[vi, vj] + T.{self.dtype}({self.count})"],
            [f"{target}[vi, vj] = {temporary}[{index}] * T.{self.dtype}(2)"],
        ]
        if self.pick(3) == 0:
            stores.append([f"{self.target()}[vi, vj] = {temporary}[{index}] - {source}[vi, vj]"])
        if self.pick(4) == 0:
            stores[0] = ["if vi > 0 and vj > 0:", *indented(stores[0])]
        if self.pick(4) == 0:  # what an earlier iteration left
            stores.reverse()
        lines: list[str] = []
        if self.pick(4) == 0 or not stores[0][0].startswith(temporary):
            first = f"{temporary}[{index}] = T.{self.dtype}(1)"
            lines = [f"for i, j in T.grid({_ROWS}, {_COLUMNS}):", *self.named(f"{name}_first", ("i", "j"), [], [first])]
        lines.append(f"for i, j in T.grid({_ROWS}, {_COLUMNS}):")
        for number, body in enumerate(stores):
            lines += self.named(f"{name}_{number}" if number else name, ("i", "j"), [], body)
        return lines


def dependent_program(pick: Pick, most: int = 4) -> str:
    """Write a kernel `main` with two to `most` + 1 blocks that depend on each other."""
    writer = _Writer(pick, ("int32", "float32")[pick(2)])
    params = ["A0", "A1", "O0", "O1"][: 3 + pick(2)]
    writer.known = [*params]
    declared: list[str] = []
    for number in range(pick(3)):
        name = f"T{number}"
        declared.append(f'{name} = T.alloc_buffer({_SHAPE}, "{writer.dtype}")')
        writer.lines += writer.block(name, is_whole=True)
        writer.known.insert(2, name)
    for _ in range(pick(most) + 1):
        writer.lines += writer.block(writer.target())
    head = ", ".join(f'{name}: T.Buffer({_SHAPE}, "{writer.dtype}")' for name in params)
    return "\n".join(
        ["@T.prim_func", f"def main({head}):", *indented([*declared, *writer.declared, *writer.lines]), ""]
    )
