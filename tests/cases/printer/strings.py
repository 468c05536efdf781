# from tvm.script import tir as T

@T.prim_func(private=True)
def main():
    T.evaluate("plain")
    T.evaluate("tab\t quote\" backslash\\ return\r")
    T.evaluate("single ' quote")
    T.evaluate("\x01\x7F")
    T.evaluate("")
    T.evaluate("{x} %s \\n")
