@R.function
def main(x: R.Tensor((4, 6), "float32")):
    y = R.layout_transform(x, index_map=T.index_map(lambda i, j: (j, i)), pad_value=None, axis_separators=[])
    z = R.layout_transform(y, index_map=lambda i, j: (i // 4, j, i % 4), pad_value=1.5)
    return z
