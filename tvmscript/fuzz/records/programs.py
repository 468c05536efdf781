"""Run the text of a program through what the package has for it, and observe what becomes of it.

Nothing is compared: what is wrong shows where the outcome is recorded.
"""

from __future__ import annotations

import ctypes
import random
import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from tvmscript import driver, graph_build
from tvmscript.backends import interp
from tvmscript.backends.cuda.device_state import MOST_DEVICES, Loader
from tvmscript.backends.cuda.host_code import launches_of
from tvmscript.backends.cuda.launcher import Launch, define_launcher
from tvmscript.backends.cuda.source import write_source
from tvmscript.backends.cuda.tensor_maps import ENCODE, Encoding
from tvmscript.backends.cuda.work import work_of_launch
from tvmscript.backends.interp.sanitizer import run_sanitized
from tvmscript.backends.llvm.assembly import ModuleText
from tvmscript.backends.llvm.entry import generate
from tvmscript.backends.llvm.target import Target
from tvmscript.backends.runtime.array import NDArray
from tvmscript.backends.runtime.random_inputs import random_inputs
from tvmscript.backends.vm.random_inputs import random_arguments
from tvmscript.fuzz.codegen.arguments import changed
from tvmscript.fuzz.observing import observe, observe_error
from tvmscript.fuzz.records.analyses import observe_analyses
from tvmscript.fuzz.records.arithmetic import observe_arithmetic
from tvmscript.ir.core import IRModule, Node, TVMScriptError, nodes, on
from tvmscript.ir.relax.function import Function
from tvmscript.ir.tir import Call, Evaluate, IntImm, PrimFunc, Stmt, TirRewriter
from tvmscript.ir.transform.pipeline import is_kernel, lower_for_llvm
from tvmscript.ir.transform.registry import get_pass
from tvmscript.language import I, R, T
from tvmscript.parser import from_source
from tvmscript.parser.python_file import definitions_of, language_names, read_definition
from tvmscript.parser.source.tree import SourceTree, text_source

#: a machine that does not depend on the one that this runs on: no host of LLVM has this triple, so that the sizes of
#: caches are those of the table of models
FIXED: Final = "llvm -mtriple=x86_64-pc-linux-gnu -mcpu=skylake-avx512"
#: addresses in this process, and numbers of kernels in it
_ADDRESS: Final = re.compile(r"(?<=inttoptr i64 )\d+|(?<=store i64 )\d+")
#: memory accesses of a run
_MOST: Final = 20_000
#: calls of a kernel with another argument
_WRONG_CALLS: Final = 8
#: options of printed texts
_OPTIONS: Final[tuple[Mapping[str, Any], ...]] = (
    {}, {"show_meta": True}, {"dialect": "0.27"}, {"syntax_sugar": False}, {"verbose_expr": True},
    {"show_all_struct_info": False},
)  # fmt: skip


def observe_code(module: IRModule, target: str = "", level: int = 3, *, has_lines: bool = False) -> None:
    """Observe the LLVM text of a lowered module for a fixed machine; `target` has options."""
    options = " ".join(each for each in target.split()[1:] if not each.startswith("-mcpu"))
    machine = Target.parse(f"{FIXED} {options}", level)
    observe("llvm", lambda: str(generate(module, machine, has_debug_info=has_lines)[0].text))


def observe_arrays(func: PrimFunc, values: Sequence[Any]) -> None:
    """Observe what is in arrays; floats only where no function of a mathematical library is called."""
    is_exact = not any(isinstance(node, Call) and node.dtype.is_floating for node in nodes(func))
    for value in values:
        array = value.on_host() if isinstance(value, NDArray) else value
        if isinstance(array, np.ndarray) and (is_exact or array.dtype.kind != "f"):
            observe(str(array.dtype), repr, array.tolist())


