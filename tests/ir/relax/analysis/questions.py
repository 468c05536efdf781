"""Results of `relax.analysis` for a program as JSON, by TVM or ours. `oracle.py exec` prints TVM's."""

from __future__ import annotations

import json
from typing import Any

PROGRAM = """
@I.ir_module
class Module:
    @R.function
    def main(
        x: R.Tensor(("n", 4), "float32"), w: R.Tensor((4, 4), "float32"), b: R.Tensor((4,), "float32")
    ) -> R.Tensor(("n", 4), "float32"):
        R.func_attr({"num_input": 1})
        n = T.int64()
        cls = Module
        wt = R.permute_dims(w)
        u0 = R.exp(x)
        with R.dataflow():
            lv = R.add(wt, b)
            lv0 = R.add(x, b)
            dead = R.exp(lv0)
            dead2 = R.exp(dead)
            mc = R.match_cast(lv0, R.Tensor((n, 4), "float32"))
            y = cls.g(x)
            R.output(y, lv)
        with R.dataflow():
            q = R.exp(x)
            R.output(q)
        return y

    @R.function
    def g(x: R.Tensor(("n", 4), "float32")) -> R.Tensor(("n", 4), "float32"):
        cls = Module
        r = cls.h(x)
        return r

    @R.function
    def h(x: R.Tensor(("n", 4), "float32")) -> R.Tensor(("n", 4), "float32"):
        cls = Module
        r = cls.g(x)
        s = cls.k(r)
        return r

    @R.function
    def k(x: R.Tensor(("n", 4), "float32")) -> R.Tensor(("n", 4), "float32"):
        cls = Module
        t = cls.k(x)
        return t

    @R.function(pure=False)
    def imp(x: R.Tensor(("n", 4), "float32"), c: R.Tensor((), "bool")) -> R.Tensor(("n", 4), "float32"):
        n = T.int64()
        R.print(x, format="{}")
        p = R.call_packed("f", x, sinfo_args=R.Object)
        dead = R.exp(x)
        if c:
            d = R.exp(x)
            e = R.abs(d)
        else:
            e = R.sin(x)

        @R.function
        def inner(z: R.Tensor((n,), "float32")) -> R.Tensor((n,), "float32"):
            zz = R.exp(z)
            return zz

        return x
"""


def answers(module: Any, analysis: Any) -> dict[str, Any]:
    """What is asked of every function; what TVM keeps in no order is sorted."""
    result: dict[str, Any] = {
        "recursion": sorted(sorted(var.name_hint for var in group) for group in analysis.detect_recursion(module))
    }
    for var, func in module.functions.items():
        result[var.name_hint] = {
            **{
                name: [item.name_hint for item in getattr(analysis, name)(func)]
                for name in ("all_vars", "bound_vars", "free_vars", "all_global_vars", "computable_at_compile_time")
            },
            **{
                name: sorted(item.name for item in getattr(analysis, name)(func))
                for name in ("defined_symbolic_vars", "free_symbolic_vars")
            },
            "impure": bool(analysis.contains_impure_call(func)),
            "values": sorted(item.name_hint for item in analysis.get_var2val(func)),
            "bindings": {name: len(items) for name, items in sorted(analysis.name_to_binding(func).items())},
            "kept": sorted(item.name_hint for item in analysis.bound_vars(analysis.remove_all_unused(func))),
            # TVM does not count the use in a cast
            "chains": [
                {
                    key.name_hint: sorted(item.name_hint for item in items if item.name_hint != "mc")
                    for key, items in analysis.udchain(block).items()
                }
                for block in func.body.blocks
                if type(block).__name__ == "DataflowBlock"
            ],
        }
    visited: list[str] = []
    analysis.post_order_visit(module["main"], lambda expr: visited.append(_label(expr)))
    return {**result, "visited": visited}


def _label(expr: Any) -> str:
    kind = type(expr).__name__
    return f"{'Op' if kind == 'Operator' else kind} {getattr(expr, 'name_hint', getattr(expr, 'name', ''))}"


if __name__ == "__main__":
    import tvm.script  # pyright: ignore[reportMissingImports]

    print("ANSWERS" + json.dumps(answers(tvm.script.from_source(PROGRAM), tvm.relax.analysis)))
