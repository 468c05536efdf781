"""The fixed set of programs that are parsed, printed and built."""

from __future__ import annotations

from pathlib import Path

import tvmscript
from tvmscript import te, topi
from tvmscript.parser.python_file import definitions_of, read_definition
from tvmscript.parser.source.tree import SourceTree, text_source

EXAMPLES = Path(__file__).parent.parent / "examples"

ADD = """@T.prim_func
def add(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32"), C: T.Buffer((16,), "float32")):
    T.func_attr({"tir.noalias": T.bool(True)})
    for i in range(16):
        C[i] = A[i] + B[i]
"""


def chain(blocks: int) -> str:
    """A function of many elementwise blocks, each reading what the one before wrote."""
    lines = [
        "@T.prim_func",
        'def chain(A: T.Buffer((128, 128), "float32"), B: T.Buffer((128, 128), "float32")):',
        '    T.func_attr({"tir.noalias": T.bool(True)})',
    ]
    lines += [f"    t{k} = T.alloc_buffer((128, 128))" for k in range(blocks - 1)]
    for k in range(blocks):
        source = "A" if k == 0 else f"t{k - 1}"
        target = "B" if k == blocks - 1 else f"t{k}"
        lines += [
            "    for i, j in T.grid(128, 128):",
            f'        with T.block("b{k}"):',
            '            vi, vj = T.axis.remap("SS", [i, j])',
            f"            T.reads({source}[vi, vj])",
            f"            T.writes({target}[vi, vj])",
            f"            {target}[vi, vj] = {source}[vi, vj] * T.float32(0.5) + T.float32({k + 1})",
        ]
    return "\n".join(lines) + "\n"


def _example(name: str) -> str:
    """The program of an example in normal form, as both sides print it."""
    tree = SourceTree(text_source((EXAMPLES / f"{name}.py").read_text(), name))
    (definition,) = definitions_of(tree)
    return read_definition(tree, definition).script(comments=False)


#: name -> text in the dialect of TVM 0.17
PROGRAMS: dict[str, str] = {
    "add": ADD,
    "matmul": _example("matmul"),
    "softmax": _example("softmax"),
    "conv2d": _example("conv2d"),
    "gelu": _example("gelu"),
    "chain of 30": chain(30),
}

#: program -> function -> shapes of its float32 arguments
ARGUMENTS: dict[str, dict[str, list[tuple[int, ...]]]] = {
    "add": {"add": [(16,)] * 3},
    "matmul": {"matmul": [(64, 64)] * 3, "tiled": [(512, 512)] * 3},
    "softmax": {"softmax": [(512, 128)] * 2},
    "conv2d": {"conv2d": [(1, 14, 14, 8), (3, 3, 8, 16), (1, 14, 14, 16)]},
    "gelu": {"gelu": [(65536,)] * 2},
    "chain of 30": {"chain": [(128, 128)] * 2},
}


def for_tvm_027(text: str) -> str:
    """The same program in the dialect of TVM 0.27."""
    return str(tvmscript.from_source(text).script(dialect="0.27"))


def scheduled() -> dict[str, tvmscript.IRModule]:
    """What default schedules for this machine make of the programs, and of products."""
    programs = {name: tvmscript.from_source(text) for name, text in PROGRAMS.items()}
    programs |= {f"matmul {size}": _product(size) for size in (127, 512, 1_000)}
    with tvmscript.target.Target("llvm"):
        schedule = tvmscript.dlight.ApplyDefaultSchedule(tvmscript.dlight.cpu.Default())
        return {name: schedule(_module(program)) for name, program in programs.items()}


def _product(size: int) -> tvmscript.tir.PrimFunc:
    a, b = (te.placeholder((size, size), name=name) for name in "AB")
    return te.create_prim_func([a, b, topi.matmul(a, b)])


def _module(program: tvmscript.IRModule | tvmscript.tir.PrimFunc) -> tvmscript.IRModule:
    if isinstance(program, tvmscript.IRModule):
        return program
    return tvmscript.IRModule({"main": program.with_attr("global_symbol", "main")})
