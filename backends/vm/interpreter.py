"""Interpret graph functions, binding by binding.

Kernels are compiled. Functions may have conditionals, closures, recursion, strings and calls of packed functions.
Operators are interpreted by `RULES`, packed functions of the virtual machine by `BUILTINS`, every other operator by its
NumPy reference.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import partial
from typing import Any, Final

import numpy as np
import tvm_ffi

from tvmscript.backends.runtime import errors
from tvmscript.backends.runtime.array import NDArray, array, asarray, empty
from tvmscript.backends.runtime.device import Device, cpu, is_cuda
from tvmscript.backends.runtime.module import BuiltFunction
from tvmscript.backends.vm.builtins import find_builtin
from tvmscript.backends.vm.cuda_graphs import CudaGraphs
from tvmscript.backends.vm.debugger import has_breakpoint, run_with_steps
from tvmscript.backends.vm.operators import RULES
from tvmscript.backends.vm.values import FunctionValue, Sizes, Value, as_function, as_items, is_true, matched, size_of
from tvmscript.ir.core import GlobalVar, IRModule, nodes
from tvmscript.ir.core.python_settings import deep_recursion
from tvmscript.ir.relax.base import RelaxExpr, StructInfo
from tvmscript.ir.relax.expr import (
    Binding,
    Call,
    Constant,
    DataflowVar,
    DataTypeImm,
    ExternFunc,
    If,
    MatchCast,
    PrimValue,
    SeqExpr,
    ShapeExpr,
    StringImm,
    Tuple,
    TupleGetItem,
    Var,
    VarBinding,
)
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.operator import Operator
from tvmscript.ir.relax.struct_info import TensorStructInfo, TupleStructInfo
from tvmscript.ir.relax.variables import hint_of_shared_sizes
from tvmscript.ir.tir import Expr, FloatImm, IntImm, PrimFunc

#: looks for a packed function by name; None where there is none
FindPacked = Callable[[str], FunctionValue | None]
#: called before and after each call: function, name, whether it is before, result, arguments
Instrument = Callable[..., object]


class VMInstrumentReturnKind(IntEnum):
    """What an instrument answers before a call; what else it returns runs the function."""

    NO_OP = 0
    SKIP_RUN = 1


#: calls that may be open at a time
_MOST_CALLS: Final = 200


class Interpreter:
    """The functions of a module. `functions` are those that are compiled: kernels, and graph functions."""

    def __init__(
        self,
        mod: IRModule,
        functions: Mapping[str, BuiltFunction],
        find_packed: FindPacked,
        device: Device | None = None,
    ) -> None:
        self.graphs = {var.name_hint: func for var, func in mod.items() if isinstance(func, Function)}
        self.kernels = {var.name_hint: func for var, func in mod.items() if isinstance(func, PrimFunc)}
        #: functions, local ones too, that a debugger steps through
        self.stepped = {
            part
            for func in self.graphs.values()
            for part in nodes(func)
            if isinstance(part, Function) and has_breakpoint(part)
        }
        self.functions = functions
        self.find_packed = find_packed
        #: where the arrays are
        self.device = device or cpu()
        #: captures of launches; a CPU captures nothing: storage is allocated, and launches run, in every call
        self.cuda_graphs = CudaGraphs(self.device) if is_cuda(self.device) else None
        self.instrument: Instrument | None = None
        #: arrays of constants
        self.constants: dict[Constant, NDArray] = {}
        #: calls that are open
        self.depth = 0

    def function(self, name: str) -> FunctionValue:
        """Return a function of the module, a graph function or a kernel."""
        if name in self.functions:
            return self.functions[name]
        func = self.graphs[name]
        return InterpretedFunction(self, name, func)

    def call(self, name: str, callee: FunctionValue, args: Sequence[Value]) -> Value:
        """Call a kernel or a packed function, unless the instrument skips it: its result is None then."""
        instrument = self.instrument
        if instrument is None:
            returned: Value = callee(*args)
            return returned
        if instrument(callee, name, True, None, *args) == VMInstrumentReturnKind.SKIP_RUN:
            return None
        result: Value = callee(*args)
        instrument(callee, name, False, result, *args)
        return result


class InterpretedFunction:
    """A graph function as a callable; a local one with the values that it captures."""

    def __init__(self, interpreter: Interpreter, name: str, func: Function, frame: Frame | None = None) -> None:
        self.name = name
        self.func = func
        self._interpreter, self._frame = interpreter, frame

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of the parameters."""
        return tuple([param.name_hint for param in self.func.params])

    def stats(self) -> str:
        """Return a line that says how the function runs."""
        return f"{self.name}: interpreted"

    @deep_recursion
    def __call__(self, *args: Any) -> Value:
        """Call the function. Raises errors of arguments, which name the parameter, and `TooManyCalls`."""
        params = self.func.params
        if len(args) != len(params):
            raise errors.WrongNumberOfArguments(
                function=self.name, expected=len(params), got=len(args), parameters=self.parameters
            )
        if self._interpreter.depth >= _MOST_CALLS:
            raise errors.TooManyCalls(function=self.name)
        self._interpreter.depth += 1
        try:
            outcome: Value | _OwnCall = _OwnCall(list(args))
            while isinstance(outcome, _OwnCall):
                frame = self._frame_of(outcome.args)
                is_stepped = self.func in self._interpreter.stepped
                outcome = run_with_steps(frame, self.func) if is_stepped else frame.outcome(self.func.body)
            return self._detached(outcome)
        except RecursionError:  # large bodies; Python 3.12 has a limit of its own for calls through C
            raise errors.TooManyCalls(function=self.name) from None
        finally:
            self._interpreter.depth -= 1

    def _frame_of(self, args: Sequence[Value]) -> Frame:
        """Return the frame of a call. Raises errors of arguments."""
        frame = Frame(self._interpreter, self.name, self._frame)
        try:
            for param, arg in zip(self.func.params, args, strict=True):
                frame.values[param] = matched(self.name, param.name_hint, arg, param.struct_info, frame.sizes)
        except errors.WrongArrayShape as error:
            error.hint = hint_of_shared_sizes(self.func.params, error.facts)
            raise
        return frame

    def _detached(self, value: Value) -> Value:
        """Return a result with copies of constants, which its owner may change."""
        if isinstance(value, list):
            return [self._detached(part) for part in value]
        if isinstance(value, NDArray) and any(value is each for each in self._interpreter.constants.values()):
            return value.copyto(value.device)
        return value

    def __repr__(self) -> str:
        return f"<interpreted graph function {self.name}>"


