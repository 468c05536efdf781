def f(n: T.int32):  # error: TS2023 "def f"
    T.evaluate(n)
