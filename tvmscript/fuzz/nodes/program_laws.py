"""Laws of programs: equality and hashes under changes and renaming, walks, constructors, well-formedness, modules."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final, cast

from tvmscript.fuzz.arith.index_laws import Writer
from tvmscript.fuzz.laws import Law, LawBroken, require, require_refusal, some
from tvmscript.fuzz.programs.blocks import random_blocks
from tvmscript.fuzz.programs.loop_features import random_features
from tvmscript.fuzz.programs.loops import random_program
from tvmscript.fuzz.programs.stages import staged_program
from tvmscript.ir.core import IRError, IRModule, Node, WrongType, nodes, structural_equal
from tvmscript.ir.core.equality import equal
from tvmscript.ir.core.equality.hashing import fingerprint, structural_hash
from tvmscript.ir.core.errors import UnknownName
from tvmscript.ir.core.name_supply import NameSupply
from tvmscript.ir.tir import (
    AttrStmt,
    Block,
    BufferLoad,
    BufferRegion,
    BufferStore,
    Call,
    Evaluate,
    Expr,
    FloatImm,
    For,
    ForKind,
    IntImm,
    LetStmt,
    PrimFunc,
    Range,
    Stmt,
    StringImm,
    Var,
    functor,
    make_buffer,
    substitute,
)
from tvmscript.ir.tir.errors import (
    DefinedTwice,
    LoopVariableInBlock,
    SameSymbol,
    UndeclaredBuffer,
    UndefinedFunction,
    UndefinedVariable,
    WrongCall,
)
from tvmscript.ir.tir.stmt import seq
from tvmscript.ir.tir.verify import verify
from tvmscript.parser import from_source
from tvmscript.testing.mutations import MUTATIONS, At, renamed

#: writers of functions
_WRITERS: Final[tuple[Callable[[int], str], ...]] = (
    random_features,
    random_program,
    random_blocks,
    lambda seed: staged_program(random.Random(seed).randrange),
)


def _text(rng: random.Random) -> str:
    """Draw the text of a function."""
    return rng.choice(_WRITERS)(rng.randrange(1 << 16))


def _program(rng: random.Random) -> PrimFunc:
    """Draw a function."""
    program = from_source(_text(rng))
    assert isinstance(program, PrimFunc)
    return program


def _mutate(rng: random.Random, program: Any) -> Any:
    inside = list(nodes(program))
    usable = [change for change in MUTATIONS.values() if any(change[0](item) for item in inside)]
    fits, change = rng.choice(usable)
    target = rng.choice([item for item in inside if fits(item)])
    return At(target, change(target)).rewrite(program)


# ---- equality


def _equality(rng: random.Random) -> None:
    """Renamed programs are equal and have one hash; changed ones differ where the mismatches say."""
    text = min((_text(rng) for _ in range(3)), key=len)
    program: PrimFunc = from_source(text)
    other = renamed(program)
    require("equality", "renamed", structural_equal(program, other), True)
    require("equality", "mismatches of a renamed one", equal.mismatches(program, other), [])
    require("equality", "the hash of a renamed one", structural_hash(other), structural_hash(program))
    names: Any = equal.paired_names(program, other)
    assert names is not None
    wrong = [
        name for name, pair in names.items() if isinstance(name, Var) and pair.name_hint != f"{name.name_hint}_new"
    ]
    require("equality", "names that are paired", wrong, [])
    require("equality", "fingerprints", fingerprint(program) == fingerprint(from_source(text)), True)
    require("equality", "that of another name", fingerprint(program) == fingerprint(other), not names)
    changed = _mutate(rng, program)
    require("equality", "whether a changed one is equal", structural_equal(program, changed), False)
    require("equality", "its hash", structural_hash(program) == structural_hash(changed), False)
    require("equality", "its fingerprint", fingerprint(program) == fingerprint(changed), False)
    _check_mismatches(*rng.choice(((program, changed), (changed, program))))
    if rng.randrange(4):
        return
    error = _refused(lambda: equal.assert_structural_equal(program, changed), equal.NotEqual)
    require("equality", "what is raised", error.facts["path"], equal.mismatches(program, changed)[0].path)
    equal.assert_structural_equal(program, other)


def _check_free_variables(rng: random.Random) -> None:
    """Check that free variables are equal to themselves alone, and to any others where they are paired."""
    w = Writer(rng.randrange)
    expr = w.condition()
    twins = {var: Var(f"{var.name}1", var.dtype) for var in w.names}
    other = substitute(expr, twins)
    is_same = not any(isinstance(node, Var) for node in nodes(expr))
    require("equality", f"whether {expr} is {other}", structural_equal(expr, other), is_same)
    require("equality", f"whether {expr} is like {other}", structural_equal(expr, other, map_free_vars=True), True)
    hashes = structural_hash(expr, map_free_vars=True), structural_hash(other, map_free_vars=True)
    require("equality", "hashes of paired ones", hashes[0], hashes[1])
    alone = structural_hash(expr) == structural_hash(other)
    require("equality", "hashes of free variables of other names", alone, is_same)


def _follow(root: Any, path: str) -> Any:
    """Return the value at a path such as `<root>.body.seq[0]`."""
    value = root
    for name, index in re.findall(r"\.(\w+)|\[(\d+)\]", path):
        value = value[int(index)] if index else getattr(value, name)
    return value


def _check_mismatches(left: Any, right: Any) -> None:
    """Check that each mismatch is at its path, and that elements without a partner are all that differs."""
    mismatches = equal.mismatches(left, right)
    require("mismatches", "how many there are at least", bool(mismatches), True)
    require(
        "mismatches", "the first one", equal.first_difference(left, right) == mismatches[0], _is_single(mismatches[0])
    )
    place = equal.get_first_structural_mismatch(left, right)
    require("mismatches", "the path", place and place[0] == place[1], True)
    for each in mismatches:
        if "'" in each.path or " is on the " in each.reason:
            continue  # a path through attributes
        for root, side in ((left, each.left), (right, each.right)):
            value = _follow(root, each.path)
            require("mismatches", f"what is at {each.path}", value is side or value == side, True)
        alone = re.search(r"elements: \[(\d+)\](?: to \[(\d+)\])? on the (left|right) side alone", each.reason)
        if alone is not None:
            sides: tuple[Any, Any] = (each.left, each.right) if alone[3] == "left" else (each.right, each.left)
            longer, shorter = sides
            first, last = int(alone[1]), int(alone[2] or alone[1])
            rest: Any = (*longer[:first], *longer[last + 1 :])
            require("mismatches", f"whether {each.reason}", len(rest), len(shorter))
            pairs = [structural_equal(a, b, map_free_vars=True) for a, b in zip(rest, shorter, strict=True)]
            require("mismatches", f"whether the others are equal: {each.reason}", all(pairs), True)


def _is_single(mismatch: equal.Mismatch) -> bool:
    """Return whether a comparison for one mismatch alone has the same words."""
    return "elements: " not in mismatch.reason


def _refused(call: Callable[[], object], error: type[IRError]) -> IRError:
    try:
        call()
    except error as refusal:
        return refusal
    raise LawBroken(law="refusals", what=call, actual="accepted", expected=error.__name__)


# ---- walks


def _note(visited: list[Node], *kinds: type[Node]) -> Callable[[Any], bool]:
    """Return a function that notes nodes, and leaves out what is inside of some kinds."""

    def note(node: Node) -> bool:
        visited.append(node)
        return not isinstance(node, kinds)

    return note


def _walks(rng: random.Random) -> None:
    """Walks meet each statement and expression once, in order; transformations change what they are shown."""
    func = _program(rng)
    body: Stmt = func.body
    after: list[Node] = []
    before: list[Node] = []
    functor.post_order_visit(body, after.append)
    functor.pre_order_visit(body, _note(before))
    require("walks", "the same nodes", {id(node) for node in after}, {id(node) for node in before})
    require("walks", "each once", len(after), len({id(node) for node in after}))
    met = {id(node) for node in nodes(body) if isinstance(node, (Stmt, BufferLoad, Call, IntImm))}
    require("walks", "those of a program", met - {id(node) for node in before}, set())
    places = {id(node): place for place, node in enumerate(after)}
    for node in after:
        parts = [getattr(node, name) for name in ("a", "b", "body", "value", "then_case") if hasattr(node, name)]
        late = [part for part in parts if id(part) in places and places[id(part)] > places[id(node)]]
        require("walks", "parts behind what they are part of", late, [])
    loops = [node for node in before if isinstance(node, For)]
    outer: list[Node] = []
    functor.pre_order_visit(body, _note(outer, For))
    inside = {id(part) for loop in loops for part in nodes(loop.body) if isinstance(part, Stmt)}
    require("walks", "statements in loops that are left out", [node for node in outer if id(node) in inside], [])
    require("walks", "nothing changed", functor.ir_transform(body, None, None) is body, True)
    shown: list[Node] = []
    functor.ir_transform(body, shown.append, lambda node: None, ["tir.IntImm", "tir.For"])
    require("walks", "what is shown", {type(node) for node in shown} <= {IntImm, For}, True)

    def increase(node: Any) -> Node | None:
        return FloatImm(node.dtype, node.value + 1) if abs(node.value) < 8 else None

    moved = functor.ir_transform(body, None, increase, ["tir.FloatImm"])
    numbers, others = ([node.value for node in nodes(each) if type(node) is FloatImm] for each in (body, moved))
    require("walks", "constants", others, [number + (abs(number) < 8) for number in numbers])
    first = functor.ir_transform(body, lambda node: Evaluate(IntImm("int32", 7)), None, ["tir.For"])
    require("walks", "loops that are replaced", [node for node in nodes(first) if isinstance(node, For)], [])
    require_refusal("walks", "a kind", UnknownName, lambda: functor.ir_transform(body, None, None, ["tir.Nothing"]))
    wrong: Any = lambda node: 1  # noqa: E731
    require_refusal("walks", "a number", WrongType, lambda: functor.ir_transform(body, wrong, None))


# ---- constructors


def _constructors(rng: random.Random) -> None:
    """Nodes that are built from Python's numbers, lists and texts are those that are built from nodes."""
    func = _program(rng)
    candidates = [node for node in nodes(func) if not node.is_name and type(node) not in _OWN_CONSTRUCTORS]
    for node in rng.sample(candidates, min(len(candidates), 6)):
        names = (*type(node).schema.arguments, *type(node).schema.keywords)
        values = {name: getattr(node, name) for name in names if name != "span"}
        plain = {name: _plain(node, name, value) for name, value in values.items()}
        built = type(node)(**plain)
        require("constructors", f"{type(node).__name__} of {plain}", structural_equal(built, node), True)
    zero = IntImm("int32", 0)
    require_refusal("constructors", "a range of texts", WrongType, lambda: BufferRegion(_BUFFER, cast(Any, ["a"])))
    require_refusal("constructors", "no sequence", WrongType, lambda: BufferLoad(_BUFFER, cast(Any, 3)))
    require_refusal("constructors", "an object", WrongType, lambda: BufferStore(_BUFFER, cast(Any, object()), (zero,)))


