# from tvm.script import tir as T

@T.prim_func(private=True)
def main(a: T.handle):
    A_1 = T.handle("bool", "global")
    A = T.match_buffer(a, (4,), "bool", data=A_1)
    with T.allocate([4], "bool", "global") as v:
        B = T.decl_buffer((4,), "bool", data=v)
        B[0] = A[0]
    C = T.decl_buffer((4,), "bool")
    C[0] = A[0]
    T.attr(T.StringImm("fact"), "key", 1)
    T.attr("fact", "key", 1)
    T.evaluate(C[0])
