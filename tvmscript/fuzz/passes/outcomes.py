"""What passes make of the programs that are written for them."""

from __future__ import annotations

import io
import random
from collections.abc import Callable
from contextlib import redirect_stdout
from typing import Any, Final

from tvmscript.fuzz.passes.laws import without_barriers
from tvmscript.fuzz.passes.programs import given_for, make
from tvmscript.fuzz.programs.redefined import redefined
from tvmscript.fuzz.records.outcomes import UNCHANGED, Outcomes, Refused
from tvmscript.fuzz.schedule.transformations import pass_text
from tvmscript.ir.core import IRError, IRModule
from tvmscript.ir.transform.registry import pass_modules

#: pass -> what changes programs that it leaves as they are otherwise
_CHANGES: Final[dict[str, Callable[[IRModule, random.Random], IRModule]]] = {
    "tir.ConvertSSA": lambda mod, _: redefined(mod),
    "tir.ThreadSync": lambda mod, rng: without_barriers(mod, "shared", 1 + rng.randrange(2)),
}
#: seeds of programs: writers take turns
_SEEDS: Final = 1 << 20


def _outcome(name: str, rng: random.Random) -> Any:
    """Return what a pass, with options or without, makes of a program; or which error says that it is refused."""
    given = given_for(name, rng.randrange(_SEEDS))
    text = name + given.options if given.options else pass_text(name, rng.randrange)
    try:
        before = given.module()
        if name in _CHANGES:
            before = _CHANGES[name](before, rng)
        with redirect_stdout(io.StringIO()):
            after = make(text)(before)
    except IRError as error:
        return Refused(error.code, error.text)
    return UNCHANGED if after is before else after


OUTCOMES: Final = Outcomes("passes", lambda: pass_modules(), _outcome, count=26, is_observed=False)
