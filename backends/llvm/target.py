"""Target machine of LLVM, from a target string such as `llvm -mcpu=skylake -mattr=+avx2`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import TYPE_CHECKING

from tvmscript.backends.llvm.host import host
from tvmscript.ir.core.targets import target as description
from tvmscript.ir.core.targets.target import InvalidTarget
from tvmscript.ir.tir import IntImm

if TYPE_CHECKING:
    import llvmlite.binding as llvm

    from tvmscript.ir.core.targets.machine_model import MachineModel

#: The target whose code computes the same bits as the interpreter, where functions such as `T.exp` are not called.
EXACT = "llvm -ffp-contract=off -split-reductions=0"
#: the options that are proposed
_USUAL = (
    "-mcpu=, -mattr=, -mtriple=, -opt-level=, -ffp-contract=off, -parallel-threshold=, -split-reductions=0, "
    "-fast-math[-FLAG]"
)
#: Options of TVM's target strings that do not change what this backend does.
_IGNORED = frozenset(
    {"keys", "num-cores", "device", "model", "libs", "link-params", "host", "mfloat-abi", "mabi", "jit"}
)


@dataclass(frozen=True)
class Target:
    """An LLVM target machine in words.

    Float arithmetic is IEEE 754, but for `contracts`: a * b + c may be rounded once. -ffp-contract=off ends that.
    `fast_math` are the LLVM flags that the target string allows by -fast-math, -fast-math-reassoc, ...
    """

    triple: str
    cpu: str
    features: str
    opt_level: int
    fast_math: str
    is_host: bool
    #: whether products may be fused with the sums that they go into
    contracts: bool = True
    #: operations, about, from which on a parallel loop runs in threads
    parallel_threshold: int = 1 << 16
    #: whether the terms of reductions of blocks may be combined in another order
    splits_reductions: bool = True

    @staticmethod
    def parse(text: str | None, opt_level: int = 3) -> Target:
        """Return the target of a string; `None` is this machine with all of its features. Raises `InvalidTarget`."""
        options = _options(text or "llvm")
        triple, cpu, features = host()
        asked = options.pop("mtriple", triple)
        native = asked == triple
        if "mcpu" in options or not native:
            cpu = options.pop("mcpu", "generic" if not asked.startswith("x86_64") else "x86-64")
            # LLVM ends the process where a processor that it does not know is to run 64-bit code
            features = "+64bit" if asked.startswith("x86_64") else ""
        if not asked.startswith(_PROCESSORS):
            reason = f"{asked} is no triple of a processor that this backend compiles for"
            raise InvalidTarget(text=repr(text), reason=reason)
        extra = options.pop("mattr", "")
        _check_features(extra, repr(text))
        features = ",".join(part for part in (features, extra) if part)
        wanted = options.pop("opt-level", str(opt_level))
        if wanted not in _LEVELS:
            raise InvalidTarget(text=repr(text), reason=f"the levels are {', '.join(_LEVELS)}, not {wanted}")
        level = int(wanted)
        fast = " ".join(flag for name, flag in _FAST_MATH.items() if options.pop(name, "0") != "0")
        contraction = options.pop("ffp-contract", "fast")
        if contraction not in ("fast", "off"):
            raise InvalidTarget(text=repr(text), reason=f"-ffp-contract is fast or off, not {contraction}")
        threshold = options.pop("parallel-threshold", str(Target.parallel_threshold))
        if not threshold.isdecimal():
            raise InvalidTarget(text=repr(text), reason=f"-parallel-threshold is a number, not {threshold}")
        splits = options.pop("split-reductions", "1")
        if splits not in ("0", "1"):
            raise InvalidTarget(text=repr(text), reason=f"-split-reductions is 0 or 1, not {splits}")
        for name in options:
            if name not in _IGNORED:
                hint = f"use {_USUAL}"
                raise InvalidTarget(text=repr(text), reason=f"-{name} is not an option of llvm", hint=hint)
        return Target(asked, cpu, features, level, fast, native, contraction == "fast", int(threshold), splits == "1")

    def float_flags(self, op: str, *, contracts: bool) -> str:
        """Return the flags of an LLVM instruction on floats, each after a space."""
        flags = self.fast_math.split()
        if not (contracts and self.contracts):
            flags = [flag for flag in flags for flag in _WITHOUT_CONTRACTION.get(flag, (flag,))]
        elif op in _CONTRACTED and not {"fast", "contract"} & {*flags}:
            flags.append("contract")
        return "".join(f" {flag}" for flag in flags)

    @cached_property
    def model(self) -> MachineModel:
        """The vectors, registers and caches of the processor."""
        return _model(self)

    @property
    def split_model(self) -> MachineModel | None:
        """The model that reductions are split for, None: they are not."""
        return self.model if self.splits_reductions else None

    @property
    def is_x86(self) -> bool:
        return self.triple.startswith(_X86)

    @property
    def has_fma(self) -> bool:
        """Whether a fused multiply-add is one instruction."""
        return not self.is_x86 or self.has_feature("fma")

    @property
    def has_root_estimates(self) -> bool:
        """Whether square roots of vectors are slow, and estimates of them those of Intel's processors."""
        return self.has_feature("avx512f") and self.cpu.startswith(_INTEL_AVX512_CPUS)

    @property
    def has_gathers(self) -> bool:
        """Whether the elements of a vector are loaded from several addresses by one instruction."""
        return self.has_feature("avx512f") if self.is_x86 else self.has_scalable_vectors

    @property
    def tuned_features(self) -> str:
        """The features for LLVM, which takes quotients of 64 bits to be slow on all processors of x86."""
        tuning = "-idivq-to-divl," if self.cpu.startswith(_FAST_DIVISION_CPUS) else ""
        return tuning + self.features

    def has_feature(self, feature: str) -> bool:
        """Return whether the processor has a feature of those that programs can ask for."""
        if not self.triple.startswith(_TRIPLES_WITH.get(feature, _X86)):
            return False
        features = dict.fromkeys(self.features.split(","))
        if f"-{feature}" in features:
            return False
        cpus = _CPUS_WITH.get(feature, ())
        return f"+{feature}" in features or self.cpu.startswith(cpus)

    @property
    def has_scalable_vectors(self) -> bool:
        """Whether vectors have a length that is known when the program runs: SVE of AArch64, V of RISC-V."""
        is_arm = self.triple.startswith(_ARM_64)
        features = self.features.split(",")
        names = _SCALABLE_ARM if is_arm else ("+v",) if self.triple.startswith("riscv") else ()
        return any(name in features for name in names) or (is_arm and self.cpu.startswith(_SVE_CPUS))

    def machine(self) -> llvm.TargetMachine:
        """Return a new target machine of LLVM. Raises `InvalidTarget` for an unknown triple, processor or feature."""
        # code that comes from the cache does not need LLVM
        from tvmscript.backends.llvm.target_machine import target_machine

        return target_machine(self)


