"""Print expressions."""

from __future__ import annotations

from tvmscript.ir.core import FLOAT32, IRModule
from tvmscript.ir.core.types import FuncType, PointerType, PrimType, TensorType, TupleType
from tvmscript.ir.tir import Expr
from tvmscript.ir.tir import expr as E
from tvmscript.ir.tir.operators import LARGEST_FLOAT32, wrap
from tvmscript.ir.tir.scalable_vectors import lanes_value
from tvmscript.printer.literals import float_call, float_literal, string
from tvmscript.printer.printer import DeclarationNeeded, ExprRule, HandleNeeded, Printer, expr_rule
from tvmscript.printer.tvm_folding import would_fold

# Precedence of Python's operators; that of atoms is higher.
OR, AND, NOT, COMPARE, BIT_OR, BIT_XOR, BIT_AND, SHIFT, ADD, MUL, UNARY = range(1, 12)

_CONSTANTS = (E.IntImm, E.FloatImm)


@expr_rule(E.Var)
def _var(p: Printer, node: E.Var, level: int) -> str:
    return p.names.get(node) or declare(p, node)


def declare(p: Printer, var: E.Var) -> str:
    """Declare an undefined variable in the scope that holds all its uses, and return its name."""
    if var in p.hidden_params:
        raise HandleNeeded(var)
    if var in p.defined:
        raise DeclarationNeeded(var)
    if p.relax is not None and p.relax.frame is not None:
        name: str = p.relax.size_variable(p, var)
        return name
    frame = p.scope_of(var)
    name = p.define(var, var.name or "v", frame)
    p.insert(frame, f"{name} = {creation(p, var)}{p.undefined_note(var, name)}")
    return name


def creation(p: Printer, var: E.Var) -> str:
    """Return the expression that makes a variable: `T.int32()`, `T.handle("float32", "global")`."""
    annotation = var.pointer_type
    size = "is_size_var=True" if isinstance(var, E.SizeVar) and p.spelling.has_size_vars else ""
    if isinstance(annotation, PointerType) and isinstance(annotation.element_type, PrimType):
        dtype = annotation.element_type.dtype
        arguments = [f'"{p.spelling.dtype(dtype)}"']
        if annotation.storage_scope or not p.has_header:
            arguments.append(string(annotation.storage_scope))
        if size:
            arguments.append(size)
        return f"{p.tir}handle({', '.join(arguments)})"
    if annotation is not None:
        return f"{p.tir}Var({string(var.name)}, {p.expr(annotation)})"
    return f"{p.tir}{p.spelling.dtype(var.dtype)}({size})"


@expr_rule(E.IntImm)
def _int(p: Printer, node: E.IntImm, level: int) -> str:
    dtype = node.dtype
    if dtype is p.int_dtype:
        return str(node.value)
    return f"{p.tir}{dtype}({bool(node.value) if dtype.is_bool else node.value})"


@expr_rule(E.FloatImm)
def _float(p: Printer, node: E.FloatImm, level: int) -> str:
    # a larger number without a dtype is a float64
    is_bare = node.dtype is p.float_dtype and (node.dtype is not FLOAT32 or abs(node.value) <= LARGEST_FLOAT32)
    if is_bare and (literal := float_literal(node.value)) is not None:
        return literal
    return p.tir + float_call(node.dtype, node.value, has_point=p.options.float_points)


@expr_rule(E.StringImm)
def _string(p: Printer, node: E.StringImm, level: int) -> str:
    return string(node.value)


@expr_rule(E.Cast)
def _cast(p: Printer, node: E.Cast, level: int) -> str:
    return f'{p.tir}Cast("{node.dtype}", {p.expr(node.value)})'


def _infix(sign: str, own: int, left: int) -> ExprRule:
    """Return the rule for `a <sign> b` of precedence `own`; operands need at least `left` and `own + 1`."""
    middle = f" {sign} "
    right = own + 1

    def rule(p: Printer, node: E.BinaryOp, level: int) -> str:
        rules = p.expr_rules
        a, b = node.a, node.b
        cls_a, cls_b = type(a), type(b)
        if (cls_a in _CONSTANTS or cls_b in _CONSTANTS) and (_are_bare(p, a, b) or would_fold(type(node), a, b)):
            return _explicit(p, node)
        text = rules[cls_a](p, a, left) + middle + rules[cls_b](p, b, right)
        return f"({text})" if level > own else text

    return rule


