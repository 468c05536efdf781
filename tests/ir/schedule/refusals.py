"""Steps that are refused: by us with all that an error has to say, and by TVM for the same reason."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

import tvmscript
from tests.ir.schedule.against_tvm import both
from tests.ir.schedule.scripts import load_script, script_of
from tvmscript.ir.schedule.errors import ScheduleError
from tvmscript.ir.schedule.schedule import Schedule


class Refusal(NamedTuple):
    """A program, a step, the name of the error, and a part of its message."""

    program: str
    step: str
    error: str
    message: str

    def check(self) -> None:
        """The step is refused, tells where, and changes nothing."""
        sch = Schedule(tvmscript.from_source(self.program, check_well_formed=False))
        before = sch.mod
        with pytest.raises(ScheduleError) as caught:
            load_script(script_of(self.step))(sch)
        assert type(caught.value).__name__ == self.error
        assert self.message in caught.value.text
        assert caught.value.at
        assert sch.mod is before

    def check_with_tvm(self, oracle: Any) -> None:
        """TVM has the same error."""
        outcome = both(oracle, self.program, script_of(self.step))
        assert outcome.theirs == outcome.ours == self.error, outcome.describe()
