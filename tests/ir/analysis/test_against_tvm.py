"""Analyses give what TVM gives: its answers stand beside the programs (see tests/corpus/analyses.py)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import tvmscript
from tvmscript.ir.core.errors import UnknownName
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.core.targets.target import Target
from tvmscript.ir.core.visit import nodes
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.expr import BufferRegion, Var
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.stmt import Block, For
from tvmscript.tir import analysis

_CASES = Path(__file__).parents[2] / "cases" / "analysis"
_LIMITS: list[dict[str, int]] = [
    {"max_threads_per_block": 64},
    {"max_thread_x": 16},
    {"max_thread_y": 4, "max_thread_z": 1},
    {"max_shared_memory_per_block": 1024},
    {"max_local_memory_per_block": 64},
    {"max_vthread": 2},
    {"max_vector_bytes": 8},
    {"max_kernels": 1},
    {},
]
#: (program, question) -> why TVM's answer is not ours
_OTHERWISE = {
    ("alloc1", "workspace1"): "lanes of vectors count",
    ("alloc1", "workspace16"): "lanes of vectors count",
    ("pure_allocbuf", "pure"): "what a block allocates is the function's own",
    ("mem2", "memory"): "a loop that is bound to a thread is run by threads",
    ("mem4", "memory"): "a pointer that is bound to another name is still an argument",
    ("gpu10", "gpu"): "limits count for threads of any name",
    ("gpu8", "gpu"): "the same",
    ("gpu9", "gpu"): "the same",
    ("gpu16", "gpu"): "loops that are bound to threads launch them",
    ("gpu16", "memory"): "a loop that is bound to a thread is run by threads",
    ("gpu11", "gpu"): "what is only known when the program runs is let through, where TVM fails",
    ("opaqueblock", "gpu"): "the same",
    ("divmod", "access"): "an axis times a size that is not known: all of the dimension",
    ("divmod", "rw"): "the same",
    ("lca_opaque", "lca"): "reads do not depend on opaque axes",
}


def _programs(topic: str) -> dict[str, IRModule]:
    found: dict[str, IRModule] = {}
    for part in (_CASES / f"{topic}.py").read_text().split("# program: ")[1:]:
        title, _, text = part.partition("\n")
        program = tvmscript.from_source(text, check_well_formed=False)
        found[title] = program if isinstance(program, IRModule) else IRModule({"main": program})
    return found


def _place(stmt: Any) -> str:
    if isinstance(stmt, For):
        return f"for {stmt.loop_var.name}"
    return f"block {stmt.name_hint}" if isinstance(stmt, Block) else ""


def _region(item: BufferRegion) -> str:
    return f"{item.buffer.name}[{', '.join(f'{part.min}:+{part.extent}' for part in item.region)}]"


def _regions(func: PrimFunc, ask: Any) -> list[Any]:
    visible: dict[Var, Buffer] = {buffer.data: buffer for buffer in func.buffer_map.values()}
    blocks = [node for node in nodes(func.body) if isinstance(node, Block)]
    for block in blocks:
        visible.update({buffer.data: buffer for buffer in block.alloc_buffers})
        visible.update({match.buffer.data: match.buffer for match in block.match_buffers})
    return [[block.name_hint, [[_region(item) for item in some] for some in ask(block, visible)]] for block in blocks]


_QUESTIONS: dict[str, Any] = {
    "allocated": analysis.calculate_allocated_bytes,
    "workspace1": lambda func: analysis.calculate_workspace_bytes(func, 1),
    "workspace16": lambda func: analysis.calculate_workspace_bytes(func, 16),
    "constant": lambda func: analysis.calculate_constant_bytes(func, 16),
    "flops": lambda func: analysis.estimate_tir_flops(func.body),
    "modflops": lambda func: analysis.estimate_tir_flops(IRModule({"main": func})),
    "anchor": lambda func: _place(analysis.find_anchor_block(IRModule({"main": func}))) or None,
    "pure": analysis.is_pure_function,
    "ssa": analysis.verify_ssa,
    "well": lambda func: analysis.verify_well_formed(func, False),
    "memory": lambda func: analysis.verify_memory(func.with_attr("target", Target.make("cuda"))),
    "gpu": lambda func: [analysis.verify_gpu_code(func, each) for each in _LIMITS],
    "undef": lambda func: [var.name for var in analysis.undefined_vars(func.body)],
    "lca": lambda func: sorted([b.name, _place(s)] for b, s in analysis.detect_buffer_access_lca(func).items()),
    "access": lambda func: _regions(func, analysis.get_block_access_region),
    "rw": lambda func: _regions(func, analysis.get_block_read_write_region),
}


def _written_alike(name: str, theirs: Any, ours: Any, func: PrimFunc) -> bool:
    if name == "undef":  # TVM does not know that a block defines its axes and its buffers, and tells a variable again
        own = {axis.var.name for node in nodes(func.body) if isinstance(node, Block) for axis in node.iter_vars}
        own |= {item.name for node in nodes(func.body) if isinstance(node, Block) for item in node.alloc_buffers}
        own |= {item.buffer.name for node in nodes(func.body) if isinstance(node, Block) for item in node.match_buffers}
        return sorted({item for item in theirs if item not in own}) == sorted(ours)
    if name in ("access", "rw"):  # a function without allocations has no root block
        theirs = theirs[len(theirs) - len(ours) :]
    return bool(theirs == ours)


@pytest.mark.parametrize("topic", ["operations", "allocations", "purity", "host", "kernels", "blocks"])
def test_as_tvm(topic: str) -> None:
    said = json.loads((_CASES / f"{topic}.tvm.json").read_text())
    different: list[Any] = []
    compared = 0
    for title, module in _programs(topic).items():
        for function, answers in said[title].items():
            for name, theirs in answers.items():
                if isinstance(theirs, str) and theirs.startswith("ERR"):
                    continue  # TVM cannot tell
                func = module[function]
                ours = _QUESTIONS[name](func)
                compared += 1
                is_alike = _written_alike(name, theirs, ours, func)
                if is_alike == ((title, name) in _OTHERWISE):
                    different.append((title, name, theirs, ours))
    assert different == []
    assert compared >= 10


def test_unknown_limit() -> None:
    with pytest.raises(UnknownName, match="max_thread_x"):
        analysis.verify_gpu_code(_programs("kernels")["gpu1"]["main"], {"max_thread_xx": 1})
