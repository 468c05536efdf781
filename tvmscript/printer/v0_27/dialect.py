"""The tables of the dialect 0.27: rules above those of 0.17."""

from __future__ import annotations

from typing import Final

from tvmscript.printer.printer import V0_17, Dialect
from tvmscript.printer.v0_27.spelling import SPELLING

V0_27: Final = Dialect.above(
    V0_17, SPELLING, relax="tvmscript.printer.v0_27.relax", tile="tvmscript.printer.v0_27.tile"
)
expr_rule = V0_27.expr_rule
stmt_rule = V0_27.stmt_rule
