"""Memory next to inaccessible pages: an access out of bounds ends the process.

NumPy arrays, and what compiled code allocates. Arrays have padding, which is checked for stores afterwards.
"""

from __future__ import annotations

import ctypes
import mmap
import sys
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from functools import cache
from typing import Any, Final
from unittest.mock import patch

import numpy as np

from tvmscript.backends.llvm import linked_code
from tvmscript.fuzz.errors import PaddingOverwritten

#: the alignment that kernels may assume
_ALIGNMENT: Final = 64
_NO_ACCESS: Final = 0
#: each byte of the padding
_PADDING: Final = b"\xa5"


def guarded(values: Any, *, is_behind: bool) -> Any:
    """Copy an array next to an inaccessible page in front of it, or behind it after up to 63 bytes of padding.

    Arrays that are empty or not contiguous are returned as they are, and all of them on Windows.
    """
    if not isinstance(values, np.ndarray) or not values.flags.c_contiguous or not values.nbytes:
        return values
    if sys.platform == "win32":
        return values
    page = mmap.PAGESIZE
    inside = -(-values.nbytes // page) * page
    memory = mmap.mmap(-1, inside + page)
    memory[:] = _PADDING * len(memory)
    forbidden = inside if is_behind else 0
    start = inside - -(-values.nbytes // _ALIGNMENT) * _ALIGNMENT if is_behind else page
    array = np.frombuffer(memory, values.dtype, values.size, start).reshape(values.shape)
    array[...] = values
    address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    if ctypes.CDLL(None).mprotect(ctypes.c_void_p(address + forbidden), ctypes.c_size_t(page), _NO_ACCESS):
        return values
    return array


def check_padding(arrays: Iterable[Any]) -> None:
    """Check that nothing was stored into the padding of arrays, of which those that `guarded` made have one.

    Raises `PaddingOverwritten`.
    """
    for place, array in enumerate(arrays):
        whole = owner = array
        while isinstance(owner, np.ndarray):
            whole, owner = owner, owner.base
        memory = owner.obj if isinstance(owner, memoryview) else None
        if not isinstance(memory, mmap.mmap):
            continue
        start = whole.ctypes.data - ctypes.addressof(ctypes.c_char.from_buffer(memory))
        page, end = mmap.PAGESIZE, start + whole.nbytes
        low, high = (0, len(memory) - page) if start < page else (page, len(memory))
        for first, padding in ((low, memory[low:start]), (end, memory[end:high])):
            kept = len(padding) - len(padding.lstrip(_PADDING))
            if kept < len(padding):
                raise PaddingOverwritten(place=place, offset=first + kept - start, bytes=whole.nbytes)


#: functions in the place of `tvmscript_allocate` and `tvmscript_free`. In front of the pages of a block are two, the
#: first of which has the size of all; behind them is one. What is freed is unmapped; nothing that is new is zero.
_ALLOCATOR: Final = """\
declare ptr @mmap(ptr, i64, i32, i32, i32, i64)
declare i32 @mprotect(ptr, i64, i32)
declare i32 @munmap(ptr, i64)
declare ptr @memset(ptr, i32, i64)

define ptr @allocate_behind(i64 %bytes) {{
  %memory = call ptr @allocate(i64 %bytes, i64 0)
  ret ptr %memory
}}

define ptr @allocate_before(i64 %bytes) {{
  %memory = call ptr @allocate(i64 %bytes, i64 -1)
  ret ptr %memory
}}

define internal ptr @allocate(i64 %bytes, i64 %is_before) {{
  %more = add i64 %bytes, {before}
  %inside = and i64 %more, -{page}
  %all = add i64 %inside, {around}
  %block = call ptr @mmap(ptr null, i64 %all, i32 {access}, i32 {flags}, i32 -1, i64 0)
  %is_bad = icmp eq ptr %block, inttoptr (i64 -1 to ptr)
  br i1 %is_bad, label %bad, label %good
bad:
  ret ptr null
good:
  store i64 %all, ptr %block
  %first = getelementptr i8, ptr %block, i64 {page}
  %pages = getelementptr i8, ptr %first, i64 {page}
  %behind = getelementptr i8, ptr %pages, i64 %inside
  %filled = call ptr @memset(ptr %pages, i32 165, i64 %inside)
  %one = call i32 @mprotect(ptr %first, i64 {page}, i32 0)
  %two = call i32 @mprotect(ptr %behind, i64 {page}, i32 0)
  %unused = sub i64 %inside, %bytes
  %kept = xor i64 %is_before, -1
  %offset = and i64 %unused, %kept
  %memory = getelementptr i8, ptr %pages, i64 %offset
  ret ptr %memory
}}

define void @free_guarded(ptr %memory) {{
  %address = ptrtoint ptr %memory to i64
  %page = and i64 %address, -{page}
  %begin = sub i64 %page, {in_front}
  %block = inttoptr i64 %begin to ptr
  %all = load i64, ptr %block
  %done = call i32 @munmap(ptr %block, i64 %all)
  ret void
}}
"""


@contextmanager
def guarded_allocations(*, is_behind: bool) -> Generator[None, None, None]:
    """Let code that is loaded in the block allocate next to inaccessible pages on both sides.

    There is padding to whole pages in front of what is allocated, up to 63 bytes also behind it; or the other way
    round. On Windows nothing changes.
    """
    if sys.platform == "win32":
        yield
        return
    linked_code.runtime_module()
    addresses = _allocator()
    functions = {
        "tvmscript_allocate": addresses.address("allocate_behind" if is_behind else "allocate_before"),
        "tvmscript_free": addresses.address("free_guarded"),
    }
    with patch.dict(linked_code.SYMBOLS, functions):
        yield


@cache
def _allocator() -> linked_code.Code:
    """Compile the allocator."""
    from tvmscript.backends.llvm.optimized_module import machine_code
    from tvmscript.backends.llvm.target import Target

    page, access, flags = mmap.PAGESIZE, mmap.PROT_READ | mmap.PROT_WRITE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
    sizes = {"page": page, "before": page - 1, "in_front": 2 * page, "around": 3 * page}
    text = _ALLOCATOR.format(**sizes, access=access, flags=flags)
    target = Target.parse(None, 0)
    return linked_code.load(machine_code(text, target), target)
