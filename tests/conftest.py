"""Fixtures that every test may use."""

from __future__ import annotations

import gc
import importlib.util
import os
import sys
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "ci", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
settings.register_profile("long", deadline=None, max_examples=20_000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))

# tests compile: only those of the cache turn it on
os.environ["TVMSCRIPT_CACHE"] = "0"

#: Where the folder with the oracle may be: real TVM as a separate process.
_ORACLE = Path(os.environ.get("TVMSCRIPT_ORACLE", Path(__file__).parents[2] / "shared" / "oracle"))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect tests, which live as long as the process, without looking for garbage in them."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.enable()


@pytest.fixture(scope="session")
def oracle() -> Iterator[Any]:
    """Real TVM 0.17 behind `oracle.Oracle`; the test is skipped where it is not set up."""
    driver = _ORACLE / "oracle.py"
    if not driver.exists():
        pytest.skip("no oracle: ../shared/oracle is not there")
    spec = importlib.util.spec_from_file_location("tvmscript_oracle", driver)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["tvmscript_oracle"] = module
    spec.loader.exec_module(module)
    if not module.is_ready():
        pytest.skip("no oracle: run `python ../shared/oracle/oracle.py setup` once")
    with module.Oracle(timeout=600) as tvm:
        yield tvm
