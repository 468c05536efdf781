from tvmscript import T


class Tile:
    """Python code that a kernel runs while it is read may use what changes the kernel, too."""

    size = 4

    def __init__(self, source):
        self.local = T.alloc_buffer((self.size,), source.dtype, scope="local")

    @T.macro
    def load(self, source, first=0):
        for i in range(self.size):
            with T.block("load"):
                v = T.axis.spatial(self.size, i)
                self.local[v] = source[first + v]

    @T.macro
    def store(self, target, *, first):
        for i in range(self.size):
            with T.block("store"):
                v = T.axis.spatial(self.size, i)
                target[first + v] = self.local[v]

    @staticmethod
    @T.macro
    def nothing():
        pass

    def copy(self, source, target):
        self.load(source)
        self.store(target, first=8)


@T.prim_func
def program(A: T.Buffer((16,), "float16"), B: T.Buffer((16,), "float16")):
    tile = T.meta_var(Tile(A))
    other = T.meta_var(Tile(A))
    tile.load(A, 4)
    Tile.nothing()
    Tile.store(tile, B, first=2)
    other.copy(A, B)


EXPECTED = """
@T.prim_func
def program(A: T.Buffer((16,), "float16"), B: T.Buffer((16,), "float16")):
    tile = T.alloc_buffer((4,), "float16", scope="local")
    other = T.alloc_buffer((4,), "float16", scope="local")
    for i in range(4):
        with T.block("load"):
            v = T.axis.spatial(4, i)
            tile[v] = A[4 + v]
    for i in range(4):
        with T.block("store"):
            v = T.axis.spatial(4, i)
            B[2 + v] = tile[v]
    for i in range(4):
        with T.block("load"):
            v = T.axis.spatial(4, i)
            other[v] = A[T.Add(0, v)]
    for i in range(4):
        with T.block("store"):
            v = T.axis.spatial(4, i)
            B[8 + v] = other[v]
"""
