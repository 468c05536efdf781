"""Tables of devices say what those of targets say."""

from __future__ import annotations

from tvmscript.backends.runtime.device import Device
from tvmscript.ir.core import Target
from tvmscript.ir.core.targets.kinds import DEVICE_TYPES, KINDS


def test_devices_and_targets_of_a_name_have_one_number() -> None:
    common = KINDS.keys() & Device.STR2MASK.keys()
    assert common >= set(Device.MASK2STR.values()) - {"cpu"}
    for kind in common:
        assert Device.STR2MASK[kind] == Target.make(kind).device_type


def test_names_and_numbers_of_devices_are_inverse() -> None:
    assert {Device.STR2MASK[name]: name for name in Device.MASK2STR.values()} == Device.MASK2STR


def test_every_device_of_a_target_is_of_a_kind() -> None:
    assert DEVICE_TYPES.keys() <= KINDS.keys()
    assert set(Device.MASK2STR) - {1} <= set(DEVICE_TYPES.values())
