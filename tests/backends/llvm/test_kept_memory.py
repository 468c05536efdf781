"""Memory of intermediate results: blocks are kept by size, and belong to one owner at a time."""

from __future__ import annotations

import ctypes
from concurrent.futures import ThreadPoolExecutor

import pytest

from tvmscript.backends.llvm.kept_memory import ALIGNMENT
from tvmscript.backends.llvm.linked_code import runtime_module

LARGE = 1 << 20


def allocate(size: int) -> int:
    function = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_uint64)(runtime_module().address("tvmscript_allocate"))
    return function(size) or 0


def free(memory: int) -> None:
    ctypes.CFUNCTYPE(None, ctypes.c_void_p)(runtime_module().address("tvmscript_free"))(memory)


def is_kept(size: int, next_size: int) -> bool:
    """Whether memory of a size is what the next allocation of another size returns."""
    memory = allocate(size)
    free(memory)
    following = allocate(next_size)
    free(following)
    return following == memory


@pytest.fixture(autouse=True)
def _only_blocks_of_its_own() -> None:
    """Take what other tests left: eight blocks of a size that no test asks for."""
    blocks = [allocate(24 << 20) for _ in range(16)]
    for block in blocks:
        free(block)


@pytest.mark.parametrize(
    ("size", "next_size", "kept"),
    [(LARGE, LARGE, True), (LARGE, LARGE // 2, True), (LARGE, LARGE + 1, False), (LARGE, LARGE // 8, False)],
)
def test_large_blocks_are_kept_for_about_their_size(size: int, next_size: int, kept: bool) -> None:
    assert is_kept(size, next_size) == kept


def test_memory_is_aligned_and_writable() -> None:
    for size in (1, 63, 64, 65, (128 << 10) - 1, 128 << 10, LARGE, 33 << 20):
        memory = allocate(size)
        assert memory % ALIGNMENT == 0
        ctypes.memset(memory, 7, size)
        free(memory)


def test_too_much_memory_is_refused() -> None:
    assert allocate((1 << 63) - ALIGNMENT) == 0


def test_more_blocks_than_slots() -> None:
    blocks = [allocate(LARGE + 4096 * count) for count in range(20)]
    assert len({*blocks}) == len(blocks)
    for block in blocks:
        free(block)


def test_blocks_belong_to_one_thread_at_a_time() -> None:
    def work(mark: int) -> bool:
        for _ in range(300):
            memory = allocate(LARGE)
            ctypes.memset(memory, mark, 4096)
            if ctypes.string_at(memory, 4096) != bytes([mark]) * 4096:
                return False
            free(memory)
        return True

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(work, range(1, 5)))
