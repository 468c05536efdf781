"""Suppression of boxes."""

_HYBRID = "TVM's is a hybrid function, which has no function of blocks"
#: where the text differs from TVM's
DIFFERENT = {
    "counts.scores": _HYBRID,
    "counts.any_class": _HYBRID,
    **{f"suppression.{name}": _HYBRID for name in ("boxes", "bottom", "indices", "top", "of_all_classes", "one", "none")},
    "regions.pool": "in TVM the extent of a loop has free variables; here a condition leaves elements out",
    "regions.reorg": "TVM reads beyond the rows of the image",
    **{f"all_classes.{name}": "TVM sorts and sums with functions of its runtime" for name in ("onnx", "tensorflow", "limit", "none")},
}


def _counts(x, least, id_index):
    counts, boxes, indices = [], np.full_like(x, -1), np.full(x.shape[:2], -1, "int32")
    for i, row in enumerate(x):
        valid = [j for j, box in enumerate(row) if box[1] > least and (id_index < 0 or box[id_index] >= 0)]
        boxes[i, : len(valid)], indices[i, : len(valid)] = row[valid], valid
        counts.append(len(valid))
    return [np.array(counts, "int32"), boxes, indices]


def counts():
    yield "scores", "x:float32[n,6,6]", lambda x: topi.vision.get_valid_counts(x, 0.2, 0, 1), lambda x: _counts(x, 0.2, 0)
    yield "any_class", "x:float32[2,m,6]", lambda x: topi.vision.get_valid_counts(x, 0.2, -1, 1), lambda x: _counts(x, 0.2, -1)


def _iou(a, b):
    (l1, t1, r1, b1), (l2, t2, r2, b2) = ((min(x[0], x[2]), min(x[1], x[3]), max(x[0], x[2]), max(x[1], x[3])) for x in (a, b))
    shared = max(0, min(r1, r2) - max(l1, l2)) * max(0, min(b1, b2) - max(t1, t2))
    return shared / ((r1 - l1) * (b1 - t1) + (r2 - l2) * (b2 - t2) - shared)


def _nms(x, counts, numbers, limit=-1, top=-1, by_class=True, bottom=False, indices=False):
    boxes, picked, totals = np.full_like(x, -1), np.full(x.shape[:2], -1, "int32"), []
    for i, row in enumerate(x):
        order = np.argsort(-row[: counts[i], 1], kind="stable")
        order = order[:top] if top > 0 else order
        kept = []
        for j, a in enumerate(order):
            rivals = [b for b in kept if not by_class or row[a, 0] == row[b, 0]]
            if (limit <= 0 or len(kept) < limit) and all(_iou(row[a, 2:], row[b, 2:]) < 0.5 for b in rivals):
                boxes[i, len(kept) if bottom else j] = row[a]
                picked[i, len(kept)] = numbers[i, a]
                kept.append(a)
        totals.append([len(kept)])
    return [picked, np.array(totals, "int32").reshape(-1, 1)] if indices else boxes


def suppression():
    spec = "x:float32[n,8,6]{0:1} c:int32[n]{0:9} i:int32[n,8]{0:99}"
    call = lambda *x, **options: topi.vision.non_max_suppression(topi.concatenate([topi.floor(topi.multiply(topi.strided_slice(x[0], [0], [1], axes=[2]), te.const(2, "float32"))), topi.strided_slice(x[0], [1], [6], axes=[2])], 2), *x[1:], **options)
    wanted = lambda x, c, i, **options: _nms(np.concatenate([np.floor(x[..., :1] * np.float32(2)), x[..., 1:]], 2), c, i, **options)
    yield "boxes", spec, lambda *x: call(*x, return_indices=False), wanted
    yield "bottom", spec, lambda *x: call(*x, return_indices=False, invalid_to_bottom=True), lambda *x: wanted(*x, bottom=True)
    yield "indices", spec, call, lambda *x: wanted(*x, indices=True)
    yield "top", spec, lambda *x: call(*x, top_k=3, return_indices=False), lambda *x: wanted(*x, top=3)
    yield "of_all_classes", spec, lambda *x: call(*x, force_suppress=True), lambda *x: wanted(*x, by_class=False, indices=True)
    yield "none", spec, lambda *x: call(*x, iou_threshold=0.0), lambda x, c, i: [np.array([[*row[:k], *[-1] * (8 - min(k, 8))] for row, k in zip(i, c)], "int32").reshape(i.shape), np.minimum(c, 8)[:, None]]
    yield "one", spec, lambda *x: call(*x, max_output_size=1), lambda *x: wanted(*x, limit=1, indices=True)


