"""TVM's module `tvm.tir.schedule.transform`: several steps of a schedule at once."""

from __future__ import annotations

from tvmscript.ir.schedule.intrinsics.registry import TensorIntrin
from tvmscript.tir.schedule import BlockRV, LoopRV, Schedule
from tvmscript.tir.schedule.analysis import get_tensorize_loop_mapping

__all__ = ["tile_with_tensor_intrin"]


def tile_with_tensor_intrin(
    sch: Schedule, block: BlockRV, intrin_name: str, allow_padding: bool = False
) -> LoopRV | None:
    """Split and reorder the loops of a block so that an intrinsic can replace the inner ones.

    Returns the outermost of these, None if the intrinsic does not fit.
    """
    info = get_tensorize_loop_mapping(sch, block, TensorIntrin.get(intrin_name).desc, allow_padding)
    if info is None:
        return None
    if info.block_iter_paddings is not None:
        _pad(sch, block, list(info.block_iter_paddings))
    rvs = {sch.get_sref(rv): rv for rv in sch.get_loops(block)}
    inner: list[LoopRV] = []
    for ref, desc_loop in reversed(info.loop_map.items()):
        _, inside = sch.split(rvs[ref], [None, desc_loop.extent])
        inner.insert(0, inside)
    inside_refs = [sch.get_sref(rv) for rv in inner]
    loops = sch.get_loops(block)
    refs = [sch.get_sref(rv) for rv in loops]
    first = min(refs.index(ref) for ref in inside_refs)
    between = [rv for rv, ref in zip(loops[first:], refs[first:], strict=True) if ref not in inside_refs]
    sch.reorder(*between, *inner)
    return inner[0]


def _pad(sch: Schedule, block: BlockRV, paddings: list[int]) -> None:
    """Pad the axes of a block, and inline what was copied into the padded buffers, and out of them."""
    sch.pad_einsum(block, paddings)
    for padded in sch.get_producers(block):
        for producer in sch.get_producers(padded):
            sch.compute_inline(producer)
    for copied in sch.get_consumers(block):
        sch.compute_inline(copied)
