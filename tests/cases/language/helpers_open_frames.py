from __future__ import annotations

from tvmscript import T


def clamp(A: T.Buffer | None, i, limit):
    frame = T.If(A[i] > limit)
    frame.__enter__()
    with T.Then():
        T.buffer_store(A, limit, indices=[i])
    with T.Else():
        T.evaluate(0)
    frame.__exit__(None, None, None)


def fill(A, value):
    with T.serial(4) as i:
        with T.block("fill"):
            vi = T.axis.spatial(4, i)
            T.buffer_store(A, value, [vi])
    with T.grid(2, 2) as (i, j), T.If(i < j), T.Then():
        T.buffer_store(A, value, [i * 2 + j])


def union_of_names(A: T.Buffer) -> None | T.Buffer:
    return A


def open_branch(condition):
    conditional = T.If(condition)
    conditional.__enter__()
    branch = T.Then()
    branch.__enter__()
    return conditional, branch


def close_all(frames):
    for frame in reversed(frames):
        frame.__exit__(None, None, None)


@T.prim_func
def program(A: T.Buffer((16,), "float32")):
    for i in range(16):
        clamp(A, i, T.float32(1))
        frames = T.meta_var(open_branch(A[i] > T.float32(3)))
        x = A[i] + T.float32(1)
        A[i] = x
        close_all(frames)
        A[i] = A[i] * T.float32(2)
    fill(union_of_names(A), T.float32(2))


EXPECTED = """
@T.prim_func
def program(A: T.Buffer((16,), "float32")):
    for i in range(16):
        if A[i] > T.float32(1):
            A[i] = T.float32(1)
        else:
            T.evaluate(0)
        if A[i] > T.float32(3):
            x: T.float32 = A[i] + T.float32(1)
            A[i] = x
        A[i] = A[i] * T.float32(2)
    for i in range(4):
        with T.block("fill"):
            vi = T.axis.spatial(4, i)
            A[vi] = T.float32(2)
    for i, j in T.grid(2, 2):
        if i < j:
            A[i * 2 + j] = T.float32(2)
"""