def _all_classes(boxes, scores, limit, is_onnx=True):
    batch, classes, count = scores.shape
    rows, values, totals = [], [], []
    for i in range(batch):
        found = []
        for c in range(classes):
            kept = []
            for j in np.argsort(-scores[i, c], kind="stable"):
                if len(kept) < limit and scores[i, c, j] > np.float32(0.3) and all(_iou(boxes[i, j], boxes[i, k]) <= 0.5 for k in kept):
                    kept.append(j)
            found += [(c, j) for j in kept]
        if not is_onnx:
            found = sorted(found, key=lambda item: -scores[i, item[0], item[1]])
        rows.append(found)
    if is_onnx:
        flat = [(i, *item) for i, found in enumerate(rows) for item in found]
        result = np.zeros((batch * classes * count, 3), "int64")
        result[: len(flat)] = np.array(flat, "int64").reshape(-1, 3)
        return [result, np.array([len(flat)])]
    indices, best = np.zeros((batch, classes * count, 2), "int64"), np.zeros((batch, classes * count), "float32")
    for i, found in enumerate(rows):
        for k, (c, j) in enumerate(found):
            indices[i, k], best[i, k] = (c, j), scores[i, c, j]
    return [indices, best, np.array([len(found) for found in rows], "int64")]



def all_classes():
    spec = "b:float32[n,6,4]{0:1} s:float32[n,2,6]{0:1}"
    number = lambda x: te.const(x, "float32" if isinstance(x, float) else "int32")
    call = lambda b, s, limit, *format: topi.vision.all_class_non_max_suppression(b, s, number(limit), number(0.5), number(0.3), *format)
    yield "onnx", spec, lambda b, s: call(b, s, 6), lambda b, s: _all_classes(b, s, 6)
    yield "none", spec.replace("n,", "0,"), lambda b, s: call(b, s, 6), lambda b, s: [np.zeros((0, 3), "int64"), np.zeros(1, "int64")]
    yield "limit", spec, lambda b, s: call(b, s, 1), lambda b, s: _all_classes(b, s, 1)
    yield "tensorflow", spec, lambda b, s: call(b, s, 6, "tensorflow"), lambda b, s: _all_classes(b, s, 6, False)


def regions():
    # rows of the number of an image and of two corners
    rois = lambda i, b: topi.concatenate([topi.cast(i, "float32"), b], 1)
    wanted = lambda i, b: np.concatenate([i.astype("float32"), b], 1)
    spec = "i:int32[n,1]{0:2} b:float32[n,4]{-2:18}"
    yield "align", f"x:float32[2,3,8,8] {spec}", lambda x, i, b: topi.vision.rcnn.roi_align_nchw(x, rois(i, b), (2, 3), 0.5, 0, 2), lambda x, i, b: topi.testing.roi_align_nchw_python(x, wanted(i, b), (2, 3), 0.5, 2), {"rtol": 1e-3}
    yield "align_max", f"x:float32[2,3,8,8] {spec}", lambda x, i, b: topi.vision.rcnn.roi_align_nchw(x, rois(i, b), (2, 2), 0.5, 1, 3), lambda x, i, b: topi.testing.roi_align_nchw_python(x, wanted(i, b), (2, 2), 0.5, 3, "max"), {"rtol": 1e-3}
    yield "align_nhwc", f"x:float32[2,8,8,3] {spec}", lambda x, i, b: topi.vision.rcnn.roi_align_nhwc(x, rois(i, b), (2, 3), 0.5, 0, 2), lambda x, i, b: topi.testing.roi_align_nhwc_python(x, wanted(i, b), (2, 3), 0.5, 2), {"rtol": 1e-3}
    yield "pool", f"x:float32[2,3,8,8] {spec}", lambda x, i, b: topi.vision.rcnn.roi_pool_nchw(x, rois(i, b), (2, 3), 0.5), lambda x, i, b: topi.testing.roi_pool_nchw_python(x, wanted(i, b), (2, 3), 0.5)
    yield "reorg", "x:float32[1,8,4,4]", lambda x: topi.vision.reorg(x, 2), lambda x: topi.testing.reorg_python(x, 2)
