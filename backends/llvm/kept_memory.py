"""Memory of intermediate results: large blocks are kept from one call to the next one.

A system that gets large blocks back from `free` makes new pages of them at the next call: that costs more than writing
to them. Some blocks of the process are kept for whoever needs their size next, in slots that threads take and fill
by single atomic instructions. In front of what is allocated is its size.
"""

from __future__ import annotations

from typing import Final

from tvmscript.backends.llvm.assembly import ModuleText
from tvmscript.backends.llvm.calling_convention.runtime_function import RuntimeFunction

#: alignment of memory that programs allocate, in bytes
ALIGNMENT: Final = 64
#: name -> type, with what LLVM needs to know to see through calls: allocate bytes, null on failure; free them
SIGNATURES: Final = {
    "tvmscript_allocate": (
        f"noalias align {ALIGNMENT} ptr {{}}(i64) nounwind "
        'allockind("alloc,uninitialized") allocsize(0) "alloc-family"="tvmscript"'
    ),
    "tvmscript_free": 'void {}(ptr allocptr captures(none)) nounwind allockind("free") "alloc-family"="tvmscript"',
}
_ALLOCATE: Final = "aligned_alloc", "ptr {}(i64, i64)"
_FREE: Final = "free", "void {}(ptr)"
#: how many blocks are kept; the bytes of one, at least and at most
_SLOTS, _LEAST, _MOST = 8, 128 << 10, 32 << 20
#: how much larger than what is asked for a kept block may be
_EXCESS: Final = 4


def define_kept_memory(module: ModuleText) -> None:
    """Define the functions of `SIGNATURES`."""
    slots = module.variable("kept_blocks", f"[{_SLOTS} x ptr] zeroinitializer, align {ALIGNMENT}")
    _define_allocate(module, slots)
    _define_free(module, slots)


def _define_allocate(module: ModuleText, slots: str) -> None:
    """`tvmscript_allocate(bytes)`: return a kept block of about the size, or a new one; null on failure."""
    text = RuntimeFunction(module)
    search, new, good, bad = (text.label(hint) for hint in ("search", "new", "good", "bad"))
    text.branch(text.value(f"icmp ult i64 %bytes, {_LEAST}"), new, search)
    text.place(search)
    with text.count_up(str(_SLOTS)) as index:
        _take_if_fits(text, text.element("ptr", slots, index))
    text.jump(new)
    text.place(new)
    whole = text.value(f"add i64 %bytes, {ALIGNMENT}")
    block = text.value(f"call ptr {module.declare(*_ALLOCATE)}(i64 {ALIGNMENT}, i64 {whole})")
    text.branch_likely(text.value(f"icmp ne ptr {block}, null"), good, bad)
    text.place(good)
    text.store("i64", "%bytes", block)
    text.do(f"ret ptr {text.address(block, ALIGNMENT)}")
    text.place(bad)
    text.do("ret ptr null")
    text.define("ptr @tvmscript_allocate(i64 %bytes)")


def _take_if_fits(text: RuntimeFunction, slot: str) -> None:
    """Return the block of a slot from the function if it has the size, otherwise put it back."""
    look, take, put_back, lost, following = (
        text.label(hint) for hint in ("look", "take", "put_back", "lost", "following")
    )
    block = text.value(f"atomicrmw xchg ptr {slot}, ptr null acquire")
    text.branch(text.value(f"icmp eq ptr {block}, null"), following, look)
    text.place(look)
    size = text.load("i64", block)
    is_enough = text.value(f"icmp uge i64 {size}, %bytes")
    is_close = text.value(f"icmp ule i64 {text.value(f'udiv i64 {size}, {_EXCESS}')}, %bytes")
    text.branch(text.value(f"and i1 {is_enough}, {is_close}"), take, put_back)
    text.place(take)
    text.do(f"ret ptr {text.address(block, ALIGNMENT)}")
    text.place(put_back)
    text.branch(_put(text, slot, block), following, lost)
    text.place(lost)
    text.do(f"call void {text.module.declare(*_FREE)}(ptr {block})")
    text.jump(following)
    text.place(following)


def _define_free(module: ModuleText, slots: str) -> None:
    """`tvmscript_free(memory)`: keep a block in an empty slot, or in that of another one, which is freed."""
    text = RuntimeFunction(module)
    keep, drop, done = (text.label(hint) for hint in ("keep", "drop", "done"))
    block = text.address("%memory", -ALIGNMENT)
    size = text.load("i64", block)
    offset = text.value(f"sub i64 {size}, {_LEAST}")
    text.branch(text.value(f"icmp ule i64 {offset}, {_MOST - _LEAST}"), keep, drop)
    text.place(drop)
    text.do(f"call void {module.declare(*_FREE)}(ptr {block})")
    text.do("ret void")
    text.place(keep)
    with text.count_up(str(_SLOTS)) as index:
        following = text.label("following")
        text.branch(_put(text, text.element("ptr", slots, index), block), done, following)
        text.place(following)
    # the slots are full: sizes take turns
    place = text.value(f"urem i64 {text.value(f'lshr i64 {size}, 12')}, {_SLOTS}")
    slot = text.value(f"getelementptr ptr, ptr {slots}, i64 {place}")
    other = text.value(f"atomicrmw xchg ptr {slot}, ptr {block} acq_rel")
    text.do(f"call void {module.declare(*_FREE)}(ptr {other})")
    text.jump(done)
    text.place(done)
    text.do("ret void")
    text.define("void @tvmscript_free(ptr %memory)")


def _put(text: RuntimeFunction, slot: str, block: str) -> str:
    """Put a block into an empty slot; return whether it was empty."""
    pair = text.value(f"cmpxchg ptr {slot}, ptr null, ptr {block} release monotonic")
    return text.value(f"extractvalue {{ ptr, i1 }} {pair}, 1")
