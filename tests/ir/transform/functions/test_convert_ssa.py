"""Programs whose nodes share variables, as no text has them."""

from __future__ import annotations

from tvmscript.ir.core.module import GlobalVar, IRModule
from tvmscript.ir.core.visit import nodes
from tvmscript.ir.tir.base import Stmt
from tvmscript.ir.tir.buffer import make_buffer
from tvmscript.ir.tir.expr import BufferLoad, IntImm, IterKind, IterVar, pointer_to
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.stmt import Allocate, AttrStmt, Evaluate, For, ForKind, LetStmt, seq
from tvmscript.ir.tir.var import Var
from tvmscript.ir.transform.functions.convert_ssa import ConvertSSA


def _int(value: int) -> IntImm:
    return IntImm("int32", value)


def _converted(body: Stmt, params: tuple[Var, ...] = ()) -> PrimFunc:
    made = ConvertSSA()(PrimFunc(params, body))
    assert isinstance(made, PrimFunc)
    return made


def test_definitions_one_after_the_other() -> None:
    x = Var("x", "int32")
    made = _converted(seq(LetStmt(x, _int(1), Evaluate(x)), LetStmt(x, _int(2), Evaluate(x))))
    first, second = [node for node in nodes(made.body) if isinstance(node, LetStmt)]
    assert first.var is x
    assert second.var is not x
    assert second.var.name == "x"
    assert isinstance(second.body, Evaluate)
    assert second.body.value is second.var


def test_definition_inside_of_another_one() -> None:
    x = Var("x", "int32")
    inner = LetStmt(x, x + 1, Evaluate(x))
    made = _converted(LetStmt(x, _int(1), seq(inner, Evaluate(x))))
    outer, within = [node for node in nodes(made.body) if isinstance(node, LetStmt)]
    assert within.var is not outer.var
    # the value is of the outer variable, and so is what comes afterwards
    assert any(node is outer.var for node in nodes(within.value))
    last = [node for node in nodes(made.body) if isinstance(node, Evaluate)][-1]
    assert last.value is outer.var


def test_what_is_defined_once_stays_the_same_object() -> None:
    x = Var("x", "int32")
    func = PrimFunc((), LetStmt(x, _int(1), Evaluate(x)))
    assert ConvertSSA()(func) is func


def test_functions_share_a_parameter() -> None:
    n = Var("n", "int32")
    module = IRModule({GlobalVar("f"): PrimFunc((n,), Evaluate(n)), GlobalVar("g"): PrimFunc((n,), Evaluate(n))})
    made = ConvertSSA()(module)
    f, g = made["f"], made["g"]
    assert f.params[0] is n
    assert g.params[0] is not n
    assert g.body.value is g.params[0]


def test_functions_share_a_buffer() -> None:
    buffer, a = make_buffer((_int(4),), "float32", "A"), Var("a", "handle")
    func = PrimFunc((a,), Evaluate(BufferLoad(buffer, (_int(0),))), buffer_map={a: buffer})
    made = ConvertSSA()(IRModule({GlobalVar("f"): func, GlobalVar("g"): func}))
    (param,), (mapped,) = made["g"].params, made["g"].buffer_map.values()
    assert param is not a
    assert mapped is not buffer
    assert mapped.data is not buffer.data
    assert made["g"].body.value.buffer is mapped


def test_memory_is_allocated_twice() -> None:
    data = Var("data", pointer_to("float32"))
    buffer = make_buffer((_int(4),), "float32", "B", data=data)
    load = Evaluate(BufferLoad(buffer, (_int(0),)))
    once = Allocate(data, buffer.dtype, buffer.shape, IntImm("bool", 1), load)
    made = _converted(seq(once, once.replace()))
    first, second = [node for node in nodes(made.body) if isinstance(node, Allocate)]
    assert second.buffer_var is not first.buffer_var
    loads = [node for node in nodes(made.body) if isinstance(node, BufferLoad)]
    assert [node.buffer.data for node in loads] == [first.buffer_var, second.buffer_var]


def test_loops_and_threads() -> None:
    """A loop's variable is renamed; that of a thread that is launched twice stays, but not in another function."""
    i, t = Var("i", "int32"), Var("t", "int32")
    axis = IterVar(None, t, IterKind.THREAD_INDEX, "threadIdx.x")
    loop = For(i, _int(0), _int(4), ForKind.SERIAL, Evaluate(i))
    body = seq(loop, loop.replace(), *[AttrStmt(axis, "thread_extent", _int(8), Evaluate(t)) for _ in range(2)])
    func = PrimFunc((), body)
    made = ConvertSSA()(IRModule({GlobalVar("f"): func, GlobalVar("g"): func}))
    for name in ("f", "g"):
        loops = [node.loop_var for node in nodes(made[name].body) if isinstance(node, For)]
        threads = [node.node.var for node in nodes(made[name].body) if isinstance(node, AttrStmt)]
        assert loops[0] is not loops[1]
        assert threads[0] is threads[1]
        assert (threads[0] is t) == (name == "f")
