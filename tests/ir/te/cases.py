"""Case files of tensor expressions: Python files that TVM runs too, and the texts that they give.

A function of a file yields names and values: arguments of `te.create_prim_func`, or a schedule and its arguments. The
table `DIFFERENT` of a file tells why some texts differ from TVM's.
"""

from __future__ import annotations

import inspect
import json
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import tvmscript
from tests.golden import is_updating
from tvmscript import T, te
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.core.errors import TVMScriptError
from tvmscript.ir.te.tensor import PlaceholderOp
from tvmscript.ir.tir import IntImm, substitute, uses

FOLDER = Path(__file__).parents[2] / "cases" / "te"


def text_of(value: Any) -> str:
    """The text of a case's function; of an error its code."""
    try:
        if isinstance(value, tuple):
            schedule, args = value
            return tvmscript.lower(schedule, args, simple_mode=True).script()
        return te.create_prim_func(**(value if isinstance(value, dict) else {"ops": value})).script()
    except TVMScriptError as error:
        return f"refused: {error.code}"


@cache
def load(path: Path) -> tuple[dict[str, Any], dict[str, str]]:
    """The values of a case file by name, and the reasons of those that differ from TVM."""
    names: dict[str, Any] = {"te": te, "tvm": tvmscript, "T": T, "__name__": "case"}
    exec(compile(path.read_text(), str(path), "exec"), names)
    families = {name: item for name, item in names.items() if inspect.isgeneratorfunction(item)}
    # a case may change its schedule after it has given it
    values = {
        f"{family}.{name}": (value[0].copy(), value[1]) if isinstance(value, tuple) else value
        for family, cases in families.items()
        for name, value in cases()
    }
    return values, names.get("DIFFERENT", {})


def check_golden(path: Path, texts: dict[str, str]) -> None:
    """Compare texts with those that the file beside a case file keeps, or keep them."""
    golden = path.with_suffix(".txt")
    text = "".join(f"## {name}\n{body}\n\n" for name, body in texts.items())
    if is_updating():
        golden.write_text(text)
    assert golden.read_text() == text


def arrays_of(args: list[Any]) -> list[Any]:
    """Arrays for tensors: random inputs, zeros for outputs; symbolic extents are 13, 14, ..."""
    sizes: dict[Any, Any] = {}
    random = np.random.default_rng(0)
    arrays: list[Any] = []
    for tensor in args:
        for var in sorted(uses(tensor.shape), key=lambda var: var.name):
            sizes.setdefault(var, IntImm("int32", 13 + len(sizes)))
        extents: list[Any] = [Analyzer().simplify(substitute(extent, sizes)) for extent in tensor.shape]
        shape = [int(extent) for extent in extents]
        values = random.random(shape, "float32") if isinstance(tensor.op, PlaceholderOp) else np.zeros(shape)
        arrays.append(np.asarray(values).astype(str(tensor.dtype)))
    return arrays


@cache
def peers_texts(folder: str) -> dict[str, dict[str, str]]:
    """The texts of TVM for the case files of a folder, by file and name."""
    driver = sys.modules["tvmscript_oracle"].__file__
    out = Path(sys.modules["tvmscript_oracle"].__dict__.get("tmp", "/tmp")) / f"te_{folder}.json"
    paths = sorted((FOLDER / folder).glob("*.py"))
    command = [sys.executable, str(driver), "exec", str(FOLDER / "in_tvm.py"), str(out), *map(str, paths)]
    subprocess.run(command, check=True, capture_output=True)
    return {Path(path).stem: texts for path, texts in json.loads(out.read_text()).items()}
