"""The stubs of `T`, `I` and `R`: up to date, complete, and the same as what Python shows of the names themselves."""

from __future__ import annotations

import ast
import csv
import inspect
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import tvmscript
from tools.reference.stubs import stubs
from tvmscript import I, R, T
from tvmscript.parser.names.namespace import Builtin, Decorator, Namespace
from tvmscript.script import tirx

PACKAGE = Path(tvmscript.__file__).parent
ROOT = PACKAGE.parent
PARITY = ROOT.parent / "shared" / "parity" / "tir_script.tsv"


def names(space: Any, name: str) -> Iterator[tuple[str, Any]]:
    """Every name behind a dot, with those behind a second one."""
    for key in dir(space):
        value = getattr(space, key)
        yield f"{name}.{key}", value
        if isinstance(value, Namespace):
            yield from names(value, f"{name}.{key}")


ALL = dict([*names(T, "T"), *names(I, "I"), *names(R, "R")])
CALLED = {name: value for name, value in ALL.items() if isinstance(value, Builtin)}


@pytest.mark.parametrize(("path", "text"), list(stubs()))
def test_up_to_date(path: str, text: str) -> None:
    assert (PACKAGE / path).read_text(encoding="utf-8") == text, "run python -m tools.reference"


@pytest.mark.parametrize(("space", "stub"), [(T, "T"), (I, "I"), (R, "R"), (tirx, "TIRX")])
def test_every_name_is_in_the_stub(space: Any, stub: str) -> None:
    tree = ast.parse((PACKAGE / "language" / f"{stub}.pyi").read_text(encoding="utf-8"))
    defined: set[str] = set()
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            defined.add(node.name)
        elif isinstance(node, ast.ImportFrom):
            defined.update(alias.asname for alias in node.names if alias.asname)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            defined.add(node.target.id)
        elif isinstance(node, ast.Assign):
            defined.update(target.id for target in node.targets if isinstance(target, ast.Name))
    assert set(dir(space)) <= defined


def test_every_name_has_a_meaning() -> None:
    without = [name for name, value in ALL.items() if callable(value) and not (value.__doc__ or "").strip()]
    assert not without
    assert len(CALLED) > 300


def test_every_name_has_a_signature() -> None:
    for name, value in CALLED.items():
        signature = inspect.signature(value)
        assert not {"span", "parser"} & set(signature.parameters), name
        assert repr(value).endswith(f"{signature}>")


def test_signatures_are_what_kernels_write() -> None:
    assert str(inspect.signature(T.block)) == "(name: str = '', no_realize: bool = False) -> Scope"
    assert str(inspect.signature(T.exp)) == "(x: Value, *, dtype: DTypeLike | None = None) -> Expr"
    assert list(inspect.signature(T.match_buffer).parameters) == [
        "param", "shape", "dtype", "data", "strides", "elem_offset", "scope", "align", "offset_factor", "buffer_type",
        "axis_separators",
    ]  # fmt: skip
    assert str(inspect.signature(T.call_extern)).startswith("(dtype: DTypeLike, func_name: ")


def test_decorators_have_their_options() -> None:
    """What stubs say of decorators is what decorators check."""
    for stub, space in (("T", T), ("I", I), ("R", R), ("TIRX", tirx)):
        tree = ast.parse((PACKAGE / "language" / f"{stub}.pyi").read_text(encoding="utf-8"))
        for node in tree.body:
            value = getattr(space, node.name, None) if isinstance(node, ast.FunctionDef) else None
            if isinstance(node, ast.FunctionDef) and isinstance(value, Decorator):
                assert tuple(arg.arg for arg in node.args.kwonlyargs) == value.options, node.name


def test_parameters_are_tvms() -> None:
    """Names and order as in TVM 0.17; a `dtype` that TVM drops may be given, more parameters follow its own."""
    if not PARITY.exists():
        pytest.skip("no parity tables: ../shared/parity is not there")
    wrong: list[str] = []
    with PARITY.open(newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            value = CALLED.get(row["name"])
            found = re.fullmatch(r"(\(.*\))(?: ->.*)?", row["signature"].strip())
            if value is None or found is None or "**" in found[1]:
                continue
            theirs = _parameters(found[1])
            ours = [name for name in inspect.signature(value).parameters if name != "dtype" or "dtype" in theirs]
            if ours[: len(theirs)] != theirs:
                wrong.append(f"{row['name']}: {theirs}, ours {ours}")
    assert not wrong


def _parameters(signature: str) -> list[str]:
    tree = ast.parse(f"def f{signature}: ...").body[0]
    assert isinstance(tree, ast.FunctionDef)
    given = tree.args
    stars = [given.vararg] if given.vararg else []
    return [arg.arg for arg in (*given.args, *stars, *given.kwonlyargs) if arg.arg != "span"]


def test_every_public_name_is_known_to_checkers() -> None:
    """`tvmscript.build` and its like are found when they are used; checkers read the imports below TYPE_CHECKING."""
    tree = ast.parse((PACKAGE / "__init__.py").read_text(encoding="utf-8"))
    block = next(node for node in tree.body if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test))
    imported = {
        alias.asname: node.module for node in block.body if isinstance(node, ast.ImportFrom) for alias in node.names
    }
    inside = vars(tvmscript)
    lazy = {**inside["_EXPORTS"], **dict.fromkeys(inside["_MODULES"], "tvmscript")}
    assert {name: imported.get(name) for name in lazy} == lazy


def test_examples_pass_without_exceptions() -> None:
    """`.ci/run` lets mypy, pyright and ruff read the examples; none of them is told to look away."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    tools = project["tool"]
    assert "examples" in tools["mypy"]["files"]
    assert "examples" in tools["pyright"]["include"]
    assert not [path for path in tools["ruff"]["lint"]["per-file-ignores"] if path.startswith("examples")]
    examples = sorted((ROOT / "examples").glob("*.py"))
    assert len(examples) >= 4
    for example in examples:
        assert not re.search(r"type: ignore|pyright:|noqa|mypy:", example.read_text(encoding="utf-8")), example.name