@cache
def _model(target: Target) -> MachineModel:
    # code that comes from the cache is not for any model
    from tvmscript.ir.core.targets.machine_model import MODELS, UNKNOWN, with_host_caches

    rows = next((rows for name, rows in MODELS.items() if target.triple.startswith(name)), ())
    model = next((model for feature, model in rows if not feature or target.has_feature(feature)), UNKNOWN)
    candidates = [*_EXACT_DOTS]
    if target.contracts and target.splits_reductions:
        candidates += [feature for feature, cpus in _ROUNDED_DOTS.items() if target.cpu.startswith(cpus)]
    if not target.has_feature("amx-tile"):
        candidates = [feature for feature in candidates if not feature.startswith("amx")]
    features = tuple(filter(target.has_feature, candidates))
    model = replace(
        model,
        dot_features=features,
        splits_reductions=target.splits_reductions,
        contracts=target.contracts,
    )
    return with_host_caches(model) if target.is_host else model


def _check_features(features: str, text: str) -> None:
    """Raise `InvalidTarget` for features that LLVM ends the process on."""
    for feature in filter(None, features.split(",")):
        if not feature.startswith(("+", "-")):
            reason = f"{feature} in -mattr neither adds a feature nor takes one away"
            raise InvalidTarget(text=text, reason=reason, hint=f"write +{feature} or -{feature}")
        if feature in _NEEDED:
            raise InvalidTarget(text=text, reason=f"compiled code cannot do without {feature[1:]}")


