"""Pages of `grammar_docs/` that are written out of the tables: the grammar, the names of `T` and `I`,
the operators of `R`, the errors, the passes, the primitives of schedules."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import tvmscript.ir.tir.intrin as intrinsics
from tools.reference.differences import CASES, differences
from tools.reference.forms import COMPARISONS, END, EXPRESSIONS, OPERATORS, OUTSIDE, REFUSED, START, STATEMENTS, Form
from tools.reference.graph_level import operators
from tools.reference.markdown import NOTICE, table
from tools.reference.passes import passes
from tools.reference.schedules import schedules
from tools.reference.stubs import POINTERS, is_dtype
from tvmscript.ir.core.errors import TVMScriptError
from tvmscript.ir.tir.intrin import Intrinsic
from tvmscript.language import I, T
from tvmscript.parser.names.namespace import Builtin, Decorator, Namespace
from tvmscript.parser.names.script_signatures import offer_of
from tvmscript.parser.python.operations import SYMBOLS

# grammar


def grammar() -> str:
    """grammar.md: the EBNF of texts, an example of each form, and the forms of Python that are refused."""
    comparisons = {"Lt": "<", "LtE": "<=", "Gt": ">", "GtE": ">=", "Eq": "==", "NotEq": "!="}
    operators = " | ".join(f'"{SYMBOLS[item]}"' for item in OPERATORS)
    rules = [
        START.strip(),
        "",
        _alternatives("outside", OUTSIDE),
        *_rules(OUTSIDE),
        "",
        _alternatives("statement", STATEMENTS),
        *_rules(STATEMENTS),
        "",
        _alternatives("expression", EXPRESSIONS, "NAME", '"(" expression ")"'),
        *_rules(EXPRESSIONS),
        "",
        f"operator = {operators} ;",
        f"compared = {' | '.join(f'{chr(34)}{comparisons[item.__name__]}{chr(34)}' for item in COMPARISONS)} ;",
        END.strip(),
    ]
    rules = [line for number, line in enumerate(rules) if not line or line not in rules[:number]]
    parts = [
        "# Grammar",
        NOTICE,
        "A text is Python that Python's own parser reads, and that is never executed. These are all of its forms; a "
        "test holds them against the tables of the parser. Names in capitals are Python's tokens.",
        "```ebnf\n" + "\n".join(rules) + "\n```",
        "## Around functions",
        *_forms(OUTSIDE),
        "## Statements",
        "In a function with a buffer `A` of 16 `float32`, an integer `i` and a float `x`:",
        *_forms(STATEMENTS),
        "## Expressions",
        *_forms(EXPRESSIONS),
        "## What Python has and the language refuses",
        table(
            ("form", "example", "error", "write"),
            [
                (item.what, _one_line(item.example), f"`{item.code}`", item.instead)
                for item in REFUSED
            ],
        ),
    ]  # fmt: skip
    return "\n\n".join(parts) + "\n"


def _alternatives(name: str, forms: Sequence[Form], *more: str) -> str:
    return f"{name} = " + "\n    | ".join([*more, *(_symbol(form) for form in forms)]) + " ;"


def _one_line(example: str) -> str:
    return " ⏎ ".join(f"`{line.strip()}`" for line in example.splitlines())


def _rules(forms: Sequence[Form]) -> list[str]:
    return [f"{_symbol(form)} = {form.ebnf} ;" for form in forms]


def _symbol(form: Form) -> str:
    return form.rule.replace(" ", "_").replace("-", "_")


def _forms(forms: Sequence[Form]) -> list[str]:
    parts: list[str] = []
    for form in forms:
        shown = "\n".join(f"    {line}".rstrip() for example in form.examples for line in [*example.splitlines(), ""])
        parts.append(f"**{form.rule}**: {form.meaning}" + (f"\n\n{shown.rstrip()}" if form.examples else ""))
    return parts


# names

#: heading -> what belongs there, by the module of the function or the intrinsic
_FAMILIES: Mapping[str, tuple[str, ...]] = {
    "Functions and parameters": ("functions",),
    "Buffers and memory": ("buffers", "constants", "memory"),
    "Blocks": ("blocks", "T.axis"),
    "Loops": ("loops",),
    "Statements and threads": ("statements",),
    "Variables, constants, expression nodes": ("constructors",),
    "Reductions, maps of indices, tensors": ("te", "index_maps"),
    "Arithmetic and choice": ("derived", "control"),
    "Mathematics": ("math", "reference_math"),
    "Bits and conversion": ("bits",),
    "Vectors": ("vector",),
    "Synchronization of threads": ("sync",),
    "Matrix units": ("matrix",),
    "Calls out of the program": ("packed",),
    "Constant data": ("metadata",),
    "Names of the current TVM": ("v0_27", "device_namespaces", "builtins"),
}


def _intrinsic_modules() -> dict[Intrinsic, str]:
    """The module of each intrinsic: its family."""
    return {
        value: name
        for name, module in vars(intrinsics).items()
        if inspect.ismodule(module)
        for value in vars(module).values()
        if isinstance(value, Intrinsic)
    }


def names() -> str:
    """names.md: every name of `T` and `I` by family, with its signature and its meaning."""
    modules = _intrinsic_modules()
    families: dict[str, list[tuple[str, ...]]] = {}
    for name, value in _called(T, "T"):
        if is_dtype(name[2:]) or name[2:] in POINTERS:
            continue
        families.setdefault(_family(name, value, modules), []).append((f"`{name}`", *_signature(value)))
    dtypes = [name for name in dir(T) if is_dtype(name)]
    order = [*_FAMILIES, *sorted(set(families) - set(_FAMILIES))]
    parts = [
        "# Names of `T` and `I`",
        NOTICE,
        "Signatures leave out `span`. `Value` is an expression or a number, `Argument` may be a string or a buffer as "
        "well, `DTypeLike` is \"float32\" or `T.float32`. `help(T.block)` and editors show the same.",
        "## Data types",
        "Each makes a constant, converts an expression, makes a variable where it has no argument, and annotates "
        "parameters: " + ", ".join(f"`T.{name}`" for name in dtypes) + "; other widths and lanes are found as well "
        "(`T.int4`, `T.float32x2`).",
        "`T.handle` and `T.Ptr` are pointers: `T.handle(\"float32\", \"shared\")`.",
        "## Decorators",
        table(
            ("name", "options", "meaning"),
            [
                (f"`{value.name}`", ", ".join(f"`{option}`" for option in value.options), _meaning(value))
                for space in (T, I)
                for value in (getattr(space, name) for name in dir(space))
                if isinstance(value, Decorator)
            ],
        ),
    ]  # fmt: skip
    for heading in order:
        if heading in families:
            parts += [f"## {heading}", table(("name", "arguments", "meaning"), families[heading])]
    constants = [
        f"`T.{name}.{key}`"
        for name in dir(T)
        if isinstance(space := getattr(T, name), Namespace)
        for key in dir(space)
        if not isinstance(getattr(space, key), Builtin | Namespace)
    ]
    parts += ["## Constants", "How calls affect memory: " + ", ".join(constants) + "."]
    custom = "An operator that TVM does not have is called by its name: `T.custom_op.name(*args, dtype=None)`."
    parts += ["## Operators of users", f"{custom} The default of `dtype` is that of the first argument."]
    module_rows = [(f"`{name}`", *_signature(value)) for name, value in _called(I, "I")]
    parts += ["## Names of `I`", table(("name", "arguments", "meaning"), module_rows)]
    return "\n\n".join(parts) + "\n"


def _called(space: Any, name: str) -> Iterator[tuple[str, Builtin]]:
    for key in dir(space):
        value = getattr(space, key)
        if isinstance(value, Builtin):
            yield f"{name}.{key}", value
        elif isinstance(value, Namespace) and value is not space:
            yield from _called(value, f"{name}.{key}")


def _family(name: str, value: Builtin, modules: Mapping[Intrinsic, str]) -> str:
    offer = offer_of(value.function)
    module = modules.get(offer.intrinsic, "") if offer is not None else value.function.__module__.rpartition(".")[2]
    if name.startswith("T.axis."):
        module = "blocks"
    return next((heading for heading, parts in _FAMILIES.items() if module in parts), "More")


def _signature(value: Builtin) -> tuple[str, str]:
    made = inspect.signature(value)
    shown = [item.replace(annotation=inspect.Parameter.empty) for item in made.parameters.values()]
    return f"`{made.replace(parameters=shown, return_annotation=inspect.Signature.empty)}`", _meaning(value)


def _meaning(value: Any) -> str:
    return inspect.cleandoc(value.__doc__ or "").split("\n\n")[0].replace("\n", " ")


# errors

#: first digits of a code -> where the error comes from
_AREAS: Mapping[str, str] = {
    "TS10": "Building programs", "TS11": "Programs that are not well formed",
    "TS12": "Building graphs", "TS13": "Graphs that are not well formed", "TS14": "Tensor expressions",
    "TS20": "Reading texts", "TS22": "Names of the script in Python", "TS30": "Printing",
    "TS32": "Comparing programs", "TS40": "Arithmetic and passes", "TS41": "Schedules",
    "TS45": "Importing models", "TS50": "Running", "TS60": "Compiling with LLVM", "TS65": "Compiling for GPUs",
    "TS70": "Building and the command line", "TS80": "Testing",
}  # fmt: skip


def errors() -> str:
    """errors.md: every code, by area."""
    load_everything()
    rows: dict[str, list[tuple[str, ...]]] = {}
    for code, cls in sorted(TVMScriptError.catalogue.items()):
        rows.setdefault(_AREAS.get(code[:4], "More"), []).append((f"`{code}`", f"`{cls.__name__}`", f"{cls.message}"))
    parts = [
        "# Errors",
        NOTICE,
        "Every error has a code, and says where: `error.code`, `.line`, `.column`, `.span`, `.hint`. Where the reader "
        "can go on behind a mistake, one report tells several: `error.errors`. `tvmscript explain CODE` tells more. "
        "In the messages, names in braces are what was found.",
        "```python\n@T.prim_func\ndef f(A: T.Buffer((4,), \"float32\")):\n    A[0, 0] = 1.0  # error: TS1005\n"
        "    B[0] = 1.0  # error: TS2003\n```",
    ]  # fmt: skip
    for area in (*dict.fromkeys(_AREAS.values()), "More"):
        if area in rows:
            parts += [f"## {area}", table(("code", "class", "message"), rows[area])]
    return "\n\n".join(parts) + "\n"


def load_everything() -> None:
    """Import every module of the package: afterwards the catalogue has every error."""
    package = importlib.import_module("tvmscript")
    for module in pkgutil.walk_packages(package.__path__, "tvmscript."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)


#: name of a page in `grammar_docs/` -> how it is written
PAGES: Mapping[str, Callable[[], str]] = {
    "grammar.md": grammar,
    "names.md": names,
    "operators.md": operators,
    "errors.md": errors,
} | ({"differences.md": differences, "passes.md": passes, "schedule.md": schedules} if CASES.is_dir() else {})


def pages() -> Iterator[tuple[str, str]]:
    """Names of the generated pages, and texts."""
    for name, make in PAGES.items():
        yield name, make()
