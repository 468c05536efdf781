"""Default schedules of whole functions for CPUs: producers are inlined, then a rule takes each block."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import replace
from typing import ClassVar

from tvmscript.ir.core import IRModule, Target
from tvmscript.ir.core.targets.machine_model import MachineModel, machine_model
from tvmscript.ir.schedule.default.cpu.attention import schedule_attention
from tvmscript.ir.schedule.default.cpu.conv import schedule_convolution
from tvmscript.ir.schedule.default.cpu.dot_product import schedule_dot_product
from tvmscript.ir.schedule.default.cpu.exact_convolutions import add_up_in_floats
from tvmscript.ir.schedule.default.cpu.folded_channels import fold_channels
from tvmscript.ir.schedule.default.cpu.half_products import widen_half_products
from tvmscript.ir.schedule.default.cpu.injective import schedule_injective
from tvmscript.ir.schedule.default.cpu.inlining import inline_producers
from tvmscript.ir.schedule.default.cpu.matmul import schedule_matmul
from tvmscript.ir.schedule.default.cpu.narrow_convolution import schedule_narrow_convolution
from tvmscript.ir.schedule.default.cpu.normal_form import normalize
from tvmscript.ir.schedule.default.cpu.pooling import schedule_pooling
from tvmscript.ir.schedule.default.cpu.reduction import schedule_reduction, schedule_shared_reduction
from tvmscript.ir.schedule.default.cpu.rows import schedule_rows
from tvmscript.ir.schedule.default.cpu.scan import schedule_scan
from tvmscript.ir.schedule.default.cpu.shared_lines import schedule_lines
from tvmscript.ir.schedule.default.cpu.signed_products import make_factors_unsigned
from tvmscript.ir.schedule.default.cpu.skinny import schedule_skinny_product
from tvmscript.ir.schedule.default.cpu.steps import is_plain
from tvmscript.ir.schedule.default.cpu.vector_products import schedule_vector_product
from tvmscript.ir.schedule.default.schedule_rule import DefaultScheduleWarning, ScheduleRule, log
from tvmscript.ir.schedule.default.unscheduled import is_unscheduled
from tvmscript.ir.schedule.errors import ScheduleError
from tvmscript.ir.schedule.random_variables import BlockRV
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.tir import BlockRealize, PrimFunc
from tvmscript.ir.transform.function_attributes import splits_reductions

#: Schedules a block, and others that it is computed from or consumed by; returns what was chosen. Returns None if it is
#: not for the block, or raises `ScheduleError`: its changes are dropped.
BlockRule = Callable[[Schedule, BlockRV, MachineModel], str | None]


class CPURule(ScheduleRule):
    """Schedule the blocks of a function that no schedule has touched by the first of the rules that fits each.

    Producers that cost no more inside of their consumers are inlined first. A rule sees all blocks before the next one
    does, and only those that are still plain: nests of serial loops that no rule has scheduled or moved. All of that
    begins with the normal form of the function.

    A block stays as it is where a rule raises an error. Errors other than `ScheduleError` are faults of the rule: they
    are reported as `DefaultScheduleWarning`.
    """

    #: in order of precedence
    block_rules: ClassVar[tuple[BlockRule, ...]] = ()
    #: what changes the normal form of functions for a processor
    forms: ClassVar[tuple[Callable[[PrimFunc, MachineModel], PrimFunc], ...]] = ()

    def apply(self, func: PrimFunc, target: Target, tunable: bool) -> Schedule | None:
        """Return the scheduled function, None if nothing in it changes."""
        if not is_unscheduled(func) or not isinstance(func.body, BlockRealize):
            return None
        model, form = machine_model(str(target)), self.normal_form(func, target)
        if not splits_reductions(func):
            model = replace(model, splits_reductions=False)
        sch, name = Schedule(IRModule({"main": form})), func.body.block.name_hint
        inlined = inline_producers(sch, sch.get_block(name))
        for inlined_name in inlined:
            log.debug("%s: inlined", inlined_name)
        blocks, is_changed = self._plain_blocks(sch, name), bool(inlined)
        #: a copy of the schedule that a rule has looked at, and left as it was
        untouched: Schedule | None = None
        for rule in self.block_rules:
            is_current = True
            for block in blocks:
                if not (is_current or is_plain(sch, block)):
                    continue
                trial, block_name = untouched or sch.copy(), sch.get(block).name_hint
                untouched = None
                try:
                    choice = rule(trial, block, model)
                except ScheduleError as error:
                    log.debug("%s: %s refuses it: %s", block_name, rule.__name__, error.text)
                    continue
                except Exception as error:  # noqa: BLE001  # a fault of a rule must not refuse a correct program
                    text = f"{rule.__name__} failed on block {block_name}, which it leaves as it is: {error!r}"
                    warnings.warn(text, DefaultScheduleWarning, stacklevel=2)
                    continue
                if choice is not None:
                    log.debug("%s: %s: %s", block_name, rule.__name__, choice)
                    sch, is_current = trial, False
                elif len(trial.trace.insts) == len(sch.trace.insts):
                    untouched = trial
            if not is_current:
                blocks, is_changed = self._plain_blocks(sch, name), True
                untouched = None  # it does not know these blocks
        return sch if is_changed else None

    def normal_form(self, func: PrimFunc, target: Target) -> PrimFunc:
        """Return what the schedule of an unscheduled function begins with: where it has that form, the function itself.

        Indices have one dtype, and those of reshapes are simplified; lines that are computed several times are blocks
        of their own, and so are the parts of products of int8 that have instructions for unsigned factors, sums of
        halves and of few integers of 8 bits that are computed in float32, and data of few channels in the order in
        which patches read it.
        """
        form, model = normalize(func), machine_model(str(target))
        for change in self.forms:
            form = change(form, model)
        return form

    @staticmethod
    def _plain_blocks(sch: Schedule, root: str) -> list[BlockRV]:
        return [block for block in sch.get_child_blocks(sch.get_block(root)) if is_plain(sch, block)]


class Matmul(CPURule):
    """Matrix products in register tiles."""

    block_rules = (schedule_vector_product, schedule_dot_product, schedule_skinny_product, schedule_matmul)
    forms = (make_factors_unsigned, widen_half_products)


class Convolution(CPURule):
    """Convolutions in register tiles."""

    block_rules = (schedule_narrow_convolution, schedule_convolution)
    forms = (fold_channels, add_up_in_floats)


class Pooling(CPURule):
    """Reductions over windows in the lanes of the innermost dimension."""

    block_rules = (schedule_pooling,)


class Rows(CPURule):
    """Softmax, norms and the like, a row or some columns at a time."""

    block_rules = (schedule_rows,)


class Reduction(CPURule):
    """Reductions along any dimensions."""

    block_rules = (schedule_shared_reduction, schedule_reduction)


class Scan(CPURule):
    """Running sums and the like, whose steps are in order."""

    block_rules = (schedule_scan,)


class Injective(CPURule):
    """Elementwise blocks, broadcasts, transposes and other copies."""

    block_rules = (schedule_lines, schedule_injective)


class Default(CPURule):
    """All rules, as `tvmscript.build` applies them."""

    block_rules = (
        schedule_attention,
        schedule_vector_product,
        schedule_dot_product,
        schedule_skinny_product,
        schedule_matmul,
        schedule_narrow_convolution,
        schedule_convolution,
        schedule_pooling,
        schedule_lines,
        schedule_rows,
        schedule_shared_reduction,
        schedule_reduction,
        schedule_scan,
        schedule_injective,
    )
    forms = (*Matmul.forms, *Convolution.forms)