@dataclass(frozen=True)
class _OwnCall:
    """A call of a function at the end of itself: it takes the place of the call that runs."""

    args: list[Value]


class Frame:
    """The values of one call of a function."""

    def __init__(self, interpreter: Interpreter, name: str, outer: Frame | None = None) -> None:
        self.interpreter = interpreter
        self.name = name
        #: the frame that a local function captures
        self.outer = outer
        self.values: dict[Var, Value] = dict(outer.values) if outer is not None else {}
        self.sizes: Sizes = dict(outer.sizes) if outer is not None else {}

    def sequence(self, body: SeqExpr) -> Value:
        """Run the bindings, and return the value."""
        for block in body.blocks:
            for binding in block.bindings:
                self.run(binding)
        return self.value(body.body)

    def outcome(self, body: SeqExpr) -> Value | _OwnCall:
        """Run a sequence that ends the function; a call of the function itself at its end is returned, not made."""
        bindings = [binding for block in body.blocks for binding in block.bindings]
        last = bindings[-1] if bindings else None
        if not isinstance(last, VarBinding) or last.var is not body.body:
            return self.sequence(body)
        for binding in bindings[:-1]:
            self.run(binding)
        value = last.value
        if isinstance(value, If):
            return self.outcome(self.branch(value))
        if isinstance(value, Call) and self.is_own(value.op):
            return _OwnCall(self.args(value))
        self._bind(last.var, value)
        return self.value(body.body)

    def branch(self, choice: If) -> SeqExpr:
        """Return the branch that is taken."""
        return choice.true_branch if is_true(self.value(choice.cond)) else choice.false_branch

    def is_own(self, op: object) -> bool:
        """Whether a call is one of the function of the module that runs."""
        graphs = self.interpreter.graphs
        return isinstance(op, GlobalVar) and self.outer is None and op.name_hint == self.name and self.name in graphs

    def run(self, binding: Binding) -> None:
        """Run a binding."""
        if isinstance(binding, MatchCast):
            value = self.value(binding.value)
            name = binding.var.name_hint
            self.values[binding.var] = matched(self.name, name, value, binding.struct_info, self.sizes)
        elif isinstance(binding, VarBinding):
            self._bind(binding.var, binding.value)

    def _bind(self, var: Var, value: RelaxExpr) -> None:
        if isinstance(value, Function):
            # a local function may call itself
            closure = InterpretedFunction(self.interpreter, var.name_hint, value, self)
            self.values[var] = closure
            return
        self.values[var] = self.value(value)

    def value(self, expr: RelaxExpr | GlobalVar) -> Value:
        """Return the value of an expression."""
        return _VALUES[type(expr)](self, expr)

    def shape(self, extents: Sequence[Expr]) -> tuple[int, ...]:
        """Return the values of extents."""
        return tuple([size_of(extent, self.sizes, self.name) for extent in extents])

    def new_tensor(self, info: StructInfo) -> NDArray:
        """Return a tensor whose elements are not set."""
        assert isinstance(info, TensorStructInfo)
        return empty(self.shape(info.extents or ()), info.dtype, self.interpreter.device)

    def packed(self, name: str) -> FunctionValue:
        """Return a packed function, or a builtin. Raises `UnknownFunction`."""
        builtin = find_builtin(name)
        if builtin is not None:
            return partial(builtin, self)
        function = self.interpreter.find_packed(name)
        if function is None:
            raise errors.UnknownFunction(name=name, hint="register it with tvmscript.register_func, or nn.add_extern")
        return function

    def args(self, call: Call) -> list[Value]:
        """Return the values of the arguments of a call."""
        return [self.value(arg) for arg in call.args]

    def call(self, call: Call) -> Value:
        """Return the result of a call."""
        op = call.op
        if isinstance(op, Operator):
            rule = RULES.get(op.name.removeprefix("relax."))
            return rule(self, call) if rule is not None else self._reference(op, call)
        if isinstance(op, ExternFunc):
            builtin = find_builtin(op.global_symbol)
            args = self.args(call)
            return builtin(self, *args) if builtin is not None else self.call_packed(op.global_symbol, args)
        if isinstance(op, GlobalVar) and op.name_hint in self.interpreter.kernels:
            return self.interpreter.call(op.name_hint, self.interpreter.function(op.name_hint), self.args(call))
        result: Value = as_function(self.value(op))(*self.args(call))
        return result

    def call_packed(self, name: str, args: Sequence[Value]) -> Value:
        """Call a packed function; its arrays become `NDArray`."""
        return _returned(self.interpreter.call(name, self.packed(name), args))

    def _reference(self, op: Operator, call: Call) -> Value:
        """Compute an operator by its NumPy reference. Raises `Unsupported`."""
        reference = op.reference
        if reference is None:
            raise errors.Unsupported(what=op.script_name, where="the virtual machine", span=call.span)
        args = [arg.numpy() if isinstance(arg, NDArray) else arg for arg in self.args(call)]
        has_keywords = any(each.kind is each.VAR_KEYWORD for each in inspect.signature(reference).parameters.values())
        attrs = call.attrs if has_keywords else {}
        with np.errstate(all="ignore"):
            result = reference(np, *args, *(() if has_keywords else call.attrs.values()), **attrs)
        return _tensors(result, call.struct_info, self.interpreter.device)


