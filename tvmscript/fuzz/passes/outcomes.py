"""What passes make of the programs that are written for them."""

from __future__ import annotations

import io
import random
from contextlib import redirect_stdout
from typing import Any, Final

from tvmscript.fuzz.outcomes import UNCHANGED, Outcomes, Refused
from tvmscript.fuzz.passes.programs import given_for, make
from tvmscript.fuzz.schedule.transformations import pass_text
from tvmscript.ir.core import IRError
from tvmscript.ir.transform.registry import pass_modules

#: seeds of programs: writers take turns
_SEEDS: Final = 1 << 20


def _outcome(name: str, rng: random.Random) -> Any:
    """Return what a pass, with options or without, makes of a program; or which error says that it is refused."""
    given = given_for(name, rng.randrange(_SEEDS))
    text = name + given.options if given.options else pass_text(name, rng.randrange)
    try:
        before = given.module()
        with redirect_stdout(io.StringIO()):
            after = make(text)(before)
    except IRError as error:
        return Refused(error.code, error.text)
    return UNCHANGED if after is before else after


OUTCOMES: Final = Outcomes("passes", lambda: pass_modules(), _outcome, count=48, is_observed=False)