def _are_bare(p: Printer, a: Expr, b: Expr) -> bool:
    """Whether both are written without a dtype: Python would compute with the numbers."""
    bare = (p.int_dtype, p.float_dtype)
    return isinstance(a, _CONSTANTS) and isinstance(b, _CONSTANTS) and a.dtype in bare and b.dtype in bare


def _explicit(p: Printer, node: E.BinaryOp) -> str:
    return f"{p.tir}{type(node).__name__}({p.expr(node.a)}, {p.expr(node.b)})"


expr_rule(E.Add)(_infix("+", ADD, ADD))
expr_rule(E.Sub)(_infix("-", ADD, ADD))
expr_rule(E.Mul)(_infix("*", MUL, MUL))
# A comparison as an operand of a comparison needs parentheses: `a < b == c` is a chain in Python.
expr_rule(E.EQ)(_infix("==", COMPARE, BIT_OR))
expr_rule(E.NE)(_infix("!=", COMPARE, BIT_OR))
expr_rule(E.LT)(_infix("<", COMPARE, BIT_OR))
expr_rule(E.LE)(_infix("<=", COMPARE, BIT_OR))
expr_rule(E.GT)(_infix(">", COMPARE, BIT_OR))
expr_rule(E.GE)(_infix(">=", COMPARE, BIT_OR))

_true_division = _infix("/", MUL, MUL)
_floor_division = _infix("//", MUL, MUL)
_remainder = _infix("%", MUL, MUL)
_and = _infix("and", AND, AND)
_or = _infix("or", OR, OR)


@expr_rule(E.Div)
def _div(p: Printer, node: E.Div, level: int) -> str:
    return _explicit(p, node) if node.dtype.is_integer else _true_division(p, node, level)


@expr_rule(E.FloorDiv)
def _floordiv(p: Printer, node: E.FloorDiv, level: int) -> str:
    return _floor_division(p, node, level) if node.dtype.is_integer else _explicit(p, node)


@expr_rule(E.FloorMod)
def _floormod(p: Printer, node: E.FloorMod, level: int) -> str:
    return _remainder(p, node, level) if node.dtype.is_integer else _explicit(p, node)


@expr_rule(E.And)
def _logical_and(p: Printer, node: E.And, level: int) -> str:
    # `and` of vectors is read as the bitwise operator
    return _and(p, node, level) if node.dtype.lanes == 1 else _explicit(p, node)


@expr_rule(E.Or)
def _logical_or(p: Printer, node: E.Or, level: int) -> str:
    return _or(p, node, level) if node.dtype.lanes == 1 else _explicit(p, node)


@expr_rule(E.Not)
def _not(p: Printer, node: E.Not, level: int) -> str:
    text = f"not {p.expr(node.a, NOT)}"
    return f"({text})" if level > NOT else text


def _function_form(name: str) -> ExprRule:
    def rule(p: Printer, node: E.BinaryOp, level: int) -> str:
        a, b = node.a, node.b
        folded = a is b or ((type(a) in _CONSTANTS or type(b) in _CONSTANTS) and would_fold(type(node), a, b))
        if folded and not p.has_header:
            return _explicit(p, node)
        return f"{p.tir}{name}({p.expr(a)}, {p.expr(b)})"

    return rule


expr_rule(E.Min)(_function_form("min"))
expr_rule(E.Max)(_function_form("max"))
expr_rule(E.Mod)(_function_form("truncmod"))


@expr_rule(E.Select)
def _select(p: Printer, node: E.Select, level: int) -> str:
    return f"{p.tir}Select({p.expr(node.condition)}, {p.expr(node.true_value)}, {p.expr(node.false_value)})"


@expr_rule(E.Ramp)
def _ramp(p: Printer, node: E.Ramp, level: int) -> str:
    return f"{p.tir}Ramp({p.expr(node.base)}, {p.expr(node.stride)}, {lanes(p, node.lanes)})"


@expr_rule(E.Broadcast)
def _broadcast(p: Printer, node: E.Broadcast, level: int) -> str:
    return f"{p.tir}Broadcast({p.expr(node.value)}, {lanes(p, node.lanes)})"


def lanes(p: Printer, count: int) -> str:
    """Return a number of lanes, which is an int32."""
    if count < 0:
        return p.expr(lanes_value(count))
    return str(count) if p.int_dtype == "int32" else f"{p.tir}int32({count})"


