"""Lower and build programs: `lower`, `build`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tvmscript.backends.runtime.module import BuiltFunction, Module
from tvmscript.ir.analysis.from_te import is_from_te
from tvmscript.ir.core import BaseFunc, IRModule, Target, TVMScriptError, WrongType, closest, nodes
from tvmscript.ir.core.errors import WrongArgumentCount
from tvmscript.ir.core.lazy import lazy_names
from tvmscript.ir.core.python_settings import deep_recursion, without_collection
from tvmscript.ir.core.targets.cuda import with_device_arch
from tvmscript.ir.tir import PrimFunc
from tvmscript.ir.tir.function import compile_function
from tvmscript.ir.tir.stmt import LAUNCHES, AttrStmt
from tvmscript.ir.tir.verify import verify_symbols
from tvmscript.ir.transform.context import PassContext

if TYPE_CHECKING:
    from tvmscript.backends.llvm.object_cache import Key
    from tvmscript.ir.schedule.default.schedule_rule import ScheduleRule


class GraphNotBuilt(TVMScriptError, code="TS7002"):
    """The module has Relax functions, which no backend compiles. A module of its PrimFuncs alone can be built."""

    message = "build does not compile Relax functions, but the module has {names}"
    advice = "build a module of its PrimFuncs alone"


class UnknownTarget(TVMScriptError, code="TS7001"):
    """No backend exists for the target kind."""

    message = "there is no backend for the target {target}"


def as_module(program: object) -> IRModule:
    """Return the program as a module. A function without `global_symbol` becomes `main`.

    Raises `WrongType` if the program is neither a module nor a function.
    """
    if isinstance(program, IRModule):
        return program
    if isinstance(program, PrimFunc) and "global_symbol" not in program.attrs:
        program = program.with_attr("global_symbol", "main")
    if isinstance(program, BaseFunc):
        return IRModule.from_expr(program)
    from tvmscript.undecorated import describe, propose

    raise WrongType(where="build", expected="a module or a function", got=describe(program), hint=propose(program))


def lower(
    program: Any,
    target: Any = None,
    name: str | None = None,
    *,
    args: Sequence[Any] | None = None,
    binds: Mapping[Any, Any] | None = None,
    simple_mode: bool = False,
) -> IRModule:
    """Lower a module, a function or a TE schedule to loops over flat memory.

    The arguments of a schedule come second: `lower(s, [A, B, C], name="main", simple_mode=True)`; `binds` gives buffers
    to tensors.

    A function becomes the function `name`, or `main`, of a module. Without a target, return what `tvm.lower` returns;
    `simple_mode` skips loop partitioning. With a target, return the input of its backend: functions for a CPU; kernels
    and host functions that launch them for a device. The current `PassContext` applies. Raises `UnknownTarget`,
    `WrongType`, `InvalidTarget`, and the errors of passes.
    """
    # a program that the cache has needs no passes
    from tvmscript.ir.transform import pipeline

    if hasattr(program, "to_module"):  # a TE schedule
        given = args if args is not None else target or ()
        program, target = program.to_module(given, name or "main", binds), None
    if isinstance(program, PrimFunc) and (name is not None or target is None):
        program = program.with_attr("global_symbol", name or "main")
        if target is None and PassContext.current().config.get("tir.noalias", True):
            program = program.with_attr("tir.noalias", True)
    module = as_module(program)
    if target is None:
        return pipeline.lower(module, is_simple=simple_mode)
    resolved = Target.make(target)
    if resolved.kind == "interp":
        return pipeline.lower(module, is_simple=simple_mode)
    if resolved.kind == "llvm":
        return pipeline.lower_for_llvm(module)
    if resolved.kind == "c":
        return pipeline.lower_for_c(module)
    if "gpu" in resolved.keys:
        host = resolved.host or Target.make("llvm")
        module = _launch_scopes(module)
        return pipeline.lower_for_device(module, Target.make(with_device_arch(resolved).without_host(), host=host))
    raise UnknownTarget(target=repr(str(target)), hint="use llvm, c, interp or a GPU target")


@dataclass(frozen=True)
class _Options:
    """Options of `build` that backends implement."""

    check_bounds: bool = False
    allow_out_of_bounds: bool = False
    default_schedule: bool = True


def _llvm(program: IRModule, target: str, options: _Options) -> Module:
    from tvmscript.backends.llvm.target import Target as Machine
    from tvmscript.cached_build import build_cached

    def lower_checked(module: IRModule) -> IRModule:
        from tvmscript.ir.transform import pipeline

        module = _check_accesses(module, options)
        if options.default_schedule:
            module = _apply_default_schedule(module, Target.make(target))
        return pipeline.lower_for_llvm(module)

    has_debug_info = bool(PassContext.current().config.get("tir.enable_debug", False))
    if has_debug_info or not Machine.parse(target).is_host:
        from tvmscript.backends import llvm

        return llvm.build(lower_checked(program), target=target, has_debug_info=has_debug_info)
    return build_cached(program, target, str(options), lower_checked)


def _c(program: IRModule, target: str, options: _Options) -> Module:
    from tvmscript.backends import c
    from tvmscript.ir.transform import pipeline

    return c.build(pipeline.lower_for_c(_check_accesses(program, options)))


def _cuda(program: IRModule, target: str, options: _Options) -> Module:
    from tvmscript.backends import cuda
    from tvmscript.ir.transform import pipeline

    resolved = Target.make(target)
    arch = str(with_device_arch(resolved).options.get("arch") or cuda.DEFAULT_ARCH)
    device = Target.make({**resolved.options, "kind": "cuda", "arch": arch, "host": "llvm"})
    program = _check_accesses(_launch_scopes(program), options)
    if options.default_schedule:
        program = bind_to_threads(program, device)
    lowered = pipeline.lower_for_device(program, device)
    has_lines = bool(PassContext.current().config.get("tir.enable_debug", False))
    return cuda.build(lowered, arch=arch, is_fixed="arch" in resolved.options, has_lines=has_lines)


def _nvptx(program: IRModule, target: str, options: _Options) -> Module:
    from tvmscript.backends import nvptx
    from tvmscript.ir.transform import pipeline

    machine = nvptx.Machine.parse(target)
    # schedules and passes know the device by its other name
    device = Target.make({"kind": "cuda", "arch": machine.arch, "host": "llvm"})
    program = _check_accesses(_launch_scopes(program), options)
    if options.default_schedule:
        program = bind_to_threads(program, device)
    return nvptx.build(pipeline.lower_for_device(program, device, left_out=nvptx.LEFT_OUT), machine)


def _launch_scopes(program: IRModule) -> IRModule:
    """Launch the threads whose ids are defined by scopes."""
    from tvmscript.ir.transform.threads.lower_scope_ids import LowerScopeIds

    launched: IRModule = LowerScopeIds()(program)
    return launched


def _check_accesses(program: IRModule, options: _Options) -> IRModule:
    """Refuse accesses that leave their buffers, and add checks of the others, as the options say."""
    if not options.allow_out_of_bounds:
        _refuse_out_of_bounds(program)
    if not options.check_bounds:
        return program
    from tvmscript.ir.transform.registry import get_pass

    checked: IRModule = get_pass("tir.AssertBounds")(program)
    return checked


def default_rules(target: Target) -> tuple[ScheduleRule, ...]:
    """Return the rules by which `build` schedules functions for a target, the first one first."""
    if "gpu" not in target.keys:
        from tvmscript.ir.schedule.default.cpu.cpu_rule import Default

        return (Default(),)
    from tvmscript import kernels
    from tvmscript.ir.schedule.default import gpu

    return tuple([rule() for rule in (*kernels.RULES, *gpu.RULES)])


def _apply_default_schedule(program: IRModule, target: Target) -> IRModule:
    """Schedule the functions of a module that no schedule has touched."""
    from tvmscript.ir.schedule.default.schedule_rule import ApplyDefaultSchedule

    with target:
        scheduled: IRModule = ApplyDefaultSchedule(*default_rules(target))(program)
    return scheduled


def bind_to_threads(program: IRModule, device: Target) -> IRModule:
    """Schedule the functions of a module that no schedule has touched for a GPU."""
    from tvmscript.ir.transform import pipeline

    if any(isinstance(func, PrimFunc) and is_from_te(func) and not _has_launches(func) for func in program.values()):
        # recurrences have no blocks: rules see loops over arrays in place of realized regions
        with PassContext(config={**PassContext.current().config, "tir.disable_cse_tir": True}):
            program = pipeline.lower(program, is_simple=True)
    return _apply_default_schedule(program, device)


def _has_launches(func: PrimFunc) -> bool:
    """Return whether a function has threads."""
    return any(isinstance(node, AttrStmt) and node.attr_key in LAUNCHES for node in nodes(func.body))


def cache_key(program: object, target: object = "llvm") -> Key | None:
    """Return the key under which `build` caches a program for a CPU, None where the cache is turned off."""
    from tvmscript.backends.llvm.target import Target as Machine
    from tvmscript.cached_build import cache_key as cache_key_of

    return cache_key_of(as_module(program), Machine.parse(as_target_text(target)), str(_Options()))


def _interp(program: IRModule, target: str, options: _Options) -> Module:
    from tvmscript.backends import interp
    from tvmscript.ir.transform import pipeline

    if any(isinstance(func, PrimFunc) and is_from_te(func) for func in program.values()):
        program = pipeline.lower(program, is_simple=True)  # the interpreter has no realized regions
    return interp.build(program)


def _refuse_out_of_bounds(program: IRModule) -> None:
    """Raise `AccessOutOfBounds` for the first access that leaves its buffer whenever it runs."""
    from tvmscript.ir.analysis.access.out_of_bounds import check_bounds as find_accesses
    from tvmscript.ir.analysis.access.plain_bounds import stays_plainly_inside

    for func in program.values():
        if not isinstance(func, PrimFunc) or stays_plainly_inside(func):
            continue
        for finding in find_accesses(func, _CHECKED_NODES):
            if finding.is_wrong_access:
                error = finding.error()
                error.hint = "to build it all the same: build(..., allow_out_of_bounds=True)"
                raise error


#: nodes of expressions that are evaluated to find accesses that leave their buffers: some tenths of a second
_CHECKED_NODES = 400_000
#: target kind -> builder; a backend is imported when it is used
BACKENDS: dict[str, Callable[[IRModule, str, _Options], Module]] = {
    "llvm": _llvm,
    "c": _c,
    "cuda": _cuda,
    "nvptx": _nvptx,
    "interp": _interp,
}


@deep_recursion
@without_collection
def build(
    program: Any,
    *given: Any,
    target: Any = "llvm",
    args: Sequence[Any] | None = None,
    name: str | None = None,
    target_host: object = None,
    binds: Mapping[Any, Any] | None = None,
    check_bounds: bool = False,
    allow_out_of_bounds: bool = False,
    default_schedule: bool = True,
) -> Module:
    """Compile a module, a function or a TE schedule: `build(module, target)`, `build(s, [A, B, C], target)`.

    `target` is "llvm", with LLVM's options ("llvm -mcpu=znver4"), "interp", the reference interpreter, or "c": standard
    C text, which `get_source` returns, and which a C compiler of the machine makes callable. The option
    `tir.enable_debug` of the pass context adds debug information with the lines of the script, for gdb and perf.
    `name` renames a function; a dict maps targets to modules. The host is the target itself.

    LLVM gets functions that no schedule has touched with a default schedule (`tvmscript.dlight.cpu`), unless they have
    the attribute `tir.is_scheduled` or `default_schedule` is False.

    Machine code is cached in memory and on disk (`tvmscript cache`; TVMSCRIPT_CACHE=0 turns it off): a program that was
    built before, for the same target and options, is not lowered and compiled again.

    Accesses that are proven to leave their buffers are refused, unless `allow_out_of_bounds`. With `check_bounds`
    compiled code checks the others that are not proven to stay inside before it does them, and raises
    `KernelAssertion`, as the interpreter raises `OutOfBounds`.

    Call a function by `built["name"](a, b, c)`. Arguments are NumPy arrays, tvm-ffi tensors or DLPack objects; results
    are written in place. Raises `UnknownTarget`, `WrongType`, `GraphNotBuilt`, `AccessOutOfBounds`, and the errors of
    passes and backends.
    """
    args, target = _positional(given, args, target)
    if hasattr(program, "to_module"):  # a TE schedule
        # loops in order are no kernel: the default schedule of the device begins with blocks
        is_for_device = default_schedule and as_target_text(target).split()[:1] in (["cuda"], ["nvptx"])
        program = program.to_module(args or (), name or "default_function", binds, prefers_blocks=is_for_device)
    if isinstance(program, Mapping):
        parts = [
            build(
                part,
                key,
                check_bounds=check_bounds,
                allow_out_of_bounds=allow_out_of_bounds,
                default_schedule=default_schedule,
            )
            for key, part in program.items()
        ]
        return parts[0] if len(parts) == 1 else Module({key: item for part in parts for key, item in part.items()})
    text = as_target_text(target)
    build_module = BACKENDS.get(text.split()[0] if text.split() else "")
    if build_module is None:
        hint = closest(text, BACKENDS) or f"the targets are {', '.join(sorted(BACKENDS))}"
        raise UnknownTarget(target=repr(text), hint=hint)
    if name is not None and isinstance(program, PrimFunc):
        program = program.with_attr("global_symbol", name)
    module = as_module(program)
    verify_symbols(module)
    _refuse_graphs(module)
    return build_module(module, text, _Options(check_bounds, allow_out_of_bounds, default_schedule))


def schedule_to_module(
    sch: Any, args: Sequence[Any] | None = None, name: str = "main", binds: Mapping[Any, Any] | None = None
) -> IRModule:
    """Return a module with a function that does what a TE schedule says, before any pass."""
    module: IRModule = sch.to_module(args or (), name, binds)
    return module


def _positional(given: tuple[Any, ...], args: Any, target: Any) -> tuple[Any, Any]:
    """Return the arguments and the target of `build`, of which either may come second.

    Raises `WrongArgumentCount` for more than arguments, a target and a host.
    """
    if len(given) > 3:
        raise WrongArgumentCount(where="build", expected="at most 4 positional arguments", got=len(given) + 1)
    rest = list(given)
    if rest and (isinstance(rest[0], (list, tuple)) or len(rest) > 1):
        args = rest.pop(0)
    return args, rest[0] if rest else target


def _refuse_graphs(program: IRModule) -> None:
    """Raise `GraphNotBuilt` for Relax functions."""
    if all(isinstance(func, PrimFunc) for func in program.values()):
        return
    from tvmscript.ir.relax.function import Function

    graphs = [var.name_hint for var, func in program.items() if isinstance(func, Function)]
    if graphs:
        raise GraphNotBuilt(names=", ".join(graphs), span=program[graphs[0]].span)


@compile_function.fill
def _compile(func: PrimFunc, target: Target | None) -> BuiltFunction:
    return build(func, target).entry_func


def as_target_text(target: object) -> str:
    """Return the text of a target; without one it is the current target, or llvm."""
    given = Target.current() if target is None else target
    if isinstance(given, Mapping):
        given = Target.make(given)
    return "llvm" if given is None else str(given)


# TVM's modules below this one are found by `tvm_names`
__path__: list[str] = []
__getattr__, __dir__ = lazy_names(__name__, {})
