# pass: tir.AnnotateEntryFunc
@T.prim_func(private=True)
def main(A: T.Buffer((1,), "float32")):
    A[0] = T.float32(0)

# after
# from tvm.script import tir as T

@T.prim_func(private=True)
def main(A: T.Buffer((1,), "float32")):
    T.func_attr({"tir.is_entry_func": T.bool(True)})
    A[0] = T.float32(0)