_BUFFER: Final = make_buffer((4,), "float32", "A")
#: nodes whose constructors take something else than their fields, or anything
_OWN_CONSTRUCTORS: Final = (AttrStmt, IntImm, FloatImm, StringImm, Range)


def _plain(node: Node, name: str, value: Any) -> Any:
    """Return Python's value for one of a field, where the others tell its dtype."""
    siblings = {part.dtype for each in type(node).alike if isinstance(part := getattr(node, each), Expr)}
    if isinstance(value, IntImm) and value.dtype in ("int32", *(siblings if name in type(node).alike else ())):
        has_other = any(
            not isinstance(getattr(node, each), (IntImm, FloatImm)) for each in type(node).alike if each != name
        )
        return value.value if not value.dtype.is_bool and (value.dtype == "int32" or has_other) else value
    if isinstance(value, tuple) and all(isinstance(each, Node) for each in value):
        return [each.value if isinstance(each, IntImm) and each.dtype == "int32" else each for each in value]
    return value


# ---- well-formedness


class _Site:
    """A function, and a statement in it."""

    def __init__(self, rng: random.Random) -> None:
        self.func = _program(rng)
        self.stmts = [node for node in nodes(self.func.body) if isinstance(node, (BufferStore, Evaluate))]
        self.stmt = rng.choice(self.stmts)

    def with_stmt(self, new: Stmt) -> PrimFunc:
        changed: PrimFunc = At(self.stmt, new).rewrite(self.func)
        return changed


