"""Builder for functions of the runtime module, which is compiled once per process."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from tvmscript.backends.llvm.assembly import FunctionText, ModuleText
from tvmscript.backends.llvm.errors import kind_of
from tvmscript.ir.core import TVMScriptError

_MESSAGE_BYTES = 1024


class RuntimeFunction(FunctionText):
    """A function of the runtime module. `failure` is what it returns after it has recorded an error."""

    def __init__(self, module: ModuleText, failure: str = "i32 -1") -> None:
        super().__init__(module)
        self.failure = failure
        self._message = ""

    def address(self, base: str, offset: int) -> str:
        """Return the address so many bytes behind a pointer."""
        return self.value(f"getelementptr i8, ptr {base}, i64 {offset}") if offset else base

    def load(self, kind: str, base: str, offset: int = 0) -> str:
        """Return what lies so many bytes behind a pointer."""
        return self.value(f"load {kind}, ptr {self.address(base, offset)}")

    def store(self, kind: str, operand: str, base: str, offset: int = 0) -> None:
        """Set what lies so many bytes behind a pointer."""
        self.do(f"store {kind} {operand}, ptr {self.address(base, offset)}")

    def element(self, kind: str, base: str, index: str) -> str:
        """Return the address of an element of an array."""
        return self.value(f"getelementptr {kind}, ptr {base}, i32 {index}")

    def print_to(self, place: str, size: int, form: str, arguments: str) -> str:
        """Format the typed arguments into memory of so many bytes and return the number of characters."""
        snprintf = self.module.declare("snprintf", "i32 {}(ptr, i64, ptr, ...)")
        return self.value(f"call i32 (ptr, i64, ptr, ...) {snprintf}(ptr {place}, i64 {size}, ptr {form}, {arguments})")

    def fail(self, error: type[TVMScriptError], arguments: str, **facts: str) -> None:
        """Record an error and return; `facts` are format strings for the typed arguments."""
        self._message = self._message or self.slot(f"[{_MESSAGE_BYTES} x i8]")
        self.print_to(self._message, _MESSAGE_BYTES, self.module.string(error.message.format(**facts)), arguments)
        record = self.module.declare("TVMFFIErrorSetRaisedFromCStr", "void {}(ptr, ptr)")
        self.do(f"call void {record}(ptr {self.module.string(kind_of(error))}, ptr {self._message})")
        self.do(f"ret {self.failure}")

    @contextmanager
    def unless(self, condition: str) -> Generator[None]:
        """Write what runs where the condition does not hold; it has to return."""
        good, bad = self.label("ok"), self.label("bad")
        self.branch(self.value(condition), good, bad)
        self.place(bad)
        yield
        self.place(good)

    @contextmanager
    def count_down(self, count: str) -> Generator[str]:
        """Write a loop over the numbers below an i32, the largest first."""
        before, test, body, done = self.block, self.label("test"), self.label("body"), self.label("done")
        self.jump(test)
        self.place(test)
        line, left = self.reserve(), f"%{test}.left"
        self.branch(self.value(f"icmp sgt i32 {left}, 0"), body, done)
        self.place(body)
        index = self.value(f"add i32 {left}, -1")
        yield index
        self.lines[line] = f"  {left} = phi i32 [ {count}, %{before} ], [ {index}, %{self.block} ]"
        self.jump(test)
        self.place(done)

    @contextmanager
    def count_up(self, count: str) -> Generator[str]:
        """Write a loop over the numbers below an i32, the smallest first."""
        before, test, body, done = self.block, self.label("test"), self.label("body"), self.label("done")
        self.jump(test)
        self.place(test)
        line, index = self.reserve(), f"%{test}.index"
        self.branch(self.value(f"icmp slt i32 {index}, {count}"), body, done)
        self.place(body)
        yield index
        following = self.value(f"add i32 {index}, 1")
        self.lines[line] = f"  {index} = phi i32 [ 0, %{before} ], [ {following}, %{self.block} ]"
        self.jump(test)
        self.place(done)

    def switch(self, number: str, cases: dict[int, str], default: str) -> None:
        """Jump to the block of a number."""
        listed = " ".join(f"i32 {case}, label %{block}" for case, block in cases.items())
        self.do(f"switch i32 {number}, label %{default} [ {listed} ]")
