"""Targets from texts and dicts."""

from __future__ import annotations

import pytest

from tvmscript.ir.core.equality.equal import structural_equal
from tvmscript.ir.core.targets.target import InvalidTarget, Target


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


def test_kinds_of_options() -> None:
    """As TVM 0.17 reads them."""
    target = Target.make("llvm -mcpu=1 -mattr=+avx2 -libs=mkl -fast-math -num-cores=4")
    assert (target.options["mcpu"], target.options["mattr"], target.options["libs"]) == ("1", ("+avx2",), ("mkl",))
    assert (target.options["fast-math"].dtype, target.options["fast-math"].value) == ("int32", 1)
    assert structural_equal(Target.make(str(target)), target)


@pytest.mark.parametrize("given", ["", "-mcpu=x", "llvm x", "llvm 'x", {"arch": "sm_80"}, {"kind": "c", "keys": 1}])
def test_refused(given: object) -> None:
    with pytest.raises(InvalidTarget):
        Target.make(given)  # type: ignore[arg-type]


def test_usual_options_and_keys() -> None:
    """Asked from TVM 0.17, without what it finds out about the machine."""
    assert str(Target("cuda")) == "cuda -keys=cuda,gpu -max_num_threads=1024 -thread_warp_size=32"
    assert str(Target("webgpu")) == "webgpu -keys=webgpu,gpu -max_num_threads=256"
    assert Target.make("opencl -device=adreno").keys == ("adreno", "opencl", "gpu")
    assert Target.make({"kind": "cuda", "max_num_threads": 512}).options["max_num_threads"].value == 512


def test_a_host_that_is_given_replaces_the_own_one() -> None:
    assert str(Target.make({"kind": "cuda", "host": "llvm"}, "c").host) == "c -keys=cpu"
    assert str(Target.make(Target("cuda", host="llvm"), "llvm -mcpu=znver3").host) == "llvm -keys=cpu -mcpu=znver3"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "nvidia/nvidia-a100",
            "cuda -keys=cuda,gpu -arch=sm_80 -l2_cache_size_bytes=41943040 -max_num_threads=1024"
            " -max_shared_memory_per_block=49152 -max_threads_per_block=1024 -registers_per_block=65536"
            " -thread_warp_size=32",
        ),
        (
            "nvidia/jetson-nano",
            "cuda -keys=cuda,gpu -arch=sm_53 -max_num_threads=1024 -max_shared_memory_per_block=49152"
            " -max_threads_per_block=1024 -registers_per_block=32768 -thread_warp_size=32",
        ),
        ("aws/cpu/c5.24xlarge", "llvm -keys=x86,cpu -mcpu=cascadelake -num-cores=48"),
    ],
)
def test_names_of_machines(name: str, text: str) -> None:
    """Asked from TVM 0.17."""
    assert str(Target.make(name)) == text


def test_a_machine_with_its_host() -> None:
    host = Target.make("raspberry-pi/4b-aarch64").host
    assert str(host) == ("llvm -keys=arm_cpu,cpu -mattr=+neon -mcpu=cortex-a72 -mtriple=aarch64-linux-gnu -num-cores=4")


def test_current_target() -> None:
    """The innermost `with` says it; outside of any there is none."""
    outer, inner = Target.make("llvm"), Target.make("cuda")
    assert Target.current() is None
    with outer:
        with inner as target:
            assert target is inner
            assert Target.current() is inner
        assert Target.current() is outer
    with pytest.raises(InvalidTarget, match="no target is current"):
        Target.current(allow_none=False)


_AARCH64 = dict.fromkeys(("has_dotprod", "has_fp16_simd", "has_matmul_i8", "has_sme", "has_sve"), False) | {
    "has_asimd": True,
    "is_aarch64": True,
}
#: targets -> features, as TVM 0.17 says, that are not None
FEATURES = {
    "llvm -mcpu=skylake-avx512": {},
    "cuda -mcpu=cortex-m4": {},
    "c -mcpu=cortex-a53": {},
    "c -mcpu=cortex-m0plus": {"has_dsp": False, "has_mve": False},
    "c -mcpu=cortex-m33": {"has_dsp": True, "has_mve": False},
    "c -mcpu=cortex-m55": {"has_dsp": True, "has_mve": True},
    "c -mcpu=cortex-m55+nodsp": {"has_dsp": False, "has_mve": False},
    "llvm -mcpu=cortex-m55 -mattr=+nomve": {"has_dsp": True, "has_mve": False},
    "llvm -mtriple=arm-linux-gnueabi -mcpu=cortex-m4": {"has_dsp": True, "has_mve": False},
    "llvm -mtriple=aarch64-linux-gnu": _AARCH64,
    "llvm -mtriple=aarch64-linux-gnu -mcpu=cortex-a72": _AARCH64,
    "llvm -mtriple=aarch64-linux-gnu -mattr=+sve,+dotprod": _AARCH64
    | {"has_sve": True, "has_fp16_simd": True, "has_dotprod": True},
    "llvm -mtriple=armv8l-linux-gnueabi -mattr=+neon": _AARCH64 | {"is_aarch64": False},
}


@pytest.mark.parametrize("text", FEATURES)
def test_features_of_arm(text: str) -> None:
    features = Target.make(text).features
    names = [*_AARCH64, "has_dsp", "has_mve", "has_avx512", "nonsense"]
    assert {name: getattr(features, name) for name in names if getattr(features, name) is not None} == FEATURES[text]


def test_keys_of_arm() -> None:
    assert Target.make("c -mcpu=cortex-m4").keys == ("arm_cpu", "cpu")
    assert Target.make("llvm -mtriple=aarch64-linux-gnu -keys=cpu").keys == ("cpu", "arm_cpu")
    assert Target.make("llvm -mtriple=aarch64-linux-gnu -keys=foo").keys == ("foo", "arm_cpu", "cpu")
    assert Target.make({"kind": "llvm", "feature.has_sve": True}).features.has_sve is True
