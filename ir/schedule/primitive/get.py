"""Primitives that find loops and blocks: get_block, get_loops, get_producers, ..."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from tvmscript.ir.schedule.analysis.block_properties import enclosing_scope, is_output_block
from tvmscript.ir.schedule.analysis.block_scope import consumers, producers
from tvmscript.ir.schedule.random_variables import BlockRV, LoopRV
from tvmscript.ir.schedule.recorder import Recorder, normalizer, primitive
from tvmscript.ir.schedule.tree import StmtRef, blocks_below, loops_above


class Get(Recorder):
    """Blocks and loops."""

    def work_on(self, func_name: str) -> None:
        """Let `get_block` search this function by default. Raises `UnknownName`."""
        self.working_function = self.mod.get_global_var(func_name).name_hint

    @primitive("GetBlock", attrs=("name", "func_name"), pure=True)
    def get_block(self, name: str, func_name: str | None = None) -> BlockRV:
        """Return the only block of this name in a function, by default the current one.

        Raises `NotSingleResult` for no block or several, `UnknownName`, `NotSchedulable`.
        """
        return self.new_block(self.named_block(name, func_name))

    @primitive("GetLoops", inputs=("block",), pure=True)
    def get_loops(self, block: BlockRV | str) -> list[LoopRV]:
        """Return the loops around a block up to its parent block, outermost first."""
        return self.new_loops(loops_above(self.block(block)))

    @primitive("GetChildBlocks", inputs=("block_or_loop",), pure=True)
    def get_child_blocks(self, block_or_loop: BlockRV | LoopRV) -> list[BlockRV]:
        """Return the blocks in a block or loop that are in no other block of it, in program order."""
        return self.new_blocks(blocks_below(self.place(block_or_loop)))

    @primitive("GetProducers", inputs=("block",), pure=True)
    def get_producers(self, block: BlockRV | str) -> list[BlockRV]:
        """Return the earlier blocks of the scope that write what a block reads or writes.

        Raises `RootBlockError`.
        """
        ref = self.block(block)
        enclosing_scope(ref, "get_producers")
        return self.new_blocks(producers(ref))

    @primitive("GetConsumers", inputs=("block",), pure=True)
    def get_consumers(self, block: BlockRV | str) -> list[BlockRV]:
        """Return the later blocks of the scope that read or write what a block writes.

        Raises `RootBlockError`.
        """
        ref = self.block(block)
        enclosing_scope(ref, "get_consumers")
        return self.new_blocks(consumers(ref))

    @primitive("GetOutputBlocks", inputs=("scope_block",), pure=True)
    def get_output_blocks(self, scope_block: BlockRV | str) -> list[BlockRV]:
        """Return the blocks in a block, at any depth, that write a buffer which their scope does not allocate."""
        return self.new_blocks([ref for ref in _nested_blocks(self.block(scope_block)) if is_output_block(ref)])


def _nested_blocks(block: StmtRef) -> Iterator[StmtRef]:
    """Yield all blocks in a block in pre-order."""
    stack = blocks_below(block)[::-1]
    while stack:
        ref = stack.pop()
        yield ref
        stack += blocks_below(ref)[::-1]


@normalizer("block", "scope_block")
def _resolve_block(sch: Get, values: dict[str, Any], block: BlockRV | str) -> BlockRV:
    """Replace the name of a block by the block: an instruction of its own, as in TVM."""
    return sch.get_block(block) if isinstance(block, str) else block


@normalizer("consumer_blocks")
def _resolve_blocks(sch: Get, values: dict[str, Any], blocks: Sequence[BlockRV | str] | None) -> list[BlockRV]:
    return [_resolve_block(sch, values, block) for block in blocks or ()]


@normalizer("func_name")
def _resolve_function(sch: Get, values: dict[str, Any], name: str | None) -> str | None:
    """Replace None by the current function."""
    return name or sch.working_function
