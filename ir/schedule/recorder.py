"""What primitives stand on: a schedule without any.

A primitive is a method with `@primitive`. It looks its loops and blocks up (`self.loop(rv)`, `self.block(rv)`), checks
what it needs, makes new statements and puts them into the tree; what comes out is given out as random variables
(`self.new_loops(refs)`). Recording, and undoing what an error leaves behind, is done around it.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar, cast

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.core.errors import TVMScriptError
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.core.node import Node
from tvmscript.ir.core.suggestions import closest
from tvmscript.ir.schedule.errors import NotSingleResult, RenderLevel, ScheduleError, UnknownRandomVariable, listed
from tvmscript.ir.schedule.instruction import Instruction, InstructionKind, Promises
from tvmscript.ir.schedule.random_engine import RandomEngine
from tvmscript.ir.schedule.random_variables import BlockRV, ExprRV, LoopRV
from tvmscript.ir.schedule.state import Mark, State
from tvmscript.ir.schedule.trace.trace import Trace
from tvmscript.ir.schedule.tree import MARKS, StmtRef, Tree
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.expr import IntImm
from tvmscript.ir.tir.substitute import substitute

#: (the program before, the schedule): looks at the step that was done last, and raises where it is wrong
Observer = Callable[[IRModule, "Recorder"], None]

F = TypeVar("F", bound=Callable[..., Any])
N = TypeVar("N", bound=Node)


class _Checkpoint(NamedTuple):
    """What a step can change, as it was before the step."""

    state: Mark
    numbers: int
    refs: int
    random: int
    steps: int


class Recorder:
    """The program, what the random variables stand for, and the trace so far."""

    def __init__(
        self,
        mod: IRModule,
        *,
        error_render_level: RenderLevel = "detail",
        enable_check: bool = True,
        func_name: str | None = None,
    ) -> None:
        self.state = State(mod, enable_check)
        self.trace = Trace()
        #: where random numbers come from
        self.random = RandomEngine()
        #: called after each step that may change the program
        self.observers: list[Observer] = []
        self.error_render_level: RenderLevel = error_render_level
        #: the function that `get_block` looks in
        self.func_working_on = func_name
        self._refs: dict[BlockRV | LoopRV, StmtRef] = {}
        self._numbers: dict[ExprRV, int] = {}
        #: what the primitive that runs drew
        self.decision: Any = None
        #: primitives that run inside of others are not recorded
        self._depth = 0

    @property
    def mod(self) -> IRModule:
        """The program as it is now."""
        return self.state.module

    @property
    def enable_check(self) -> bool:
        """Whether primitives check what can only be seen by looking at a whole scope."""
        return self.state.enable_check

    @property
    def last_primitive(self) -> str:
        """The name of the primitive that was done last."""
        return self.trace.insts[-1].kind.method

    # what random variables stand for

    def loop(self, loop: LoopRV) -> StmtRef:
        """The loop of a random variable. Raises `UnknownRandomVariable`."""
        return self._find(loop, "loop")

    def block(self, block: BlockRV | str) -> StmtRef:
        """The block of a random variable, or of a name. Raises `UnknownRandomVariable`, `NotSingleResult`."""
        return self.named_block(block, None) if isinstance(block, str) else self._find(block, "block")

    def location(self, loop: LoopRV) -> StmtRef:
        """The loop of a random variable, or a mark of `sample_compute_location`. Raises `UnknownRandomVariable`."""
        mark = self._refs.get(loop)
        return mark if mark in MARKS else self.loop(loop)

    def place(self, variable: BlockRV | LoopRV) -> StmtRef:
        """The block or loop of a random variable. Raises `UnknownRandomVariable`."""
        return self.block(variable) if isinstance(variable, BlockRV) else self.loop(variable)

    def _find(self, variable: Any, what: str) -> StmtRef:
        ref: StmtRef | None = self._refs.get(variable)
        if ref is None or ref.stmt is None or ref.is_block is not (what == "block"):
            gone = f"the {what}" if isinstance(variable, BlockRV | LoopRV) else f"{variable!r}, which is no {what},"
            raise UnknownRandomVariable(what=gone)
        return ref

    def named_block(self, name: str, function: str | None) -> StmtRef:
        """The one block of a name. Raises `NotSingleResult`, `UnknownName`, `NotSchedulable`."""
        tree = self.tree(function)
        found: list[StmtRef] = [*tree.named.get(name, ())]
        if len(found) != 1:
            names = [known for known, refs in tree.named.items() if refs]
            legal = None if found else closest(name, names) or f"the blocks are {listed(names)}"
            raise NotSingleResult(
                count=len(found) or "no", name=name, function=tree.name, at=[ref.block for ref in found], legal=legal
            )
        return found[0]

    def tree(self, function: str | None) -> Tree:
        """The tree of a function; None is the one that is worked on."""
        return self.state.tree(function or self.func_working_on or "main")

    def number(self, value: Any) -> Any:
        """A number or expression, with what was drawn for its random variables; a Python int where it is constant."""
        if isinstance(value, Expr):
            value = self.simplified(self.drawn(value))
            if isinstance(value, IntImm):
                return value.value
        return value

    def drawn(self, node: N) -> N:
        """An expression, or a map of indices, with what was drawn for its random variables."""
        known: Mapping[Any, Any] = {var: IntImm(var.dtype, drawn) for var, drawn in self._numbers.items()}
        made: N = substitute(node, known)
        return made

    def simplified(self, expr: Expr) -> Expr:
        """An expression without facts about its variables, simplified."""
        return Analyzer().simplify(expr)

    def new_block(self, ref: StmtRef) -> BlockRV:
        """A random variable for a block."""
        made = BlockRV()
        self._refs[made] = ref
        return made

    def new_loop(self, ref: StmtRef) -> LoopRV:
        """A random variable for a loop."""
        made = LoopRV()
        self._refs[made] = ref
        return made

    def new_blocks(self, refs: Iterable[StmtRef]) -> list[BlockRV]:
        """Random variables for blocks."""
        return [self.new_block(ref) for ref in refs]

    def new_loops(self, refs: Iterable[StmtRef]) -> list[LoopRV]:
        """Random variables for loops."""
        return [self.new_loop(ref) for ref in refs]

    def new_number(self, value: int) -> ExprRV:
        """A random variable for a number."""
        made = ExprRV(f"v{len(self._numbers)}", "int32")
        self._numbers[made] = value
        return made

    def attempt(self, name: str, step: Callable[[], Any]) -> ScheduleError | None:
        """Do a step, of the primitive of this name, and undo it; what it raised, if it did."""
        refusal: ScheduleError | None = None
        before = self._now()
        self._depth += 1
        try:
            step()
        except ScheduleError as error:
            refusal = error
        finally:
            self._depth -= 1
            self._undo(before)
        return refusal and self._refused(name, refusal)

    def _now(self) -> _Checkpoint:
        mark, steps = self.state.mark(), len(self.trace.insts)
        return _Checkpoint(mark, len(self._numbers), len(self._refs), self.random.state, steps)

    def _undo(self, before: _Checkpoint) -> None:
        self.state.rollback(before.state)
        self.random.state = before.random
        self.decision = None
        for made, count in ((self._numbers, before.numbers), (self._refs, before.refs)):
            while len(made) > count:
                made.popitem()
        while len(self.trace.insts) > before.steps:
            self.trace.pop()

    def _refused(self, name: str, error: ScheduleError) -> ScheduleError:
        """The error with what it is shown with; one of a step that this one asked for has that already."""
        if error.primitive is None:
            error.primitive, error.module, error.level = name, self.mod, self.error_render_level
        return error

    def run(
        self, kind: InstructionKind, prepare: Callable[[], None], step: Callable[[], Any], values: Mapping[str, Any]
    ) -> Any:
        """Do a step: all of it, or, where it raises, nothing of it. Steps inside of steps are not recorded.

        What comes before it, the blocks of names, is recorded as steps of its own.
        """
        if self._depth:
            prepare()
            return step()
        self.state.settle()
        start = self._now()
        before = self.mod if self.observers and not kind.is_pure else None
        is_done = False
        try:
            prepare()
            made = self._unrecorded(step)
            is_done = True
        except ScheduleError as error:
            self._undo(start)
            self._refused(kind.method, error)
            raise
        finally:
            if not is_done:
                self._undo(start)
        self.trace.append(_instruction(kind, values, made), self.decision)
        self.decision = None
        if before is not None:
            self._observed(before, start)
        self.state.settle()
        return made

    def _unrecorded(self, step: Callable[[], Any]) -> Any:
        self._depth += 1
        try:
            return step()
        finally:
            self._depth -= 1

    def _observed(self, before: IRModule, start: _Checkpoint) -> None:
        """Let every observer look at the last step; it is undone where one of them raises."""
        try:
            for observe in self.observers:
                observe(before, self)
        except TVMScriptError:
            self._undo(start)
            raise


#: A parameter's name -> what its argument is written as in a trace: a name of a block becomes the block, ...
Normalizer = Callable[[Any, dict[str, Any], Any], Any]
NORMALIZERS: dict[str, Normalizer] = {}


def normalizer(*parameters: str) -> Callable[[Normalizer], Normalizer]:
    """Let a function (schedule, all arguments, the argument) -> argument normalize parameters of these names."""

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

    A `pure` one leaves the program alone; one that `decides` sets `self.decision` and takes a parameter `decision`.
    `normal` has normalizers for parameters of this primitive alone. `promises` says what holds for every step.
    """
    normalizers = {**NORMALIZERS, **(normal or {})}

    def wrap(function: F) -> F:
        signature = inspect.signature(function)
        kind = InstructionKind(
            name=name,
            method=function.__name__,
            inputs=inputs,
            attrs=attrs,
            is_pure=pure,
            has_decision=decides,
            parameters=tuple(signature.parameters)[1:],
            star=next((item.name for item in signature.parameters.values() if item.kind is item.VAR_POSITIONAL), None),
            booleans=frozenset(item.name for item in signature.parameters.values() if isinstance(item.default, bool)),
            gives_list=str(signature.return_annotation).startswith("list"),
            promises=promises or Promises(),
        )
        InstructionKind.registry[name] = kind
        steps = [(name, normalizers[name]) for name in signature.parameters if name in normalizers]

        @functools.wraps(function)
        def step(self: Recorder, *args: Any, **kwargs: Any) -> Any:
            given = signature.bind(self, *args, **kwargs)
            given.apply_defaults()
            values = given.arguments

            def prepare() -> None:
                for name, normalize in steps:
                    values[name] = normalize(self, values, values[name])

            return self.run(kind, prepare, lambda: function(*given.args, **given.kwargs), values)

        return cast(F, step)

    return wrap


def _instruction(kind: InstructionKind, values: Mapping[str, Any], made: Any) -> Instruction:
    outputs = () if made is None else tuple(made) if isinstance(made, list) else (made,)
    inputs: list[Any] = []
    for name in kind.inputs:
        if name.startswith("*"):
            inputs += values[name[1:]]
        else:
            inputs.append(values[name])
    return Instruction(kind, tuple(inputs), tuple(values[name] for name in kind.attrs), outputs)


@normalizer("block", "scope_block")
def _block(sch: Recorder, values: dict[str, Any], block: Any) -> Any:
    """The name of a block stands for the block: an instruction of its own, as in TVM."""
    return getattr(sch, "get_block")(block) if isinstance(block, str) else block  # noqa: B009  # a primitive itself


@normalizer("consumer_blocks")
def _blocks(sch: Recorder, values: dict[str, Any], blocks: Sequence[Any] | None) -> list[Any]:
    """None is no block in particular."""
    return [_block(sch, values, block) for block in blocks or ()]


@normalizer("func_name")
def _function(sch: Recorder, values: dict[str, Any], name: str | None) -> str | None:
    """The function that is worked on, where none is named."""
    return name or sch.func_working_on
