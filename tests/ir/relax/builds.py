"""BlockBuilder programs that run with TVM's classes or ours, and print the modules as JSON.

Run by `oracle.py exec` it prints what TVM built; the tests compare it with `built(ours)`.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

if __name__ == "__main__":  # in TVM's environment the tests are no package
    from infos import told  # type: ignore[import-not-found]  # pyright: ignore
else:
    from tests.ir.relax.infos import told


class Library:
    """One library: its classes, and its operators as functions."""

    def __init__(self, relax: Any, var: Any, add: Any, multiply: Any, const: Any) -> None:
        self.relax = relax
        self.add, self.multiply, self.const = add, multiply, const
        self.n, self.m, self.k = [var(name, "int64") for name in "nmk"]
        self.x = relax.Var("x", self.tensor(self.m, self.n))
        self.y = relax.Var("y", self.tensor(self.n))

    def tensor(self, *sizes: Any) -> Any:
        return self.relax.TensorStructInfo(list(sizes), "float32")


def names_and_nesting(lib: Library) -> Any:
    bb = lib.relax.BlockBuilder()
    with bb.function("func", [lib.x, lib.y]):
        with bb.dataflow():
            lv0 = bb.emit(lib.add(lib.x, lib.y))
            lv1 = bb.emit(lib.multiply(lv0, lib.y))
            named = bb.emit(lib.add(lv0, lv1), name_hint="w")
            again = bb.emit(lib.add(lv0, lv1), name_hint="w")
            bb.emit(lib.add(lib.add(lib.x, lib.y), lib.multiply(lib.x, lib.y)))
            bb.match_cast(again, lib.tensor(lib.m, 4))
            several = bb.emit(lib.relax.Tuple([named, lib.relax.Tuple([lib.x, lib.y])]))
            bb.emit(lib.relax.TupleGetItem(several, 1))
            first = bb.emit_output(lv1)
            bb.emit_output(lib.add(lv1, lib.y))
            bb.emit_output((lv1, named))
        third = bb.emit(lib.add(first, lib.y))
        fourth = bb.emit(lib.add(third, lib.y), name_hint="lv")
        bb.emit_func_output(lib.add(fourth, bb.emit(third)))
    return bb.get()


def functions(lib: Library) -> Any:
    bb = lib.relax.BlockBuilder()
    with bb.function("f", [lib.x, lib.y], private=True):
        bb.emit_func_output(lib.relax.Tuple([lib.x, lib.y]))
    first = bb.get()["f"]
    bb.add_func(first, "again")
    changed = bb.add_func(first.with_attr("q", 2), "f")
    bb.update_func(changed, first.with_attr("q", 3))
    with bb.function("main", [lib.x]):
        bb.emit_func_output(lib.x)
    return bb.get()


def branches(lib: Library) -> Any:
    relax = lib.relax
    x = relax.Var("x", lib.tensor(8, 4))  # TVM 0.17 forgets the size variables that a branch sees
    bb = relax.BlockBuilder()
    with bb.function("main", [x]):
        chosen = bb.emit(relax.If(lib.const(True), lib.add(x, x), lib.multiply(x, lib.add(x, x))))
        inner = relax.VarBinding(relax.Var("q", lib.tensor(8, 4)), lib.add(x, x))
        bb.emit(relax.SeqExpr([relax.BindingBlock([inner])], x))
        bb.emit_func_output(chosen)
    return bb.get()


def leaves(lib: Library) -> Any:
    relax, x = lib.relax, lib.x
    bb = relax.BlockBuilder()
    with bb.function("main", [x]):
        bb.emit(relax.ShapeExpr([lib.m, lib.n]))
        bb.emit(relax.PrimValue(4))
        bb.emit(lib.const(1.5))
        bb.emit(relax.TupleGetItem(relax.Tuple([x, lib.add(x, x)]), 0))
        bb.emit_normalized(relax.VarBinding(relax.Var("v", lib.tensor(lib.m, lib.n)), x))
        bb.emit(lib.add(x, lib.const(2.0)))
        bb.emit_func_output([x, (x, lib.add(x, x))])
    return bb.get()


def late_parameters(lib: Library) -> Any:
    bb = lib.relax.BlockBuilder()
    with bb.function("main"):
        with bb.dataflow():
            out = bb.emit_output(bb.emit(lib.add(lib.x, lib.x)))
        bb.emit_func_output(out, [lib.x])
    return bb.finalize()


def sizes_of_casts(lib: Library) -> Any:
    bb = lib.relax.BlockBuilder()
    with bb.function("main", [lib.x]):
        with bb.dataflow():
            cast = bb.match_cast(lib.x, lib.tensor(lib.k, lib.n))
            out = bb.emit_output(lib.add(cast, cast))
        bb.emit_func_output(out)
    return bb.get()


def calls(lib: Library) -> Any:
    bb = lib.relax.BlockBuilder()
    with bb.function("scale", [lib.x, lib.y]):
        bb.emit_func_output(lib.multiply(lib.x, lib.y))
    scale = bb.get().get_global_var("scale")
    left = lib.relax.Var("left", lib.tensor(3, lib.k))
    right = lib.relax.Var("right", lib.tensor(lib.k))
    with bb.function("main", [left, right]):
        result = bb.emit(lib.relax.Call(scale, [lib.relax.Call(scale, [left, right]), right]))
        bb.emit_func_output(result)
    return bb.get()


BUILDS: list[Callable[[Library], Any]] = [
    names_and_nesting,
    functions,
    branches,
    leaves,
    late_parameters,
    sizes_of_casts,
    calls,
]


def value(node: Any) -> Any:
    """A value as JSON."""
    kind = type(node).__name__
    if kind in ("Var", "DataflowVar"):
        return node.name_hint
    if kind == "Call":
        return [getattr(node.op, "name_hint", None) or node.op.name, *[value(arg) for arg in node.args]]
    if kind == "Tuple":
        return ["tuple", *[value(field) for field in node.fields]]
    if kind == "TupleGetItem":
        return ["item", value(node.tuple_value), int(node.index)]
    if kind == "If":
        return ["if", sequence(node.true_branch), sequence(node.false_branch), told(node.struct_info)]
    return [kind, told(node.struct_info)]


def sequence(node: Any) -> Any:
    """A sequence as JSON."""
    blocks = [[type(block).__name__, [binding(item) for item in block.bindings]] for block in node.blocks]
    return [blocks, value(node.body), told(node.struct_info)]


def binding(node: Any) -> Any:
    """A binding as JSON."""
    var = node.var
    return [type(node).__name__, type(var).__name__, var.name_hint, told(var.struct_info), value(node.value)]


def function(func: Any) -> Any:
    """A function as JSON."""
    params = [[param.name_hint, told(param.struct_info)] for param in func.params]
    keys = sorted(str(key) for key in (func.attrs.keys() if func.attrs else ()))
    return [params, sequence(func.body), told(func.ret_struct_info), keys]


def built(lib_of: Callable[[], Library]) -> dict[str, Any]:
    """Everything that one library builds."""
    return {
        build.__name__: {var.name_hint: function(func) for var, func in build(lib_of()).functions.items()}
        for build in BUILDS
    }


def of_tvm() -> dict[str, Any]:
    """What TVM builds."""
    from tvm import relax, tir  # pyright: ignore[reportMissingImports]

    def const(number: Any) -> Any:
        return relax.const(number, "bool" if isinstance(number, bool) else "float32")

    return built(lambda: Library(relax, tir.Var, relax.op.add, relax.op.multiply, const))


if __name__ == "__main__":
    print("ANSWERS" + json.dumps(of_tvm()))
