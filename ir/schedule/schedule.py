"""The schedule class: all primitives together."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, Literal, overload

from tvmscript.ir.core import IRModule, WrongType, nodes
from tvmscript.ir.core.node import html
from tvmscript.ir.schedule.analysis.cached_flags import ScheduleState
from tvmscript.ir.schedule.analysis.verify_tree import verify_trees
from tvmscript.ir.schedule.can import Can
from tvmscript.ir.schedule.errors import RenderLevel, listed
from tvmscript.ir.schedule.primitive.annotate_access import Accesses
from tvmscript.ir.schedule.primitive.annotations import Annotations
from tvmscript.ir.schedule.primitive.blockize import Blockize
from tvmscript.ir.schedule.primitive.cache import Cache
from tvmscript.ir.schedule.primitive.cache_index import CacheIndex
from tvmscript.ir.schedule.primitive.compute_at import ComputeAt
from tvmscript.ir.schedule.primitive.compute_inline import ComputeInline
from tvmscript.ir.schedule.primitive.copy_at import CopyAt
from tvmscript.ir.schedule.primitive.decompose_padding import DecomposePadding
from tvmscript.ir.schedule.primitive.decompose_reduction import DecomposeReduction
from tvmscript.ir.schedule.primitive.for_kind import ForKinds
from tvmscript.ir.schedule.primitive.get import Get
from tvmscript.ir.schedule.primitive.loop_partition import LoopPartition
from tvmscript.ir.schedule.primitive.merge import Merge
from tvmscript.ir.schedule.primitive.pad_einsum import PadEinsum
from tvmscript.ir.schedule.primitive.reindex import Reindex
from tvmscript.ir.schedule.primitive.reindex_cache import ReindexCache
from tvmscript.ir.schedule.primitive.reorder import Reorder
from tvmscript.ir.schedule.primitive.reverse_compute_inline import ReverseComputeInline
from tvmscript.ir.schedule.primitive.rfactor import RFactor
from tvmscript.ir.schedule.primitive.rolling_buffer import RollingBuffer
from tvmscript.ir.schedule.primitive.sample_compute_location import SampleComputeLocation
from tvmscript.ir.schedule.primitive.sampling import Sampling
from tvmscript.ir.schedule.primitive.split_fuse import Loops
from tvmscript.ir.schedule.primitive.storage import Storage
from tvmscript.ir.schedule.primitive.tensorize import Tensorize
from tvmscript.ir.schedule.primitive.transform_block_layout import TransformBlockLayout
from tvmscript.ir.schedule.primitive.transform_layout import TransformLayout
from tvmscript.ir.schedule.random_engine import RandomEngine
from tvmscript.ir.schedule.random_variables import BlockRV, ExprRV, LoopRV
from tvmscript.ir.schedule.recorder import Observer, Recorder, primitive
from tvmscript.ir.schedule.trace.trace import Trace
from tvmscript.ir.schedule.tree import MARKS, StmtRef
from tvmscript.ir.tir import Block, Expr, For, PrimFunc

#: Checks after each step, in TVM's names and numbers: "none" or 0 for none; otherwise the tree of loops and blocks.
DebugMask = Literal["none", "all"] | int


class Schedule(
    SampleComputeLocation,
    ComputeAt,
    ReverseComputeInline,
    ComputeInline,
    Loops,
    DecomposeReduction,
    DecomposePadding,
    PadEinsum,
    RFactor,
    LoopPartition,
    Merge,
    Reorder,
    ForKinds,
    Annotations,
    Sampling,
    Cache,
    CacheIndex,
    CopyAt,
    RollingBuffer,
    Reindex,
    ReindexCache,
    Storage,
    Blockize,
    Tensorize,
    TransformLayout,
    TransformBlockLayout,
    Accesses,
    Get,
):
    """A program that is transformed by primitives; `mod` is the current program.

    A single function becomes the function `main` of a module. `seed` makes sampling repeatable. `debug_mask="all"`
    verifies the tree of loops and blocks after each step. `error_render_level`: "detail" shows the message and the
    program with statements underlined, "fast" the message, "none" that a primitive failed. `enable_check=False` skips
    the checks of whole scopes, as in TVM: stage pipelines, compact data flow under parallel loops, reduction blocks.
    Steps may change results then.
    """

    def __init__(
        self,
        mod: IRModule | PrimFunc,
        *,
        seed: int | None = None,
        debug_mask: DebugMask = "none",
        error_render_level: RenderLevel = "detail",
        enable_check: bool = True,
        observers: Sequence[Observer] = (),
    ) -> None:
        if isinstance(mod, PrimFunc):
            mod = IRModule({"main": mod})
        kernels = [var.name_hint for var, func in mod.items() if isinstance(func, PrimFunc)]
        working_on = kernels[0] if len(kernels) == 1 else "main" if "main" in kernels else None
        state = ScheduleState(mod, enable_check=enable_check)
        super().__init__(state, error_render_level=error_render_level, func_name=working_on)
        self.seed(seed)
        check_choice("error_render_level", error_render_level, ("detail", "fast", "none"))
        if isinstance(debug_mask, str):
            check_choice("debug_mask", debug_mask, ("none", "all"))
        if debug_mask not in ("none", 0):
            self.observers.append(_verify_after_step)
        self.observers += observers

    def __repr__(self) -> str:
        steps = sum(not inst.kind.is_pure for inst in self.trace.insts)
        functions: list[str] = []
        for var, func in self.mod.items():
            if isinstance(func, PrimFunc):
                blocks = dict.fromkeys(item.name_hint for item in nodes(func.body) if isinstance(item, Block))
                blocks.pop("root", None)
                functions.append(f"{var.name_hint} ({listed([*blocks])})")
        return f"<Schedule of {'; '.join(functions) or 'no kernels'} after {steps} step{'s' * (steps != 1)}>"

    def _repr_html_(self) -> str:
        """Return the highlighted script of the module for notebooks."""
        return html(self.mod)

    @property
    def state(self) -> ScheduleState:
        """The trees of the functions."""
        assert isinstance(self._state, ScheduleState), "see __init__"
        return self._state

    @cached_property
    def can(self) -> Can:
        """Tests of primitives, which change nothing: `sch.can.split(loop, [2, None])`."""
        return Can(self)

    def copy(self) -> Schedule:
        """Return an independent copy, in which the random variables of this schedule are valid."""
        sch = type(self).__new__(type(self))
        sch.__dict__.update(self.__dict__)
        sch.__dict__.pop("can", None)
        sch._state, refs = self.state.copy()
        sch.trace = Trace(self.trace.insts, self.trace.decisions)
        sch.observers = list(self.observers)
        sch.random = RandomEngine(self.fork_seed())
        sch._refs = {
            variable: refs.get(ref, ref) for variable, ref in self._refs.items() if ref in refs or ref in MARKS
        }
        sch._numbers = dict(self._numbers)
        return sch

    @overload
    def get(self, rand_var_or_sref: BlockRV) -> Block: ...
    @overload
    def get(self, rand_var_or_sref: LoopRV) -> For: ...
    @overload
    def get(self, rand_var_or_sref: ExprRV) -> int: ...
    @overload
    def get(self, rand_var_or_sref: StmtRef) -> For | Block | None: ...
    @overload
    def get(self, rand_var_or_sref: Expr | int) -> Expr | int: ...

    def get(self, rand_var_or_sref: object) -> Any:
        """Return the current block, loop or number of a random variable. Raises `UnknownRandomVariable`."""
        if isinstance(rand_var_or_sref, StmtRef):
            return rand_var_or_sref.stmt
        if isinstance(rand_var_or_sref, (BlockRV, LoopRV)):
            return self.place(rand_var_or_sref).stmt
        return self.evaluate(rand_var_or_sref)

    def get_sref(self, rand_var_or_stmt: BlockRV | LoopRV | Block | For) -> StmtRef | None:
        """Return the reference of a block or loop, which stays the same while statements are replaced."""
        if isinstance(rand_var_or_stmt, (BlockRV, LoopRV)):
            return self.place(rand_var_or_stmt)
        return self.state.get_sref(rand_var_or_stmt)

    def remove_rv(self, rand_var: BlockRV | LoopRV | ExprRV) -> None:
        """Remove a random variable."""
        if isinstance(rand_var, (BlockRV, LoopRV)):
            self.place(rand_var)
            del self._refs[rand_var]
        else:
            self._numbers.pop(rand_var, None)

    def show(self, style: str | None = None, black_format: bool = False, **options: Any) -> None:
        """Print the program and the trace. Options: those of `script()`."""
        self.mod.show(style=style, black_format=black_format, **options)
        self.trace.show(style, black_format)

    @primitive("EnterPostproc")
    def enter_postproc(self) -> None:
        """Mark the start of post-processing in the trace; `remove_postproc` drops the rest."""


def check_choice(option: str, value: str, choices: Sequence[str]) -> None:
    """Raise `WrongType` unless the value of an option is one of these."""
    if value not in choices:
        raise WrongType(where=option, expected=" or ".join(f'"{choice}"' for choice in choices), got=repr(value))


def _verify_after_step(before: IRModule, schedule: Recorder) -> None:
    verify_trees(schedule.state, schedule.last_primitive)
