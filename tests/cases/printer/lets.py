# from tvm.script import tir as T

@T.prim_func(private=True)
def main(x: T.int32):
    with T.LetStmt(x + 1) as y:
        T.evaluate(y)
    with T.LetStmt(T.call_extern("handle", "f"), T.handle("float32", "global")) as p:
        T.evaluate(p)
    with T.LetStmt(T.call_extern("handle", "f")) as q:
        T.evaluate(q)
    with T.LetStmt(T.Broadcast(T.float32(1), 4)) as v:
        T.evaluate(v)
    a: T.int32 = x + 1
    b: T.float32 = T.Cast("float32", a)
    p: T.handle("float32", "shared") = T.call_extern("handle", "f")
    c: T.int32 = a + 2
    v: T.float32x4 = T.Broadcast(b, 4)
    T.evaluate(c)
