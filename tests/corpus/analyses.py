"""What real TVM says about the programs of tests/cases/analysis: run with `oracle.py exec analyses.py FOLDER`.

It writes NAME.tvm.json beside each NAME.py; `test_against_tvm` compares. TVM tells threads apart by the names of their
variables, which a text does not keep: they are named anew here.
"""

from __future__ import annotations

import json
import sys
from functools import partial
from pathlib import Path

import tvm
from tvm import tir
from tvm.target import Target
from tvm.tir import analysis, stmt_functor

LIMITS = [
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


def place(stmt):
    if isinstance(stmt, tir.For):
        return "for " + stmt.loop_var.name
    return "block " + stmt.name_hint if isinstance(stmt, tir.Block) else ""


def region(item):
    return item.buffer.name + "[" + ", ".join(f"{part.min}:+{part.extent}" for part in item.region) + "]"


def attempt(question):
    try:
        return question()
    except (tvm.TVMError, RuntimeError, ValueError) as error:
        return "ERR " + str(error).strip().split("\n")[-1]


def named(func):
    def change(stmt):
        if not isinstance(stmt, tir.AttrStmt) or stmt.attr_key not in ("thread_extent", "virtual_thread"):
            return None
        axis = stmt.node
        var = tir.Var(axis.thread_tag if stmt.attr_key == "thread_extent" else "vthread.x", axis.var.dtype)
        made = tir.IterVar(axis.dom, var, axis.iter_type, axis.thread_tag)
        return tir.AttrStmt(made, stmt.attr_key, stmt.value, stmt_functor.substitute(stmt.body, {axis.var: var}))

    return func.with_body(stmt_functor.ir_transform(func.body, None, change, ["tir.AttrStmt"]))


def allocated(func):
    found = analysis.calculate_allocated_bytes(func)
    return {name: {scope: int(size) for scope, size in sizes.items()} for name, sizes in found.items()}


def regions(func, ask):
    visible = {buffer.data: buffer for buffer in func.buffer_map.values()}
    blocks = []

    def look(stmt):
        if isinstance(stmt, tir.Block):
            visible.update({buffer.data: buffer for buffer in stmt.alloc_buffers})
            visible.update({match.buffer.data: match.buffer for match in stmt.match_buffers})
            blocks.append(stmt)
        return True

    stmt_functor.pre_order_visit(func.body, look)
    return [[block.name_hint, [[region(item) for item in some] for some in ask(block, visible)]] for block in blocks]


def within(func, limits):
    return bool(analysis.verify_gpu_code(named(func), limits))


QUESTIONS = {
    "allocated": allocated,
    "workspace1": lambda func: int(analysis.calculate_workspace_bytes(func, 1)),
    "workspace16": lambda func: int(analysis.calculate_workspace_bytes(func, 16)),
    "constant": lambda func: int(analysis.calculate_constant_bytes(func, 16)),
    "flops": lambda func: float(analysis.estimate_tir_flops(func.body)),
    "modflops": lambda func: float(analysis.estimate_tir_flops(tvm.IRModule({"main": func}))),
    "anchor": lambda func: place(analysis.find_anchor_block(tvm.IRModule({"main": func}))) or None,
    "pure": lambda func: bool(analysis.is_pure_function(func)),
    "ssa": lambda func: bool(analysis.verify_ssa(func)),
    "well": lambda func: bool(analysis.verify_well_formed(func, False)),
    "memory": lambda func: bool(analysis.verify_memory(func.with_attr("target", Target("cuda")))),
    "gpu": lambda func: [attempt(partial(within, func, each)) for each in LIMITS],
    "undef": lambda func: [var.name for var in analysis.undefined_vars(func.body, [])],
    "lca": lambda func: sorted([b.name, place(s)] for b, s in analysis.detect_buffer_access_lca(func).items()),
    "access": lambda func: regions(func, analysis.get_block_access_region),
    "rw": lambda func: regions(func, analysis.get_block_read_write_region),
}
TOPICS = {
    "operations": ("flops", "modflops", "anchor"),
    "allocations": ("allocated", "workspace1", "workspace16", "constant", "lca"),
    "purity": ("pure", "ssa", "well"),
    "host": ("memory",),
    "kernels": ("gpu", "memory"),
    "blocks": ("lca", "undef", "access", "rw"),
}

if __name__ == "__main__":
    folder = Path(sys.argv[1])
    for topic, names in TOPICS.items():
        said = {}
        for part in (folder / f"{topic}.py").read_text().split("# program: ")[1:]:
            title, _, text = part.partition("\n")
            program = tvm.script.from_source(text, check_well_formed=False)
            module = program if isinstance(program, tvm.IRModule) else tvm.IRModule({"main": program})
            said[title] = {
                var.name_hint: {name: attempt(partial(QUESTIONS[name], func)) for name in names}
                for var, func in module.functions.items()
            }
        rows = ",\n".join(f"{json.dumps(title)}: {json.dumps(answers)}" for title, answers in said.items())
        (folder / f"{topic}.tvm.json").write_text(f"{{\n{rows}\n}}\n")
