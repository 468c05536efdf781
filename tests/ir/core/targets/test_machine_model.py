"""Models of processors take the caches of the host from what the kernel tells."""

from __future__ import annotations

from pathlib import Path

import pytest

from tvmscript.ir.core.targets import machine_model
from tvmscript.ir.core.targets.machine_model import UNKNOWN, with_host_caches


def test_caches_of_the_host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine_model, "_CACHES", tmp_path)
    caches = (
        *(("1", "Data", "48K"), ("1", "Instruction", "64K"), ("2", "Unified", "2M"), ("3", "Unified", "1G")),
        *(("4", "Unified", "2G"), ("2", "Unified", "many"), ("3", "Unified", "5T"), ("1", "Data", "K7")),
    )
    for number, facts in enumerate(caches):
        folder = tmp_path / f"index{number}"
        folder.mkdir()
        for name, fact in zip(("level", "type", "size"), facts, strict=True):
            (folder / name).write_text(f"{fact}\n")
    (tmp_path / "index9").mkdir()  # tells nothing
    model = with_host_caches(UNKNOWN)
    assert (model.l1_bytes, model.l2_bytes, model.l3_bytes) == (48 << 10, 2 << 20, 1 << 30)


def test_without_facts_caches_are_those_of_the_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine_model, "_CACHES", tmp_path / "nothing")
    assert with_host_caches(UNKNOWN) == UNKNOWN