@expr_rule(E.Shuffle)
def _shuffle(p: Printer, node: E.Shuffle, level: int) -> str:
    return f"{p.tir}Shuffle([{p.exprs(node.vectors)}], [{p.exprs(node.indices)}])"


@expr_rule(E.Let)
def _let(p: Printer, node: E.Let, level: int) -> str:
    value = p.expr(node.value)  # its free names are declared in front of the variable
    var = p.expr(node.var)
    return f"{p.tir}Let({p.expr(node.body)}, where={{{var}: {value}}})"


def sum_text(p: Printer, a: Expr, b: Expr) -> str:
    """Return `a + b` as TVM's operator folds it: constants are added, a zero is left out."""
    if type(a) is E.IntImm:
        if type(b) is E.IntImm:
            return p.expr(E.IntImm(a.dtype, wrap(a.value + b.value, a.dtype)))
        if a.value == 0:
            return p.expr(b)
    elif type(b) is E.IntImm and b.value == 0:
        return p.expr(a)
    return f"{p.expr(a, ADD)} + {p.expr(b, MUL)}"


@expr_rule(E.Range)
def _range(p: Printer, node: E.Range, level: int) -> str:
    if node is p.scope_root or isinstance(p.scope_root, IRModule):
        p.uses_ir = True
        return f"{p.ir}{range_text(p, node)}"
    return p.tir + range_text(p, node)


def range_text(p: Printer, node: E.Range) -> str:
    """Return `Range(begin, end)`, whose end is extent + begin as in TVM."""
    return f"Range({p.expr(node.min)}, {sum_text(p, node.extent, node.min)})"


_ITER_KINDS = {
    E.IterKind.DATA_PAR: "DataPar",
    E.IterKind.THREAD_INDEX: "ThreadIndex",
    E.IterKind.COMM_REDUCE: "CommReduce",
    E.IterKind.ORDERED: "Ordered",
    E.IterKind.OPAQUE: "Opaque",
    E.IterKind.UNROLLED: "Unrolled",
    E.IterKind.VECTORIZED: "Vectorized",
    E.IterKind.PARALLELIZED: "Parallelized",
    E.IterKind.TENSORIZED: "Tensorized",
}


@expr_rule(E.IterVar)
def _itervar(p: Printer, node: E.IterVar, level: int) -> str:
    dom = node.dom
    domain = "None" if dom is None else p.tir + range_text(p, dom)
    return f'{p.tir}iter_var({p.expr(node.var)}, {domain}, "{_ITER_KINDS[node.iter_type]}", {string(node.thread_tag)})'


@expr_rule(PrimType)
def _prim_type(p: Printer, node: PrimType, level: int) -> str:
    return p.tir + p.spelling.dtype(node.dtype)


@expr_rule(PointerType)
def _pointer_type(p: Printer, node: PointerType, level: int) -> str:
    element = node.element_type
    inner = f'"{p.spelling.dtype(element.dtype)}"' if isinstance(element, PrimType) else p.expr(element)
    scope = f", {string(node.storage_scope)}" if node.storage_scope or not p.has_header else ""
    return f"{p.tir}handle({inner}{scope})"


@expr_rule(TupleType)
def _tuple_type(p: Printer, node: TupleType, level: int) -> str:
    return f"{p.tir}Tuple({p.exprs(node.fields)})" if node.fields else "None"


@expr_rule(TensorType)
def _tensor_type(p: Printer, node: TensorType, level: int) -> str:
    return f'I.TensorType([{p.exprs(node.shape)}], "{p.spelling.dtype(node.dtype)}")'


@expr_rule(FuncType)
def _func_type(p: Printer, node: FuncType, level: int) -> str:
    return f"I.FuncType([], [{p.exprs(node.arg_types)}], {p.expr(node.ret_type)})"


def var_type(p: Printer, var: E.Var) -> str:
    """Return the type annotation of a variable."""
    return p.tir + var.dtype if var.pointer_type is None else annotation(p, p.expr(var.pointer_type))


def annotation(p: Printer, call: str) -> str:
    """Return `T.Buffer((16,), "float32")` as an annotation, in the form for type checkers if the option asks for it."""
    if not p.options.annotated:
        return call
    callee, parenthesis, arguments = call.partition("(")
    return f"Annotated[{callee}, {arguments[:-1]}]" if parenthesis else call
