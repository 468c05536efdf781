"""Every name of TVM's `T` and `I` is there, and takes what TVM's takes: names, order and defaults of the parameters."""

from __future__ import annotations

import ast
import inspect
import re
from typing import Any

import pytest

from tests.tvmscript.language.test_intrinsic_tables import table
from tvmscript import I, T
from tvmscript.parser.names.namespace import Builtin, Namespace
from tvmscript.parser.names.unsupported import UnsupportedName

ROWS = [*table("tir_script.tsv"), *table("ir_script.tsv")]
pytestmark = pytest.mark.skipif(not ROWS, reason="no parity tables: ../shared/parity is not there")

#: Names of TVM's builder, known and refused.
BUILDER = {"I.IRModuleFrame", "I.decl_function", "I.def_function"}
#: Names that take more here, or say more of what they take (TVM: *args), or in other words.
OTHERS = {
    "T.Ptr": "is_size_var as T.handle has it",
    "T.buffer_var": "is_size_var as T.handle has it",
    "T.buffer_decl": "the parameters of T.Buffer",
    "T.reads": "positional alone",
    "T.writes": "positional alone",
    "T.block": "the axes of TVM's newer texts",
    "T.axis.remap": "positional in TVM",
    **{
        f"T.axis.{name}": "no binding in blocks that are not realized"
        for name in ("R", "S", "opaque", "reduce", "scan", "spatial")
    },
    "T.prefetch": "ranges one by one, too",
    "T.realize": "no scope where nothing is said about it",
    "T.arg": "the same under other names",
    "T.allocate": "condition is True where nothing is said",
    "T.assume": "TVM's None is no condition",
    "T.call_intrin": "a dtype may be a keyword",
    "T.ptx_cp_async": "a copy may have a predicate: TVM's pass makes such, and does not read them back",
    "T.reinterpret": "a dtype may be a keyword",
    "T.tvm_storage_sync": "a barrier of all blocks: TVM's pass makes it, and does not read it back",
    "T.type_annotation": "a dtype may be a keyword",
}


def found(name: str) -> Any:
    value: Any = {"T": T, "I": I}[name[0]]
    for part in name.split(".")[1:]:
        value = value.table.get(part) if isinstance(value, Namespace) else getattr(value, part)
    return value


def written(signature: str) -> list[tuple[str, str | None]]:
    """Parameters of a signature of the table, with their defaults."""
    head = ast.parse(f"def f{re.sub('->.*$', '', signature).strip()}: pass").body[0]
    assert isinstance(head, ast.FunctionDef)
    args = head.args
    positional = [*args.posonlyargs, *args.args]
    defaults = [None] * (len(positional) - len(args.defaults)) + [ast.unparse(item) for item in args.defaults]
    made = [(arg.arg, default) for arg, default in zip(positional, defaults, strict=True)]
    made += [(f"*{args.vararg.arg}", None)] if args.vararg is not None else []
    made += [
        (arg.arg, None if default is None else ast.unparse(default))
        for arg, default in zip(args.kwonlyargs, args.kw_defaults, strict=True)
    ]
    made += [(f"**{args.kwarg.arg}", None)] if args.kwarg is not None else []
    return [item for item in made if item[0] not in ("span", "dtype") or (item[0] == "dtype" and item[1] is None)]


def ours(builtin: Builtin) -> list[tuple[str, str | None]]:
    stars: dict[Any, str] = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
    return [
        (
            stars.get(item.kind, "") + item.name,
            None if item.default is inspect.Parameter.empty else repr(item.default),
        )
        for item in inspect.signature(builtin).parameters.values()
        if item.name != "dtype" or item.default is inspect.Parameter.empty
    ]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["name"])
def test_name(row: dict[str, str]) -> None:
    name = row["name"]
    value = found(name)
    assert value is not None, f"{name} is missing"
    assert isinstance(value, UnsupportedName) == (name in BUILDER)
    if isinstance(value, Builtin) and name not in OTHERS:
        assert ours(value) == written(row["signature"])