def _undefined(site: _Site, rng: random.Random) -> PrimFunc | None:
    return site.with_stmt(seq(Evaluate(Var("nowhere", "int32") + 1), site.stmt))


def _leaves_scope(site: _Site, rng: random.Random) -> PrimFunc | None:
    var = Var("inner", "int32")
    loop = For(var, IntImm("int32", 0), IntImm("int32", 2), ForKind.SERIAL, Evaluate(var))
    return site.with_stmt(seq(loop, Evaluate(var), site.stmt))


def _twice(site: _Site, rng: random.Random) -> PrimFunc | None:
    var = Var("again", "int32")
    loop = For(var, IntImm("int32", 0), IntImm("int32", 2), ForKind.SERIAL, Evaluate(var))
    first = rng.choice((LetStmt(var, IntImm("int32", 1), Evaluate(var)), loop))
    return site.with_stmt(
        rng.choice((seq(first, loop, site.stmt), LetStmt(var, IntImm("int32", 0), seq(loop, site.stmt))))
    )


def _undeclared(site: _Site, rng: random.Random) -> PrimFunc | None:
    buffer = from_source('@T.prim_func\ndef f(A: T.Buffer((4,), "float32")):\n    A[0] = 1.0\n').buffer_map
    (stranger,) = buffer.values()
    zero = IntImm("int32", 0)
    access = rng.choice(
        (BufferStore(stranger, FloatImm("float32", 1.0), (zero,)), Evaluate(BufferLoad(stranger, (zero,))))
    )
    return site.with_stmt(seq(access, site.stmt))


