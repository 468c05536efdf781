"""The printer: rule tables by node class, and the state of printing one program.

An expression rule returns the text of a node; `level` is the precedence of the expression around it. A statement rule
appends lines.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any, Final, NoReturn, TypeVar

from tvmscript.ir.core import BaseFunc, DType, IRError, IRModule, Node
from tvmscript.ir.core.dispatch import ClassTable, Dispatch
from tvmscript.ir.tir import Buffer, Expr, For, PrimFunc, SeqStmt, Stmt, Var
from tvmscript.ir.tir.verify import verify
from tvmscript.printer.declarations import Scope, bound_names, common_scopes
from tvmscript.printer.errors import NoText
from tvmscript.printer.identifiers import RESERVED, identifier, unused
from tvmscript.printer.notes import Notes
from tvmscript.printer.options import Options
from tvmscript.printer.spelling import Spelling
from tvmscript.printer.text_buffer import DECLARED, Frame, RangeMarks

ExprRule = Callable[["Printer", Any, int], str]
StmtRule = Callable[["Printer", Any], None]
ValueRule = Callable[["Printer", Any], str]
R = TypeVar("R", bound=Callable[..., Any])


def _refuse(p: Printer, node: Node, level: int = 0) -> NoReturn:
    if type(node).__module__.startswith(_TILE_NODES):
        hint = 'print it with dialect="0.27"'
        raise NoText(what=f"a {type(node).__name__} of the tile level in the dialect {p.spelling.dialect}", hint=hint)
    raise NoText(what=f"a node of type {type(node).__name__}")


@dataclass(frozen=True, slots=True, eq=False)
class Dialect:
    """The names of a dialect and the rules that write it."""

    spelling: Spelling
    expr_rules: Dispatch[ExprRule]
    stmt_rules: Dispatch[StmtRule]
    #: Python type -> rule for values of attributes
    value_rules: dict[type, ValueRule]

    @classmethod
    def above(cls, dialect: Dialect, spelling: Spelling, relax: str, tile: str) -> Dialect:
        """Return a dialect whose rules for nodes overlay those of another one."""
        families = {_RELAX_NODES: relax, _TILE_NODES: tile}
        return cls(
            spelling,
            Dispatch(below=dialect.expr_rules, families=families),
            Dispatch(below=dialect.stmt_rules, families=families),
            {},
        )

    def expr_rule(self, *classes: type[Node]) -> Callable[[R], R]:
        """Register a function as the rule for expressions, and other nodes inside a line, of these classes."""
        return self.expr_rules.register(*classes)

    def stmt_rule(self, *classes: type[Node]) -> Callable[[R], R]:
        """Register a function as the rule for statements, functions and modules of these classes."""
        return self.stmt_rules.register(*classes)


#: prefix of the modules of Relax's nodes: their rules are imported with the first of them
_RELAX_NODES: Final = "tvmscript.ir.relax."
#: module of the nodes that only 0.27 has
_TILE_NODES: Final = "tvmscript.ir.tir.tile"
_FAMILIES: Final = {_RELAX_NODES: "tvmscript.printer.relax.functions"}
V0_17: Final = Dialect(
    Spelling(), Dispatch(default=_refuse, families=_FAMILIES), Dispatch(default=_refuse, families=_FAMILIES), {}
)
expr_rule = V0_17.expr_rule
stmt_rule = V0_17.stmt_rule


class HandleNeeded(Exception):
    """A parameter that was written as a buffer is also used as a handle."""

    def __init__(self, param: Node) -> None:
        super().__init__()
        self.param = param


class DeclarationNeeded(Exception):
    """A variable is defined in two places, or used outside of the statement that defines it.

    It has to be declared first: a definition of a declared name defines the same variable.
    """

    def __init__(self, var: Var) -> None:
        super().__init__()
        self.var = var


class Printer:
    """The lines written so far, the open scopes, and the names defined in them."""

    __slots__ = (
        "alone", "bound", "buffer_dtype", "by_fingerprint", "constants", "declared_first", "defined", "expr_rules",
        "float_dtype", "frames", "function_name", "has_header", "hidden_params", "indent", "int_dtype", "ir",
        "launched", "lines", "loops", "marks", "member_name", "names", "notes", "options", "owners", "program",
        "relax", "result_dtypes", "scalars", "scope_root", "scopes", "spelling", "step", "stmt_rules", "sugar", "taken",
        "tir", "tracks_lines", "type_variables", "uses_ir", "uses_relax", "value_rules", "verified",
    )  # fmt: skip

    def __init__(self, root: Node, options: Options, dialect: Dialect) -> None:
        self.options = options
        #: prefixes with their dot
        self.tir = f"{options.tir_prefix}."
        self.ir = f"{options.ir_prefix}."
        self.sugar = options.syntax_sugar
        #: loops on lines of their own, since their first lines are underlined
        self.alone = frozenset(options.obj_to_underline or ()) if options.underline_heads else frozenset[Node]()
        self.int_dtype = DType(options.int_dtype)
        self.float_dtype = DType(options.float_dtype)
        self.buffer_dtype = DType(options.buffer_dtype)
        self.spelling = dialect.spelling
        self.expr_rules: ClassTable[ExprRule] = dialect.expr_rules
        self.stmt_rules: ClassTable[StmtRule] = dialect.stmt_rules
        self.value_rules: dict[type, ValueRule] = dialect.value_rules
        #: data pointer -> the buffer whose name it has
        self.owners: dict[Node, Buffer] = {}
        #: buffers of one element that are written as mutable scalars (0.27)
        self.scalars: Collection[Buffer] = ()
        #: names of TypeVars in front of the functions (0.27)
        self.type_variables: set[str] = set()
        #: set where the ranges of nodes are needed
        self.marks: RangeMarks | None = None
        #: comments and annotations, None without any
        self.notes: Notes | None = None
        #: lines that declare names begin with `DECLARED`
        self.tracks_lines = False
        self.lines: list[str] = []
        self.step = " " * options.indent_spaces
        self.indent = ""
        self.frames: list[Frame] = [Frame(None, "", 0)]
        #: variable, buffer or function -> its name; for parts of buffers an access such as `A.data`
        self.names: dict[Node, str] = {}
        self.taken = {*RESERVED, options.ir_prefix, options.tir_prefix, options.relax_prefix, options.module_alias}
        #: loop variable -> its loop, for the loops around
        self.loops: dict[Node, For] = {}
        #: handle parameters that are written as buffers
        self.hidden_params: frozenset[Node] = frozenset()
        #: name of the function in its module
        self.function_name: str | None = options.name
        #: the same, where it is no identifier
        self.member_name: str | None = None
        self.program = self.scope_root = root
        #: the first line shows that a printer wrote the text (`parser.dialect.is_printed`)
        self.has_header = isinstance(root, (BaseFunc, IRModule))
        self.scopes: dict[Node, Scope] | None = None
        #: variables that the statements written so far define
        self.defined: set[Node] = set()
        #: thread variable -> device axis and extent of the first launch: `T.launch_thread` takes no others
        self.launched: dict[Var, tuple[str, Expr]] = {}
        #: the function that was checked last, and whether it is well formed
        self.verified: tuple[Node, bool] | None = None
        #: variables that are declared first: see `DeclarationNeeded`
        self.declared_first: dict[Var, None] = {}
        #: names that the function defines, collected when one seems undefined
        self.bound: set[Node] | None = None
        #: function of the module -> dtype of its result
        self.result_dtypes: dict[Node, DType] = {}
        self.uses_ir = self.uses_relax = False
        #: state of Relax (`relax.state`), None before the first node of it
        self.relax: Any = None
        #: large constants are in another file, and referred to by fingerprint
        self.by_fingerprint = False
        #: fingerprint -> array in the section `metadata`
        self.constants: dict[str, Any] = {}

    # scopes

    def open_scope(self, node: Node, deeper: bool = True) -> Frame:
        """Enter the scope of a node; `deeper` indents it."""
        if deeper:
            self.indent += self.step
        frame = Frame(node, self.indent, len(self.lines))
        self.frames.append(frame)
        return frame

    def close_scope(self) -> None:
        """Leave the innermost scope and free its names."""
        for item, name in self.frames.pop().defined:
            self.names.pop(item, None)
            self.taken.discard(name)
        self.indent = self.frames[-1].indent

    def write(self, text: str) -> None:
        """Append a line in the current scope."""
        self.lines.append(self.indent + text)

    def insert(self, frame: Frame, text: str) -> None:
        """Insert a line in front of the current statement of a scope."""
        frames = self.frames
        line = f"{DECLARED}{frame.indent}{text}" if self.tracks_lines else frame.indent + text
        if frame is frames[-1]:
            self.lines.append(line)
            frame.mark = len(self.lines)
            return
        self.lines.insert(frame.mark, line)
        for inner in frames[frames.index(frame) :]:
            inner.mark += 1

    def is_concise(self, node: Stmt) -> bool:
        """Whether a statement may be written without `with`, its scope extending to the end of the surrounding one."""
        return self.frames[-1].concise and (self.notes is None or node not in self.notes.annotated)

    def write_body(self, stmt: Stmt) -> None:
        """Write the statements of the innermost scope."""
        frame = self.frames[-1]
        rules = self.stmt_rules
        if type(stmt) is SeqStmt:
            frame.concise = False
            for part in stmt.seq[:-1]:
                frame.mark = len(self.lines)
                rules[type(part)](self, part)
            stmt = stmt.seq[-1]
            frame.concise = self.spelling.open_tail
        else:
            frame.concise = True
        frame.mark = len(self.lines)
        rules[type(stmt)](self, stmt)

    # names

    def define(self, item: Node, hint: str, frame: Frame | None = None) -> str:
        """Name a variable, buffer or function until the scope ends, if it has no name yet."""
        previous = self.names.get(item)
        if previous is not None and previous.isidentifier():
            return previous
        name = identifier(hint)
        if self.options.show_object_address:
            name = f"{name}_{id(item):#x}"
        taken = self.taken
        if frame is not None and frame.mark < len(self.lines):
            # the declaration goes above these lines, which may use names of closed scopes
            name = unused(name, taken, self.lines[frame.mark :])
        elif name in taken:
            name = unused(name, taken)
        taken.add(name)
        self.names[item] = name
        (frame or self.frames[-1]).defined.append((item, name))
        return name

    def undefined_note(self, item: Node, name: str) -> str:
        """Return the comment at a name that a function uses without a definition; fragments may have free names."""
        root = self.scope_root
        if not isinstance(root, BaseFunc) or not self.options.comments:
            return ""
        if isinstance(root, PrimFunc) and self.is_well_formed():
            return ""
        if self.bound is None:
            self.bound = bound_names(root)
        if item in self.declared_first:
            return f"  # tvmscript: {name} is defined in several places, or used outside of its scope"
        if item not in self.bound:
            return f"  # tvmscript: {name} is undefined here"
        is_buffer = isinstance(item, Buffer)
        return f"  # tvmscript: {name} is used outside of the scope that defines it" if is_buffer else ""

    def is_well_formed(self) -> bool:
        """Whether the printed function is well formed, checked when a name is used before its definition."""
        root = self.scope_root
        if self.verified is None or self.verified[0] is not root:
            try:
                verify(root)
                self.verified = root, True
            except IRError:
                self.verified = root, False
        return self.verified[1]

    def bind(self, var: Var, hint: str) -> str:
        """Name a variable that a statement defines. Raises `DeclarationNeeded` where it has a name already."""
        if var in self.declared_first:
            return self.names[var]
        if self.spelling.declares_first and isinstance(self.scope_root, BaseFunc):
            if var in self.defined or (var in self.names and not self.is_well_formed()):
                raise DeclarationNeeded(var)
            self.defined.add(var)
            if var in self.names:
                return self.names[var]  # declared by an attribute in front of the loop, as in TVM
        return self.define(var, hint)

    def define_as(self, item: Node, text: str, frame: Frame) -> None:
        """Name a variable by an expression, such as `A.data`, until the scope ends."""
        self.names[item] = text
        frame.defined.append((item, ""))

    def common_scope(self, item: Node) -> Scope | None:
        """Return the innermost scope that holds all occurrences of a variable or buffer."""
        if self.scopes is None:
            self.scopes = common_scopes(self.scope_root)
        return self.scopes.get(item)

    def scope_of(self, item: Node) -> Frame:
        """Return the innermost open scope that holds all occurrences of a variable or buffer."""
        # a branch of one statement opens the scope of that statement twice: take the outer one
        open_scopes = {id(frame.node): frame for frame in reversed(self.frames)}
        scope = self.common_scope(item)
        while scope is not None:
            frame = open_scopes.get(id(scope.node))
            if frame is not None:
                return self._scope_of_data(item, frame)
            scope = scope.outer
        return self.frames[0]

    def _scope_of_data(self, item: Node, frame: Frame) -> Frame:
        """Return the scope, or the second one of the same statement if that defines the memory of a buffer."""
        if isinstance(item, Buffer):
            for other in self.frames[self.frames.index(frame) + 1 :]:
                if other.node is frame.node and any(name is item.data for name, _ in other.defined):
                    return other
        return frame

    def is_outer(self, frame: Frame, other: Frame) -> bool:
        """Whether the first scope is strictly around the second; two scopes of one statement are the same."""
        return frame.node is not other.node and self.frames.index(frame) < self.frames.index(other)

    # expressions

    def expr(self, node: Node, level: int = 0) -> str:
        """Return the text of an expression, in parentheses if its precedence is below `level`."""
        return self.expr_rules[type(node)](self, node, level)

    def exprs(self, nodes: tuple[Node, ...]) -> str:
        """Return the texts of expressions, separated by commas."""
        rules = self.expr_rules
        return ", ".join([rules[type(node)](self, node, 0) for node in nodes])
