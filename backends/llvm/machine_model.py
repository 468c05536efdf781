"""Facts of the processors that targets of LLVM name."""

from __future__ import annotations

from tvmscript.backends.llvm.target import Target
from tvmscript.ir.core.targets.machine_model import MachineModel, machine_model


@machine_model.fill
def _machine_model(target: str) -> MachineModel:
    return Target.parse(target).model