def _loop_variable(site: _Site, rng: random.Random) -> PrimFunc | None:
    for block in nodes(site.func.body):
        if isinstance(block, Block) and block.iter_vars:
            loop = next((n for n in nodes(site.func.body) if isinstance(n, For) and _is_inside(block, n)), None)
            if loop is None or loop.kind is ForKind.THREAD_BINDING:
                return None
            changed = block.replace(body=seq(Evaluate(loop.loop_var + 1), block.body))
            func: PrimFunc = At(block, changed).rewrite(site.func)
            return func
    return None


def _is_inside(block: Block, loop: For) -> bool:
    return any(node is block for node in nodes(loop.body))


#: error -> what brings it about in a well-formed function
_FAULTS: Final[dict[type[IRError], tuple[Callable[[_Site, random.Random], PrimFunc | None], ...]]] = {
    UndefinedVariable: (_undefined, _leaves_scope),
    DefinedTwice: (_twice,),
    UndeclaredBuffer: (_undeclared,),
    LoopVariableInBlock: (_loop_variable,),
}


def _verify(rng: random.Random) -> None:
    """A program with one fault is refused because of it; without it is well formed."""
    site = _Site(rng)
    verify(site.func)
    refusal = rng.choice([*_FAULTS])
    wrong = rng.choice(_FAULTS[refusal])(site, rng)
    if wrong is None:
        return
    error = _refused(lambda: verify(wrong), refusal)
    require("verify", "errors of one fault", {type(each) for each in error.errors} <= {refusal}, True)
    _verify_calls(rng)


_CALLED: Final = """
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def helper(a: T.handle("float32"), n: T.int32, x: T.float32):
        T.evaluate(n)

    @T.prim_func
    def main(A: T.Buffer((8,), "float32"), m: T.int32):
        Module.helper({arguments})
"""
#: arguments of the call -> the error
_ARGUMENTS: Final[dict[str, type[IRError] | None]] = {
    "A.data, m, A[0]": None,
    "A.data, T.int64(1), T.float64(2)": None,
    "A.data, m": WrongCall,
    "A.data, m, A[0], 1": WrongCall,
    "A[0], m, A[0]": WrongCall,
    "A.data, A[0], A[0]": WrongCall,
    "A.data, m, m": WrongCall,
    "m, m, A[0]": WrongCall,
    "A.data, A.data, A[0]": WrongCall,
}


