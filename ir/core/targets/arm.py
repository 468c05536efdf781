"""Arm's processors: keys and features of their targets, as TVM 0.17 derives them from triple and processor."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final

from tvmscript.ir.core.hooks import hook

#: microcontrollers -> whether they have the DSP and the M-profile vector extension
_MICROCONTROLLERS: Final[dict[str, tuple[bool, bool]]] = {
    **dict.fromkeys(("cortex-m0", "cortex-m3"), (False, False)),
    **dict.fromkeys(("cortex-m4", "cortex-m7", "cortex-m33", "cortex-m35p"), (True, False)),
    **dict.fromkeys(("cortex-m55", "cortex-m85"), (True, True)),
}
#: name of a feature -> LLVM's name of it
_APPLICATION_FEATURES: Final = {
    "has_dotprod": "dotprod",
    "has_fp16_simd": "fullfp16",
    "has_matmul_i8": "i8mm",
    "has_sme": "sme",
    "has_sve": "sve",
}
_CPU_KINDS: Final = frozenset({"llvm", "c"})
_KEYS: Final = ("arm_cpu", "cpu")


@hook
def has_features(options: Mapping[str, Any], names: Collection[str]) -> frozenset[str]:
    """Return those of LLVM's features that the processor of the options `mtriple`, `mcpu` and `mattr` has."""
    raise NotImplementedError


def _words(options: Mapping[str, Any]) -> tuple[str, str]:
    return str(options.get("mtriple", "")), str(options.get("mcpu", ""))


def _microcontroller(options: Mapping[str, Any]) -> tuple[bool, bool] | None:
    _, cpu = _words(options)
    extensions = [features for name, features in _MICROCONTROLLERS.items() if cpu.startswith(name)]
    return extensions[-1] if extensions else None


def _is_application_processor(options: Mapping[str, Any]) -> bool:
    triple, cpu = _words(options)
    return triple.startswith("aarch64") or (triple.startswith("arm") and not cpu.startswith("cortex-m"))


def arm_keys(kind: str, options: Mapping[str, Any], keys: tuple[str, ...]) -> tuple[str, ...]:
    """Return the keys with those that targets of Arm's processors have besides."""
    is_arm = kind in _CPU_KINDS and (_is_application_processor(options) or _microcontroller(options) is not None)
    return (*keys, *(key for key in _KEYS if key not in keys)) if is_arm else keys


def arm_feature(kind: str, options: Mapping[str, Any], name: str) -> bool | None:
    """Return whether a processor has a feature; None if it is not one of Arm's or the feature is not known."""
    if kind not in _CPU_KINDS:
        return None
    if _is_application_processor(options):
        triple, _ = _words(options)
        is_64 = triple.startswith(("aarch64", "arm64"))
        if name == "is_aarch64":
            return is_64
        if name == "has_asimd":
            return is_64 or bool(has_features(options, ["neon"]))
        feature = _APPLICATION_FEATURES.get(name)
        return None if feature is None else bool(has_features(options, [feature]))
    extensions = _microcontroller(options)
    if extensions is None:
        return None
    _, cpu = _words(options)
    removed = {*cpu.split("+"), *(str(word).lstrip("+") for word in options.get("mattr", ()))}
    has_dsp = extensions[0] and "nodsp" not in removed
    return {"has_dsp": has_dsp, "has_mve": extensions[1] and has_dsp and "nomve" not in removed}.get(name)
