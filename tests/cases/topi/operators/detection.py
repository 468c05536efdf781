"""Detection with anchors."""

_HYBRID = "TVM's is a hybrid function, which has no function of blocks"
#: where the text differs from TVM's
DIFFERENT = {
    **{f"ssd.{name}": _HYBRID for name in ("prior", "prior_steps", "prior_symbols", "locations", "locations_threshold", "locations_background", "detection")},
    **{f"regular.{name}": _HYBRID for name in ("few", "many")},
    **{f"proposals.{name}": "TVM sorts with a function of its runtime" for name in ("plain", "moved", "small")},
}


def _iou(a, b):
    (l1, t1, r1, b1), (l2, t2, r2, b2) = ((min(x[0], x[2]), min(x[1], x[3]), max(x[0], x[2]), max(x[1], x[3])) for x in (a, b))
    shared = max(0, min(r1, r2) - max(l1, l2)) * max(0, min(b1, b2) - max(t1, t2))
    covered = (r1 - l1) * (b1 - t1) + (r2 - l2) * (b2 - t2) - shared
    return shared / covered if covered > 0 else 0


def _multibox(p, t, anchors, variances=(0.1, 0.1, 0.2, 0.2), clip=True, threshold=0.01, keep=False):
    rows, totals = np.full((len(p), p.shape[2], 6), -1, "float32"), []
    for i in range(len(p)):
        total = 0
        for j, (left, top, right, bottom) in enumerate(anchors[0]):
            scores = p[i, 0 if keep else 1 :, j]
            number = int(np.argmax(scores)) + (0 if keep else 1)
            number = 0 if scores.max() < threshold else number
            if number or keep:
                dx, dy, dw, dh = t[i, 4 * j : 4 * j + 4] * np.array(variances, "float32")
                x, y = dx * (right - left) + (left + right) / 2, dy * (bottom - top) + (top + bottom) / 2
                w, h = np.exp(dw) * (right - left) / 2, np.exp(dh) * (bottom - top) / 2
                box = np.array([x - w, y - h, x + w, y + h])
                rows[i, total] = [number if keep else number - 1, scores.max(), *(box.clip(0, 1) if clip else box)]
                total += 1
        totals.append(total)
    return [rows, np.array(totals, "int32")]


def _detect(p, t, anchors):
    rows, totals = _multibox(p, t, anchors)
    result = np.full_like(rows, -1)
    for i, boxes in enumerate(rows):
        kept = []
        for n, j in enumerate(np.argsort(-boxes[: totals[i], 1], kind="stable")):
            if all(boxes[j, 0] != boxes[k, 0] or _iou(boxes[j, 2:], boxes[k, 2:]) < 0.5 for k in kept):
                kept.append(j)
                result[i, n] = boxes[j]
    return result


def _prior(x, sizes, ratios, steps=(-1, -1), offsets=(0.5, 0.5), clip=False):
    h, w = x.shape[2:]
    step = [1 / max(extent, 1) if given <= 0 else given for extent, given in zip((h, w), steps)]
    shapes = [(size * h / w, size) for size in sizes] + [(sizes[0] * h / w * r**0.5, sizes[0] / r**0.5) for r in ratios[1:]]
    rows = [
        [cx - a / 2, cy - b / 2, cx + a / 2, cy + b / 2]
        for cy in (np.arange(h) + offsets[0]) * step[0]
        for cx in (np.arange(w) + offsets[1]) * step[1]
        for a, b in shapes
    ]
    rows = np.array(rows, "float32").reshape(1, -1, 4)
    return rows.clip(0, 1) if clip else rows


def ssd():
    ssd = topi.vision.ssd
    yield "prior", "x:float32[1,3,4,5]", lambda x: ssd.multibox_prior(x, (0.5, 0.3), (1, 2, 0.5)), lambda x: _prior(x, (0.5, 0.3), (1, 2, 0.5))
    yield "prior_steps", "x:float32[1,3,4,5]", lambda x: ssd.multibox_prior(x, (0.9,), (1, 2), (0.2, 0.3), (0.4, 0.6), True), lambda x: _prior(x, (0.9,), (1, 2), (0.2, 0.3), (0.4, 0.6), True)
    yield "prior_symbols", "x:float32[1,3,n,m]", lambda x: ssd.multibox_prior(x), lambda x: _prior(x, (1,), (1,))
    inputs = "p:float32[n,4,6]{0:1} t:float32[n,24] a:float32[1,6,4]{0:1}"
    yield "locations", inputs, lambda p, t, a: ssd.multibox_transform_loc(p, t, a), _multibox
    yield "locations_threshold", inputs, lambda p, t, a: ssd.multibox_transform_loc(p, t, a, False, 0.8, (0.2, 0.1, 0.3, 0.4)), lambda p, t, a: _multibox(p, t, a, (0.2, 0.1, 0.3, 0.4), False, 0.8)
    yield "locations_background", inputs, lambda p, t, a: ssd.multibox_transform_loc(p, t, a, keep_background=True), lambda p, t, a: _multibox(p, t, a, keep=True)
    yield "detection", inputs, lambda p, t, a: ssd.multibox_detection(p, t, a), _detect


