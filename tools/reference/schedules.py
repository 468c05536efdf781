"""schedule.md: how schedules are used, and every primitive with the program before and after it.

The examples are the case files of the tests, which run them, compare them with TVM, and run their programs.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tvmscript.ir.schedule.instruction import InstructionKind
from tvmscript.ir.schedule.schedule import Schedule

#: the examples: a program, what is done to it, and the program afterwards
EXAMPLES = Path(__file__).parents[2] / "tests" / "cases" / "schedule"

#: heading -> methods of a schedule
FAMILIES: Mapping[str, tuple[str, ...]] = {
    "Blocks and loops": (
        "get_block", "get_loops", "get_child_blocks", "get_producers", "get_consumers", "get_output_blocks", "work_on",
    ),
    "Loops": ("split", "fuse", "reorder", "merge", "loop_partition", "add_unit_loop"),
    "How loops run": ("parallel", "vectorize", "unroll", "bind"),
    "Where blocks stand": (
        "compute_at", "reverse_compute_at", "compute_inline", "reverse_compute_inline",
    ),
    "Reductions and padding": (
        "decompose_reduction", "rfactor", "decompose_padding", "can_decompose_padding", "pad_einsum",
    ),
    "Copies of buffers": (
        "cache_read", "cache_write", "cache_inplace", "cache_index", "reindex", "reindex_cache_read",
        "reindex_cache_write", "read_at", "write_at", "rolling_buffer",
    ),
    "Memory and layout": (
        "set_scope", "storage_align", "unsafe_set_dtype", "transform_layout", "transform_block_layout",
        "set_axis_separator", "reorder_block_iter_var",
    ),
    "Blocks of blocks, tensor intrinsics": ("blockize", "tensorize"),
    "Notes": (
        "annotate", "unannotate", "unsafe_hide_buffer_access", "annotate_buffer_access",
        "unsafe_inject_call_argument", "unsafe_rewrite_buffer_region",
    ),
    "Numbers that are drawn": (
        "sample_categorical", "sample_perfect_tile", "sample_partitioned_tile", "sample_compute_location",
        "seed", "fork_seed",
    ),
    "The schedule itself": ("get", "get_sref", "copy", "remove_rv", "enter_postproc", "show"),
}  # fmt: skip

#: what stands above it is written by hand
_MARK = "<!-- From here on written by `python -m tools.reference`, out of docstrings and tests/cases/schedule. -->"
_PAGE = Path(__file__).parents[2] / "grammar_docs" / "schedule.md"

#: lines above an example that are about its tests
_NOTE = re.compile("(differs from TVM|values differ):")


def schedules() -> str:
    """The page."""
    by_hand, mark, _ = _PAGE.read_text(encoding="utf-8").partition(_MARK)
    assert mark, f"{_PAGE} has a line {_MARK}"
    parts = [by_hand.strip(), _MARK, "# Primitives", _contents()]
    for heading, names in FAMILIES.items():
        parts.append(f"## {heading}")
        for name in names:
            if hasattr(Schedule, name):
                parts += _method(name)
    return "\n\n".join(parts) + "\n"


def _contents() -> str:
    lines = [
        f"- {heading}: " + ", ".join(f"[{name}](#{name})" for name in names if hasattr(Schedule, name))
        for heading, names in FAMILIES.items()
    ]
    return "\n".join(lines)


def _method(name: str) -> list[str]:
    """A method: its signature, what it does, and its examples."""
    method: Any = getattr(Schedule, name)
    signature = inspect.signature(method)
    parameters = [item for item in signature.parameters.values() if item.name != "self"]
    shown = str(signature.replace(parameters=parameters)).replace("'", "")
    parts = [f"### {name}", f"`sch.{name}{shown}`", inspect.cleandoc(method.__doc__ or "")]
    parts += _promises(name)
    for path in [EXAMPLES / f"{name}.py", *sorted(EXAMPLES.glob(f"{name}-*.py"))]:
        if path.exists():
            parts += _example(path.read_text(encoding="utf-8"))
    return parts


def _promises(name: str) -> list[str]:
    """What a primitive promises, in a line; nothing of what changes no program."""
    kind = next((each for each in InstructionKind.registry.values() if each.method == name), None)
    if kind is None or kind.is_pure:
        return []
    promises = kind.promises
    words = ["the values are kept" if promises.keeps_values else "TVM's step, which this is, may change values"]
    if promises.keeps_values:
        words.append("bit by bit" if promises.is_exact else "but for rounding")
    words += ["a second time changes nothing"] if promises.is_idempotent else []
    words += [f"`{promises.undone_by}` undoes it"] if promises.undone_by else []
    words += [f"commutes with {', '.join(promises.commutes_with)}"] if promises.commutes_with else []
    return [f"Promises: {', '.join(words)}."]


def _example(text: str) -> list[str]:
    """A case file: what it shows, the program before, what is done, the program after."""
    before, _, rest = text.partition("\n# schedule\n")
    script, _, after = rest.partition("\n# after\n")
    lines = before.splitlines()
    start = next(place for place, line in enumerate(lines) if not line.startswith("# ") or line.startswith("# from"))
    header = [line.removeprefix("# ") for line in lines[:start]]
    said = " ".join(line for line in header if not _NOTE.match(line))
    differs = [
        f"Differs from TVM: {line.partition(': ')[2]}." for line in header if line.startswith("differs from TVM")
    ]
    before, after = "\n".join(lines[start:]), after.removeprefix("# from tvm.script import tir as T\n")
    return [
        " ".join([said, *differs]),
        f"```python no-run\n{before.strip()}\n```",
        f"```py\n{script.strip()}\n```",
        f"```python no-run\n{after.strip()}\n```",
    ]
