"""Records: what the package makes of examples. A run of minutes compares with them before it draws new examples.

Laws say what is right of any outcome, and many outcomes are right: code that refuses a program it took, leaves it as it
is, or writes another text may break none. A record says that something changed. `<area>.jsonl` has examples as scripts,
`<area>.txt` what comes of programs that a subject and a number give. Who changes outcomes on purpose records them anew,
and reads in the difference which are concerned: `python -m tools.records`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tvmscript.ir.core import TVMScriptError


class OutcomeChanged(TVMScriptError, code="TS8077"):
    """The package makes something else of a recorded example than when it was recorded."""

    message = "{name}: {actual} rather than {expected}"
    advice = "if it is meant to be, run python -m tools.records"


@dataclass(frozen=True)
class Record:
    """An example whose outcome is recorded."""

    #: a script that checks it
    script: str
    #: raises `OutcomeChanged`, or the error of a law
    check: Callable[[], None]
