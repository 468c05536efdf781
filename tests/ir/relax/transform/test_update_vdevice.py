"""UpdateVDevice: a device is replaced wherever it stands."""

from __future__ import annotations

import pytest

import tvmscript as tvm
from tvmscript.ir.core.equality.equal import assert_structural_equal
from tvmscript.ir.core.errors import WrongType
from tvmscript.ir.core.module import VDevice
from tvmscript.ir.relax.transform.devices.update_vdevice import UpdateVDevice

PROGRAM = """
@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice("llvm", 0), I.vdevice("cuda", 0)]})

    @R.function
    def main(x: R.Tensor(("n", 3), "float32", "llvm"), y: R.Tensor(("n", 3), "float32", "llvm")):
        with R.dataflow():
            lv1 = R.add(x, y)
            t = (lv1, x)
            t0 = t[0]
            lv2 = R.to_vdevice(t0, "cuda")
            lv3 = R.exp(lv2)
            R.output(lv3)
        return (lv3, x)
"""


def test_every_place() -> None:
    for index, (old, new) in enumerate([('"llvm", 0', '"metal", 2'), ('"cuda", 0', '"metal", 2')]):
        after = UpdateVDevice(VDevice("metal", 2), index)(tvm.from_source(PROGRAM))
        name = old.partition('"')[2].partition('"')[0]
        expected = PROGRAM.replace(old, new).replace(f'"{name}")', '"metal")')
        assert_structural_equal(after, tvm.from_source(expected))


def test_index() -> None:
    for index in (-1, 2):
        with pytest.raises(WrongType, match="an index from 0 to 1"):
            UpdateVDevice(VDevice("metal"), index)(tvm.from_source(PROGRAM))


def test_equal_device() -> None:
    program = tvm.from_source(PROGRAM)
    assert UpdateVDevice(VDevice("llvm", 0), 0)(program) is program
