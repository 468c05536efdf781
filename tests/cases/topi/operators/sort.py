"""Sorting, searching, distinct elements."""

#: where the text differs from TVM's
DIFFERENT = {
    "places.one": "TVM sums an element of each row, also where there is none",
    **{
        family: "TVM calls a function of its runtime; here it is a merge sort"
        for family in (
            "sorted.sort", "sorted.sort_first", "sorted.sort_descending", "sorted.sort_int", "sorted.sort_vector",
            "sorted.sort_half", "sorted.sort_uint8", "sorted.sort_empty", "sorted.sort_nan", "sorted.sort_three",
            "sorted.argsort", "sorted.argsort_ties", "sorted.argsort_descending", "sorted.argsort_counts",
            "sorted.sort_runs", "sorted.argsort_runs",
            "digits.sort", "digits.sort_first", "digits.sort_bytes", "digits.sort_descending", "digits.argsort",
            "digits.argsort_ties", "digits.argsort_zeros", "digits.argsort_nan", "digits.argsort_counts", "digits.most",
            "top.both", "top.values", "top.indices", "top.least", "top.all", "top.symbol", "top.first_axis",
            "top.few", "top.few_least", "top.few_nan", "top.few_of_a_symbol",
        )
    },
    **{
        f"distinct.{name}": "TVM's is a hybrid function, which has no function of blocks"
        for name in ("unique", "unique_unsorted", "unique_counts", "unique_counts_unsorted", "unique_float")
    },
}


def sorted():
    yield "sort", "x:float32[n,m]", topi.sort, np.sort
    yield "sort_first", "x:float32[m,n]", lambda x: topi.sort(x, 0), lambda x: np.sort(x, 0)
    yield "sort_three", "x:float32[2,m,3]", lambda x: topi.sort(x, 1), lambda x: np.sort(x, 1)
    yield "sort_descending", "x:float32[n,7]", lambda x: topi.sort(x, 1, False), lambda x: -np.sort(-x, 1)
    yield "sort_int", "x:int64[n,7]{-9:9}", topi.sort, np.sort
    yield "sort_uint8", "x:uint8[n,7]{0:256}", topi.sort, np.sort
    yield "sort_half", "x:float16[n,7]", topi.sort, np.sort
    yield "sort_vector", "x:float32[n]", topi.sort, np.sort
    yield "sort_empty", "x:float32[3,0]", topi.sort, np.sort
    yield "sort_nan", "x:float32[n,9]{-3:1}", lambda x: topi.sort(topi.sqrt(x)), lambda x: np.sort(np.sqrt(x, where=x >= 0, out=np.full_like(x, np.nan))), {"dtypes": ("float16", "float64")}
    yield "argsort", "x:float32[n,m]", lambda x: topi.argsort(x, dtype="int32"), lambda x: np.argsort(x, kind="stable").astype("int32")
    yield "argsort_ties", "x:int32[n,9]{0:3}", topi.argsort, lambda x: np.argsort(x, kind="stable").astype("float32")
    yield "argsort_descending", "x:int32[16,m]{0:3}", lambda x: topi.argsort(x, axis=0, is_ascend=0, dtype="int64"), lambda x: np.argsort(-x, 0, kind="stable")
    yield "argsort_counts", "x:float32[n,5] c:int32[n]{0:6}", lambda x, c: topi.argsort(x, c, 1, 0, "int32"), lambda x, c: np.array([[*np.argsort(-row[:k], kind="stable"), *range(k, 5)] for row, k in zip(x, c)], "int32").reshape(x.shape)
    yield "sort_runs", "x:float32[n,37]", topi.sort, np.sort
    yield "argsort_runs", "x:int32[2,45]{0:9}", topi.argsort, lambda x: np.argsort(x, kind="stable").astype("float32")


def digits():
    stable = lambda x: np.argsort(x, kind="stable").astype("int32")
    argsort = lambda x: topi.argsort(x, dtype="int32")
    yield "sort", "x:float32[n,96]", topi.sort, np.sort, {"dtypes": ("float16", "float32", "float64")}
    yield "sort_first", "x:int64[100,n]{-70000:70000}", lambda x: topi.sort(x, 0), lambda x: np.sort(x, 0), {"dtypes": ("int32", "uint32", "int64", "uint64")}
    yield "sort_bytes", "x:uint8[n,24]{0:128}", topi.sort, np.sort, {"dtypes": ("int8", "uint8", "int16")}
    yield "sort_descending", "x:float32[n,48]", lambda x: topi.sort(x, 1, False), lambda x: -np.sort(-x, 1)
    yield "argsort", "x:float32[n,48]", argsort, stable
    yield "argsort_ties", "x:int32[2,100]{-9:9}", lambda x: topi.argsort(x, is_ascend=0, dtype="int64"), lambda x: np.argsort(-x, kind="stable")
    yield "argsort_zeros", "x:float32[60]{-1:1}", lambda x: argsort(topi.multiply(x, topi.cast(topi.greater(x, 0.5), "float32"))), lambda x: stable(x * (x > 0.5))
    yield "argsort_nan", "x:float32[n,50]{-3:1}", lambda x: argsort(topi.negative(topi.sqrt(x))), lambda x: stable(np.where(x < 0, np.inf, -np.sqrt(np.abs(x)))), {"dtypes": ("float16", "float64")}
    yield "argsort_counts", "x:float32[n,50] c:int32[n]{0:51}", lambda x, c: topi.argsort(x, c, 1, 0, "int32"), lambda x, c: np.array([[*np.argsort(-row[:k], kind="stable"), *range(k, 50)] for row, k in zip(x, c)], "int32").reshape(x.shape)
    yield "most", "x:float32[n,60]", lambda x: topi.topk(x, 40, ret_type="both"), lambda x: [-np.sort(-x, 1)[:, :40], np.argsort(-x, 1, kind="stable")[:, :40]]


