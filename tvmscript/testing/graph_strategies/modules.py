"""Strategies of Relax modules, functions and single calls."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from tvmscript.ir.core import Target
from tvmscript.ir.core.module import GlobalVar, IRModule, VDevice
from tvmscript.ir.relax.builder import BlockBuilder
from tvmscript.ir.relax.function import Function
from tvmscript.testing.graph_strategies.bindings import Drawer

#: devices of tensors; modules declare all of them
_DEVICES = (VDevice(Target("llvm"), 0, "global"), VDevice(Target("cuda"), 0, "global"), VDevice(Target("llvm"), 1, "x"))


def _function(
    draw: st.DrawFn,
    builder: BlockBuilder,
    name: str,
    functions: Sequence[GlobalVar],
    most: int,
    devices: Sequence[VDevice | None] = (None,),
) -> GlobalVar:
    drawer = Drawer(draw, builder, functions, devices)
    attrs = drawer.one([{}, {}, {"relax.force_pure": True}, {"fact": '"x"', "number": 3}])
    with builder.function(name, drawer.params(), attrs, private=name != "main"):
        drawer.bindings(draw(st.integers(0, most)))
        return builder.emit_func_output(drawer.one([drawer.values[-1], drawer.several()]))


@st.composite
def graph_modules(draw: st.DrawFn, most_bindings: int = 8) -> IRModule:
    """Draw a module of graph functions that may call earlier ones. The last one is `main`."""
    has_devices = draw(st.integers(0, 3)) == 3
    devices = (None, *_DEVICES) if has_devices else (None,)
    builder = BlockBuilder(IRModule({}, {}, {"vdevice": _DEVICES} if has_devices else {}))
    helpers: list[GlobalVar] = []
    for index in range(draw(st.integers(0, 1))):
        helpers.append(_function(draw, builder, f"helper{index}", helpers, 3, devices))
    _function(draw, builder, "main", helpers, most_bindings, devices)
    return builder.get()


@st.composite
def graph_calls(draw: st.DrawFn, most: int = 16) -> IRModule:
    """Draw a module of one function of operator calls."""
    builder = BlockBuilder()
    drawer = Drawer(draw, builder, ())
    with builder.function("main", drawer.params()):
        for _ in range(draw(st.integers(1, most))):
            call = drawer.call()
            if call is not None:
                drawer.values.append(builder.emit(call))
        builder.emit_func_output(drawer.values[-1])
    return builder.get()


@st.composite
def graph_functions(draw: st.DrawFn, most_bindings: int = 8) -> Function:
    """Draw a graph function without calls of module functions."""
    builder = BlockBuilder()
    gv = _function(draw, builder, "main", (), most_bindings)
    func = builder.get()[gv]
    assert isinstance(func, Function)
    return func
