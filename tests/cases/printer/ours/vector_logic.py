# from tvm.script import tir as T

@T.prim_func(private=True)
def main(b: T.bool):
    T.evaluate(T.And(T.Broadcast(b, 4), T.Broadcast(b, 4)))
    T.evaluate(T.Or(T.Broadcast(b, 4), T.Broadcast(b, 4)))
    T.evaluate(not T.Broadcast(b, 4))
