# from tvm.script import tir as T

@T.prim_func(private=True)
def main(x: T.int32):
    T.evaluate(T.Ramp(x, 1, 4))
    T.evaluate(T.Ramp(T.int64(0), T.int64(2), 8))
    T.evaluate(T.Broadcast(x, 4))
    T.evaluate(T.Broadcast(T.float32(1), 8) + T.Broadcast(T.float32(2), 8))
    T.evaluate(T.Shuffle([T.Broadcast(x, 4)], [0, 3]))
    T.evaluate(T.Shuffle([x, x + 1], [0, 1]))
    T.evaluate(T.Ramp(x, 1, 4) < T.Broadcast(x, 4))
    T.vectorlow("float32x2", T.Broadcast(T.float32(1), 4))
    T.vectorhigh("float32x2", T.Broadcast(T.float32(1), 4))
    T.vectorcombine("float32x8", T.Broadcast(T.float32(1), 4), T.Broadcast(T.float32(1), 4))
    T.evaluate(T.Broadcast(T.float32(1), 4))
    T.evaluate(T.Broadcast(1, 4))
