"""A plugin of pytest for tests written for TVM: the fixtures `target` and `dev`, the targets that a test is run on.

It is `tvm.testing.plugin` where `import tvm` means this package, and is loaded there.
"""

from __future__ import annotations

from typing import Any

import pytest

from tvmscript.backends.runtime.device import Device, device
from tvmscript.testing.utils import enabled_targets


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test that takes `target` on all targets that are enabled."""
    marks = [mark for mark in metafunc.definition.iter_markers("parametrize") if "target" in str(mark.args[0])]
    if "target" in metafunc.fixturenames and not marks and not _has_fixture(metafunc, "target"):
        excluded = getattr(metafunc.function, "tvm_excluded_targets", ())
        failing = getattr(metafunc.function, "tvm_known_failing_targets", ())
        targets = [target for target, _ in enabled_targets() if target.split()[0] not in excluded]
        metafunc.parametrize("target", [_parameter(target, target in failing) for target in targets])


def _has_fixture(metafunc: pytest.Metafunc, name: str) -> bool:
    fixtures: Any = getattr(metafunc, "_arg2fixturedefs", {})
    return name in fixtures


def _parameter(target: str, is_failing: bool) -> Any:
    return pytest.param(target, marks=[pytest.mark.xfail(reason="a known failure")] if is_failing else [])


@pytest.fixture
def dev(target: str) -> Device:
    """Return the device of the target."""
    return device(target)
