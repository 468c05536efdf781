"""Print a node: choose the dialect, write header, text and metadata, underline and number lines."""

from __future__ import annotations

from typing import Any, Final

from tvmscript.ir.core import BaseFunc, IRModule, Node
from tvmscript.ir.core import node as node_hooks
from tvmscript.ir.core.python_settings import deep_recursion
from tvmscript.ir.core.visible import visible
from tvmscript.ir.tir import MatchBufferRegion, Stmt
from tvmscript.ir.tir.tensor_intrin import TensorIntrin
from tvmscript.printer import attribute_values
from tvmscript.printer.comments import collect_comments, comments_of, sources_of
from tvmscript.printer.constants import metadata_section
from tvmscript.printer.errors import NoText
from tvmscript.printer.node_ranges import mark_everything
from tvmscript.printer.note_rules import write_notes
from tvmscript.printer.notes import Notes
from tvmscript.printer.object_paths import nodes_on, steps_of
from tvmscript.printer.options import DEFAULT, Options, read_options
from tvmscript.printer.printer import V0_17, Printer
from tvmscript.printer.text_buffer import DECLARED, RangeMarks, TextRange, number_lines
from tvmscript.printer.tir import blocks, buffers, calls, exprs, functions, loops, stmts, te
from tvmscript.printer.underline import RangeTree, first_line, underline
from tvmscript.printer.v0_27 import attribute_values as attribute_values_0_27
from tvmscript.printer.v0_27 import functions as functions_0_27
from tvmscript.printer.v0_27 import tir as tir_0_27
from tvmscript.printer.v0_27.dialect import V0_27

#: the modules that register rules
RULE_MODULES = (
    blocks, buffers, calls, exprs, functions, loops, stmts, te, attribute_values,
    attribute_values_0_27, functions_0_27, tir_0_27,
)  # fmt: skip
_DIALECTS: Final = {"0.17": V0_17, "0.27": V0_27}
#: comment where the constants are left out, as in TVM
OMITTED = "# Metadata omitted. Use show_meta=True in script() method to show it."
#: comment in front of the name of the file of constants
CONSTANTS_FILE = "# tvmscript: constants in "
#: nodes that are written as lines
_WITH_LINES = (Stmt, BaseFunc, IRModule, MatchBufferRegion, TensorIntrin)


def script(node: Node, **options: object) -> str:
    """Return the text of a program or fragment. Options: see `Options`.

    Raises `UnknownOption`, `InvalidOption`, and `NoText` for what the language cannot express.
    """
    read = read_options(options)
    if read.obj_to_underline or read.path_to_underline:
        return _underline(node, read)
    p = _printer(node, read)
    text = _text(p, node)
    return number_lines(text) if read.print_line_numbers else text


def _text_of_node(node: Node) -> str:
    """Return the text, in the dialect 0.27 where 0.17 cannot express the program."""
    try:
        return script(node)
    except NoText:
        return script(node, dialect="0.27")


def script_with_constants(node: Node, place: str, **options: object) -> tuple[str, dict[str, object]]:
    """Return the text without its large constants, which it refers to in the file `place`, and these by fingerprint."""
    p = _printer(node, read_options({**options, "show_meta": False}))
    p.by_fingerprint = True
    text = _text(p, node)
    return text.replace(OMITTED, f"{CONSTANTS_FILE}{place}") if p.constants else text, p.constants


def script_with_ranges(node: Node, **options: object) -> tuple[str, list[TextRange]]:
    """Return the text and the range of each expression and statement in it, outer ones first."""
    return _with_ranges(node, read_options(options))


def _printer(node: Node, options: Options) -> Printer:
    return Printer(node, options, _DIALECTS[options.dialect])


def _with_ranges(node: Node, options: Options) -> tuple[str, list[TextRange]]:
    p, marks = _printer(node, options), RangeMarks()
    text = _text(p, node, marks)
    return marks.remove(text)


def _underline(node: Node, options: Options) -> str:
    text, ranges = _with_ranges(node, options)
    tree = RangeTree(text, ranges)
    targets = [item for target in options.obj_to_underline or () for item in tree.of_object(target, ranges)]
    for path in options.path_to_underline or ():
        targets += tree.of_path(nodes_on(node, steps_of(path, "path_to_underline")))
    if options.underline_heads:
        targets = [first_line(item, text) for item in targets]
    return underline(text, targets, options.num_context_lines, options.print_line_numbers)


