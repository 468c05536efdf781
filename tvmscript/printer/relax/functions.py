"""Print Relax functions, bindings and expressions."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

from tvmscript.ir.core import VOID, Node, Op, nodes, structural_equal
from tvmscript.ir.core.values.constant_data import pack
from tvmscript.ir.relax import expr as E
from tvmscript.ir.relax.base import RelaxExpr, StructInfo
from tvmscript.ir.relax.distributed import DTensorStructInfo
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.struct_info import TupleStructInfo
from tvmscript.ir.relax.symbolic_shape import tir_vars_in_struct_info
from tvmscript.printer.attribute_values import dictionary
from tvmscript.printer.literals import string
from tvmscript.printer.printer import Printer, expr_rule, stmt_rule
from tvmscript.printer.relax import calls, distributed, struct_info
from tvmscript.printer.relax.annotations import annotation
from tvmscript.printer.relax.calls import tuple_expr
from tvmscript.printer.relax.state import devices_of, integers, relax_state
from tvmscript.printer.text_buffer import Frame
from tvmscript.printer.tir.functions import GLOBAL_SYMBOL, function_name

#: the modules that register rules
RULE_MODULES = (calls, distributed, struct_info)
#: dtypes of scalars that R.const can express
_SCALARS: Final = frozenset(("int8", "int16", "int32", "int64", "float16", "float32", "float64", "bool"))
#: operators whose calls state the struct info of the result
STATED_RESULT: Final = frozenset(("relax.call_tir", "relax.call_dps_packed"))


# functions


@stmt_rule(Function)
def _function(p: Printer, func: Function) -> None:
    state = relax_state(p)
    outer = state.frame
    name = function_name(p, func)
    options = [] if func.is_pure else ["pure=False"]
    if GLOBAL_SYMBOL not in func.attrs and outer is None:
        options.append("private=True")
    if p.member_name is not None and outer is None:
        options.append(f"name={string(p.member_name)}")
    arguments = f"({', '.join(options)})" if options else ""
    p.write(f"@{state.prefix}function{arguments}")
    indent = p.indent
    state.headers.append(len(p.lines))
    frame = p.open_scope(func)
    p.lines.append("")
    frame.mark = len(p.lines)
    if outer is None:
        state.frame, state.top, state.alias, state.outer_int_dtype = frame, len(p.lines), None, p.int_dtype
        state.devices = devices_of(p.program)
        state.used = None
        p.scope_root, p.scopes, p.bound = func, None, None
    # a bare float has no dtype: in attributes of calls it is a Python number
    floats, p.float_dtype = p.float_dtype, VOID
    with integers(p):
        signature = _signature(p, func, name)
        attrs = {key: item for key, item in func.attrs.items() if key != GLOBAL_SYMBOL or item != name}
        if attrs:
            with integers(p, state.outer_int_dtype):
                p.write(f"{state.prefix}func_attr({dictionary(p, attrs)})")
            if outer is None:
                state.top = len(p.lines)
        _sequence(p, func.body)
        p.write(f"return {p.expr(func.body.body)}")
    p.float_dtype = floats
    p.close_scope()
    p.indent = indent  # a dataflow block has no frame of its own
    p.lines[state.headers.pop()] = f"{p.indent}{signature}"
    if outer is None:
        state.frame = None


def _signature(p: Printer, func: Function, name: str) -> str:
    """Return the line `def name(parameters) -> result:`."""
    state = relax_state(p)
    outer = state.introduced
    # the result too: the type of a function introduces sizes
    infos = [info for info in (*(param.struct_info for param in func.params), func.ret_struct_info) if info is not None]
    if state.frame is p.frames[-1]:
        state.introduced = frozenset(var for info in infos for var in tir_vars_in_struct_info(info))
    state.name_parameters(p, func)
    # the result comes first: sizes are declared in the order of TVM
    result = f" -> {annotation(p, func.ret_struct_info)}" if func.ret_struct_info is not None else ""
    parameters: list[str] = []
    for param in func.params:
        # sizes take their names before the parameter, as in TVM
        info = param.struct_info
        stated = "" if info is None else f": {annotation(p, info, is_parameter=True)}"
        name_hint = p.names.get(param) or p.define(param, param.name_hint or "v")
        parameters.append(name_hint + stated)
    state.introduced = outer
    return f"def {name}({', '.join(parameters)}){result}:"


# sequences


def _sequence(p: Printer, node: E.SeqExpr) -> None:
    for block in node.blocks:
        p.stmt_rules[type(block)](p, block)


@stmt_rule(E.BindingBlock)
def _block(p: Printer, node: E.BindingBlock) -> None:
    frame = p.frames[-1]
    rules = p.stmt_rules
    for binding in node.bindings:
        frame.mark = len(p.lines)
        rules[type(binding)](p, binding)


@stmt_rule(E.DataflowBlock)
def _dataflow(p: Printer, node: E.DataflowBlock) -> None:
    state = relax_state(p)
    prefix = state.prefix
    place = p.frames[-1].mark = len(p.lines)
    top = state.top
    p.write(f"with {prefix}dataflow():")
    indent = p.indent
    if state.frame is None:
        # declarations of a fragment go in front of the block
        p.frames.append(Frame(None, indent + p.step, len(p.lines)))
    p.indent = indent + p.step
    _block(p, node)
    if state.frame is None:
        # names stay taken behind the block, as in TVM
        p.frames[-2].defined += p.frames.pop().defined
    bindings = [item for item in node.bindings if isinstance(item, (E.VarBinding, E.MatchCast))]
    outputs = tuple([binding.var for binding in bindings if type(binding.var) is not E.DataflowVar])
    p.write(f"{prefix}output({p.exprs(outputs)})")
    p.indent = indent
    if state.frame is not None:
        # declarations at the top of the function move the block down
        p.frames[-1].mark = place + state.top - top


@stmt_rule(E.VarBinding)
def _binding(p: Printer, node: E.VarBinding) -> None:
    value, var = node.value, node.var
    if type(value) is E.If:
        _if(p, value, var)
    elif type(value) is Function:
        _nested(p, value, var)
    elif _is_statement(p, node):
        p.write(p.expr(value))
    else:
        text = assigned_value(p, value)
        annotated = _annotation(p, var, value)
        p.write(f"{p.define(var, var.name_hint or 'v')}{annotated} = {text}")


@stmt_rule(E.MatchCast)
def _match_cast(p: Printer, node: E.MatchCast) -> None:
    value = p.expr(node.value)
    name = p.define(node.var, node.var.name_hint or "v")
    write_match_cast(p, node, value, name, p.expr(node.struct_info))


def write_match_cast(p: Printer, node: E.MatchCast, value: str, name: str, cast_info: str) -> None:
    """Write `y: R.Tensor((n,)) = R.match_cast(x, R.Tensor((n,)))`."""
    text = f"{relax_state(p).prefix}match_cast({value}, {cast_info})"
    info = node.var.struct_info
    if not p.options.show_all_struct_info and structural_equal(info, node.struct_info, map_free_vars=False):
        info = None
    variable = name if info is None else f"{name}: {annotation(p, info)}"
    p.write(f"{variable} = {text}")


def _is_statement(p: Printer, node: E.VarBinding) -> bool:
    """Whether a call is a statement: it returns nothing, and its variable is unused. In a fragment it is the value."""
    is_empty = p.sugar and _is_empty_tuple(node.value.struct_info) and _is_empty_tuple(node.var.struct_info)
    return is_empty and relax_state(p).frame is not None and node.var not in _used(p)


def _is_empty_tuple(info: StructInfo | None) -> bool:
    return isinstance(info, TupleStructInfo) and not info.fields


def _used(p: Printer) -> frozenset[Node]:
    """Return the variables that the function uses."""
    state = relax_state(p)
    if state.used is None:
        state.used = frozenset(uses(p.scope_root))
    return state.used


def uses(root: Node) -> Iterator[Node]:
    """Yield the variables that a function reads."""
    for part in nodes(root):
        if isinstance(part, E.Call):
            yield from _variables((part.op, *part.args))
        elif isinstance(part, E.Tuple):
            yield from _variables(part.fields)
        elif isinstance(part, E.SeqExpr):
            yield from _variables((part.body,))
        elif isinstance(part, (E.VarBinding, E.MatchCast)):
            yield from _variables((part.value,))
        elif isinstance(part, E.TupleGetItem):
            yield from _variables((part.tuple_value,))
        elif isinstance(part, E.If):
            yield from _variables((part.cond,))
        elif isinstance(part, E.DataflowBlock):  # R.output names them
            names = (item.var for item in part.bindings if isinstance(item, (E.VarBinding, E.MatchCast)))
            yield from (name for name in names if not isinstance(name, E.DataflowVar))


def _variables(items: tuple[object, ...]) -> Iterator[Node]:
    return (item for item in items if isinstance(item, E.Var))


def assigned_value(p: Printer, value: RelaxExpr) -> str:
    """Return the right side of an assignment, where a tuple has no parentheses."""
    if type(value) is E.Tuple and len(value.fields) > 1:
        return p.exprs(value.fields)
    return p.expr(value)


def _annotation(p: Printer, var: E.Var, value: RelaxExpr) -> str:
    """Return the annotation of a variable, nothing where the right side states the struct info."""
    info = var.struct_info
    if info is None or (_may_omit_annotation(p, value) and _is_inferred(info, value)):
        return ""
    return f": {annotation(p, info, value=value)}"


def _may_omit_annotation(p: Printer, value: RelaxExpr) -> bool:
    return not p.options.show_all_struct_info or (
        type(value) is E.Call and getattr(value.op, "name", "") in STATED_RESULT
    )


def _is_inferred(info: StructInfo, value: RelaxExpr) -> bool:
    """Whether the parser infers the same struct info from the right side."""
    if isinstance(value, E.Call) and isinstance(value.op, Op):  # calls of functions are annotated, as in TVM
        value = value.replace()
    elif not isinstance(value, (E.Var, E.Tuple, E.TupleGetItem)):
        return False
    return value.struct_info is not None and structural_equal(value.struct_info, info, map_free_vars=False)


def _if(p: Printer, node: E.If, var: E.Var | None) -> None:
    """Write a branch; in a fragment it may be bound to no variable."""
    annotated = "" if var is None or var.struct_info is None else f": {annotation(p, var.struct_info)}"
    p.write(f"if {p.expr(node.cond)}:")
    for branch in (node.true_branch, node.false_branch):
        if branch is node.false_branch:
            p.write("else:")
        p.open_scope(branch)
        _sequence(p, branch)
        p.frames[-1].mark = len(p.lines)
        relax_state(p).branch_result = var, annotated
        p.stmt_rules[E.SeqExpr](p, branch)
        p.close_scope()
    if var is not None:
        p.define(var, var.name_hint or "v")


@stmt_rule(E.SeqExpr)
def _branch_value(p: Printer, branch: E.SeqExpr) -> None:
    """Write the last line of a branch, its value."""
    var, annotated = relax_state(p).branch_result
    text = assigned_value(p, branch.body)
    p.write(text if var is None else f"{p.define(var, var.name_hint or 'v')}{annotated} = {text}")


def _nested(p: Printer, func: Function, var: E.Var) -> None:
    name = p.define(var, var.name_hint or "v")
    place = len(p.lines)
    outer = p.function_name, p.member_name
    p.function_name, p.member_name = name, None
    p.taken.discard(name)
    _function(p, func)
    p.taken.add(name)
    p.function_name, p.member_name = outer
    p.lines.append("")
    # as in TVM, an inner function has the imports above it that the text needs so far
    prefix = p.indent
    lines = [f"{prefix}# from tvm.script import relax as {p.options.relax_prefix}", prefix]
    if any(p.tir in line for line in p.lines):
        lines[:0] = [f"{prefix}{line}" for line in p.spelling.imports(p.options.tir_prefix)]
    place = next(at for at in range(place, len(p.lines)) if p.lines[at].startswith(f"{prefix}@"))
    p.lines[place:place] = lines


# expressions


@expr_rule(E.Var)
def _var(p: Printer, node: E.Var, level: int) -> str:
    return p.names.get(node) or _free(p, node)


def _free(p: Printer, node: E.Var) -> str:
    """Declare an unbound variable in front of a fragment or at the top of the function, and return its name."""
    state = relax_state(p)
    info = node.struct_info
    declared = "None" if info is None else annotation(p, info)
    if state.frame is None:
        frame = p.scope_of(node)
        name = p.define(node, node.name_hint or "v", frame)
        p.insert(frame, f"{name}: {declared}")
    else:
        name = p.define(node, node.name_hint or "v", state.frame)
        state.declare(p, f"{name}: {declared}{p.undefined_note(node, name)}")
    return name


@expr_rule(E.Constant)
def constant(p: Printer, node: E.Constant, level: int) -> str:
    """Return `R.const(1.0, "float32")`, or a reference to the section `metadata`."""
    state = relax_state(p)
    info = node.struct_info
    if isinstance(info, DTensorStructInfo):
        plain = node.replace(struct_info=info.tensor_sinfo)
        return f"{state.prefix}dist.const({scalar_constant(p, node) or p.expr(plain)}, {p.expr(info)})"
    text = scalar_constant(p, node)
    if text is not None:
        return f'{state.prefix}const({text}, "{node.dtype}")'
    number = state.constants.setdefault(node, len(state.constants))
    return f'metadata["{p.spelling.constant}"][{number}]'


def scalar_constant(p: Printer, node: E.Constant) -> str | None:
    """Return the number of a constant without dimensions, None where no text reads back."""
    if node.data.shape or node.dtype not in _SCALARS or str(node.data.dtype) != node.dtype:
        return None
    items = node.data.reshape(-1).tolist() if hasattr(node.data, "reshape") else node.data.tolist()
    item = items[0]
    if not isinstance(item, float):
        return str(item)
    if not math.isfinite(item) and pack([item], node.dtype, ()).tobytes() != node.data.tobytes():
        return None
    return relax_state(p).number(item)


@expr_rule(E.ShapeExpr)
def _shape(p: Printer, node: E.ShapeExpr, level: int) -> str:
    return f"{relax_state(p).prefix}shape([{struct_info.sizes(p, node.values)}])"


@expr_rule(E.PrimValue)
def _prim_value(p: Printer, node: E.PrimValue, level: int) -> str:
    with integers(p):
        return f"{relax_state(p).prefix}prim_value({p.expr(node.value)})"


@expr_rule(E.StringImm)
def _string(p: Printer, node: E.StringImm, level: int) -> str:
    return f"{relax_state(p).prefix}str({string(node.value)})"


@expr_rule(E.DataTypeImm)
def _data_type(p: Printer, node: E.DataTypeImm, level: int) -> str:
    return f'{relax_state(p).prefix}dtype("{node.value}")'


@expr_rule(E.ExternFunc)
def _extern(p: Printer, node: E.ExternFunc, level: int) -> str:
    info = node.struct_info
    usual = E.ExternFunc(node.global_symbol).struct_info
    argument = "" if info is None or structural_equal(info, usual) else f", {p.expr(info)}"
    return f"{relax_state(p).prefix}ExternFunc({string(node.global_symbol)}{argument})"


@stmt_rule(E.ExternFunc)
def _member(p: Printer, node: E.ExternFunc) -> None:
    """Write an external function as a member of a module."""
    p.write(f"{p.function_name} = {p.expr(node)}")


@expr_rule(E.Tuple)
def _tuple(p: Printer, node: E.Tuple, level: int) -> str:
    return tuple_expr(p, node)


@expr_rule(E.TupleGetItem)
def _item(p: Printer, node: E.TupleGetItem, level: int) -> str:
    operand = node.tuple_value
    if type(operand) is E.Tuple:  # `(x, y)[0]` reads back as x
        prefix = relax_state(p).prefix
        return f"{prefix}TupleGetItem({prefix}tuple({p.exprs(operand.fields)}), {node.index})"
    return f"{p.expr(operand)}[{node.index}]"


# fragments


@expr_rule(E.VarBinding, E.MatchCast, E.BindingBlock, E.DataflowBlock)
def _part(p: Printer, node: Node, level: int) -> str:
    start = p.frames[-1].mark = len(p.lines)
    p.stmt_rules[type(node)](p, node)
    if type(node) is E.BindingBlock and len(node.bindings) < 2:
        p.write("pass")  # one binding alone reads back as a binding
    return _take_lines(p, start)


@expr_rule(E.SeqExpr)
def _sequence_part(p: Printer, node: E.SeqExpr, level: int) -> str:
    start = p.frames[-1].mark = len(p.lines)
    _sequence(p, node)
    value = p.expr(node.body)
    if not node.blocks:
        p.write("pass")  # a value alone reads back as an expression
    p.write(value)
    return _take_lines(p, start)


@expr_rule(E.If)
def _if_part(p: Printer, node: E.If, level: int) -> str:
    start = p.frames[-1].mark = len(p.lines)
    _if(p, node, None)
    return _take_lines(p, start)


def _take_lines(p: Printer, start: int) -> str:
    """Remove the lines from a place on, and return them as the text of a fragment."""
    text = "\n".join(p.lines[start:])
    del p.lines[start:]
    return text
