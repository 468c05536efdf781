"""Decorated functions and classes of a text, and the statements around them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Annotated, Any, NamedTuple, TypeAlias, TypeVar

from tvmscript.ir.core import BaseFunc, GlobalVar, IRError, IRModule, TVMScriptError, WrongType
from tvmscript.ir.tir import PrimFunc, SizeVar, Var
from tvmscript.ir.tir.verify import verify_function, verify_symbols
from tvmscript.parser.diagnostics import errors
from tvmscript.parser.diagnostics.describe import construct_name, describe
from tvmscript.parser.diagnostics.poison import POISON, defined_names
from tvmscript.parser.diagnostics.recovery import report_error
from tvmscript.parser.diagnostics.report import Reported
from tvmscript.parser.global_names import PRIM_FUNC, TVM
from tvmscript.parser.names.lazy_table import LazyTable
from tvmscript.parser.names.name_hints import set_struct_info
from tvmscript.parser.names.namespace import Decorator, Namespace
from tvmscript.parser.names.parameters import signature_of
from tvmscript.parser.names.unsupported import UnsupportedName
from tvmscript.parser.python.annotations import TYPING, TYPING_MODULES
from tvmscript.parser.python.evaluator import Evaluator
from tvmscript.parser.python.literals import bind_target
from tvmscript.parser.python.macro import Macro
from tvmscript.parser.reader import Session
from tvmscript.parser.tir.function import FunctionParser
from tvmscript.parser.v0_27.type_variable import TypeVariable

Program: TypeAlias = IRModule | BaseFunc
Handler: TypeAlias = "Callable[[Any, Any], None]"
Found = TypeVar("Found")

_V0_27 = LazyTable("parsers of 0.27")


class Decorated(NamedTuple):
    """A decorated function or class."""

    node: Any
    decorator: Decorator
    options: Mapping[str, object]

    @property
    def is_macro(self) -> bool:
        return self.decorator.kind == "macro"

    def is_enabled(self, option: str) -> bool:
        """Whether an option that is on by default is on."""
        return self.options.get(option, True) is not False


def _size(name: str, decorator: Decorator) -> object:
    """Return what a type parameter of a function denotes: a size of 64 bits."""
    if decorator.dialect == "0.27":
        return TypeVariable(name)
    return (Var if decorator.parser is None else SizeVar)(name, "int64")


class ProgramParser(Evaluator):
    """Parses the statements around functions: imports, constants, classes."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.programs: dict[str, Program] = {}
        self.module_attrs: dict[str, object] | None = None

    def program(self) -> dict[str, Program]:
        """Parse all definitions of the text."""
        for node in self.read_metadata():
            self.attempt(node, self.statement, node)
        if not self.programs and not self.session.report.errors:
            raise errors.NothingDefined(
                span=self.tree.point(1, 0), hint="define a function under @T.prim_func or a class under @I.ir_module"
            )
        return self.programs

    def read_metadata(self) -> list[ast.stmt]:
        """Read the constants of the text, and return its other statements."""
        rest: list[ast.stmt] = []
        for node in self.tree.tree.body:
            if is_metadata(node):
                self.attempt(node, self.constants_of, node)
            else:
                rest.append(node)
        return rest

    def constants_of(self, node: ast.Assign) -> None:
        """Read `metadata = tvm.ir.load_json(...)`. The section may name constants that the caller gave."""
        given = self.constants()
        self.constant_definition(node)
        constants = self.scope.names["metadata"]
        self.session.metadata = {**given, **constants} if given and isinstance(constants, Mapping) else constants

    def attempt(self, node: ast.stmt, read: Callable[..., Found], *args: object) -> Found | None:
        """Apply `read` to a statement. If it fails, report the error, poison the names it defines, and return None."""
        try:
            return read(*args)
        except Reported:
            if self.session.report.stopped:
                raise
        except TVMScriptError as error:
            report_error(self, node, error)
        self.depth = 0
        self.scope.names.update(dict.fromkeys(defined_names(node), POISON))
        return None

    def statement(self, node: ast.stmt) -> None:
        """Read a statement of the text."""
        handler = TOP_LEVEL.get(type(node))
        if handler is None:
            raise errors.UnsupportedSyntax(what=construct_name(node), span=self.span(node))
        handler(self, node)

    def import_(self, node: ast.Import) -> None:
        """Read `import tvm` or `import tvmscript as tvm`."""
        for alias in node.names:
            root, _, rest = alias.name.partition(".")
            if alias.name in TYPING_MODULES:
                self.scope.names[alias.asname or root] = TYPING
                continue
            if root not in ("tvm", "tvmscript"):
                raise errors.InvalidImport(name=alias.name, span=self.span(alias))
            value = self.path(rest.split(".") if rest and alias.asname else [], alias, root)
            self.scope.names[alias.asname or root] = value

    def import_from(self, node: ast.ImportFrom) -> None:
        """Read `from tvm.script import tir as T`."""
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
            raise errors.InvalidImport(name=node.module or ".", span=self.span(node))
        for alias in node.names:
            path = [*(rest.split(".") if rest else []), alias.name]
            self.scope.names[alias.asname or alias.name] = self.path(path, alias, root)

    def path(self, names: list[str], node: object, root: str) -> object:
        """Look up a dotted name under `tvm`. Names that only TVM has may be imported, but not used."""
        value: object = self.roots.get("tvm", TVM)
        for name in names:
            table = value.table if isinstance(value, Namespace) else {}
            if table.get(name) is None:
                if "script" not in names and root == "tvm":
                    return UnsupportedName(".".join(["tvm", *names]), "TVM's Python API")
                raise errors.InvalidImport(name=".".join(["tvm", *names]), span=self.span(node),
                                    hint="import ir as I and tir as T from tvmscript.script")  # fmt: skip
            value = table.get(name)
        return value

    def constant_definition(self, node: ast.Assign) -> None:
        """Read `N = 16`."""
        value = self.value(node.value)
        for target in node.targets:
            self.bind_constant(target, value)

    def bind_constant(self, target: object, value: object) -> None:
        """Bind a target to a Python value. Later constants shadow earlier ones."""
        if type(target) is ast.Name:
            self.scope.names[target.id] = value
        else:
            bind_target(self, target, value)

    def annotated_constant(self, node: ast.AnnAssign) -> None:
        """Read `N: int = 16`; the annotation is ignored."""
        if node.value is not None:
            self.bind_constant(node.target, self.value(node.value))

    def expression(self, node: ast.Expr) -> None:
        """Read a docstring."""
        if not (isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)):
            raise errors.UnsupportedSyntax(what="an expression outside of functions", span=self.span(node))

    def nothing(self, node: ast.Pass) -> None:
        """Read `pass`."""

    # definitions

    def decorated(self, node: ast.FunctionDef | ast.ClassDef, expected: str) -> Decorated:
        """Return a function or class with its script decorator. Raises `UnknownDecorator`."""
        for item in node.decorator_list:
            call = item if isinstance(item, ast.Call) else None
            decorator = self.value(call.func if call is not None else item)
            if isinstance(decorator, Decorator):
                if call is not None and call.args:
                    raise errors.InvalidArguments(
                        function=decorator.name,
                        reason="options are keyword arguments",
                        span=self.span(call.args[0]),
                        hint=f"options are {', '.join(decorator.options)}",
                    )
                options = {word.arg: self.value(word.value) for word in call.keywords if word.arg} if call else {}
                try:
                    decorator.check(options)
                except IRError as error:
                    raise errors.refused(error, self.span(item)) from error
                pure = options.get("pure", True)
                if not isinstance(pure, bool):
                    raise WrongType(where="pure=", expected="True or False", got=repr(pure), span=self.span(item))
                return Decorated(node, decorator, options)
            raise errors.UnknownDecorator(name=node.name, expected=expected, span=self.span(item))
        raise errors.UnknownDecorator(
            name=node.name, expected=expected, span=self.tree.heading(node), hint=f"write {expected} above it"
        )

    def decorated_function(self, node: ast.FunctionDef) -> Decorated:
        """Return a function that is a program or a macro. Raises `UnknownDecorator`."""
        decorated_ = self.decorated(node, "@T.prim_func")
        if decorated_.decorator.kind not in ("prim_func", "function", "macro"):
            raise errors.UnknownDecorator(
                name=node.name, expected="@T.prim_func", span=self.span(node.decorator_list[0])
            )
        return decorated_

    def top_function(self, node: ast.FunctionDef) -> None:
        """Read a function outside of modules."""
        definition = self.decorated_function(node)
        if definition.is_macro:
            self.scope.names[node.name] = self.macro(definition)
        else:
            self.add(node, self.function(definition))

    def macro(self, definition: Decorated) -> Macro:
        """Return a macro, with the names that are visible here."""
        signature = signature_of(definition.node.args, self.value, self.span)
        names = self.snapshot_names(definition.node)
        return Macro(definition.node, self.tree, names, self.closure, signature, definition.is_enabled("hygienic"))

    def top_class(self, node: ast.ClassDef) -> None:
        """Read the class of a module."""
        definition = self.decorated(node, "@I.ir_module")
        if definition.decorator.kind != "ir_module":
            raise errors.UnknownDecorator(
                name=node.name, expected="@I.ir_module", span=self.span(node.decorator_list[0])
            )
        self.add(node, self.module(node, definition.is_enabled("check_well_formed")))

    def add(self, node: Any, program: Program) -> None:
        """Record a definition and bind its name. Raises `AlreadyDefined`."""
        if node.name in self.programs:
            raise errors.AlreadyDefined(name=node.name, span=self.tree.heading(node))
        self.programs[node.name] = program
        self.scope.names[node.name] = program

    def python_function(self, node: ast.FunctionDef, options: Mapping[str, object]) -> BaseFunc:
        """Parse a function that Python decorates, possibly with decorators of its own."""
        values = [self.value(item.func if isinstance(item, ast.Call) else item) for item in node.decorator_list]
        decorator = next((value for value in values if isinstance(value, Decorator)), PRIM_FUNC)
        return self.function(Decorated(node, decorator, options))

    def function(self, definition: Decorated) -> BaseFunc:
        """Parse a function and check that it is well-formed."""
        func = self.unchecked(definition, {})
        if self.session.check_well_formed and definition.is_enabled("check_well_formed"):
            relax_parser = definition.decorator.parser
            if relax_parser is not None:
                self.attempt(definition.node, relax_parser.verify, func)
            elif isinstance(func, PrimFunc):
                self.attempt(definition.node, verify_function, func, {})
        return func

    def unchecked(self, definition: Decorated, signatures: Mapping[str, object]) -> BaseFunc:
        """Parse a function; `signatures` maps functions of the module to their result types."""
        relax_parser = definition.decorator.parser
        parser: Any = self.function_parser(
            relax_parser or (_V0_27["function"] if definition.decorator.dialect == "0.27" else FunctionParser),
            definition,
        )
        parser.signatures = signatures
        self.session.limits.seen_names -= len(self.names)
        if self.session.limits.seen_names < 0:
            raise errors.ValueTooLarge(what="parsing so many functions", span=self.tree.heading(definition.node))
        private = bool(definition.options.get("private", False))
        func: BaseFunc = parser.read(
            definition.node, private, *([definition.is_enabled("pure")] if relax_parser else ())
        )
        if self.session.closure is None and not self.session.limits.holds(func):
            raise errors.ValueTooLarge(
                what="expanding the expressions of the text", span=self.tree.heading(definition.node)
            )
        return func

    def function_parser(self, cls: type[Any] = FunctionParser, definition: Decorated | None = None) -> Any:
        """Create a parser of functions that sees the names visible here, and the type parameters of its function."""
        parser = cls(self.session)
        parser.names.update(self.names)
        if definition is not None:
            for name in self.tree.type_parameters(definition.node):
                parser.names[name] = _size(name, definition.decorator)
        return parser

    def module(self, node: ast.ClassDef, is_checked: bool = True) -> IRModule:
        """Parse the class of a module: all function names first, then the functions."""
        self.module_attrs = self.session.global_infos = None
        is_checked = is_checked and self.session.check_well_formed
        failures = self.session.report.count
        definitions, macros = self.definitions(node)
        externs = self.extern_members(node, definitions)
        variables = {**self.global_vars(definitions), **externs}
        before = dict(self.scope.names)
        table: dict[str, object] = {**_poisoned_members(node, definitions), **variables}
        members = Namespace(node.name, table)
        self.scope.names.update({"cls": members, node.name: members, **variables})
        first = next((at for at, item in enumerate(node.body) if isinstance(item, ast.FunctionDef)), len(node.body))
        for item in node.body[:first]:
            if _extern_name(item) is None:
                self.attempt(item, self.member, item)
        functions: dict[GlobalVar, Any] = {}
        body: list[Any] = node.body
        for item in body:
            name = _extern_name(item)
            if name in externs:
                functions[externs[name]] = extern = self.attempt(item, self.value, item.value)
                set_struct_info(externs[name], getattr(extern, "struct_info", None))
        signatures = self.result_types(definitions, variables)
        for item in node.body[first:]:
            if not isinstance(item, ast.FunctionDef):
                if _extern_name(item) is None:
                    self.attempt(item, self.member, item)
            elif item in macros:
                macro = self.attempt(item, self.macro, macros[item])
                if macro is not None:
                    table[item.name] = self.scope.names[item.name] = macro
            elif item.name in definitions and item is definitions[item.name].node:
                func = self.attempt(item, self.unchecked, definitions[item.name], signatures)
                if func is not None:
                    functions[variables[item.name]] = func
                    if not isinstance(func, PrimFunc):
                        set_struct_info(variables[item.name], getattr(func, "struct_info", None))
        self.scope.names.clear()
        self.scope.names.update(before)
        functions_by_name = {var.name_hint: func for var, func in functions.items()}
        for name, definition in definitions.items():
            func = functions.get(variables[name])
            if is_checked and definition.is_enabled("check_well_formed") and isinstance(func, PrimFunc):
                self.attempt(definition.node, verify_function, func, functions_by_name)
        if self.session.report.count > failures:
            raise Reported
        mod = IRModule(
            functions, self.module_attrs or {}, self.session.global_infos or {}, span=self.tree.heading(node)
        )
        if is_checked:
            graph = next(
                (definition.decorator.parser for definition in definitions.values() if definition.decorator.parser),
                None,
            )
            if graph is not None:
                self.attempt(node, verify_symbols, mod)
                self.attempt(node, graph.verify, mod)
        return mod

    def definitions(self, node: ast.ClassDef) -> tuple[dict[str, Decorated], dict[ast.stmt, Decorated]]:
        """Return the functions of a class by name, and the macros."""
        functions: dict[str, Decorated] = {}
        macros: dict[ast.stmt, Decorated] = {}

        def add(item: ast.FunctionDef) -> None:
            definition = self.decorated_function(item)
            if definition.is_macro:
                macros[item] = definition
            elif functions.setdefault(item.name, definition) is not definition:
                raise errors.AlreadyDefined(name=item.name, span=self.tree.heading(item))

        for item in node.body:
            if isinstance(item, ast.FunctionDef):
                self.attempt(item, add, item)
        return functions, macros

    def extern_members(self, node: ast.ClassDef, definitions: Mapping[str, Decorated]) -> dict[str, GlobalVar]:
        """Return the variables of external functions: `f = R.ExternFunc("f")` in the class."""
        variables: dict[str, GlobalVar] = {}
        for item in node.body:
            name = _extern_name(item)
            if name is not None and (name in variables or name in definitions):
                self.attempt(item, self.twice, name, item)
            elif name is not None:
                variables[name] = GlobalVar(name, span=self.span(item))
        return variables

    def twice(self, name: str, node: ast.stmt) -> None:
        """Raise `AlreadyDefined`."""
        raise errors.AlreadyDefined(name=name, span=self.span(node))

    def global_vars(self, definitions: Mapping[str, Decorated]) -> dict[str, GlobalVar]:
        """Return the variables of a module's functions. The option `name` gives names that are no identifiers."""
        variables: dict[str, GlobalVar] = {}
        hints: set[object] = set()

        def add(name: str, definition: Decorated) -> None:
            hint = definition.options.get("name", name)
            variables[name] = GlobalVar(str(hint), span=self.tree.heading(definition.node))
            if not isinstance(hint, str) or hint in hints:
                raise errors.AlreadyDefined(name=str(hint), span=self.tree.heading(definition.node))
            hints.add(hint)

        for name, definition in definitions.items():
            self.attempt(definition.node, add, name, definition)
        return variables

    def result_types(
        self, definitions: Mapping[str, Decorated], variables: Mapping[str, GlobalVar]
    ) -> Mapping[str, object]:
        """Return the result types of the functions of a module, and set the struct info of their variables."""
        types: dict[str, object] = {}
        graphs = (definition.decorator.parser for definition in definitions.values() if definition.decorator.parser)
        graph_reader = next(graphs, None)
        for name, definition in definitions.items():
            returns, graph = definition.node.returns, definition.decorator.parser
            if graph is not None:
                info = self.attempt(
                    definition.node,
                    self.function_parser(graph, definition).signature,
                    definition.node,
                    definition.is_enabled("pure"),
                )
                set_struct_info(variables[name], info)
                continue
            result = self.attempt(definition.node, self.function_parser().return_type, returns) if returns else None
            if returns is not None:
                types[variables[name].name_hint] = result
            if graph_reader is not None:
                set_struct_info(variables[name], graph_reader.prim_func_struct_info(result))
        return types

    def member(self, node: ast.stmt) -> None:
        """Read a statement of a module's class that is not a function."""
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            value = self.value(node.value)
            if value is not None:
                raise errors.UnsupportedSyntax(what=describe(value), span=self.span(node))
            return
        handler = TOP_LEVEL.get(type(node))
        if handler is None or isinstance(node, (ast.ClassDef, ast.Import, ast.ImportFrom)):
            raise errors.UnsupportedSyntax(what=construct_name(node), span=self.span(node))
        handler(self, node)