def check_program(text: str, stages: str = "") -> None:
    """Read a program, and run it through stages: print, parts, llvm, cuda, interp, without, wrong, graph, analyses,
    arith."""
    try:
        program = from_source(text)
    except TVMScriptError as error:
        observe_error(error)
        return
    if not stages:
        _print(program, _OPTIONS[1:2])
    module = program if isinstance(program, IRModule) else None
    if isinstance(program, PrimFunc | Function):
        module = IRModule({"main": program.with_attr("global_symbol", "main")})
    for stage in stages.split():
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            try:
                if stage == "print":
                    _print(program, _OPTIONS)
                elif stage == "parts":
                    _parts(program)
                elif module is not None:
                    _STAGES[stage](module)
            except TVMScriptError as error:
                observe_error(error)


def check_pass(text: str, call: str, *, is_well_formed: bool = True) -> None:
    """Run a pass, `relax.FuseOps(fuse_opt_level=2)`, over a module, and print the result."""
    try:
        module = from_source(text, check_well_formed=is_well_formed)
        if not isinstance(module, IRModule):
            module = IRModule({"main": module.with_attr("global_symbol", "main")})
        after = get_pass(call)(module)
        observe("unchanged" if after is module else "changed", after.script, show_meta=True)
    except TVMScriptError as error:
        observe_error(error)


def _print(program: Node, choices: Sequence[Mapping[str, Any]]) -> None:
    for options in choices:
        try:
            observe("printed", program.script, **options)
        except TVMScriptError as error:
            observe_error(error)


def _llvm(module: IRModule) -> None:
    observe_code(lower_for_llvm(module))


def _cuda(module: IRModule) -> None:
    lowered = driver.lower(module, "cuda -arch=sm_90a")
    _print(lowered, _OPTIONS[:1])  # what dialects of 0.17 have no text for has code
    for has_lines in (False, True):
        observe("cuda", _cuda_text, lowered, has_lines=has_lines)
    for kernel in (func for func in lowered.values() if isinstance(func, PrimFunc) and is_kernel(func)):
        observe("work", repr, work_of_launch(lowered, kernel))
    for waits in (False, True):
        for launch in launches_of(write_source(lowered), waits=waits):
            observe("launch", repr, launch)
            observe("launcher", _launcher_text, launch)
    for node in (node for func in lowered.values() for node in nodes(func)):
        if isinstance(node, Call) and node.op is ENCODE:
            observe("encode", _encoder_text, Encoding.from_call(node))


def _cuda_text(lowered: IRModule, *, has_lines: bool) -> str:
    return write_source(lowered, has_lines=has_lines).text


def _load_nothing(device: int) -> None:
    """Stand for what loads kernels for a device: the text alone is observed."""


def _launcher_text(launch: Launch) -> str:
    module = ModuleText()
    define_launcher(module, launch, (ctypes.c_void_p * MOST_DEVICES)(), Loader(_load_nothing), "launch")
    return _ADDRESS.sub("", str(module))


def _encoder_text(encoding: Encoding) -> str:
    module = ModuleText()
    encoding.define(module, Loader(_load_nothing), "encode")
    return f"{encoding} {_ADDRESS.sub('', str(module))}"


def _interp(module: IRModule) -> None:
    func = module["main"]
    if not isinstance(func, PrimFunc):
        return
    values = [each.value for each in random_inputs(func, 0)]
    report = run_sanitized(module, "main", values, limit=_MOST)
    for each in (*report.errors, *report.notes):
        observe_error(each)
    traffic = [(str(site.span), str(sums)) for site, sums in report.traffic.items()]
    observe("run", lambda: f"{report.blocks} {report.is_partial} {traffic}")
    observe_arrays(func, values)


class _Removal(TirRewriter):
    """Replace a statement by one without effect."""

    def __init__(self, removed: Evaluate) -> None:
        super().__init__()
        self.removed = removed

    @on(Evaluate)
    def evaluate(self, node: Evaluate) -> Evaluate:
        return Evaluate(IntImm("int32", 0)) if node is self.removed else node


