"""Writing LLVM assembly: modules of globals and functions, functions of blocks and numbered values.

The text goes to LLVM's own parser, which is several times faster than building it through llvmlite's objects.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from itertools import chain, pairwise

#: instructions whose value depends on their operands alone
_PURE = frozenset((
    "add", "sub", "mul", "udiv", "sdiv", "urem", "srem", "shl", "lshr", "ashr", "and", "or", "xor", "fadd", "fsub",
    "fmul", "fdiv", "frem", "fneg", "icmp", "fcmp", "select", "getelementptr", "trunc", "zext", "sext", "fptrunc",
    "fpext", "fptoui", "fptosi", "uitofp", "sitofp", "bitcast", "ptrtoint", "inttoptr", "insertelement",
    "extractelement", "shufflevector",
))  # fmt: skip

#: how each byte is written in a string constant
_BYTES = [chr(b) if 32 <= b < 127 and b not in (34, 92) else f"\\{b:02X}" for b in range(256)]


def quoted(name: str) -> str:
    """Return a name as LLVM reads it after `@` or `%`."""
    if name.replace("_", "a").replace(".", "a").isalnum() and name.isascii() and not name[0].isdigit():
        return name
    return f'"{_escaped(name.encode())}"'


def _escaped(data: bytes) -> str:
    return "".join(map(_BYTES.__getitem__, data))


def string_text(text: str) -> str:
    """Return a string as metadata has it, in quotes."""
    return f'"{_escaped(text.encode("utf-8", "surrogatepass"))}"'


class ModuleText:
    """A module that is being written."""

    def __init__(self, prefix: str = "") -> None:
        """Begin a module; `prefix` is in all names that `fresh` returns."""
        self._prefix = prefix
        self._globals: list[str] = []
        self._strings: dict[bytes, str] = {}
        self._declared: dict[str, str] = {}
        self._functions: list[str] = []
        self._metadata: list[str] = []
        self._named_metadata: list[str] = []
        self._weights: str | None = None
        self._tables: dict[tuple[str, ...], str] = {}
        self._names = 0

    def fresh(self, hint: str) -> str:
        """Return a global name that is not taken, with its @."""
        self._names += 1
        return f"@{quoted(f'tvmscript.{self._prefix}{hint}.{self._names}')}"

    def declare(self, name: str, signature: str) -> str:
        """Declare an external function once; `signature` is the text around the name: `double ({})`."""
        self._declared.setdefault(name, signature)
        return f"@{quoted(name)}"

    def declare_hidden(self, symbol: str, signature: str) -> None:
        """Declare a function of another part of the program, by its symbol with the @."""
        self._globals.append(f"declare hidden {signature.format(symbol)}")

    def constant(self, hint: str, text: str, align: int) -> str:
        """Add a private constant and return its name; `text` is its type and value."""
        name = self.fresh(hint)
        self._globals.append(f"{name} = private unnamed_addr constant {text}, align {align}")
        return name

    def variable(self, hint: str, text: str, space: str = "") -> str:
        """Add a private variable and return its name; `text` is its type and initial value, `space` where it is."""
        name = self.fresh(hint)
        self._globals.append(f"{name} = internal {space}global {text}")
        return name

    def external_variable(self, name: str, text: str) -> str:
        """Declare a variable of others once; `text` is its address space, kind, type and alignment."""
        line = f"@{quoted(name)} = external {text}"
        if line not in self._globals:
            self._globals.append(line)
        return f"@{quoted(name)}"

    def string(self, text: str) -> str:
        """Return a constant string that ends with a zero byte."""
        data = text.encode("utf-8", "surrogatepass") + b"\0"
        if data not in self._strings:
            self._strings[data] = self.constant("text", f'[{len(data)} x i8] c"{_escaped(data)}"', 1)
        return self._strings[data]

    def table(self, kind: str, items: tuple[str, ...]) -> str:
        """Return the name of a constant array of typed constants, which is added once."""
        if items not in self._tables:
            self._tables[items] = self.constant("table", f"[{len(items)} x {kind}] [{', '.join(items)}]", 64)
        return self._tables[items]

    def data(self, raw: bytes, align: int) -> str:
        """Constant bytes."""
        return self.constant("data", f'[{len(raw)} x i8] c"{_escaped(raw)}"', align)

    def metadata(self, text: str) -> str:
        """Metadata of this text; its name."""
        self._metadata.append(f"!{len(self._metadata)} = {text}")
        return f"!{len(self._metadata) - 1}"

    def named_metadata(self, name: str, items: Iterable[str]) -> None:
        self._named_metadata.append(f"!{name} = !{{{', '.join(items)}}}")

    def loop_hint(self, hints: Sequence[str]) -> str:
        """Metadata of a loop that is to be treated as the hints say; each loop needs its own."""
        number = len(self._metadata)
        places = "".join(f", !{number + place}" for place in range(1, len(hints) + 1))
        self._metadata.append(f"!{number} = distinct !{{!{number}{places}}}")
        self._metadata += [f"!{number + place} = !{{{hint}}}" for place, hint in enumerate(hints, 1)]
        return f"!{number}"

    def weights(self) -> str:
        """Metadata of a branch that is almost always taken."""
        if self._weights is None:
            self._weights = self.metadata('!{!"branch_weights", i32 1048575, i32 1}')
        return self._weights

    def add(self, function: str) -> None:
        """Add the text of a whole function."""
        self._functions.append(function)

    @property
    def size(self) -> int:
        """How many characters the functions take that are written so far."""
        return sum(map(len, self._functions))

    def __str__(self) -> str:
        declared = [f"declare {signature.format('@' + quoted(name))}" for name, signature in self._declared.items()]
        metadata = [*self._named_metadata, *self._metadata]
        return "\n".join([*self._globals, *declared, *self._functions, *metadata, ""])


class FunctionText:
    """A function that is being written: lines, numbered values, named blocks, stack slots.

    `block` is the label of the block that is being written.
    """

    def __init__(self, module: ModuleText) -> None:
        self.module = module
        self.lines: list[str] = ["entry:", ""]
        self.block = "entry"
        #: debug metadata of this function, where it has any
        self.subprogram = ""
        #: lines before the block `entry`, of which one jumps there, and lines before each return from it
        self.prologue: tuple[str, ...] = ()
        self.epilogue: tuple[str, ...] = ()
        #: from which line on instructions belong to which place
        self._locations: list[tuple[int, str]] = []
        self._slots: list[str] = []
        self._values = 0
        self._labels = 0
        #: pure instructions that reach this place -> their values
        self.known: dict[str, str] = {}
        #: memory -> loads of this block that no later store has made stale -> their values
        self._loads: dict[Hashable, dict[str, str]] = {}
        #: memory -> the load of what the last store of this block to it wrote, and its line, while nothing has read it
        self._stores: dict[Hashable, tuple[str, int]] = {}

    def value(self, text: str) -> str:
        """Write an instruction that has a value; return the value's name. A pure one is written once."""
        opcode = text[: text.find(" ")]
        if opcode in _PURE:
            return self.pure_value(text)
        if opcode != "load":
            self._loads.clear()
        self._stores.clear()
        return self._new_value(text)

    def _new_value(self, text: str) -> str:
        name = f"%{self._values}"
        self._values += 1
        self.lines.append(f"  {name} = {text}")
        return name

    def pure_value(self, text: str) -> str:
        """Write an instruction whose value depends on its operands alone, unless it is written already."""
        name = self.known.get(text)
        if name is None:
            self.known[text] = name = self._new_value(text)
        return name

    def load_value(self, text: str, memory: Hashable = None) -> str:
        """Write a load, unless its value is known. Stores to other memory do not change it; None: memory like any."""
        loads = self._loads.setdefault(memory, {})
        name = loads.get(text)
        if name is None:
            loads[text] = name = self._new_value(text)
            if memory is None:
                self._stores.clear()
            self._stores.pop(memory, None)
        return name

    def store_value(self, text: str, memory: Hashable = None, load: str = "", operand: str = "") -> None:
        """Write a store, after which the instruction `load` has the value `operand`, remove one that it replaces."""
        if memory is None:
            self._loads.clear()
            self._stores.clear()
        self._loads.pop(None, None)
        self._loads[memory] = {load: operand} if load else {}
        last_load, line = self._stores.get(memory, ("", 0))
        if load and load == last_load:
            self.lines[line] = ""
        self._stores[memory] = load, len(self.lines)
        self.lines.append(f"  {text}")

    def do(self, text: str) -> None:
        """Write an instruction without a value."""
        self._loads.clear()
        self._stores.clear()
        self.lines.append(f"  {text}")

    def label(self, hint: str) -> str:
        """Return a new name for a block."""
        self._labels += 1
        return f"{hint}{self._labels}"

    def place(self, label: str, known: dict[str, str] | None = None) -> None:
        """Begin the block of this name; `known` is that of a block which every way to it leads through."""
        self.lines.append(f"{label}:")
        self.block = label
        self.known = {} if known is None else known.copy()
        self._loads.clear()
        self._stores.clear()

    def jump(self, label: str) -> None:
        self.lines.append(f"  br label %{label}")

    def branch(self, condition: str, yes: str, no: str, note: str = "") -> None:
        self.lines.append(f"  br i1 {condition}, label %{yes}, label %{no}{note}")

    def branch_likely(self, condition: str, yes: str, no: str) -> None:
        """Write a branch that goes to `yes` nearly always."""
        self.branch(condition, yes, no, f", !prof {self.module.weights()}")

    def slot(self, text: str) -> str:
        """Memory on the stack, for the whole run of the function; `text` is type and alignment."""
        name = f"%slot{len(self._slots)}"
        self._slots.append(f"  {name} = alloca {text}")
        return name

    def reserve(self) -> int:
        """Reserve a line to be filled in later: phi nodes of loops need values of later instructions."""
        self.lines.append("")
        return len(self.lines) - 1

    @property
    def location(self) -> str:
        """The place that instructions belong to here; empty: none."""
        return self._locations[-1][1] if self._locations else ""

    def locate(self, location: str) -> None:
        """Instructions that are written from here on belong to this place (debug metadata)."""
        self._locations.append((len(self.lines), location))

    def define(self, head: str) -> None:
        """Add the function to the module; `head` is its linkage, type, name, parameters and attributes."""
        self._place_instructions()
        slots = "\n".join(self._slots)
        if self.prologue:
            self.lines[1] = ""
            ends = ((*self.epilogue, line) if line.startswith("  ret ") else (line,) for line in self.lines)
            lines = ["prologue:", slots, *self.prologue, *chain.from_iterable(ends)]
        else:
            self.lines[1] = slots
            lines = self.lines
        if self.subprogram:
            head += f" !dbg {self.subprogram}"
        self.module.add("\n".join([f"define {head} {{", *(line for line in lines if line), "}", ""]))

    def define_internal(self, kind: str, hint: str, params: Iterable[str], attributes: str) -> str:
        """Add the function to the module under a fresh name, and return that; `kind` is its convention and type."""
        symbol = self.module.fresh(hint)
        self.define(f"internal {kind} {symbol}({', '.join(params)}) {attributes}")
        return symbol

    def _place_instructions(self) -> None:
        for (begin, location), (end, _) in pairwise([*self._locations, (len(self.lines), "")]):
            for number in range(begin, end):
                if self.lines[number].startswith("  "):
                    self.lines[number] += f", !dbg {location}"


def arguments(parts: Iterable[tuple[str, str]]) -> str:
    """(type, value) pairs as the arguments of a call."""
    return ", ".join(f"{kind} {value}" for kind, value in parts)
