"""Programs for schedules: a chain of blocks, each computing a buffer from earlier ones.

Every choice is made by `pick(n)`, which returns a number from 0 to n - 1, drawn from a seed or by Hypothesis. 0 is the
simplest choice.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

#: a number below the given one
Pick = Callable[[int], int]

_EXTENTS = (4, 1, 2, 3, 5, 8, 12, 16)
_DTYPES = ("float32", "int32")


@dataclass
class _Tensor:
    name: str
    shape: tuple[int, ...]


@dataclass
class _Program:
    """A program under construction: its lines, and the buffers that later blocks can read."""

    dtype: str
    pick: Pick
    tensors: list[_Tensor] = field(default_factory=list[_Tensor])
    inputs: list[_Tensor] = field(default_factory=list[_Tensor])
    lines: list[str] = field(default_factory=list[str])

    def fresh_input(self, shape: tuple[int, ...]) -> _Tensor:
        tensor = _Tensor(f"A{len(self.inputs)}", shape)
        self.inputs.append(tensor)
        return tensor

    def any_tensor(self, rank: int | None = None) -> _Tensor:
        """Pick a buffer, late ones first; add an input if none has the rank."""
        fitting = [item for item in reversed(self.tensors) if rank is None or len(item.shape) == rank]
        if not fitting:
            return self.fresh_input(tuple(_EXTENTS[self.pick(len(_EXTENTS))] for _ in range(rank or 2)))
        return fitting[self.pick(len(fitting))]

    def constant(self) -> str:
        return f"T.{self.dtype}({self.pick(5) + 2})"

    def block(self, shape: tuple[int, ...], value: str, sums: tuple[int, ...] = (), start: str | None = None) -> None:
        """Write a block over spatial axes v0, v1, ... and reduction axes r0, r1, ... that stores `value`."""
        name = f"B{len(self.tensors)}"
        loops = [f"i{place}" for place in range(len(shape) + len(sums))]
        axes = [*(f"v{place}" for place in range(len(shape))), *(f"r{place}" for place in range(len(sums)))]
        kinds = "S" * len(shape) + "R" * len(sums)
        target = f"{name}[{', '.join(axes[: len(shape)])}]"
        extents = ", ".join(map(str, (*shape, *sums)))
        self.lines += [f"for {', '.join(loops)} in T.grid({extents}):", f'    with T.block("{name}"):']
        self.lines.append(f'        {", ".join(axes)} = T.axis.remap("{kinds}", [{", ".join(loops)}])')
        if start is not None:
            self.lines += ["        with T.init():", f"            {target} = {start}"]
        self.lines.append(f"        {target} = {value.replace('@', target)}")
        self.tensors.append(_Tensor(name, shape))


def _axes(count: int, first: int = 0) -> str:
    return ", ".join(f"v{place}" for place in range(first, first + count))


def _scaled(program: _Program) -> None:
    source = program.any_tensor()
    program.block(source.shape, f"{source.name}[{_axes(len(source.shape))}] * {program.constant()}")


def _added(program: _Program) -> None:
    left = program.any_tensor()
    same = [item for item in (*program.tensors, *program.inputs) if item.shape == left.shape]
    right = same[program.pick(len(same))]
    at = _axes(len(left.shape))
    program.block(left.shape, f"{left.name}[{at}] + {right.name}[{at}]")


def _transposed(program: _Program) -> None:
    source = program.any_tensor(2)
    program.block(source.shape[::-1], f"{source.name}[v1, v0] + {program.constant()}")


def _spread(program: _Program) -> None:
    source = program.any_tensor(1)
    extent = _EXTENTS[program.pick(len(_EXTENTS))]
    program.block((extent, *source.shape), f"{source.name}[v1]")


def _summed(program: _Program) -> None:
    source = program.any_tensor(2)
    joined = ("@ + {0}", "T.max(@, {0})")[program.pick(2)].format(f"{source.name}[v0, r0]")
    start = f"T.{program.dtype}(0)" if joined.startswith("@") else f"T.{program.dtype}(-1000)"
    program.block(source.shape[:1], joined, source.shape[1:], start)


def _multiplied(program: _Program) -> None:
    left = program.any_tensor(2)
    right = program.fresh_input((left.shape[1], _EXTENTS[program.pick(len(_EXTENTS))]))
    value = f"@ + {left.name}[v0, r0] * {right.name}[r0, v1]"
    program.block((left.shape[0], right.shape[1]), value, left.shape[1:], f"T.{program.dtype}(0)")


def _neighbours(program: _Program) -> None:
    source = program.any_tensor(1)
    if source.shape[0] < 2:
        _scaled(program)
    else:
        program.block((source.shape[0] - 1,), f"{source.name}[v0] + {source.name}[v0 + 1]")


def _padded(program: _Program) -> None:
    source = program.any_tensor(1)
    low, high = program.pick(3) + 1, program.pick(3)
    inside = f"{low} <= v0 and v0 < {source.shape[0] + low}"
    program.block(
        (source.shape[0] + low + high,), f"T.if_then_else({inside}, {source.name}[v0 - {low}], T.{program.dtype}(0))"
    )


def _flattened(program: _Program) -> None:
    source = program.any_tensor(2)
    rows, columns = source.shape
    if columns == 1:
        _scaled(program)
    else:
        program.block((rows * columns,), f"{source.name}[v0 // {columns}, v0 % {columns}]")


def _windows(program: _Program) -> None:
    source = program.any_tensor(1)
    window = min(source.shape[0], program.pick(3) + 1)
    program.block((source.shape[0] - window + 1,), f"@ + {source.name}[v0 + r0]", (window,), f"T.{program.dtype}(0)")


_STAGES = (
    _scaled, _added, _summed, _multiplied, _transposed, _spread, _neighbours, _padded, _flattened, _windows,
)  # fmt: skip


def staged_program(pick: Pick, most: int = 4) -> str:
    """Write a kernel `main` with one to `most` blocks; the last buffer is an output, others may be, too."""
    program = _Program(_DTYPES[pick(len(_DTYPES))], pick)
    for _ in range(pick(most) + 1):
        _STAGES[pick(len(_STAGES))](program)
    *inner, last = program.tensors
    outputs = [item for item in inner if pick(4) == 3] + [last]
    params = [f'{item.name}: T.Buffer({item.shape}, "{program.dtype}")' for item in (*program.inputs, *outputs)]
    declared = [
        f'{item.name} = T.alloc_buffer({item.shape}, "{program.dtype}")' for item in inner if item not in outputs
    ]
    body = "\n".join(f"    {line}" for line in (*declared, *program.lines))
    return f"@T.prim_func\ndef main({', '.join(params)}):\n{body}\n"