def _tensors(result: Any, info: StructInfo | None, device: Device) -> Value:
    """Return results of NumPy as tensors of the dtypes of struct info on a device."""
    if isinstance(info, TupleStructInfo):
        return [_tensors(part, field, device) for part, field in zip(result, info.fields, strict=True)]
    return array(np.asarray(result), getattr(info, "dtype", None), device)


def _returned(value: Any) -> Value:
    """Return the result of a packed function as a value."""
    if isinstance(value, tvm_ffi.Shape):
        return tuple(value)
    if isinstance(value, (tuple, list)):
        return [_returned(part) for part in value]
    return asarray(value) if hasattr(value, "__dlpack__") else value


# ---- expressions


def _prim_value(frame: Frame, expr: PrimValue) -> Value:
    value = expr.value
    return value.value if isinstance(value, (IntImm, FloatImm)) else size_of(value, frame.sizes, frame.name)


def _if(frame: Frame, expr: If) -> Value:
    return frame.sequence(frame.branch(expr))


def _constant(frame: Frame, expr: Constant) -> NDArray:
    constants = frame.interpreter.constants
    if expr not in constants:
        constants[expr] = NDArray(np.asarray(expr.data), expr.dtype).copyto(frame.interpreter.device)
    return constants[expr]


_VALUES: Final[dict[type, Callable[[Frame, Any], Value]]] = {
    Var: lambda frame, expr: frame.values[expr],
    DataflowVar: lambda frame, expr: frame.values[expr],
    Constant: _constant,
    ShapeExpr: lambda frame, expr: frame.shape(expr.values),
    PrimValue: _prim_value,
    StringImm: lambda frame, expr: expr.value,
    DataTypeImm: lambda frame, expr: expr.value,
    Tuple: lambda frame, expr: [frame.value(part) for part in expr.fields],
    TupleGetItem: lambda frame, expr: as_items(frame.value(expr.tuple_value))[expr.index],
    GlobalVar: lambda frame, expr: frame.interpreter.function(expr.name_hint),
    ExternFunc: lambda frame, expr: frame.packed(expr.global_symbol),
    Function: lambda frame, expr: InterpretedFunction(frame.interpreter, "a local function", expr, frame),
    Call: Frame.call,
    If: _if,
    SeqExpr: Frame.sequence,
}
