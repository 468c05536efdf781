"""Targets from texts and dicts."""

from __future__ import annotations

import pytest

from tvmscript.ir.core.equal import structural_equal
from tvmscript.ir.core.target import InvalidTarget, Target


def test_from_text() -> None:
    target = Target.make("llvm -mcpu=znver4 -num-cores 8 -mattr=+avx2,+fma")
    assert (target.kind, target.keys) == ("llvm", ("cpu",))
    assert target.options["mcpu"] == "znver4"
    assert target.options["num-cores"].value == 8
    assert target.options["mattr"] == ("+avx2", "+fma")
    assert structural_equal(Target.make(str(target)), target)


def test_from_dict() -> None:
    target = Target.make({"kind": "cuda", "arch": "sm_80", "host": {"kind": "llvm"}}, None)
    assert target.keys == ("cuda", "gpu")
    assert target.host is not None
    assert target.host.kind == "llvm"
    assert Target.make(target) is target


@pytest.mark.parametrize("given", ["", "-mcpu=x", "llvm x", "llvm 'x", {"arch": "sm_80"}, {"kind": "c", "keys": 1}])
def test_refused(given: object) -> None:
    with pytest.raises(InvalidTarget):
        Target.make(given)  # type: ignore[arg-type]
