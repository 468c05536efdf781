"""Print programs and fragments with random options; the text must read back to the same program."""

from __future__ import annotations

import math
import random
import struct
import warnings
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from hypothesis import strategies as st

from tvmscript.fuzz.area import Area
from tvmscript.fuzz.construct_script import construction
from tvmscript.fuzz.observing import observe, observe_error
from tvmscript.fuzz.parser import texts
from tvmscript.fuzz.parser.marks import check_comments, check_marks, commented
from tvmscript.fuzz.parser.names import check_names
from tvmscript.fuzz.parser.snippets import same_texts
from tvmscript.fuzz.printer.forms import GRAPHS, KERNELS, TILES, read_form
from tvmscript.fuzz.relax.struct_info_laws import wider
from tvmscript.ir.core import BOOL, FLOAT32, INT32, BaseFunc, DType, IRModule, Node, TVMScriptError, nodes
from tvmscript.ir.relax.expr import DataflowBlock, DataflowVar, MatchCast, VarBinding
from tvmscript.ir.relax.expr import Var as GraphVar
from tvmscript.ir.relax.function import Function
from tvmscript.ir.tir import BufferRegion, BufferStore, FloatImm, For, ForKind, IntImm, PrimFunc, Var, make_buffer
from tvmscript.parser.entry import from_source
from tvmscript.printer.errors import NoText
from tvmscript.testing.errors import NotPrinted, NotReadBack, PrintsDifferent
from tvmscript.testing.graph_strategies import graph_calls, graph_modules
from tvmscript.testing.kernels import kernels
from tvmscript.testing.mutations import mutated
from tvmscript.testing.round_trip import roundtrip
from tvmscript.testing.scopes import scoped_funcs
from tvmscript.testing.strategies import block_funcs, exprs, modules, operator_exprs, prim_funcs, stmts
from tvmscript.testing.strategies.statements import LOOP_NOTES
from tvmscript.testing.verify import is_well_formed

#: printer options whose output reads back
_OPTIONS: Final[list[dict[str, Any]]] = [
    {},
    {"verbose_expr": True},
    {"syntax_sugar": False},
    {"show_meta": True},
    {"num_context_lines": 0},
    {"indent_spaces": 2},
    {"int_dtype": "int64"},
    {"float_dtype": "float32"},
    {"tir_prefix": "tir", "ir_prefix": "ir"},
    {"print_line_numbers": False},
    {"show_all_struct_info": False},
    {"buffer_dtype": "int8"},
    {"module_alias": ""},
    {"relax_prefix": "relax"},
    {"annotated": True},
    {"float_points": True},
]
#: those that spell out what a short text leaves to the reader
_LONG: Final[list[dict[str, Any]]] = [{"verbose_expr": True}, {"syntax_sugar": False}, {"show_all_struct_info": False}]
#: the same for the dialect of TVM 0.27
_NEWER: Final[list[dict[str, Any]]] = [
    {"dialect": "0.27", **options} for options in ({}, {}, {"syntax_sugar": False}, {"verbose_expr": True})
]


@dataclass(frozen=True)
class Printed:
    """A program and the options that it is printed with."""

    program: Node
    options: dict[str, Any]


@dataclass(frozen=True)
class Newer:
    """A program to print in the dialect of TVM 0.27, which may lose details of it."""

    program: Node


@dataclass(frozen=True)
class Canonical:
    """A text as the printer writes it in a dialect."""

    text: str
    dialect: str


@dataclass(frozen=True)
class Marked:
    """A program with underlines and notes, drawn with the seed."""

    program: Node
    seed: int


@dataclass(frozen=True)
class Commented:
    """A text with comments."""

    text: str


def _has_own_text(node: Node) -> bool:
    """Test whether the text determines the node: a region without dimensions reads as a load."""
    return not (isinstance(node, BufferRegion) and not node.region)


def _inner(program: Node, seed: int) -> Node:
    """Draw a part of a program, each class of nodes with equal probability."""
    kinds: dict[str, list[Node]] = {}
    for node in nodes(program):
        if _has_own_text(node):
            kinds.setdefault(type(node).__name__, []).append(node)
    r = random.Random(seed)
    chosen = r.choice(kinds[r.choice(sorted(kinds))])
    return chosen if isinstance(chosen, (BaseFunc, IRModule)) or _stands_alone(chosen) else program


