"""The names of `tvm.script.ir_builder.relax`: frames and bindings of graph functions; values are made by operators.

with IRBuilder() as ib, R.function():
    R.func_name("main")
    x = R.arg("x", R.Tensor((16,), "float32"))
    with R.dataflow() as frame:
        y = R.emit(R.add(x, x))
        R.output(y)
    (y,) = frame.output_vars
    R.func_ret_value(y)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from tvmscript.ir.core import BaseFunc, TVMScriptError
from tvmscript.ir.relax.base import RelaxExpr, StructInfo
from tvmscript.ir.relax.builder import BlockBuilder
from tvmscript.ir.relax.expr import (
    BindingBlock,
    DataflowBlock,
    DataflowVar,
    DataTypeImm,
    PrimValue,
    SeqExpr,
    ShapeExpr,
    StringImm,
    Tuple,
    Var,
    VarBinding,
)
from tvmscript.ir.relax.expr import If as IfExpr
from tvmscript.ir.tir import substitute
from tvmscript.language.relax import R
from tvmscript.script.ir_builder.frames import IRBuilder, innermost


class IncompleteFrame(TVMScriptError, ValueError, code="TS7045"):
    """A frame of IRBuilder ends without what it needs: a function without its result, a conditional with one branch."""

    message = "{frame} needs {part}"


class DifferentBranches(TVMScriptError, ValueError, code="TS7044"):
    """The branches of `R.If` end with bindings of one name: the value of the conditional."""

    message = "the branches of R.If end with the variables {first} and {second}; they need one name"


#: values that are no calls of operators
_VALUES: Final[dict[str, Callable[..., RelaxExpr]]] = {
    "dtype": DataTypeImm,
    "prim_value": PrimValue,
    "shape": lambda value: ShapeExpr(tuple(value)),
    "str": StringImm,
    "tuple": lambda *fields: Tuple(fields),
}


def __getattr__(name: str) -> Any:
    return _VALUES[name] if name in _VALUES else getattr(R, name)


class RelaxFrame:
    """A part of a graph function that is open."""

    def __enter__(self) -> Any:
        IRBuilder.current().frames.append(self)
        self.begin()
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        IRBuilder.current().frames.remove(self)
        if kind is None:
            self.finish()

    def define(self, name: str, func: BaseFunc) -> bool:
        """Return False: functions belong to the module."""
        return False

    def begin(self) -> None:
        """Prepare the function for what is emitted inside."""

    def finish(self) -> None:
        """Emit what the frame stands for."""


class FunctionFrame(RelaxFrame):
    """A function that is open."""

    def __init__(self, is_pure: bool, is_private: bool) -> None:
        self.is_pure = is_pure
        self.is_private = is_private
        self.builder = BlockBuilder()
        self.name: str | None = None
        self.params: list[Var] = []
        self.attrs: dict[str, Any] = {}
        self.ret_struct_info: StructInfo | None = None
        self.output: RelaxExpr | None = None

    def begin(self) -> None:
        """Open the body."""
        self.builder.push_sequence(False)

    def finish(self) -> None:
        """Complete the function. Raises `IncompleteFrame`."""
        if self.output is None:
            raise IncompleteFrame(frame="R.function", part="a result: R.func_ret_value(value)")
        blocks = self.builder.pop_sequence()
        builder, is_private = BlockBuilder(), self.is_private or self.name is None
        with builder.function(self.name or "main", self.params, self.attrs, self.is_pure, is_private):
            _emit_blocks(builder, blocks)
            var = builder.emit_func_output(self.output)
        func: Any = builder.get()[var]
        if self.ret_struct_info is not None:
            func = func.replace(ret_struct_info=self.ret_struct_info, struct_info=None)
        IRBuilder.current().define(self.name, func)


def function(is_pure: bool = True, is_private: bool = False) -> FunctionFrame:
    """Return the frame of a function."""
    return FunctionFrame(is_pure, is_private)


def _function(call: str) -> FunctionFrame:
    return innermost(FunctionFrame, call, "R.function")


def arg(name: str, struct_info: StructInfo) -> Var:
    """Add a parameter."""
    frame = _function("R.arg")
    param = Var(name, _struct_info(struct_info))
    frame.params.append(param)
    frame.builder.begin_scope((param,))
    return param


def func_name(name: str) -> None:
    """Name the function."""
    _function("R.func_name").name = name


def func_attr(attrs: Mapping[str, Any]) -> None:
    """Set attributes of the function."""
    _function("R.func_attr").attrs.update(attrs)


def func_ret_struct_info(ret_sinfo: StructInfo) -> None:
    """Set the struct info of the result."""
    _function("R.func_ret_struct_info").ret_struct_info = _struct_info(ret_sinfo)


def func_ret_value(value: RelaxExpr) -> None:
    """Set the result."""
    _function("R.func_ret_value").output = value


def emit(value: RelaxExpr, annotate_struct_info: StructInfo | None = None) -> Var:
    """Bind a value to a new variable."""
    builder = _function("R.emit").builder
    if annotate_struct_info is None:
        return builder.emit(value)
    value = builder.normalize(value)
    cls = DataflowVar if builder.current_block_is_dataflow() else Var
    var = cls(builder.get_unique_name("lv"), _struct_info(annotate_struct_info))
    builder.emit_normalized(VarBinding(var, value))
    return var


def emit_match_cast(value: RelaxExpr, struct_info: StructInfo) -> Var:
    """Bind a value with more precise struct info to a new variable."""
    return _function("R.emit_match_cast").builder.match_cast(value, _struct_info(struct_info))


def emit_var_binding(binding: VarBinding) -> Var:
    """Emit a binding."""
    _function("R.emit_var_binding").builder.emit_normalized(binding)
    return binding.var


def _struct_info(given: Any) -> StructInfo:
    """Return the struct info of an annotation: `R.Tensor((16,), "float32")` is one."""
    return given if isinstance(given, StructInfo) else given.struct_info


class BlockFrame(RelaxFrame):
    """A dataflow block that is open, or a plain one."""

    def __init__(self, is_dataflow: bool) -> None:
        self.is_dataflow = is_dataflow
        #: the outputs; after the block, the variables that are visible in the function
        self.output_vars: tuple[Var, ...] = ()

    def begin(self) -> None:
        """Open the block."""
        _function("R.dataflow").builder.push_sequence(self.is_dataflow)

    def finish(self) -> None:
        """Emit the block, with its outputs as variables of the function."""
        builder = _function("R.dataflow").builder
        blocks = builder.pop_sequence()
        visible: dict[Any, Var] = {var: Var(var.name_hint, var.struct_info) for var in self.output_vars}
        self.output_vars = tuple(visible.values())
        _emit_blocks(builder, blocks, visible)
        builder.begin_block(False)


def dataflow() -> BlockFrame:
    """Return the frame of a dataflow block."""
    return BlockFrame(True)


def binding_block() -> BlockFrame:
    """Return the frame of a plain block."""
    return BlockFrame(False)


def output(*vars: Var) -> None:
    """Set the outputs of the dataflow block."""
    innermost(BlockFrame, "R.output", "R.dataflow").output_vars = vars


class IfFrame(RelaxFrame):
    """A conditional that is open; after it, `var` is its value."""

    def __init__(self, condition: RelaxExpr) -> None:
        self.condition = condition
        self.branches: dict[str, tuple[str, SeqExpr]] = {}
        self.var: Var | None = None

    def finish(self) -> None:
        """Bind the conditional to a variable. Raises `IncompleteFrame`, `DifferentBranches`."""
        if len(self.branches) != 2:
            raise IncompleteFrame(frame="R.If", part="both R.Then and R.Else")
        (first, then_case), (second, else_case) = self.branches["R.Then"], self.branches["R.Else"]
        if first != second:
            raise DifferentBranches(first=first, second=second)
        self.var = _function("R.If").builder.emit(IfExpr(self.condition, then_case, else_case), first)


class BranchFrame(RelaxFrame):
    """A branch of a conditional that is open; its last binding is its value."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.conditional = innermost(IfFrame, name, "R.If")

    def begin(self) -> None:
        """Open the branch."""
        builder = _function(self.name).builder
        builder.begin_scope()
        builder.push_sequence(False)

    def finish(self) -> None:
        """Give the branch to the conditional."""
        builder = _function(self.name).builder
        blocks = builder.pop_sequence()
        builder.end_scope()
        if not blocks:
            raise IncompleteFrame(frame=self.name, part="a binding: its value")
        last: Any = blocks[-1].bindings[-1]
        name = last.var.name_hint
        value = Var(f"{name}_{self.name.removeprefix('R.').lower()}", last.var.struct_info)

        def fill() -> RelaxExpr:
            _emit_blocks(builder, blocks, {last.var: value})
            return value

        self.conditional.branches[self.name] = name, builder.sequence(fill)


def If(condition: RelaxExpr) -> IfFrame:
    """Return the frame of a conditional."""
    return IfFrame(condition)


def Then() -> BranchFrame:
    """Return the frame of the branch for a true condition."""
    return BranchFrame("R.Then")


def Else() -> BranchFrame:
    """Return the frame of the branch for a false condition."""
    return BranchFrame("R.Else")


def _emit_blocks(
    builder: BlockBuilder, blocks: Sequence[BindingBlock], visible: Mapping[Any, Var] | None = None
) -> None:
    """Emit the bindings of blocks, with other variables for some of them."""
    renamed = visible or {}
    for block in blocks:
        builder.begin_block(isinstance(block, DataflowBlock))
        for binding in block.bindings:
            builder.emit_normalized(_renamed(binding, renamed))


def _renamed(binding: Any, renamed: Mapping[Any, Var]) -> Any:
    return binding.replace(var=renamed.get(binding.var, binding.var), value=substitute(binding.value, renamed))