def top():
    pick = lambda x, k, dtype="int64": [-np.sort(-x, 1)[:, :k], np.argsort(-x, 1, kind="stable")[:, :k].astype(dtype)]
    yield "both", "x:float32[n,7]", lambda x: topi.topk(x, 3), lambda x: pick(x, 3)
    yield "values", "x:int32[n,7]{0:5}", lambda x: topi.topk(x, 2, 1, "values"), lambda x: pick(x, 2)[0]
    yield "indices", "x:int32[n,7]{0:5}", lambda x: topi.topk(x, 2, -1, "indices", dtype="int32"), lambda x: pick(x, 2, "int32")[1]
    yield "least", "x:float32[n,7]", lambda x: topi.topk(x, 3, is_ascend=True), lambda x: [np.sort(x, 1)[:, :3], np.argsort(x, 1, "stable")[:, :3]]
    yield "all", "x:float32[n,m]", lambda x: topi.topk(x, 0), lambda x: pick(x, None)
    yield "symbol", "x:float32[7,m] y:float32[k]", lambda x, y: topi.topk(x, y.shape[0], 0), lambda x, y: [a.T for a in pick(x.T, len(y))]
    yield "first_axis", "x:float32[7,n]", lambda x: topi.topk(x, 1, 0), lambda x: [a.T for a in pick(x.T, 1)]
    yield "few", "x:int32[n,40]{0:5}", lambda x: topi.topk(x, 6), lambda x: pick(x, 6)
    yield "few_least", "x:float32[50,n]", lambda x: topi.topk(x, 9, 0, is_ascend=True), lambda x: [np.sort(x, 0)[:9], np.argsort(x, 0, "stable")[:9]]
    yield "few_nan", "x:float32[n,40]{-3:1}", lambda x: topi.topk(topi.sqrt(x), 8, ret_type="indices"), lambda x: np.argsort(-np.where(x < 0, np.inf, np.sqrt(np.abs(x))), 1, kind="stable")[:, :8], {"dtypes": ("float16", "float64")}
    yield "few_of_a_symbol", "x:float32[3,m] y:float32[3,9]", lambda x, y: topi.topk(topi.concatenate([x, y], 1), 5), lambda x, y: pick(np.concatenate([x, y], 1), 5)


def places():
    rows = lambda x, v, side="left", dtype="int64": np.stack([np.searchsorted(a, b, side) for a, b in zip(x, v)]).astype(dtype)
    yield "rows", "x:float32[m,4] v:float32[m,3]", lambda x, v: topi.searchsorted(topi.cumsum(topi.abs(x), 1), v), lambda x, v: rows(np.cumsum(np.abs(x), 1), v)
    yield "rows_right", "x:int32[3,8]{0:2} v:int32[3,4]{0:6}", lambda x, v: topi.searchsorted(topi.cumsum(x, 1), v, True, "int32"), lambda x, v: rows(np.cumsum(x, 1), v, "right", "int32")
    yield "one", "x:int32[n]{0:2} v:int32[m,3]{0:6}", lambda x, v: topi.searchsorted(topi.cumsum(x, 0), v, True), lambda x, v: np.searchsorted(np.cumsum(x), v, "right")


def _unique(x, is_sorted=True, counts=False):
    elements, firsts, inverse, times = np.unique(x, return_index=True, return_inverse=True, return_counts=True)
    order = np.arange(len(elements)) if is_sorted else np.argsort(firsts)
    fill = lambda a, value: np.concatenate([a[order], np.full(len(x) - len(a), value, a.dtype)])
    result = [fill(elements, 0), fill(firsts, len(x)).astype("int32"), np.argsort(order)[inverse].astype("int32") if len(x) else firsts.astype("int32"), np.array([len(elements)], "int32")]
    return [*result, fill(times, 0).astype("int32")] if counts else result


def distinct():
    yield "unique", "x:int32[n]{0:4}", topi.unique, _unique
    yield "unique_unsorted", "x:int64[n]{0:4}", lambda x: topi.unique(x, False), lambda x: _unique(x, False)
    yield "unique_counts", "x:int32[n]{0:4}", lambda x: topi.unique(x, True, True), lambda x: _unique(x, True, True)
    yield "unique_counts_unsorted", "x:int32[9]{0:4}", lambda x: topi.unique(x, False, True), lambda x: _unique(x, False, True)
    yield "unique_float", "x:float32[n]", topi.unique, _unique
