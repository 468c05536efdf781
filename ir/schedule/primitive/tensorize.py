"""Replace loops or blocks by tensor intrinsics: tensorize."""

from __future__ import annotations

from tvmscript.ir.schedule.analysis.block_properties import enclosing_scope, only_block, recompute_facts
from tvmscript.ir.schedule.analysis.match_intrinsic import IntrinsicMatcher, Mismatch
from tvmscript.ir.schedule.analysis.regions import first_region
from tvmscript.ir.schedule.errors import ScheduleError
from tvmscript.ir.schedule.instruction import Promises
from tvmscript.ir.schedule.intrinsics.registry import TensorIntrin
from tvmscript.ir.schedule.primitive.blockize import make_outer_block
from tvmscript.ir.schedule.random_variables import BlockRV, LoopRV
from tvmscript.ir.schedule.recorder import Recorder, primitive
from tvmscript.ir.schedule.rewrite.index_dtypes import widen_indices
from tvmscript.ir.schedule.tree import StmtRef, realize_of
from tvmscript.ir.tir import BufferRegion, IntImm, PrimFunc, Range, cast, rename_definitions
from tvmscript.ir.tir.stmt import BlockRealize, MatchBufferRegion


class TensorIntrinMismatchError(ScheduleError, code="TS4183"):
    """The program must match the description of the intrinsic, `TensorIntrin.get(name).desc`: shapes, dtypes, storage
    scopes, the order of operands and regions, and the kinds of axes.
    """

    message = "block {block} does not match intrinsic {intrin}: {what}"


class Tensorize(Recorder):
    """Blockization and tensorization."""

    @primitive(
        "Tensorize",
        inputs=("block_or_loop",),
        attrs=("tensor_intrin", "preserve_unit_iters"),
        promises=Promises(is_exact=False),
    )
    def tensorize(self, block_or_loop: BlockRV | LoopRV, tensor_intrin: str, preserve_unit_iters: bool = True) -> None:
        """Replace a block, or a loop nest, by a tensor intrinsic.

        A loop nest is blockized first. The body of the block becomes the implementation of the intrinsic, on views of
        its buffers. Raises `UnknownName`,
        `TensorIntrinMismatchError`, `NonSingleChildBlockError`, `SubspaceNotDivisibleError`, `RootBlockError`.
        """
        intrin = TensorIntrin.get(tensor_intrin)
        place = self.place(block_or_loop)
        scope = enclosing_scope(place, "tensorize")
        if place.is_block:
            realize = realize_of(place)
            tensorized = _make_tensorized_block(realize, intrin, tensor_intrin, place).block
            place.tree.replace(place, tensorized, {tensorized: place.block})
        else:
            realize = make_outer_block(only_block(place), place, {}, preserve_unit_iters)
            place.tree.replace(place, _make_tensorized_block(realize, intrin, tensor_intrin, place))
        recompute_facts(scope)


def _make_tensorized_block(realize: BlockRealize, intrin: TensorIntrin, name: str, place: StmtRef) -> BlockRealize:
    """Return the block with the implementation of an intrinsic as its body. Raises `TensorIntrinMismatchError`."""
    block = realize.block
    given = place.block if place.is_block else place.loop
    matching = IntrinsicMatcher()
    desc = widen_indices(intrin.desc, block)
    try:
        matching.blocks(realize, _outermost_block(desc))
    except Mismatch as error:
        raise TensorIntrinMismatchError(
            block=block.name_hint, intrin=name, what=error.what, at=[given, error.at]
        ) from None
    impl = rename_definitions(widen_indices(intrin.impl, block))
    inside = _outermost_block(impl).block
    views: list[MatchBufferRegion] = []
    for param, described in zip(impl.params, desc.params, strict=True):
        view, buffer = impl.buffer_map[param], matching.buffers[desc.buffer_map[described]]
        region = first_region((*inside.reads, *inside.writes), view)
        if region is None:
            what = f"its implementation neither reads nor writes {view.name}"
            raise TensorIntrinMismatchError(block=block.name_hint, intrin=name, what=what, at=[given])
        base = matching.bases[buffer]
        extra = len(base) - len(region.region)
        box = [Range.from_min_extent(first, IntImm(first.dtype, 1)) for first in base[:extra]]
        box += [
            Range.from_min_extent(first, cast(first.dtype, part.extent))
            for first, part in zip(base[extra:], region.region, strict=True)
        ]
        views.append(MatchBufferRegion(view, BufferRegion(buffer, tuple(box))))
    annotations = {**block.annotations, **inside.annotations}
    new_block = block.replace(body=inside.body, match_buffers=tuple(views), annotations=annotations)
    return realize.replace(block=new_block)


def _outermost_block(func: PrimFunc) -> BlockRealize:
    assert isinstance(func.body, BlockRealize), "the body of a function that can be scheduled is a block"
    return func.body
