"""TVM's visitors and mutators: programs that use them as with TVM."""

from __future__ import annotations

from textwrap import dedent
from typing import Any

import pytest

import tvmscript as tvm
from tvmscript import relax
from tvmscript.relax.expr_functor import PyExprMutator, PyExprVisitor, mutator, visitor

PROGRAM = """
    @I.ir_module
    class Module:
        @R.function
        def main(x: R.Tensor((2, 3), "float32"), c: R.Tensor((), "bool")) -> R.Tensor((2, 3), "float32"):
            cls = Module
            with R.dataflow():
                a = R.exp(x)
                b = R.add(a, x)
                d: R.Tensor((2, 3), "float32") = R.match_cast(b, R.Tensor((2, 3), "float32"))
                R.output(d)
            if c:
                y = R.add(d, d)
            else:
                y = cls.helper(d)
            t = (y, R.shape([2]), R.const(1.0, "float32"))
            z = t[0]
            return z

        @R.function(private=True)
        def helper(x: R.Tensor((2, 3), "float32")) -> R.Tensor((2, 3), "float32"):
            y = R.call_pure_packed("f", x, R.prim_value(1), R.str("s"), sinfo_args=R.Tensor((2, 3), "float32"))
            return y
"""


def program(text: str = PROGRAM) -> Any:
    return tvm.from_source(dedent(text))


@visitor
class Logs(PyExprVisitor):
    """What is visited, in order."""

    def __init__(self) -> None:
        self.log: list[str] = []

    def visit_call_(self, op: Any) -> None:
        super().visit_call_(op)
        self.log.append(f"call {getattr(op.op, 'name', 'a function')}")

    def visit_var_(self, op: Any) -> None:
        self.log.append(op.name_hint)

    def visit_dataflow_var_(self, op: Any) -> None:
        self.log.append(f"{op.name_hint} inside")

    def visit_var_def_(self, var: Any) -> None:
        self.log.append(f"{var.name_hint} =")

    def visit_dataflow_var_def_(self, var: Any) -> None:
        self.log.append(f"{var.name_hint} inside =")

    def visit_dataflow_block_(self, block: Any) -> None:
        self.log.append("dataflow")
        super().visit_dataflow_block_(block)


def test_everything_is_visited_in_order() -> None:
    found = Logs()
    found.visit_expr(program()["main"])
    assert " | ".join(found.log) == (
        "x = | c = | dataflow | x | call relax.exp | a inside = | a inside | x | call relax.add | b inside = | b inside"
        " | d = | c | d | d | call relax.add | y_then = | y_then | d | call a function | y_else = | y_else | y = | y"
        " | t = | t | z = | z"
    )


def test_only_expressions_are_visited() -> None:
    with pytest.raises(TypeError, match="not a list"):
        Logs().visit_expr([])


@mutator
class Multiplies(PyExprMutator):
    """Additions become multiplications, in every function of a module."""

    def __init__(self, mod: Any) -> None:
        super().__init__(mod)
        self.mod = mod

    def transform(self) -> Any:
        for var, func in self.mod.functions.items():
            if isinstance(func, relax.Function):
                self.builder_.update_func(var, self.visit_expr(func))
        return self.builder_.get()

    def visit_call_(self, op: Any) -> Any:
        made = self.visit_expr_post_order(op)
        if getattr(made.op, "name", "") != "relax.add":
            return made
        return relax.op.multiply(*made.args)


def test_a_pass_as_with_tvm() -> None:
    before = program()
    after = Multiplies(before).transform()
    tvm.ir.assert_structural_equal(after, program(PROGRAM.replace("R.add", "R.multiply")))
    assert after["helper"] is before["helper"]


def test_what_is_emitted_stands_in_front() -> None:
    class Twice(PyExprMutator):
        def visit_call_(self, op: Any) -> Any:
            made = self.visit_expr_post_order(op)
            return relax.op.negative(self.builder_.emit(made))

    after = Twice().visit_expr(program()["main"])
    assert relax.analysis.well_formed(after)
    values = [binding.value.op.name for binding in after.body.blocks[0].bindings[:4]]
    assert values == ["relax.exp", "relax.negative", "relax.add", "relax.negative"]


def test_shapes_follow() -> None:
    class Transposes(PyExprMutator):
        def visit_call_(self, op: Any) -> Any:
            made = self.visit_expr_post_order(op)
            return relax.op.permute_dims(made.args[0]) if made.op.name == "relax.exp" else made

    func = program("""
        @R.function
        def main(x: R.Tensor((2, 3), "float32")):
            a = R.exp(x)
            b = R.negative(a)
            return b
    """)
    after = Transposes().visit_expr(func)
    assert str(after.body.body.struct_info) == 'R.Tensor((3, 2), dtype="float32")'
    assert str(after.ret_struct_info) == 'R.Tensor((3, 2), dtype="float32")'


def test_variables_are_replaced() -> None:
    class Skips(PyExprMutator):
        """`b = add(a, x)` is not bound; `a` stands for `b`."""

        def visit_var_binding_(self, binding: Any) -> None:
            if getattr(getattr(binding.value, "op", None), "name", "") == "relax.add":
                self.set_var_remap(binding.var.vid, self.get_var_remap(binding.value.args[0].vid))
            else:
                super().visit_var_binding_(binding)

    func = program("""
        @R.function
        def main(x: R.Tensor((2, 3), "float32")):
            a = R.exp(x)
            b = R.add(a, x)
            d = R.negative(b)
            return d
    """)
    mutated = Skips()
    after = mutated.visit_expr(func)
    assert [binding.var.name_hint for binding in after.body.blocks[0].bindings] == ["a", "d"]
    a, d = after.body.blocks[0].bindings
    assert d.value.args == (a.var,)
    assert mutated.lookup_binding(a.var) is a.value


def test_nothing_changes_where_nothing_is_overridden() -> None:
    for func in program().functions.values():
        assert PyExprMutator().visit_expr(func) is func


def test_a_value_as_a_body_of_its_own() -> None:
    x = relax.Var("x", relax.TensorStructInfo([2], "float32"))

    class Emits(PyExprMutator):
        def visit_call_(self, op: Any) -> Any:
            return self.builder_.emit(op)

    made = Emits().visit_with_new_scope(relax.op.exp(x))
    assert isinstance(made, relax.SeqExpr)
    assert made.body is made.blocks[0].bindings[0].var  # type: ignore[attr-defined]  # it is a binding of a variable
    again = Emits().visit_with_new_scope(made)
    assert [binding.var.name_hint for binding in again.blocks[0].bindings] == ["gv", "gv"]  # type: ignore[attr-defined]
