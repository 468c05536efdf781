"""Annotations of loops and blocks: annotate, unannotate."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tvmscript.ir.core import closest
from tvmscript.ir.core.attrs import attribute
from tvmscript.ir.schedule.errors import ScheduleError, listed
from tvmscript.ir.schedule.instruction import Promises
from tvmscript.ir.schedule.random_variables import BlockRV, LoopRV
from tvmscript.ir.schedule.recorder import Recorder, primitive
from tvmscript.ir.schedule.tree import StmtRef
from tvmscript.ir.tir import Expr, IntImm


class AnnotationNotFound(ScheduleError, code="TS4156"):
    """The annotation to remove does not exist."""

    message = "{place} has no annotation {key}"


class Annotations(Recorder):
    """Annotations."""

    @primitive(
        "Annotate",
        inputs=("block_or_loop", "ann_val"),
        attrs=("ann_key",),
        promises=Promises(
            is_idempotent=True, undone_by="unannotate", commutes_with=("parallel", "vectorize", "unroll", "bind")
        ),
    )
    def annotate(self, block_or_loop: BlockRV | LoopRV, ann_key: str, ann_val: object) -> None:
        """Add an annotation to a block or loop; an existing key keeps its value.

        Values are strings, numbers, expressions, and lists and dicts of these. Raises `InvalidAttribute`.
        """
        ref = self.place(block_or_loop)
        stmt = ref.stmt
        assert stmt is not None, "a place has a statement"
        if ann_key not in stmt.annotations:
            # as in TVM, a bool becomes an integer, except inside of lists
            value = attribute(self._substitute_in_value(int(ann_val) if isinstance(ann_val, bool) else ann_val))
            _set_annotations(ref, {**stmt.annotations, ann_key: value})

    @primitive("Unannotate", inputs=("block_or_loop",), attrs=("ann_key",), promises=Promises(undone_by="annotate"))
    def unannotate(self, block_or_loop: BlockRV | LoopRV, ann_key: str) -> None:
        """Remove an annotation of a block or loop. Raises `AnnotationNotFound`."""
        ref = self.place(block_or_loop)
        stmt = ref.stmt
        assert stmt is not None, "a place has a statement"
        if ann_key not in stmt.annotations:
            place = f"block {ref.block.name_hint}" if ref.is_block else f"loop {ref.loop.loop_var.name}"
            hint = closest(ann_key, [*stmt.annotations]) or f"its annotations are: {listed(stmt.annotations) or 'none'}"
            raise AnnotationNotFound(place=place, key=ann_key, at=[stmt], legal=hint)
        _set_annotations(ref, {key: value for key, value in stmt.annotations.items() if key != ann_key})

    def _substitute_in_value(self, value: object) -> Any:
        """Substitute the sampled numbers into a value."""
        if isinstance(value, Expr):
            number = self.evaluate(value)
            return IntImm(value.dtype, number) if isinstance(number, int) else number
        if isinstance(value, (list, tuple)):
            return [self._substitute_in_value(item) for item in value]
        if isinstance(value, Mapping):
            return {key: self._substitute_in_value(item) for key, item in value.items()}
        return value


def _set_annotations(ref: StmtRef, annotations: dict[str, Any]) -> None:
    """Replace the annotations of a block or loop."""
    if ref.is_block:
        new_block = ref.block.replace(annotations=annotations)
        ref.tree.replace(ref, new_block, {new_block: ref.block})
    else:
        ref.tree.replace(ref, ref.loop.replace(annotations=annotations))
