"""TVM's spelling of what watches passes: `tvm.instrument.PassTimingInstrument()`, `@tvm.instrument.pass_instrument`."""

from __future__ import annotations

from tvmscript.ir.transform.context import PassInstrument
from tvmscript.ir.transform.instruments import (
    DumpIR,
    PassPrintingInstrument,
    PassTimingInstrument,
    PrintAfterAll,
    PrintBeforeAll,
    pass_instrument,
)
from tvmscript.ir.transform.record import PassRecord

__all__ = [
    "DumpIR",
    "PassInstrument",
    "PassPrintingInstrument",
    "PassRecord",
    "PassTimingInstrument",
    "PrintAfterAll",
    "PrintBeforeAll",
    "pass_instrument",
]