def _regular(boxes, scores, per_class, most, classes, threshold, least):
    results = [np.zeros((len(boxes), most, 4), "float32"), *(np.zeros((len(boxes), most), "float32") for _ in range(2)), np.zeros(len(boxes), "int32")]
    for i, rows in enumerate(boxes):
        chosen = []
        for c in range(classes):
            kept = []
            values = scores[i, :, scores.shape[2] - classes + c]
            for j in np.argsort(-values, kind="stable"):
                if values[j] >= least and len(kept) < per_class and all(_iou(rows[j], rows[k]) <= threshold for k in kept):
                    kept.append(j)
            chosen += [(values[j], c, j) for j in kept]
        chosen = sorted(chosen, key=lambda item: -item[0])[:most]
        for n, (score, c, j) in enumerate(chosen):
            results[0][i, n], results[1][i, n], results[2][i, n] = rows[j], c, score
        results[3][i] = len(chosen)
    return results


def regular():
    inputs = "b:float32[n,6,4] s:float32[n,6,3]{0:1}"
    yield "few", inputs, lambda b, s: topi.vision.regular_non_max_suppression(b, s, 2, 4, 2, 0.2, 0.1), lambda b, s: _regular(b, s, 2, 4, 2, 0.2, 0.1)
    yield "many", inputs, lambda b, s: topi.vision.regular_non_max_suppression(b, s, 6, 10, 3, 0.5, 0.3), lambda b, s: _regular(b, s, 6, 10, 3, 0.5, 0.3)


def _pixel_iou(a, b):
    shared = np.maximum(0, np.minimum(a[2:], b[2:]) - np.maximum(a[:2], b[:2]) + 1).prod()
    return shared / ((a[2:4] - a[:2] + 1).prod() + (b[2:4] - b[:2] + 1).prod() - shared)


def _anchor(ratio, scale, base):
    w = np.floor(np.sqrt(np.floor(base * base / ratio)) + 0.5)
    h = np.floor(w * ratio + 0.5)
    center = (base - 1) / 2
    return np.array([center - (w * scale - 1) / 2, center - (h * scale - 1) / 2, center + (w * scale - 1) / 2, center + (h * scale - 1) / 2])


def _proposal(p, d, info, scales, ratios, stride, threshold, pre, post, smallest, iou_loss):
    anchors = [_anchor(ratio, scale, stride) for ratio in ratios for scale in scales]
    result = []
    for i in range(len(p)):
        height, width, scale = info[i]
        rows = []
        for y in range(p.shape[2]):
            for x in range(p.shape[3]):
                for n, anchor in enumerate(anchors):
                    box, move = anchor + np.array([x, y, x, y]) * stride, d[i, 4 * n : 4 * n + 4, y, x]
                    if iou_loss:
                        box = box + move
                    else:
                        sides = box[2:] - box[:2] + 1
                        center, reach = move[:2] * sides + box[:2] + (sides - 1) / 2, (np.exp(move[2:]) * sides - 1) / 2
                        box = np.concatenate([center - reach, center + reach])
                    box = np.clip(box, 0, np.array([width, height, width, height]) - 1)
                    score = -1 if y >= int(height / stride) or x >= int(width / stride) else p[i, len(anchors) + n, y, x]
                    if (box[2:] - box[:2] + 1 < scale * smallest).any():
                        box, score = box + np.array([-1, -1, 1, 1]) * scale * smallest / 2, -1
                    rows.append([*box, score])
        rows = np.array(rows)
        kept = []
        for row in rows[np.argsort(-rows[:, 4], kind="stable")][: pre if pre > 0 else None]:
            if all(_pixel_iou(row[:4], other) <= threshold for other in kept):
                kept.append(row[:4])
        result += [[i, *kept[n % len(kept)]] for n in range(post)]
    return np.array(result, "float32")


def proposals():
    inputs = "p:float32[2,4,3,5]{0:1} d:float32[2,8,3,5]{-0.3:0.3} i:float32[2,3]{40:60}"
    for name, options in {
        "plain": ((2.0,), (0.5, 1.0), 16, 0.3, 20, 5, 0.1, False),
        "moved": ((2.0,), (0.5, 2.0), 16, 0.5, -1, 40, 0.1, True),
        "small": ((0.5, 1.0), (1.0,), 16, 0.7, 12, 4, 0.3, False),
    }.items():
        yield name, inputs, lambda p, d, i, o=options: topi.vision.rcnn.proposal(p, d, i, *o), lambda p, d, i, o=options: _proposal(p, d, i, *o), {"rtol": 1e-4}
