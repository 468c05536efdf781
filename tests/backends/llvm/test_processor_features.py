"""Features that LLVM says processors have."""

from __future__ import annotations

from tvmscript.backends.llvm.processor_features import has_features
from tvmscript.target import Target
from tvmscript.target.codegen import llvm_cpu_has_features, target_has_features

_X86 = {"mtriple": "x86_64-unknown-linux-gnu"}


def test_features_of_processors() -> None:
    """As Intel's and AMD's manuals say."""
    names = ["sse2", "avx2", "fma", "avx512f", "avx512vnni", "avx512bf16"]
    assert has_features({**_X86, "mcpu": "x86-64"}, names) == {"sse2"}
    assert has_features({"mattr": ("-avx2", "-avx512f")}, names) <= {"sse2", "fma"}  # of this machine
    assert has_features({**_X86, "mcpu": "skylake-avx512"}, names) == {"sse2", "avx2", "fma", "avx512f"}
    assert has_features({**_X86, "mcpu": "cascadelake"}, names) == {*names} - {"avx512bf16"}
    assert has_features({**_X86, "mcpu": "znver4"}, names) == {*names}
    assert has_features({**_X86, "mcpu": "haswell", "mattr": ("-fma", "-avx512f")}, names) == {"sse2", "avx2"}
    assert has_features({"mtriple": "riscv64-unknown-linux-gnu", "mattr": ("+v",)}, ["v", "m", "zve64x"]) == {
        "v",
        "zve64x",
    }


def test_unknown_features_are_not_there() -> None:
    assert has_features({**_X86, "mcpu": "znver4"}, ["nonsense", "avx2"]) == {"avx2"}


def test_features_under_tvms_names() -> None:
    with Target("llvm -mtriple=x86_64-unknown-linux-gnu -mcpu=skylake-avx512"):
        assert target_has_features("avx512f")
        assert target_has_features(["avx512f", "avx2"])
        assert not llvm_cpu_has_features(["avx512f", "amx-int8"])
    assert not target_has_features("avx512f", "llvm -mtriple=x86_64-unknown-linux-gnu -mcpu=znver3")