def _stands_alone(part: Node) -> bool:
    """Test whether a part reads back on its own: no nested functions, no dataflow variables bound outside of it."""
    inside = list(nodes(part))
    blocks = [node for node in inside if isinstance(node, DataflowBlock)]
    bound = {
        binding.var for block in blocks for binding in block.bindings if isinstance(binding, (VarBinding, MatchCast))
    }
    return not any(
        isinstance(node, Function) or (isinstance(node, DataflowVar) and node not in bound) for node in inside
    )


def _parts(*, with_statements: bool = True) -> st.SearchStrategy[Node]:
    """Draw expressions and statements over free variables."""
    variables = [Var("i", INT32), Var("x", FLOAT32), Var("c", BOOL), Var("w", "int64")]
    buffers = [make_buffer((IntImm("int32", 4), IntImm("int32", 8)), dtype, "A") for dtype in (FLOAT32, INT32)]
    dtypes = st.sampled_from(list(map(DType, ["int32", "float32", "bool", "int64", "uint8", "float16", "int32x4"])))
    trees = st.sampled_from([BOOL, FLOAT32, INT32]).flatmap(lambda dtype: operator_exprs(dtype, variables))
    expressions = st.one_of(dtypes.flatmap(lambda dtype: exprs(dtype, variables, buffers)), trees)
    return st.one_of(expressions, stmts(variables, buffers)) if with_statements else expressions


def _noted_loops() -> st.SearchStrategy[Node]:
    """Draw annotated loops of every kind; 0.27 has syntax for some annotations."""
    buffer = make_buffer((IntImm("int32", 4),), INT32, "A")

    def loop(kind: ForKind, notes: dict[str, Any]) -> Node:
        var = Var("i", INT32)
        return For(var, IntImm("int32", 0), IntImm("int32", 4), kind, BufferStore(buffer, var, (var,)), None, notes)

    kinds = (ForKind.SERIAL, ForKind.PARALLEL, ForKind.VECTORIZED, ForKind.UNROLLED)
    return st.builds(loop, st.sampled_from(kinds), st.sampled_from(LOOP_NOTES))


def _less_said(module: IRModule, seed: int) -> Node:
    """Draw a binding of the module with a weaker annotation than its value."""
    r = random.Random(seed)
    bindings = [node for node in nodes(module) if isinstance(node, VarBinding) and node.var.struct_info is not None]
    if not bindings:
        return module
    binding = r.choice(bindings)
    assert binding.var.struct_info is not None
    _, less = r.choice(list(wider(binding.var.struct_info)))
    return VarBinding(GraphVar(binding.var.name_hint, less), binding.value)


def _snippet(seed: int) -> Node:
    """Draw a program with a construct of the language: all of those that the parser's snippets have."""
    program: Node = from_source(same_texts(random.Random(seed)).first)
    return program


def _with_data(func: PrimFunc, seed: int) -> Node:
    """Add an attribute that holds an array: few elements are in the text, many in its section of constants."""
    r = random.Random(seed)
    shape = r.choice(((), (0,), (2, 3), (5, 40), (3, 67)))
    data = np.array([r.randrange(100) for _ in range(math.prod(shape))], r.choice(("int8", "float32", "bool")))
    return func.with_attr("data", data.reshape(shape))


def _changed() -> st.SearchStrategy[Node]:
    """Draw kernels with one mutation: an annotation, attribute, statement, loop or parameter more or less."""
    changed = block_funcs().flatmap(mutated)
    return changed.filter(lambda func: is_well_formed(IRModule({"main": func})))


def _has_words_in_newer(program: Node) -> bool:
    """Test whether 0.27 has a literal for each constant: integers within int64, the usual NaN."""
    return all(
        node.value < 2**63 if isinstance(node, IntImm) else _is_usual(node.value)
        for node in nodes(program)
        if isinstance(node, (IntImm, FloatImm))
    )


def _is_usual(value: float) -> bool:
    return not math.isnan(value) or struct.pack("<d", value) == struct.pack("<d", math.nan)


#: the kinds of examples
Example = Printed | Newer | Canonical | Marked | Commented


