# pass: tir.StorageFlatten(64)
@T.prim_func
def main(A: T.Buffer((100,), "float16"), B: T.Buffer((25,), "float16"), n: T.int32):
    T.func_attr({"from_legacy_te_schedule": True})
    assert 4 > 3, "yes"
    assert n < 100, "maybe"
    for i in range(25):
        assert i < 25, "sure"
        B[i] = A[i * 4]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((100,), "float16"), B: T.Buffer((25,), "float16"), n: T.int32):
    T.func_attr({"from_legacy_te_schedule": T.bool(True)})
    assert n < 100, "maybe"
    for i in range(25):
        B[i] = A[i * 4]
