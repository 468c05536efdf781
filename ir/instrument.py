"""TVM's `tvm.ir.instrument`: pass instruments."""

from __future__ import annotations

from tvmscript.ir.transform.context import PassInstrument as PassInstrument
from tvmscript.ir.transform.instruments import DumpIR as DumpIR
from tvmscript.ir.transform.instruments import PassPrintingInstrument as PassPrintingInstrument
from tvmscript.ir.transform.instruments import PassTimingInstrument as PassTimingInstrument
from tvmscript.ir.transform.instruments import PrintAfterAll as PrintAfterAll
from tvmscript.ir.transform.instruments import PrintBeforeAll as PrintBeforeAll
from tvmscript.ir.transform.instruments import pass_instrument as pass_instrument
