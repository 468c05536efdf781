"""Every error of schedules that TVM has: the class, what its text shows, that nothing changes, that TVM agrees."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest

import tvmscript
from tests.ir.schedule.against_tvm import both
from tests.ir.schedule.errors_table import ERRORS
from tests.ir.schedule.scripts import load_script, script_of
from tvmscript.ir.core.errors import TVMScriptError
from tvmscript.ir.schedule.errors import ScheduleError
from tvmscript.schedule import Schedule

_TABLE = Path(__file__).parents[4] / "shared" / "parity" / "schedule_errors.tsv"
#: errors of names and numbers, which are about no place in the program
_WITHOUT_PLACE = {"NotSingleResult", "RootBlockError", "InvalidStorageScopeError"}

every_error = pytest.mark.parametrize("name", ERRORS)


def refused(name: str, **options: Any) -> tuple[ScheduleError, Schedule]:
    program, lines = ERRORS[name]
    sch = Schedule(tvmscript.from_source(program, check_well_formed=False), **options)
    with pytest.raises(ScheduleError) as caught:
        load_script(script_of(*lines))(sch)
    return caught.value, sch


@every_error
def test_class_and_text(name: str) -> None:
    error, sch = refused(name)
    assert type(error).__name__ == name
    assert error.module is not None
    assert error.module["main"] is sch.mod["main"]
    assert error.primitive is not None
    text = str(error)
    head, _, program = text.partition("\n\n")
    assert head.startswith(f"{error.primitive}: error[{error.code}]: ")
    assert "@T.prim_func" in program
    if name not in _WITHOUT_PLACE:
        assert "^^^" in program, text
    assert str(refused(name, error_render_level="fast")[0]) == head


@every_error
@pytest.mark.oracle
def test_tvm_refuses_for_the_same_reason(name: str, oracle: Any) -> None:
    program, lines = ERRORS[name]
    outcome = both(oracle, program, script_of(*lines))
    outcome.check()
    assert outcome.ours == name


@pytest.mark.skipif(not _TABLE.exists(), reason="the table of TVM's errors is not here")
def test_the_table_is_complete() -> None:
    with _TABLE.open() as file:
        rows = {row["name"]: row["meaning"] for row in csv.DictReader(file, delimiter="\t")}
    raised = {name for name, meaning in rows.items() if meaning != "declared, never raised"}
    assert raised == set(ERRORS)


def test_codes_and_names_are_unique() -> None:
    classes = [cls for cls in TVMScriptError.catalogue.values() if issubclass(cls, ScheduleError)]
    assert len({cls.__name__ for cls in classes}) == len(classes)
    assert {cls.__name__ for cls in classes} >= set(ERRORS)
