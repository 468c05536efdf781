"""A long graph function: as text, and as calls of a BlockBuilder, which are the same for us and for the peer."""

from __future__ import annotations

from typing import Any

#: what every binding makes of the one before it
_STEPS = ("R.matmul({0}, w, out_dtype={1})", "R.add({0}, x)", "R.nn.relu({0})", "R.multiply({0}, {0})")


def text(bindings: int, no_dtype: str = '"void"') -> str:
    """A function of so many bindings in one dataflow block, as TVM prints it; 0.27 writes None for no dtype."""
    tensor = 'R.Tensor(("n", 128), dtype="float32")'
    lines = [
        "@R.function",
        f'def main(x: {tensor}, w: R.Tensor((128, 128), dtype="float32")) -> {tensor}:',
        "    n = T.int64()",
        "    with R.dataflow():",
    ]
    last = "x"
    for number in range(bindings):
        value = _STEPS[number % len(_STEPS)].format(last, no_dtype)
        last = f"lv{number}"
        lines.append(f'        {last}: R.Tensor((n, 128), dtype="float32") = {value}')
    return "\n".join([*lines, f"        R.output({last})", f"    return {last}"])


def built(relax: Any, size_variable: Any, tensor: Any, bindings: int) -> Any:
    """The module of the same function out of the builder of a library; `tensor` makes what is known of a tensor."""
    n = size_variable("n", "int64")
    x, w = relax.Var("x", tensor([n, 128], "float32")), relax.Var("w", tensor([128, 128], "float32"))
    op = relax.op
    builder = relax.BlockBuilder()
    with builder.function("main", [x, w]):
        with builder.dataflow():
            last = x
            for _ in range(0, bindings, 4):
                last = builder.emit(op.matmul(last, w))
                last = builder.emit(op.add(last, x))
                last = builder.emit(op.nn.relu(last))
                last = builder.emit(op.multiply(last, last))
            last = builder.emit_output(last)
        builder.emit_func_output(last)
    return builder.get()