def _without_calls(module: IRModule) -> None:
    """Run a kernel without each of its waits, fences, copies and barriers under the sanitizer."""
    func = module["main"]
    if isinstance(func, PrimFunc):
        for node in [node for node in nodes(func.body) if isinstance(node, Evaluate) and isinstance(node.value, Call)]:
            without = func.with_body(_Removal(node).rewrite(func.body))
            try:
                _interp(IRModule({"main": without}))
            except TVMScriptError as error:
                observe_error(error)


def _wrong(module: IRModule) -> None:
    """Call a kernel with arguments of which one is wrong, or another number."""
    func, built = module["main"], interp.build(module)["main"]
    if not isinstance(func, PrimFunc):
        return
    for seed in range(_WRONG_CALLS):
        values = changed(random.Random(seed), [each.value for each in random_inputs(func, seed)])
        try:
            observe("returned", repr, built(*values))
        except (TVMScriptError, TypeError, ValueError, OverflowError) as error:
            observe_error(error)


def _graph(module: IRModule) -> None:
    executable = graph_build.build(module, "interp", exec_mode="bytecode")
    observe("executable", executable.as_text)
    observe("stats", executable.stats)
    func = module["main"]
    if isinstance(func, Function):
        result: Any = executable.functions["main"](*random_arguments(func))
        observe("result", _described, result)


def _described(value: Any) -> str:
    """Describe a result of a graph: its form, and elements that are no floats."""
    if isinstance(value, (tuple, list)):
        return f"({', '.join(map(_described, value))})"
    if isinstance(value, NDArray):
        array = value.numpy()
        return f"{value.dtype}{value.shape}{array.tolist() if array.dtype.kind in 'biu' else ''}"
    return f"{type(value).__name__} {value if isinstance(value, (int, str)) else ''}"


def check_executed(text: str) -> None:
    """Execute a text as Python, whose decorators read its functions."""
    names: dict[str, Any] = {"T": T, "R": R, "I": I}
    try:
        exec(compile(text, "<executed>", "exec"), names)  # noqa: S102  # a text of a recorded example
    except TVMScriptError as error:
        observe_error(error)
    for name, value in names.items():
        if isinstance(value, (PrimFunc, Function, IRModule)):
            observe(name, value.script)


def check_file(text: str) -> None:
    """Read the definitions of a Python file."""
    try:
        tree = SourceTree(text_source(text))
        observe("names", repr, language_names(tree))
        for each in definitions_of(tree):
            observe(each.name, repr, (each.captures, each.needs, each.first_line, each.last_line(tree.source.lines)))
            if not each.needs:
                observe(each.name, read_definition(tree, each).script)
    except TVMScriptError as error:
        observe_error(error)


def _parts(program: Node) -> None:
    """Print a node of each class alone and underlined, by object and by path, and read it."""
    parts = {type(node).__name__: node for node in nodes(program)}
    for part in parts.values():
        marks: dict[str, Any] = {"obj_to_underline": [part], "num_context_lines": 2}
        if isinstance(part, Stmt):
            marks["obj_to_annotate"] = {part: "a remark"}
        try:
            text = part.script()
            observe("part", str, text)
            observe("marked", program.script, **marks)
            observe("again", from_source(text, check_well_formed=False).script)
        except TVMScriptError as error:
            observe_error(error)
    for path in (".body", '.functions["main"].body', ".body.block.body", ".params[0]", ".body.blocks[0].bindings[0]"):
        observe("path", program.script, path_to_underline=[path], underline_heads=True, path_to_annotate={path: "here"})


_STAGES: Final[Mapping[str, Callable[[IRModule], None]]] = {
    "llvm": _llvm, "cuda": _cuda, "interp": _interp, "without": _without_calls, "graph": _graph,
    "wrong": _wrong, "analyses": observe_analyses, "arith": observe_arithmetic,
}  # fmt: skip
