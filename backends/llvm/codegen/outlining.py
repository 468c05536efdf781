"""Outlining: a part of a function as a function of its own over the variables that it uses."""

from __future__ import annotations

from tvmscript.backends.llvm.assembly import FunctionText
from tvmscript.backends.llvm.codegen.codegen import Codegen
from tvmscript.backends.llvm.types import value_type
from tvmscript.ir.arith.intervals.interval_analysis import WrappingIntervalAnalysis
from tvmscript.ir.tir import expr as tir


class OutlinedFunction(Codegen):
    """Code generation of an outlined part: variables of the surrounding function become its parameters."""

    def __init__(self, outer: Codegen) -> None:
        super().__init__(outer.program, FunctionText(outer.program.text), outer.name)
        self.outer = outer
        #: captured variables, with their operands in the surrounding function
        self.captured: dict[tir.Var, str] = {}
        self.ranges = WrappingIntervalAnalysis(outer.ranges)
        self.exclusive = set(outer.exclusive)
        self.readable, self.allocated = outer.readable, outer.allocated
        self.contracts = outer.contracts

    def free_variable(self, var: tir.Var) -> str:
        operand = self.outer.lookup(var)
        if not operand.startswith("%"):
            return operand
        self.captured[var] = operand
        return f"%c{len(self.captured)}"

    def parameters(self) -> list[str]:
        """Return the declarations of the captured variables as parameters."""
        return [self.parameter(var) for var in self.captured]

    def parameter(self, var: tir.Var) -> str:
        """Return the declaration of a captured variable as a parameter."""
        attributes = " noalias" if var in self.exclusive else ""
        return f"{value_type(var.dtype)}{attributes} {self.env[var]}"
