"""The names of `tvm.instrument`: `PassTimingInstrument()`, `@pass_instrument`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tvmscript.ir.core.lazy import lazy_names
from tvmscript.ir.transform.context import PassInstrument
from tvmscript.ir.transform.instruments import (
    DumpIR,
    PassPrintingInstrument,
    PassTimingInstrument,
    PrintAfterAll,
    PrintBeforeAll,
    pass_instrument,
)
from tvmscript.ir.transform.pass_record import PassRecord

if TYPE_CHECKING:
    from tvmscript.snapshots import Snapshots as Snapshots
    from tvmscript.testing.same_values import SameValues as SameValues
    from tvmscript.testing.verify import RoundTrips as RoundTrips
    from tvmscript.testing.verify import WellFormed as WellFormed

# name -> its module, which is loaded on first use
_EXPORTS: dict[str, str] = {
    "RoundTrips": "tvmscript.testing.verify",
    "SameValues": "tvmscript.testing.same_values",
    "Snapshots": "tvmscript.snapshots",
    "WellFormed": "tvmscript.testing.verify",
}

__all__ = [
    "DumpIR",
    "PassInstrument",
    "PassPrintingInstrument",
    "PassRecord",
    "PassTimingInstrument",
    "PrintAfterAll",
    "PrintBeforeAll",
    "RoundTrips",
    "SameValues",
    "Snapshots",
    "WellFormed",
    "pass_instrument",
]

__getattr__, __dir__ = lazy_names(__name__, _EXPORTS)
