"""Compile kernels of every form of access, loop and call, and compare with the interpreter."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from tvmscript.backends import interp, llvm
from tvmscript.backends.runtime.errors import ArgumentError
from tvmscript.backends.runtime.module import Module
from tvmscript.fuzz.codegen import accesses, arguments, calls, nests, small_floats, tails, transposes
from tvmscript.fuzz.codegen.running import Left, arrays_of, chosen, first_difference, is_cut, is_meant, left, told
from tvmscript.fuzz.codegen.writing import Written
from tvmscript.fuzz.errors import LevelsDisagree
from tvmscript.fuzz.guard_pages import guarded_allocations
from tvmscript.fuzz.observing import is_observed, observe
from tvmscript.fuzz.records.programs import observe_code
from tvmscript.fuzz.scripts import as_literal
from tvmscript.ir.arith.fold import is_const
from tvmscript.ir.core import DType, IRModule, Target, TVMScriptError, nodes
from tvmscript.ir.tir import BufferStore, For, PrimFunc
from tvmscript.ir.transform.pipeline import lower_for_llvm
from tvmscript.ir.transform.registry import get_pass
from tvmscript.parser import from_source

#: family -> writer of its kernels
FAMILIES: Final[dict[str, Callable[[random.Random], Written]]] = {
    "vectors": accesses.vectors,
    "elements": accesses.elements,
    "guarded_loads": accesses.guarded_loads,
    "tails": tails.tails,
    "short_memory": tails.short_memory,
    "small_floats": small_floats.small_floats,
    "transposes": transposes.transposes,
    "sums": nests.sums,
    "views": nests.views,
    "meet": nests.arguments_that_meet,
    "joined": nests.joined,
    "counted": nests.counted,
    "left": nests.left,
    "memory": nests.memory,
    "whiles": nests.whiles,
    "own_functions": calls.own_functions,
    "functions_of_buffers": calls.functions_of_buffers,
    "bare_handles": calls.bare_handles,
    "registered": calls.registered,
    "of_c": calls.of_c,
    "arguments": arguments.signature,
}
#: kernels without a packed form: dtypes that need ml_dtypes arrays, private functions
_NOT_PACKED: Final = re.compile(r'"(bfloat16|\w*float8\w*|\w+x\d)"|private=True')
_LINE: Final = re.compile(r"DILocation\(line: (\d+)")
#: lowering before code generation: none, the LLVM pipeline, the LLVM pipeline and packed functions
FORMS: Final = ("direct", "lowered", "packed")
_PACKED: Final = ("tir.MakePackedAPI", "tir.LowerTVMBuiltin")


@dataclass(frozen=True)
class Text:
    """A kernel as text, and how to compile and call it."""

    text: str
    level: int = 0
    form: str = "lowered"
    seed: int = 0
    sizes: Mapping[str, int] = field(default_factory=dict[str, int])
    shared: tuple[tuple[str, str, int], ...] = ()
    #: the seed that changes one argument; None for valid arguments
    wrong: int | None = None
    target: str = llvm.EXACT
    #: those of `Written`
    told: tuple[tuple[object, ...], ...] | None = None
    results: tuple[tuple[int, float], ...] = ()
    wide: str = ""
    #: whether to emit debug line information
    has_lines: bool = False


def forms_for(text: str) -> tuple[str, ...]:
    """List the forms that a kernel can be lowered to."""
    return ("direct", *FORMS[:-1]) if _NOT_PACKED.search(text) else ("direct", *FORMS)


def as_main(program: IRModule | PrimFunc) -> IRModule:
    """A module with a public `main`."""
    if isinstance(program, IRModule):
        return program
    return IRModule({"main": program.with_attr("global_symbol", "main")})


def formed(module: IRModule, form: str) -> IRModule:
    """Lower a module to a form."""
    if form == "direct":
        return module
    lowered = lower_for_llvm(module)
    if form == "packed":
        lowered = get_pass("tir.BindTarget", Target.make("llvm", host="llvm"))(lowered)
        for name in _PACKED:
            lowered = get_pass(name)(lowered)
    return lowered


def check(example: Text) -> None:
    """Raises `LevelsDisagree`."""
    module = as_main(from_source(example.text))
    func = module["main"]
    assert isinstance(func, PrimFunc)
    if is_observed():
        calls.register()
        lowered = formed(module, example.form)
        observe("lowered", lowered.script)
        observe_code(lowered, example.target, example.level, has_lines=example.has_lines)
        return
    run = example.seed, example.sizes, example.shared, example.wrong
    if example.told is not None:
        _check_told(example, module, func)
        return
    expected = left(interp.build(module), func, *run)
    if expected.raised is not None and (
        not is_meant(expected.raised) or (example.form == "packed" and is_cut(expected.raised))
    ):
        return
    with guarded_allocations(is_behind=example.seed % 2 == 1):
        after = left(_built(module, example), func, *run)
    if example.wide:
        wide = left(interp.build(as_main(from_source(example.wide))), func, *run)
        expected = replace(expected, arrays=chosen(func, expected.arrays, wide.arrays, after.arrays))
    _compare(f"LLVM at level {example.level}", func, expected, after, example)


def _built(module: IRModule, example: Text) -> Module:
    built = llvm.build(
        formed(module, example.form), target=example.target, opt_level=example.level, has_debug_info=example.has_lines
    )
    if example.has_lines and example.form == "direct":
        _check_lines(module, built.get_source("input"), example)
    return built


def _check_lines(module: IRModule, code: str, example: Text) -> None:
    """Check that debug locations are lines of statements, and that every store has one."""
    told = {int(line) for line in _LINE.findall(code)}
    all_nodes = [node for func in module.functions.values() for node in nodes(func)]
    stores = {node.span.line for node in all_nodes if isinstance(node, BufferStore) and node.span is not None}
    if any(isinstance(node, For) and is_const(node.extent, 0) for node in all_nodes):
        stores = set()  # of loops that never run there is no code
    lines = {node.span.line for node in all_nodes if node.span is not None}
    for what, wrong in (("a store without", stores - told), ("no statement of", told - lines)):
        if wrong and example.level < 2:
            raise LevelsDisagree(
                name="debug info", other="the text", buffer="line", index="", before=what, after=sorted(wrong)
            )


def _check_told(example: Text, module: IRModule, func: PrimFunc) -> None:
    """Check the calls that the registered function received, and the stored results."""
    assert example.told is not None
    record = calls.register()
    built = _built(module, example)
    after = left(built, func, example.seed, example.sizes)
    wanted = list(example.told)
    if example.form == "packed":  # TVM has no bool among the arguments of lowered calls
        wanted = [tuple(int(value) if isinstance(value, bool) else value for value in given) for given in wanted]
    facts: list[tuple[str, object, object]] = [("the calls", wanted, [*record])]
    should_fail = any(given and next(filter(_is_number, given), 0) == 13 for given in example.told)
    facts.append(("the error", ("ValueError", "thirteen") if should_fail else ("no error",), told(after.raised)))
    facts += [(f"B[{at}]", value, after.arrays[0][at].item()) for at, value in example.results if not should_fail]
    for what, before, got in facts:
        if repr(before) != repr(got):
            raise LevelsDisagree(
                name=f"LLVM at level {example.level}",
                other="Python",
                buffer=what,
                index="",
                before=repr(before),
                after=repr(got),
            )


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float))


def _compare(name: str, func: PrimFunc, before: Left, after: Left, example: Text) -> None:
    def differ(what: str, index: object, expected: object, got: object) -> None:
        raise LevelsDisagree(
            name=name, other="the interpreter", buffer=what, index=index, before=expected, after=got
        ) from (after.raised if isinstance(after.raised, TVMScriptError) else None)

    is_packed = example.form == "packed"
    if is_packed and isinstance(before.raised, ArgumentError):
        # packed functions report wrong arguments in other words
        if after.raised is None:
            differ("the error", "", told(before.raised), "none")
        return
    if told(before.raised) != told(after.raised):
        differ("the error", "", told(before.raised), told(after.raised))
    if type(before.returned) is not type(after.returned) or (
        before.returned != after.returned and before.returned == before.returned
    ):
        differ("the result", "", repr(before.returned), repr(after.returned))
    if any(word in example.text for word in ("T.parallel", "assert")) and before.raised is not None:
        return  # other threads may have progressed further
    shared = {name for name, *_ in example.shared}
    wanted: list[tuple[str, DType | None]] = [("", None)] * len(before.arrays)
    if example.wrong is None:
        wanted = [(name, dtype) for name, dtype in arrays_of(func) if name not in shared]
    for (buffer, dtype), old, new in zip(wanted, before.arrays, after.arrays, strict=True):
        at = first_difference(old, new, dtype)
        if at is not None:
            differ(buffer, list(at), old[at], new[at])


def write(example: Text) -> str:
    """Write the text and the settings of its run."""
    rest = {
        name: value
        for name, value in vars(example).items()
        if name != "text" and value != Text.__dataclass_fields__[name].default
    }
    listed = "".join(f", {name}={value!r}" for name, value in rest.items())
    return (
        "from tvmscript.fuzz.codegen.machine import Text, check\n\n"
        f"text = {as_literal(example.text)}\ncheck(Text(text{listed}))\n"
    )
