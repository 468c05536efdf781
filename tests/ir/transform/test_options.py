"""The options of pass contexts: the table, and what is refused."""

from __future__ import annotations

import copy
import dataclasses
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import tvmscript
from tvmscript.ir.core.errors import WrongType
from tvmscript.ir.transform.context import PassContext
from tvmscript.ir.transform.options import OPTIONS, Kind, UnknownOption, WrongOption
from tvmscript.ir.transform.pipeline import llvm_passes
from tvmscript.ir.transform.registry import get_pass, pass_class, pass_modules


@pytest.mark.parametrize(
    ("config", "error", "text", "hint"),
    [
        ({"tir.disable_vectorise": True}, UnknownOption, "no option named", "did you mean tir.disable_vectorize?"),
        (
            {"tir.UnrollLoop": {"auto_max_steps": 1}},
            UnknownOption,
            "no field of tir.UnrollLoop",
            "did you",
        ),
        ({"tir.UnrollLoop": {"x": 1}}, UnknownOption, "no field of tir.UnrollLoop", "the fields are auto_max_step, "),
        ({"tir.UnrollLoop": 3}, WrongOption, "tir.UnrollLoop takes a dict of fields, but got 3", None),
        (
            {"tir.UnrollLoop": {"auto_max_step": "x"}},
            WrongOption,
            "auto_max_step takes an integer",
            None,
        ),
        ({"tir.disable_vectorize": "yes"}, WrongOption, "tir.disable_vectorize takes True or False", None),
        ({"tir.vtcm_capacity": None}, WrongOption, "tir.vtcm_capacity takes an integer, but got None", None),
        ({"tir.usmp.algorithm": 3}, WrongOption, "tir.usmp.algorithm takes a string", None),
        ({"tir.add_lower_pass": 3}, WrongOption, "tir.add_lower_pass takes a list", None),
    ],
)
def test_refused(config: dict[str, Any], error: type[Exception], text: str, hint: str | None) -> None:
    with pytest.raises(error, match=text) as caught:
        PassContext(config=config)
    assert isinstance(caught.value, AttributeError), "TVM raises this one"
    found = getattr(caught.value, "hint", None)
    assert found is None if hint is None else str(found).startswith(hint)


@pytest.mark.parametrize("pair", [3, (1,), (1, 3), ("x", get_pass("tir.Simplify")), (4, get_pass("tir.Simplify"))])
def test_passes_without_a_phase(pair: object) -> None:
    func = tvmscript.from_source("@T.prim_func\ndef main(n: T.int32):\n    T.evaluate(n)\n")
    with PassContext(config={"tir.add_lower_pass": [pair]}), pytest.raises(WrongType, match="pairs of a phase"):
        tvmscript.lower(func)


def test_passes_of_phases() -> None:
    """At the end of their phases, in their order."""
    first, second = get_pass("tir.Simplify"), get_pass("tir.RemoveNoOp")
    passes = llvm_passes({"tir.add_lower_pass": [[3, first], (3, second), (0, second)]})
    assert passes[0] is second
    assert passes[-2:] == (first, second)


def test_codes() -> None:
    assert (UnknownOption.code, WrongOption.code) == ("TS4080", "TS4081")


def test_taken() -> None:
    config: dict[str, Any] = {"tir.disable_vectorize": 1, "tir.UnrollLoop": {"explicit_unroll": 0}}
    assert dict(PassContext(config=config).config) == config
    assert PassContext.list_configs()["tir.vtcm_capacity"]["type"] == "an integer"


@pytest.mark.parametrize("name", sorted(pass_modules()))
def test_passes_and_options_agree(name: str) -> None:
    """A pass with options of its own in the table has these fields with these defaults; other fields name an option."""
    fields = {each.name: each for each in dataclasses.fields(pass_class(name))}
    for key, default in (OPTIONS[name].fields if name in OPTIONS else {}).items():
        assert key in fields, f"{name} has no field {key}"
        assert fields[key].default == default, key
    for each in fields.values():
        if "option" in each.metadata:
            assert each.metadata["option"] in OPTIONS


def test_names_of_the_current_tvm() -> None:
    config: dict[str, Any] = {"tirx.noalias": True, "s_tir.LoopPartition": {"partition_const_loop": True}}
    config |= {"tirx.StmtSimplify": {}, "tirx.s_tir.ldg32": 1}
    assert list(PassContext(config=config).config) == [
        "tir.noalias",
        "tir.LoopPartition",
        "tir.Simplify",
        "tir.ptx_ldg32",
    ]


#: TVM's type -> kinds of ours
KINDS = {"IntImm": {Kind.FLAG, Kind.NUMBER}, "runtime.String": {Kind.TEXT}, "Array": {Kind.LIST}}


#: prints TVM's options and their types
LISTING = """
import json, tvm
print(json.dumps({key: str(said["type"]) for key, said in tvm.transform.PassContext.list_configs().items()}))
"""


@pytest.mark.oracle
def test_tvm_has_the_same_options(oracle: Any, tmp_path: Path) -> None:
    script = tmp_path / "listing.py"
    script.write_text(LISTING)
    command = [sys.executable, str(sys.modules[type(oracle).__module__].__file__), "exec", str(script)]
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    theirs: dict[str, str] = json.loads(listed)
    # what 0.17.0 has and this build has not, and what is newer
    assert set(OPTIONS) - set(theirs) == {"tir.enable_buffer_level_predication", "tir.enable_fast_math"}
    assert set(theirs) <= set(OPTIONS)
    for key, kind in theirs.items():
        assert OPTIONS[key].kind in KINDS.get(kind, {Kind.FIELDS}), key


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        ("tir.Simplify", {"transitively_prove_inequalities": 3}, "inequalities takes True or False, but got 3"),
        ("tir.Simplify", {"transitively_prove_inequalities": "yes"}, "inequalities takes True or False, but got 'yes'"),
        ("tir.UnrollLoop", {"auto_max_step": 2.5}, "auto_max_step takes an integer, but got 2.5"),
        ("tir.UnrollLoop", {"auto_max_step": None}, "auto_max_step takes an integer, but got None"),
    ],
)
def test_fields_of_passes_have_types(name: str, options: dict[str, Any], said: str) -> None:
    with pytest.raises(WrongType, match=said):
        get_pass(name, **options)
    with pytest.raises(WrongType, match=said):
        dataclasses.replace(get_pass(name), **options)
    with pytest.raises(WrongOption):
        PassContext(config={name: options})


def test_flags_are_numbers() -> None:
    assert get_pass("tir.Simplify", 1) == get_pass("tir.Simplify", True)


def test_fields_are_attributes() -> None:
    """As TVM's configuration objects have them: those that are not set have their defaults."""
    fields = PassContext(config={"tir.UnrollLoop": {"auto_max_step": 16}}).config["tir.UnrollLoop"]
    assert (fields.auto_max_step, fields.auto_max_depth, fields.explicit_unroll) == (16, 8, True)
    assert fields == {"auto_max_step": 16}
    assert copy.deepcopy(fields) == fields
    with pytest.raises(AttributeError, match=r"tir\.UnrollLoop has no field nothing"):
        _ = fields.nothing