def _verify_calls(rng: random.Random) -> None:
    arguments = rng.choice([*_ARGUMENTS])
    module = from_source(_CALLED.format(arguments=arguments), check_well_formed=False)
    refusal = _ARGUMENTS[arguments]
    if refusal is None:
        verify(module)
        without = IRModule({var: func for var, func in module.items() if var.name_hint != "helper"})
        require_refusal("verify", "no function", UndefinedFunction, lambda: verify(without))
        twice = module | IRModule({"other": module["main"]})
        require_refusal("verify", "two of one symbol", SameSymbol, lambda: verify(twice))
    else:
        require_refusal("verify", arguments, refusal, lambda: verify(module))


# ---- modules and names


def _modules(rng: random.Random) -> None:
    """Modules are sets of functions by name."""
    func = from_source("@T.prim_func\ndef f():\n    T.evaluate(0)\n")
    names = ["f", "g", "h", "k"]
    sets: list[set[str]] = [set(some(rng, names, 4)) for _ in range(2)]
    first, second = (IRModule({name: func.with_attr("global_symbol", name) for name in sorted(each)}) for each in sets)
    results: Mapping[str, tuple[object, object]] = {
        "or": (_names(first | second), sets[0] | sets[1]),
        "and": (_names(first & second), sets[0] & sets[1]),
        "minus": (_names(first - second), sets[0] - sets[1]),
        "at most": (first <= second, sets[0] <= sets[1]),
        "in": ([name in first for name in names], [name in sets[0] for name in names]),
        "a number": (3 in first, False),
        "length": (len(first), len(sets[0])),
        "truth": (bool(first), True),
        "order": ([var.name_hint for var in first.get_global_vars()], sorted(sets[0])),
        "default": ([first.get(name, None) is not None for name in names], [name in sets[0] for name in names]),
    }
    for what, (actual, expected) in results.items():
        require("modules", what, actual, expected)
    for name in sorted(set(names) - sets[0]):
        require_refusal("modules", name, UnknownName, partial(first.__getitem__, name))
        require_refusal("modules", name, UnknownName, partial(first.get_global_var, name))
    copied = first.clone()
    copied.update(second)
    require("modules", "an update", _names(copied), sets[0] | sets[1])
    require("modules", "what was copied", _names(first), sets[0])
    noted = first.with_attr("key", 1).with_attrs({"other": "text"})
    require("modules", "attributes", sorted(noted.attrs), ["key", "other"])
    require("modules", "an attribute", int(noted.get_attr("key").value), 1)
    require("modules", "a default", noted.get_attr("none", 5), 5)
    require("modules", "without one", sorted(noted.without_attr("key").attrs), ["other"])
    for name in sorted(sets[0]):
        del copied[name]
    require("modules", "deleted ones", _names(copied), sets[1] - sets[0])


def _names(module: IRModule) -> set[str]:
    return {var.name_hint for var in module}


def _fresh_names(rng: random.Random) -> None:
    """Names are handed out once, are identifiers, and are kept where they are free."""
    supply, taken = NameSupply(rng.choice(("", "_"))), set[str]()
    for _ in range(12):
        name = rng.choice(("a", "a", "a1", "b", "b_1", "x.y", "a_1"))
        fresh = supply.fresh(name)
        require("names", f"whether {fresh} is free", fresh in taken, False)
        require("names", f"whether {fresh} is a name", fresh.isidentifier(), True)
        if name.isidentifier() and name not in taken:
            require("names", f"the first {name}", fresh, name)
        taken.add(fresh)


LAWS: Final[dict[str, Law]] = {
    "equality": _equality,
    "free_variables": _check_free_variables,
    "walks": _walks,
    "constructors": _constructors,
    "verify": _verify,
    "modules": _modules,
    "names": _fresh_names,
}
