"""Features of processors, asked from LLVM.

LLVM's C interface does not list what a processor has. Its inliner knows: a function that needs a feature is inlined
only into one whose processor has it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache
from typing import Any

import llvmlite.binding as llvm

from tvmscript.backends.llvm.optimized_module import optimize
from tvmscript.backends.llvm.standard_error import with_messages
from tvmscript.backends.llvm.target import Target
from tvmscript.backends.llvm.target_machine import UNRECOGNIZED
from tvmscript.ir.core.targets.arm import has_features as has_features_hook

_USER = """\
define internal void @user{number}() "target-cpu"="{baseline}" "target-features"="+{name}" {{
  store volatile i32 {number}, ptr @sink
  ret void
}}
"""
_MODULE = """\
target triple = "{triple}"
@sink = global i32 0
{users}
define void @processor() "target-cpu"="{cpu}" "target-features"="{features}" {{
{calls}
  ret void
}}
"""
#: beginning of a triple -> a processor that has no more than it must
_BASELINES = {"x86_64": "x86-64", "riscv64": "generic-rv64", "riscv32": "generic-rv32", "": "generic"}
_OPTIONS = ("mtriple", "mcpu", "mattr")
_LEVEL = 2


@cache
def processor_features(target: Target, names: frozenset[str]) -> frozenset[str]:
    """Return those of the features that the processor of a target has. Raises `InvalidTarget`."""
    machine, order = target.machine(), sorted(names)
    baseline = next(cpu for start, cpu in _BASELINES.items() if target.triple.startswith(start))
    users = "".join(_USER.format(number=number, name=name, baseline=baseline) for number, name in enumerate(order))
    calls = "\n".join(f"  call void @user{number}()" for number in range(len(order)))
    text = _MODULE.format(triple=target.triple, cpu=target.cpu, features=target.features, users=users, calls=calls)
    module = llvm.parse_assembly(text)
    _, messages = with_messages(lambda: optimize(module, machine, _LEVEL))
    unknown = {feature.lstrip("+-") for feature, kind in UNRECOGNIZED.findall(messages) if kind == "feature"}
    rest = str(module)
    return frozenset(name for number, name in enumerate(order) if name not in unknown and f"@user{number}(" not in rest)


def has_features(options: Mapping[str, Any], names: Collection[str]) -> frozenset[str]:
    """Return those of LLVM's features that the processor of the options `mtriple`, `mcpu` and `mattr` has."""
    words = [f"-{name}={_text(options[name])}" for name in _OPTIONS if options.get(name)]
    return processor_features(Target.parse(" ".join(["llvm", *words])), frozenset(names))


def _text(option: object) -> str:
    return ",".join(map(str, option)) if isinstance(option, (tuple, list)) else str(option)


has_features_hook.fill(has_features)