def is_metadata(node: ast.stmt) -> bool:
    """Whether a statement is the section of constants: `metadata = ...`."""
    target = node.targets[0] if isinstance(node, ast.Assign) else None
    return isinstance(target, ast.Name) and target.id == "metadata"


def _extern_name(node: Any) -> str | None:
    """Return the name in `f = R.ExternFunc("f")`, or None for other statements."""
    call = node.value if isinstance(node, ast.Assign) else None
    if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "ExternFunc"):
        return None
    target = node.targets[0]
    return target.id if len(node.targets) == 1 and isinstance(target, ast.Name) else None


def _poisoned_members(node: ast.ClassDef, definitions: Mapping[str, object]) -> dict[str, object]:
    """Return poison for the functions of a class whose decorators failed."""
    names = [item.name for item in node.body if isinstance(item, ast.FunctionDef)]
    return {name: POISON for name in names if name not in definitions}


#: node type -> method that reads it outside of functions
TOP_LEVEL: dict[type, Handler] = {
    ast.Import: ProgramParser.import_,
    ast.ImportFrom: ProgramParser.import_from,
    ast.Assign: ProgramParser.constant_definition,
    ast.AnnAssign: ProgramParser.annotated_constant,
    ast.Expr: ProgramParser.expression,
    ast.Pass: ProgramParser.nothing,
    ast.FunctionDef: ProgramParser.top_function,
    ast.ClassDef: ProgramParser.top_class,
}
