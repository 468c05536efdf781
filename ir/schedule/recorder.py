"""Base class of schedules: random variables, recording and rollback; and the decorator `@primitive`.

A primitive is a method with `@primitive`. It looks up its loops and blocks (`self.loop(rv)`, `self.block(rv)`), checks
its preconditions, builds new statements, puts them into the tree, and returns random variables
(`self.new_loops(refs)`). The decorator records the instruction, and rolls back where the method raises.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.core import GlobalVar, IRModule, Node, TVMScriptError
from tvmscript.ir.core.python_settings import without_collection
from tvmscript.ir.core.suggestions import UnknownAttribute, closest
from tvmscript.ir.schedule.errors import (
    NotSingleResult,
    RenderLevel,
    ScheduleError,
    UnknownRandomVariable,
    WrongArguments,
    listed,
)
from tvmscript.ir.schedule.instruction import Instruction, InstructionKind, Promises
from tvmscript.ir.schedule.random_engine import RandomEngine
from tvmscript.ir.schedule.random_variables import BlockRV, ExprRV, LoopRV
from tvmscript.ir.schedule.state import Mark, State
from tvmscript.ir.schedule.trace.trace import Trace
from tvmscript.ir.schedule.tree import MARKS, StmtRef, Tree
from tvmscript.ir.tir import Expr, IntImm, substitute

#: (module before the step, schedule) -> None; raises if the last step is wrong
Observer = Callable[[IRModule, "Recorder"], None]

F = TypeVar("F", bound=Callable[..., Any])
N = TypeVar("N", bound=Node)


class _Checkpoint(NamedTuple):
    """The state before a step, for rollback."""

    state: Mark
    numbers: int
    refs: int
    random: int
    steps: int


class Recorder:
    """The program, the values of the random variables, and the trace."""

    if not TYPE_CHECKING:  # a checker would take every name for an attribute

        def __getattr__(self, name: str) -> Any:
            raise UnknownAttribute(name, self)

    def __init__(
        self, state: State, *, error_render_level: RenderLevel = "detail", func_name: str | None = None
    ) -> None:
        self._state = state
        self.trace = Trace()
        self.random = RandomEngine()
        #: called after each step that may change the program
        self.observers: list[Observer] = []
        self.error_render_level: RenderLevel = error_render_level
        #: name of the function that `get_block` searches by default
        self.working_function: str | None = func_name
        self._refs: dict[BlockRV | LoopRV, StmtRef] = {}
        self._numbers: dict[ExprRV, int] = {}
        #: the decision of the running primitive
        self.decision: Any = None
        #: nesting of primitives; only the outermost one is recorded
        self._depth = 0

    @property
    def state(self) -> State:
        """The trees of the functions."""
        return self._state

    @property
    def mod(self) -> IRModule:
        """The current program."""
        return self.state.module

    @property
    def func_working_on(self) -> GlobalVar | None:
        """The function that `get_block` searches by default."""
        return None if self.working_function is None else self.mod.get_global_var(self.working_function)

    @property
    def enable_check(self) -> bool:
        """Whether primitives run the checks that inspect a whole scope."""
        return self.state.enable_check

    @property
    def last_primitive(self) -> str:
        """The name of the last recorded primitive."""
        return self.trace.insts[-1].kind.method

    # values of random variables

    def loop(self, loop: LoopRV) -> StmtRef:
        """Return the loop of a random variable. Raises `UnknownRandomVariable`."""
        return self._find(loop, "loop")

    def block(self, block: BlockRV | str) -> StmtRef:
        """Return the block of a random variable or name. Raises `UnknownRandomVariable`, `NotSingleResult`."""
        return self.named_block(block, None) if isinstance(block, str) else self._find(block, "block")

    def location(self, loop: LoopRV) -> StmtRef:
        """Return a loop, or a mark of `sample_compute_location`. Raises `UnknownRandomVariable`."""
        mark = self._refs.get(loop)
        return mark if mark in MARKS else self.loop(loop)

    def place(self, variable: BlockRV | LoopRV) -> StmtRef:
        """Return the block or loop of a random variable. Raises `UnknownRandomVariable`."""
        return self.block(variable) if isinstance(variable, BlockRV) else self.loop(variable)

    def _find(self, variable: BlockRV | LoopRV, kind: str) -> StmtRef:
        ref = self._refs.get(variable)
        if ref is None or ref.stmt is None or ref.is_block is not (kind == "block"):
            is_random_variable = isinstance(variable, (BlockRV, LoopRV))  # callers without types pass anything
            raise UnknownRandomVariable(what=f"this {kind}" if is_random_variable else f"{variable!r}", kind=kind)
        return ref

    def named_block(self, name: str, function: str | None) -> StmtRef:
        """Return the only block of this name. Raises `NotSingleResult`, `UnknownName`, `NotSchedulable`."""
        tree = self.tree(function)
        blocks: list[StmtRef] = [*tree.named.get(name, ())]
        if len(blocks) != 1:
            names = [block_name for block_name, refs in tree.named.items() if refs]
            legal = None if blocks else closest(name, names) or f"the blocks are {listed(names)}"
            problem = f"{len(blocks)} blocks are named {name}" if blocks else f"no block is named {name}"
            raise NotSingleResult(
                problem=problem, name=name, function=tree.name, at=[ref.block for ref in blocks], legal=legal
            )
        return blocks[0]

    def tree(self, function: str | None) -> Tree:
        """Return the tree of a function; of the current one for None."""
        return self.state.tree(function or self.working_function or "main")

    def evaluate(self, value: object) -> Any:
        """Substitute the sampled numbers into an expression and simplify it; a constant becomes a Python int."""
        if isinstance(value, Expr):
            value = Analyzer().simplify(self.substitute_samples(value))
            if isinstance(value, IntImm):
                return value.value
        return value

    def substitute_samples(self, node: N) -> N:
        """Substitute the sampled numbers for the random variables of an expression or index map."""
        return substitute(node, {var: IntImm(var.dtype, number) for var, number in self._numbers.items()})

    def new_block(self, ref: StmtRef) -> BlockRV:
        """Return a new random variable for a block."""
        variable = BlockRV(ref.block.name_hint if ref.stmt is not None and ref.is_block else "")
        self._refs[variable] = ref
        return variable

    def new_loop(self, ref: StmtRef) -> LoopRV:
        """Return a new random variable for a loop."""
        variable = LoopRV("" if ref in MARKS or ref.stmt is None else ref.loop.loop_var.name)
        self._refs[variable] = ref
        return variable

    def new_blocks(self, refs: Iterable[StmtRef]) -> list[BlockRV]:
        """Return new random variables for blocks."""
        return [self.new_block(ref) for ref in refs]

    def new_loops(self, refs: Iterable[StmtRef]) -> list[LoopRV]:
        """Return new random variables for loops."""
        return [self.new_loop(ref) for ref in refs]

    def new_number(self, value: int) -> ExprRV:
        """Return a new random variable for a sampled number."""
        variable = ExprRV(f"v{len(self._numbers)}", "int32")
        self._numbers[variable] = value
        return variable

    def attempt(self, name: str, step: Callable[[], object]) -> ScheduleError | None:
        """Run a step of the primitive `name`, roll it back, and return the error that it raised, if any."""
        refusal: ScheduleError | None = None
        before = self._checkpoint()
        self._depth += 1
        try:
            step()
        except ScheduleError as error:
            refusal = error
        finally:
            self._depth -= 1
            self._restore(before)
        return refusal and self._complete_error(name, refusal)

    def _checkpoint(self) -> _Checkpoint:
        mark, steps = self.state.mark(), len(self.trace.insts)
        return _Checkpoint(mark, len(self._numbers), len(self._refs), self.random.state, steps)

    def _restore(self, before: _Checkpoint) -> None:
        self.state.rollback(before.state)
        self.random.state = before.random
        self.decision = None
        while len(self._numbers) > before.numbers:
            self._numbers.popitem()
        while len(self._refs) > before.refs:
            self._refs.popitem()
        while len(self.trace.insts) > before.steps:
            self.trace.pop()

    def _complete_error(self, name: str, error: ScheduleError) -> ScheduleError:
        """Set the primitive and program of an error, unless a nested step has set them."""
        if error.primitive is None:
            error.primitive, error.module, error.level = name, self.mod, self.error_render_level
        return error

    @without_collection
    def run(
        self, kind: InstructionKind, prepare: Callable[[], None], step: Callable[[], Any], values: Mapping[str, object]
    ) -> Any:
        """Run a step atomically and record it; a nested step is not recorded.

        `prepare` normalizes the arguments; the instructions that it runs (`get_block`) are recorded before the step.
        """
        if self._depth:
            prepare()
            return step()
        self.state.commit()
        start = self._checkpoint()
        before = self.mod if self.observers and not kind.is_pure else None
        is_done = False
        try:
            prepare()
            output = self._run_nested(step)
            is_done = True
        except ScheduleError as error:
            self._restore(start)
            self._complete_error(kind.method, error)
            raise
        finally:
            if not is_done:
                self._restore(start)
        self.trace.append(_instruction(kind, values, output), self.decision)
        self.decision = None
        if before is not None:
            self._run_observers(before, start)
        self.state.commit()
        return output

    def _run_nested(self, step: Callable[[], Any]) -> Any:
        self._depth += 1
        try:
            return step()
        finally:
            self._depth -= 1

    def _run_observers(self, before: IRModule, start: _Checkpoint) -> None:
        """Call the observers; roll back the last step if one of them raises."""
        try:
            for observe in self.observers:
                observe(before, self)
        except TVMScriptError:
            self._restore(start)
            raise


#: (schedule, all arguments, argument) -> the argument in the form that traces have; a block name becomes the block
Normalizer = Callable[[Any, dict[str, Any], Any], Any]
#: parameter name -> its normalizer
NORMALIZERS: dict[str, Normalizer] = {}


def normalizer(*parameters: str) -> Callable[[Normalizer], Normalizer]:
    """Register a function as the normalizer of the parameters of these names."""

    def register(function: Normalizer) -> Normalizer:
        NORMALIZERS.update(dict.fromkeys(parameters, function))
        return function

    return register


def primitive(
    name: str,
    *,
    inputs: tuple[str, ...] = (),
    attrs: tuple[str, ...] = (),
    pure: bool = False,
    decides: bool = False,
    normal: Mapping[str, Normalizer] | None = None,
    promises: Promises | None = None,
) -> Callable[[F], F]:
    """Make a method a primitive with TVM's instruction name; `inputs` and `attrs` are parameters, in TVM's order.

    A `pure` primitive does not change the program. One that `decides` sets `self.decision` and takes a parameter
    `decision`. `normal` holds normalizers for parameters of this primitive alone.
    """

    def wrap(function: F) -> F:
        signature = inspect.signature(function)
        parameters = signature.parameters.values()
        kind = InstructionKind(
            name=name,
            method=function.__name__,
            inputs=inputs,
            attrs=attrs,
            is_pure=pure,
            has_decision=decides,
            parameters=tuple(signature.parameters)[1:],
            star=next((param.name for param in parameters if param.kind is param.VAR_POSITIONAL), None),
            booleans=frozenset(param.name for param in parameters if isinstance(param.default, bool)),
            gives_list=str(signature.return_annotation).startswith("list"),
            promises=promises or Promises(),
        )
        InstructionKind.registry[name] = kind
        checks = _checks(signature)
        leading = [param.name for param in parameters if param.kind is param.POSITIONAL_OR_KEYWORD]
        bind = _binder(signature, leading, kind.star)

        @functools.wraps(function)
        def step(self: Recorder, *args: object, **kwargs: Any) -> Any:
            try:
                values = bind(self, *args, **kwargs)
            except TypeError as error:
                unknown = next((name for name in kwargs if name not in signature.parameters), None)
                problem = str(error) if unknown is None else f"there is no argument {unknown}"
                raise _wrong_arguments(kind, signature, problem) from None
            for check in checks:
                value = values[check.parameter]
                if not (value is None and check.is_optional) and not check.is_fitting(value):
                    problem = f"{check.parameter} takes {check.expected}, but got {value!r}"
                    raise _wrong_arguments(kind, signature, problem)

            def prepare() -> None:
                for name in signature.parameters:
                    normalize = (normal or {}).get(name) or NORMALIZERS.get(name)
                    if normalize is not None:
                        values[name] = normalize(self, values, values[name])

            def call() -> Any:
                named = {**values}
                args = [] if kind.star is None else [*map(named.pop, leading), *named.pop(kind.star)]
                return function(*args, **named)

            return self.run(kind, prepare, call, values)

        return cast(F, step)

    return wrap


def _binder(signature: inspect.Signature, leading: list[str], star: str | None) -> Callable[..., dict[str, Any]]:
    """Return a function that binds arguments to names as `signature.bind` does, but much faster."""
    defaults = {
        param.name: param.default for param in signature.parameters.values() if param.default is not param.empty
    }

    def bind(*args: object, **kwargs: object) -> dict[str, Any]:
        values: dict[str, Any] = dict(zip(leading, args, strict=False))
        if star is not None:
            values[star] = args[len(leading) :]
        if (star is not None or len(args) <= len(leading)) and values.keys().isdisjoint(kwargs):
            values = {**defaults, **values, **kwargs}
            if values.keys() == signature.parameters.keys():
                return values
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        return bound.arguments

    return bind


def _wrong_arguments(kind: InstructionKind, signature: inspect.Signature, problem: str) -> WrongArguments:
    """Return the error of a call, with the signature of the primitive as a hint."""
    parameters = [parameter.replace(annotation=parameter.empty) for parameter in signature.parameters.values()]
    form = signature.replace(parameters=parameters[1:], return_annotation=signature.empty)
    return WrongArguments(primitive=kind.method, problem=problem, hint=f"write {kind.method}{form}")


class _Check(NamedTuple):
    """A parameter whose values have a type of `_TYPES`."""

    parameter: str
    is_optional: bool
    expected: str
    is_fitting: Callable[[object], bool]


def _checks(signature: inspect.Signature) -> list[_Check]:
    """Return the checks of arguments. Loops and blocks are checked where they are looked up."""
    checks: list[_Check] = []
    for parameter in signature.parameters.values():
        annotation = str(parameter.annotation)
        form = annotation.removesuffix(" | None")
        for text, expected, is_fitting in _TYPES:
            if form == text or (form.startswith("Sequence[") and text == "Sequence"):
                checks.append(_Check(parameter.name, form != annotation, expected, is_fitting))
    return checks


def _is_sequence(value: object) -> bool:
    return hasattr(value, "__iter__") and not isinstance(value, (str, bytes))


#: an annotation, its text in a message, and whether a value fits
_TYPES: tuple[tuple[str, str, Callable[[object], bool]], ...] = (
    ("str", "a string", lambda value: isinstance(value, str)),
    ("Sequence", "a list", _is_sequence),
    ("bool", "True or False", lambda value: isinstance(value, Expr) or hasattr(value, "__index__")),
    ("int", "a number", lambda value: value is not None and not isinstance(value, (float, list, tuple, bytes))),
)


def _instruction(kind: InstructionKind, values: Mapping[str, Any], result: Any) -> Instruction:
    outputs = () if result is None else tuple(result) if isinstance(result, list) else (result,)
    inputs: list[Any] = []
    for name in kind.inputs:
        if name.startswith("*"):
            inputs += values[name[1:]]
        else:
            inputs.append(values[name])
    return Instruction(kind, tuple(inputs), tuple(values[name] for name in kind.attrs), outputs)