@deep_recursion
def _text(p: Printer, node: Node, marks: RangeMarks | None = None) -> str:
    if isinstance(node, _WITH_LINES):
        notes = _notes(p.options, node)
        if notes is not None:
            write_notes(p, notes)
        if marks is not None:
            mark_everything(p, marks)
        p.stmt_rules[type(node)](p, node)
        text = "\n".join(p.lines)
        if notes is not None and marks is None:
            text = text.replace(DECLARED, "")
        if isinstance(node, IRModule):
            text = _with_header(p, True, text)
        elif isinstance(node, (BaseFunc, TensorIntrin)):
            text = _with_header(p, p.uses_ir, text)
        else:
            text = "\n".join([*_dtypes(p), text])
        return _with_metadata(p, text)
    if marks is not None:
        mark_everything(p, marks)
    text = p.expr(node)
    return _with_metadata(p, "\n".join([*_dtypes(p), *p.lines, text])) if p.options.verbose_expr else text


def _notes(options: Options, node: Node) -> Notes | None:
    """Return the comments and annotations to write, None where there are none."""
    has_comments = options.comments and any(comments_of(source) is not None for source in sources_of(node))
    if not has_comments and not options.obj_to_annotate and not options.path_to_annotate:
        return None
    notes = Notes()
    if has_comments:
        collect_comments(node, notes)
    for target, text in (options.obj_to_annotate or {}).items():
        _annotate(notes, target, text)
    for path, text in (options.path_to_annotate or {}).items():
        chain = nodes_on(node, steps_of(path, "path_to_annotate"))
        _annotate(notes, next(part for part, _ in reversed(chain) if isinstance(part, _WITH_LINES)), text)
    return notes if notes.of else None


def _annotate(notes: Notes, node: Node, text: str) -> None:
    notes.annotated.add(node)
    notes.at(node).beside += [f"# {visible(line)}".rstrip() for line in text.split("\n")]


def _with_metadata(p: Printer, text: str) -> str:
    """Return the text with its section of constants, or with a comment where they are left out."""
    state: Any = p.relax
    constants = state.constants if state is not None else ()
    if not p.constants and not constants:
        return text
    if not p.options.show_meta and not p.by_fingerprint:
        return f"{text}\n\n{OMITTED}"
    relax_constants = [state.constant_entry(p, node) for node in constants] if state is not None else []
    if not p.by_fingerprint:
        return f"{text}\n\n{metadata_section(p, p.constants, relax_constants)}"
    # constants of Relax keep their numbers, since functions may share a node
    return "\n\n".join([text, *([metadata_section(p, {}, relax_constants)] if relax_constants else []), OMITTED])


def _dtypes(p: Printer) -> list[str]:
    """Return a comment with the dtypes that the text leaves out, where they are not the usual ones."""
    if p.options is DEFAULT:
        return []
    dtypes = (("int", p.int_dtype, ("int32",)), ("float", p.float_dtype, ("void", "float32")),
              ("buffer", p.buffer_dtype, ("float32",)))  # fmt: skip
    unusual = [f'{name}_dtype="{dtype}"' for name, dtype, usual in dtypes if dtype not in usual]
    return [f"# tvmscript: {', '.join(unusual)}"] if unusual else []


def _with_header(p: Printer, uses_ir: bool, text: str) -> str:
    """Return the text with the imports that it needs as comments."""
    lines: list[str] = ["# from typing import TypeVar"] if p.type_variables else []
    if p.options.annotated and "Annotated[" in text:
        lines.append("# from typing import Annotated")
    if uses_ir:
        lines.append(f"# from tvm.script import ir as {p.options.ir_prefix}")
    if p.tir in text:
        lines += p.spelling.imports(p.options.tir_prefix)
    if p.uses_relax:
        lines.append(f"# from tvm.script import relax as {p.options.relax_prefix}")
    lines += _dtypes(p)
    sizes = [f'{name} = TypeVar("{name}")' for name in sorted(p.type_variables)]
    return "\n".join([*lines, "", *sizes, text])


def _text_and_ranges(node: Node) -> tuple[str, list[tuple[Node, int, int]]]:
    text, ranges = script_with_ranges(node)
    return text, [(item.node, item.begin, item.end) for item in ranges]


node_hooks.script.fill(script)
node_hooks.text.fill(_text_of_node)
node_hooks.script_with_ranges.fill(_text_and_ranges)
