"""The target of this machine for TVM: the name of a processor has features that a virtual machine may lack."""

from __future__ import annotations

import json

import llvmlite.binding as llvm


def host_target() -> str:
    """The target as JSON, with each feature on or off."""
    features = [f"{'+' if is_there else '-'}{name}" for name, is_there in llvm.get_host_cpu_features().items()]
    return json.dumps({"kind": "llvm", "mcpu": llvm.get_host_cpu_name(), "mattr": features})