def examples() -> st.SearchStrategy[Example]:
    """Draw functions, modules, graphs and parts with printer options, marks or comments."""
    whole = st.one_of(prim_funcs(), scoped_funcs(), block_funcs(), modules(), graph_modules())
    programs = st.one_of(prim_funcs(), scoped_funcs(), block_funcs(), modules(), graph_modules(), _parts())
    seeds = st.integers(0, 2**32)
    # 0.27 has no let and allocation scopes within a sequence, and no known scalar values in graphs
    newer = st.one_of(kernels(), block_funcs(), _parts(with_statements=False).filter(_has_words_in_newer))
    forms = st.one_of(st.sampled_from((*KERNELS, *GRAPHS)).map(read_form), seeds.map(_snippet))
    return st.one_of(
        st.builds(Printed, programs, st.sampled_from(_OPTIONS)),
        st.builds(Printed, programs, st.sampled_from(_OPTIONS)),
        # small and quick to draw
        st.builds(Printed, _parts(), st.just({})),
        st.builds(Printed, _parts(), st.sampled_from(_OPTIONS)),
        st.builds(Printed, st.one_of(newer, newer, _noted_loops()), st.sampled_from(_NEWER)),
        st.builds(Printed, st.builds(_inner, whole, seeds), st.just({})),
        st.builds(Printed, _changed(), st.just({})),
        st.builds(Printed, st.builds(_less_said, graph_calls(), seeds), st.just({"show_all_struct_info": False})),
        st.builds(Newer, whole.filter(_has_words_in_newer)),
        st.builds(Printed, forms, st.sampled_from(_OPTIONS)),
        st.builds(Printed, st.sampled_from(TILES).map(read_form), st.sampled_from(_NEWER)),
        st.builds(Printed, st.builds(_with_data, block_funcs(), seeds), st.just({})),
        st.builds(Canonical, st.sampled_from(KERNELS), st.just("0.17")),
        st.builds(Canonical, st.sampled_from(TILES), st.just("0.27")),
        st.builds(Newer, forms.filter(_has_words_in_newer)),
        st.builds(Marked, whole, seeds),
        st.builds(lambda text, seed: Commented(commented(text, random.Random(seed))), texts(), seeds),
    )


def check(example: Example) -> None:
    """Raises `RoundTripError` or `MarksWrong`. Programs that a dialect cannot express are skipped."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        match example:
            case Printed(program, options):
                _check_printed(program, options)
            case Newer(program):
                _check_newer(program)
            case Canonical(text, dialect):
                _check_canonical(text, dialect)
            case Marked(program, seed):
                check_marks(program, random.Random(seed))
            case Commented(text):
                check_comments(text)


def _check_printed(program: Node, options: dict[str, Any]) -> None:
    try:
        roundtrip(program, **options)
    except NotPrinted as error:
        if not (isinstance(error.__cause__, NoText) and "dialect" in options):
            raise
        observe_error(error)
        return
    observe("printed", program.script, **options)
    if isinstance(program, (BaseFunc, IRModule)):
        text = program.script(**options)
        check_names(text)
        if options in _LONG:
            short = program.script()
            again = from_source(text, check_well_formed=False).script()
            # names that are none of Python are numbered in the order of their definitions
            if again != short and "__" not in short:
                raise PrintsDifferent(program="the long form of the program", text=short, again=again)


def _check_canonical(text: str, dialect: str) -> None:
    """Check that a text prints as it is."""
    if (second := read_form(text).script(dialect=dialect)) != text.rstrip("\n"):
        raise PrintsDifferent(program="the program", text=text, again=second)


def _check_newer(program: Node) -> None:
    """Check that the text reads, and prints again unchanged."""
    try:
        text = program.script(dialect="0.27")
    except NoText as error:
        observe_error(error)
        return
    observe("0.27", lambda: text)
    try:
        again = from_source(text, check_well_formed=False)
    except TVMScriptError as error:
        raise NotReadBack(program="the program", reason=error.render(), text=text) from error
    second = again.script(dialect="0.27")
    if second != text:
        raise PrintsDifferent(program="the program", text=text, again=second)


def write(example: Example) -> str:
    """Write the program as constructor calls, since its text may be wrong."""
    name = type(example).__name__
    imports = f"from tvmscript.fuzz.printer.area import {name}, check"
    match example:
        case Commented(text):
            return f"{imports}\n\ncheck(Commented({text!r}))\n"
        case Canonical(text, dialect):
            return f"{imports}\n\ncheck(Canonical({text!r}, {dialect!r}))\n"
        case Printed(program, options):
            arguments = f"program, {options!r}"
        case Marked(program, seed):
            arguments = f"program, {seed}"
        case Newer(program):
            arguments = "program"
    return f"{construction(program)}\n\n{imports}\n\ncheck({name}({arguments}))\n"


AREA: Final = Area("printer", "programs print a text that reads back to the same program", examples, check, write)