_LEVELS = ("0", "1", "2", "3")
#: option -> flag of LLVM's float instructions
_FAST_MATH = {"fast-math": "fast"} | {
    f"fast-math-{flag}": flag for flag in ("nnan", "ninf", "nsz", "arcp", "contract", "reassoc")
}
#: instructions that are fused
_CONTRACTED = ("fadd", "fsub", "fmul")
#: what is left of flags that allow contraction among other things
_WITHOUT_CONTRACTION = {"contract": (), "fast": ("reassoc", "nnan", "ninf", "nsz", "arcp", "afn")}
#: Beginnings of triples: machines that run C code, which is what kernels become.
_PROCESSORS = (
    "x86_64", "i386", "i486", "i586", "i686", "aarch64", "arm", "thumb", "riscv32", "riscv64", "powerpc", "ppc", "mips",
    "s390x", "loongarch", "wasm", "hexagon", "sparc",
)  # fmt: skip
#: Features that calls of C functions need.
_NEEDED = ("-64bit", "-sse", "-sse2", "-cx8", "-cmov", "-x87", "+soft-float")
_X86 = ("x86_64", "i386", "i486", "i586", "i686")
_ARM_64 = ("aarch64", "arm64")
#: x86 processors that have AVX-512 with its instructions for bytes and words, in the order of their makers
_AVX512_CPUS = (
    "skylake-avx512", "skx", "cascadelake", "cooperlake", "cannonlake", "icelake", "rocketlake", "tigerlake",
    "sapphirerapids", "emeraldrapids", "graniterapids", "diamondrapids", "znver4", "znver5", "x86-64-v4",
)  # fmt: skip
_INTEL_AVX512_CPUS = tuple(cpu for cpu in _AVX512_CPUS if not cpu.startswith(("znver", "x86-64")))
#: x86 processors that have FMA3, F16C and AVX2
_FMA_CPUS = (
    *_AVX512_CPUS, "haswell", "broadwell", "skylake", "alderlake", "raptorlake", "meteorlake", "arrowlake", "lunarlake",
    "pantherlake", "znver", "x86-64-v3", "core-avx2", "knl", "knm",
)  # fmt: skip
_VNNI_CPUS = tuple(cpu for cpu in _AVX512_CPUS if cpu not in ("skylake-avx512", "skx", "cannonlake", "x86-64-v4"))
_DOTPROD_CPUS = (
    "cortex-a55",
    "cortex-a75",
    "cortex-a76",
    "cortex-a77",
    "cortex-a78",
    "cortex-x",
    "neoverse",
    "apple-m",
)
_BF16_CPUS = ("cooperlake", "sapphirerapids", "emeraldrapids", "graniterapids", "diamondrapids", "znver4", "znver5")
_AVX_VNNI_CPUS = (
    "alderlake", "raptorlake", "meteorlake", "arrowlake", "lunarlake", "pantherlake", "sapphirerapids",
    "emeraldrapids", "graniterapids", "diamondrapids", "znver5",
)  # fmt: skip
#: x86 processors that divide 64 bits in about as many cycles as 32 bits
_FAST_DIVISION_CPUS = ("icelake", "rocketlake", "tigerlake", "znver3", "znver4", *_AVX_VNNI_CPUS)
_AMX_CPUS = ("sapphirerapids", "emeraldrapids", "graniterapids", "diamondrapids")
#: features whose dot products are exact
_EXACT_DOTS = ("amx-int8", "avx512vnni", "avxvnni", "dotprod", "avx512bw", "avx2")
#: feature with products of floats -> processors where one of them takes less time than two fused multiply-adds
_ROUNDED_DOTS = {"amx-bf16": ("",), "avx512bf16": ("znver",)}
#: feature -> beginnings of the triples of machines that may have it, where they are not those of x86
_TRIPLES_WITH = {"neon": _ARM_64, "dotprod": _ARM_64, "fullfp16": _ARM_64, "v": ("riscv",), "simd128": ("wasm",)}
#: AArch64 processors with SVE, and the features that have it
_SVE_CPUS = ("a64fx", "neoverse-v", "neoverse-n2", "neoverse-n3", "neoverse-512tvb", "cortex-a510", "cortex-x2")
_SCALABLE_ARM = ("+sve", "+sve2", "+sve2p1")
#: processors to propose where LLVM's list is not to be had again
CPUS = (
    "x86-64", "x86-64-v2", *_FMA_CPUS, "znver1", "znver2", "znver3", "generic", "neoverse-n1", "neoverse-v2",
    "apple-m1", "cortex-a72", "cortex-x1", *_DOTPROD_CPUS,
)  # fmt: skip
#: feature -> beginnings of the names of processors that have it, for targets that name a processor and no features
_CPUS_WITH = {
    "fma": _FMA_CPUS,
    "f16c": _FMA_CPUS,
    "avx2": _FMA_CPUS,
    "avx": (*_FMA_CPUS, "sandybridge", "ivybridge", "btver2", "bdver", "corei7-avx", "core-avx-i"),
    "avx512f": (*_AVX512_CPUS, "knl", "knm"),
    "avx512bw": _AVX512_CPUS,
    "avx512dq": _AVX512_CPUS,
    "avx512vnni": _VNNI_CPUS,
    "avx512bf16": _BF16_CPUS,
    "avx512fp16": _AMX_CPUS,
    "avxvnni": _AVX_VNNI_CPUS,
    "amx-tile": _AMX_CPUS,
    "amx-int8": _AMX_CPUS,
    "amx-bf16": _AMX_CPUS,
    "neon": ("",),
    "dotprod": _DOTPROD_CPUS,
    "fullfp16": _DOTPROD_CPUS,
}


def _options(text: str) -> dict[str, str]:
    """Return the options of a target string; a flag without a value is "1"."""
    described = description.Target.make(text)
    if described.kind not in ("llvm", "cpu"):
        raise InvalidTarget(text=repr(text), reason="its kind must be llvm")
    options: dict[str, str] = {}
    for name, value in described.options.items():
        is_flag = isinstance(value, IntImm) and value.dtype.is_bool
        options[name] = "1" if is_flag else description.option_text(value)
    return options
