"""Programs: decorated functions and classes of a text, and what may stand around them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from typing import Annotated, Any, TypeAlias

from tvmscript.ir.core.errors import IRError, TVMScriptError
from tvmscript.ir.core.module import BaseFunc, GlobalVar, IRModule
from tvmscript.ir.core.span import Span
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.verify import verify_function, verify_symbols
from tvmscript.parser.annotations import TYPING, TYPING_MODULES
from tvmscript.parser.captured import Captured
from tvmscript.parser.errors import (
    AlreadyDefined,
    InvalidArguments,
    InvalidImport,
    NothingDefined,
    UnknownDecorator,
    UnsupportedSyntax,
    ValueTooLarge,
    refused,
)
from tvmscript.parser.evaluate import Evaluator
from tvmscript.parser.foreign import Foreign
from tvmscript.parser.fragments import is_metadata
from tvmscript.parser.functions import FunctionParser
from tvmscript.parser.macro import Macro
from tvmscript.parser.namespace import Decorator, Namespace
from tvmscript.parser.parameters import signature_of
from tvmscript.parser.python_values import bind_target
from tvmscript.parser.recovery import keep
from tvmscript.parser.report import POISON, Report, Reported, defined_names
from tvmscript.parser.roots import TVM
from tvmscript.parser.source import SourceTree
from tvmscript.parser.tirx_functions import TirxParser
from tvmscript.parser.words import construct_name, describe

Program: TypeAlias = IRModule | BaseFunc
Handler: TypeAlias = "Callable[[Any, Any], None]"


class ProgramReader(Evaluator):
    """Reads the statements around functions: imports, constants, classes."""

    def __init__(
        self,
        tree: SourceTree,
        roots: Mapping[str, Any],
        captured: Captured | None,
        check_well_formed: bool,
        report: Report,
    ) -> None:
        super().__init__(tree, roots, captured)
        self.report = report
        self.check_well_formed = check_well_formed
        self.programs: dict[str, Program] = {}
        self.module_attrs: dict[str, Any] | None = None
        self.global_infos: dict[str, Any] | None = None

    def program(self) -> dict[str, Program]:
        """All definitions of the text."""
        self.read_metadata()
        for node in self.tree.tree.body:
            if is_metadata(node):
                continue
            with self.kept(node):
                handler = _TOP_LEVEL.get(type(node))
                if handler is None:
                    raise UnsupportedSyntax(what=construct_name(node), span=self.span(node))
                handler(self, node)
        if not self.programs and not self.report.errors:
            raise NothingDefined(
                span=self.tree.point(1, 0), hint="define a function under @T.prim_func or a class under @I.ir_module"
            )
        return self.programs

    def read_metadata(self) -> None:
        """Read the constants first, wherever in the text they stand."""
        for node in self.tree.tree.body:
            if is_metadata(node):
                with self.kept(node):
                    self.constant_definition(node)  # type: ignore[arg-type]  # is_metadata
                    self.metadata = self.scope.names["metadata"]

    @contextmanager
    def kept(self, node: ast.stmt) -> Generator[None, None, None]:
        """Let the report have what is wrong with a statement; what it would define is not known then."""
        try:
            yield
        except Reported:
            if self.report.stopped:
                raise
        except TVMScriptError as error:
            keep(self, node, error)
        else:
            return
        self.depth = 0
        self.scope.names.update(dict.fromkeys(defined_names(node), POISON))

    # what may stand around definitions

    def import_(self, node: ast.Import) -> None:
        """`import tvm`, `import tvmscript as tvm`."""
        for alias in node.names:
            root, _, rest = alias.name.partition(".")
            if alias.name in TYPING_MODULES:
                self.scope.names[alias.asname or root] = TYPING
                continue
            if root not in ("tvm", "tvmscript"):
                raise InvalidImport(name=alias.name, span=self.span(alias))
            value = self.path(rest.split(".") if rest and alias.asname else [], alias, root)
            self.scope.names[alias.asname or root] = value

    def import_from(self, node: ast.ImportFrom) -> None:
        """`from tvm.script import tir as T`, `from tvmscript import I, T`."""
        root, _, rest = (node.module or "").partition(".")
        if root == "__future__":
            return
        if node.module in TYPING_MODULES and all(alias.name == "Annotated" for alias in node.names):
            self.scope.names.update({alias.asname or alias.name: Annotated for alias in node.names})
            return
        if root == "typing" and all(alias.name == "TypeVar" for alias in node.names):
            self.scope.names.update({alias.asname or alias.name: self.roots["TypeVar"] for alias in node.names})
            return
        if root not in ("tvm", "tvmscript") or node.level:
            raise InvalidImport(name=node.module or ".", span=self.span(node))
        for alias in node.names:
            path = [*(rest.split(".") if rest else []), alias.name]
            self.scope.names[alias.asname or alias.name] = self.path(path, alias, root)

    def path(self, names: list[str], node: Any, root: str) -> Any:
        """What a dotted name under `tvm` stands for; what is TVM's alone may be imported, but not be used."""
        found: Any = TVM
        for name in names:
            table = found.table if isinstance(found, Namespace) else {}
            if table.get(name) is None:
                if "script" not in names and root == "tvm":
                    return Foreign(".".join(["tvm", *names]), "TVM's Python")
                raise InvalidImport(name=".".join(["tvm", *names]), span=self.span(node),
                                    hint="import ir as I and tir as T from tvmscript.script")  # fmt: skip
            found = table.get(name)
        return found

    def constant_definition(self, node: ast.Assign) -> None:
        """`N = 16`: a name for a Python value."""
        value = self.value(node.value)
        for target in node.targets:
            self.bind_constant(target, value)

    def bind_constant(self, target: Any, value: Any) -> None:
        """Later constants hide earlier ones, as in Python."""
        if type(target) is ast.Name:
            self.scope.names[target.id] = value
        else:
            bind_target(self, target, value)

    def annotated_constant(self, node: ast.AnnAssign) -> None:
        """`N: int = 16`; the annotation says nothing to us."""
        if node.value is not None:
            self.bind_constant(node.target, self.value(node.value))

    def expression(self, node: ast.Expr) -> None:
        """A docstring."""
        if not (isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)):
            raise UnsupportedSyntax(what="an expression outside of functions", span=self.span(node))

    def nothing(self, node: ast.Pass) -> None:
        """`pass`."""

    # definitions

    def decorator(self, node: Any, expected: str) -> tuple[Decorator, dict[str, Any]]:
        """The decorator of ours on a function or class, with its options."""
        for item in node.decorator_list:
            call = item if isinstance(item, ast.Call) else None
            found = self.value(call.func if call is not None else item)
            if isinstance(found, Decorator):
                if call is not None and call.args:
                    raise InvalidArguments(
                        function=found.name,
                        reason="options are given by their names",
                        span=self.span(call.args[0]),
                        hint=f"options are {', '.join(found.options)}",
                    )
                options = {word.arg: self.value(word.value) for word in call.keywords if word.arg} if call else {}
                try:
                    found.check(options)
                except IRError as error:
                    raise refused(error, self.span(item)) from error
                return found, options
            raise UnknownDecorator(name=node.name, expected=expected, span=self.span(item))
        raise UnknownDecorator(
            name=node.name, expected=expected, span=self.heading(node), hint=f"write {expected} above it"
        )

    def heading(self, node: Any) -> Span:
        """The span of `def name` or `class name`."""
        return self.tree.heading(node)

    def top_function(self, node: ast.FunctionDef) -> None:
        """A function of its own."""
        found, options = self.decorator(node, "@T.prim_func")
        if found.kind == "macro":
            self.scope.names[node.name] = self.macro(node, options)
            return
        if found.kind != "prim_func":
            raise UnknownDecorator(name=node.name, expected="@T.prim_func", span=self.span(node.decorator_list[0]))
        self.add(node, self.function(node, bool(options.get("private", False)), options))

    def macro(self, node: ast.FunctionDef, options: Mapping[str, Any]) -> Macro:
        """A macro; it sees the names that are defined up to here."""
        hygienic = options.get("hygienic", True) is not False
        signature = signature_of(node.args, self.value)
        return Macro(node, self.tree, self.names_now(node), self.captured, signature, hygienic)

    def top_class(self, node: ast.ClassDef) -> None:
        """A module."""
        found, options = self.decorator(node, "@I.ir_module")
        if found.kind != "ir_module":
            raise UnknownDecorator(name=node.name, expected="@I.ir_module", span=self.span(node.decorator_list[0]))
        checked = self.check_well_formed
        self.check_well_formed = checked and options.get("check_well_formed", True) is not False
        self.add(node, self.module(node))
        self.check_well_formed = checked

    def add(self, node: Any, program: Program) -> None:
        """Keep a definition; its name stands for it in what follows."""
        if node.name in self.programs:
            raise AlreadyDefined(name=node.name, span=self.heading(node))
        self.programs[node.name] = program
        self.scope.names[node.name] = program

    def function(
        self, node: ast.FunctionDef, private: bool = False, options: Mapping[str, Any] | None = None
    ) -> PrimFunc:
        """Read one function, and check it."""
        func = self.unchecked(node, private)
        if self.is_checked(options):
            with self.kept(node):
                verify_function(func, {})
        return func

    def unchecked(self, node: ast.FunctionDef, private: bool) -> PrimFunc:
        """Read one function."""
        parser = self.function_parser(TirxParser if self.is_tirx(node) else FunctionParser)
        parser.signatures = self.signatures
        self.budget.seen_names -= len(self.names)
        if self.budget.seen_names < 0:
            raise ValueTooLarge(what="reading so many functions", span=self.heading(node))
        return parser.read(node, private)

    def is_tirx(self, node: ast.FunctionDef) -> bool:
        """Whether the decorator is that of TVM 0.27."""
        for item in node.decorator_list:
            found = self.value(item.func if isinstance(item, ast.Call) else item)
            if isinstance(found, Decorator):
                return found.dialect == "0.27"
        return False

    def is_checked(self, options: Mapping[str, Any] | None) -> bool:
        """Whether what has these options is to be well formed."""
        return self.check_well_formed and (options or {}).get("check_well_formed", True) is not False

    def function_parser(self, cls: type[FunctionParser] = FunctionParser) -> FunctionParser:
        """A reader of functions that knows the names around them."""
        parser = cls(self.tree, self.roots, self.captured, self.budget, self.report)
        parser.names.update(self.names)
        parser.metadata = self.metadata
        parser.global_infos = self.global_infos
        return parser

    #: functions of the module that is being read: name -> type of the result
    signatures: Mapping[str, Any] = {}

    def module(self, node: ast.ClassDef) -> IRModule:
        """Read the class of a module: all names first, then the functions."""
        self.module_attrs = self.global_infos = None
        errors = self.report.count
        definitions: dict[str, tuple[ast.FunctionDef, dict[str, Any]]] = {}
        macros: dict[ast.stmt, dict[str, Any]] = {}
        for item in node.body:
            if isinstance(item, ast.FunctionDef):
                with self.kept(item):
                    found, options = self.decorator(item, "@T.prim_func")
                    if found.kind == "macro":
                        macros[item] = options
                        continue
                    if found.kind != "prim_func":
                        raise UnknownDecorator(name=item.name, expected="@T.prim_func", span=self.span(item))
                    if item.name in definitions:
                        raise AlreadyDefined(name=item.name, span=self.heading(item))
                    definitions[item.name] = item, options
        variables = self.global_vars(definitions)
        before = dict(self.scope.names)
        table: dict[str, Any] = {**_broken(node, definitions), **variables}
        members = Namespace(node.name, table)
        self.scope.names.update({"cls": members, node.name: members, **variables})
        signatures: dict[str, Any] = {}
        self.signatures = signatures
        for name, (item, _) in definitions.items():
            if item.returns is not None:
                with self.kept(item):
                    signatures[variables[name].name_hint] = self.function_parser().return_type(item.returns)
        functions: dict[GlobalVar, BaseFunc] = {}
        for item in node.body:
            with self.kept(item):
                if not isinstance(item, ast.FunctionDef):
                    self.member(item)
                elif item in macros:
                    table[item.name] = self.scope.names[item.name] = self.macro(item, macros[item])
                elif item.name in definitions and item is definitions[item.name][0]:
                    private = bool(definitions[item.name][1].get("private", False))
                    functions[variables[item.name]] = self.unchecked(item, private)
        self.scope.names.clear()
        self.scope.names.update(before)
        self.signatures = {}
        known = {var.name_hint: func for var, func in functions.items()}
        for name, (item, options) in definitions.items():
            func = functions.get(variables[name])
            if self.is_checked(options) and isinstance(func, PrimFunc):
                with self.kept(item):
                    verify_function(func, known)
        if self.report.count > errors:
            raise Reported
        made = IRModule(functions, self.module_attrs or {}, self.global_infos or {}, span=self.heading(node))
        if self.check_well_formed:
            with self.kept(node):
                verify_symbols(made)
        return made

    def global_vars(self, definitions: Mapping[str, tuple[ast.FunctionDef, Mapping[str, Any]]]) -> dict[str, GlobalVar]:
        """The variables of a module's functions; the option `name` says a name that is no identifier of Python."""
        made: dict[str, GlobalVar] = {}
        for name, (item, options) in definitions.items():
            hint = options.get("name", name)
            if not isinstance(hint, str) or any(hint == other.name_hint for other in made.values()):
                with self.kept(item):
                    raise AlreadyDefined(name=str(hint), span=self.heading(item))
            made[name] = GlobalVar(str(hint), span=self.heading(item))
        return made

    def member(self, node: ast.stmt) -> None:
        """A statement of a module's class that is no function."""
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            value = self.value(node.value)
            if value is not None:
                raise UnsupportedSyntax(what=describe(value), span=self.span(node))
            return
        handler = _TOP_LEVEL.get(type(node))
        if handler is None or isinstance(node, ast.ClassDef | ast.Import | ast.ImportFrom):
            raise UnsupportedSyntax(what=construct_name(node), span=self.span(node))
        handler(self, node)


def _broken(node: ast.ClassDef, definitions: Mapping[str, Any]) -> dict[str, Any]:
    """The functions of a class that could not be made out."""
    names = [item.name for item in node.body if isinstance(item, ast.FunctionDef)]
    return {name: POISON for name in names if name not in definitions}


_TOP_LEVEL: dict[type, Handler] = {
    ast.Import: ProgramReader.import_,
    ast.ImportFrom: ProgramReader.import_from,
    ast.Assign: ProgramReader.constant_definition,
    ast.AnnAssign: ProgramReader.annotated_constant,
    ast.Expr: ProgramReader.expression,
    ast.Pass: ProgramReader.nothing,
    ast.FunctionDef: ProgramReader.top_function,
    ast.ClassDef: ProgramReader.top_class,
}
