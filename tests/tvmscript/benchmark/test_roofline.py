"""The picture is XML with a mark for each kernel of each library, under the roof."""

from __future__ import annotations

from xml.etree import ElementTree

from tvmscript.benchmark.limits import Limits
from tvmscript.benchmark.roofline import Point, roofline

SVG = "{http://www.w3.org/2000/svg}"


def test_points_are_below_the_roof() -> None:
    points = [
        Point("a<b", "tvmscript", 0.1, 1e9),
        Point("a<b", "numpy", 0.1, 5e8),
        Point("matmul", "tvmscript", 40.0, 9e10),
    ]
    picture = roofline(points, Limits({"float32": 1e11, "float64": 5e10}, 2e10), "kernels & peers")
    root = ElementTree.fromstring(picture)
    titles = [title.text or "" for title in root.iter(f"{SVG}title")]
    assert [title.split(":")[0] for title in titles] == ["a<b, tvmscript", "a<b, numpy", "matmul, tvmscript"]
    texts = [text.text or "" for text in root.iter(f"{SVG}text")]
    assert "kernels & peers" in texts
    assert "1  a<b" in texts
    assert "copy: 20.0 GB/s" in texts
    assert "float32: 100 GFLOP/s" in texts
    roofs = [line.get("points", "") for line in root.iter(f"{SVG}polyline") if line.get("class") == "roof"]
    assert len(roofs) == 2
    top = min(float(place.split(",")[1]) for place in roofs[0].split())
    marks = [mark for mark in root.iter(f"{SVG}circle") if len(mark)]
    heights = [float(mark.get("cy", "0")) for mark in marks]
    assert all(height >= top for height in heights)
    assert heights[1] > heights[0] > heights[2]  # y grows downwards


def test_long_legends_stay_in_the_picture() -> None:
    points = [Point(f"fused_convolution_of_layer_{index}", "tvmscript", 1.0, 1e9) for index in range(60)]
    root = ElementTree.fromstring(roofline(points, Limits({"float32": 1e11}, 2e10), "many"))
    texts = {text.text or "": float(text.get("y", "0")) for text in root.iter(f"{SVG}text")}
    shown = [text for text in texts if "fused_convolution" in text]
    assert f"and {60 - len(shown)} others" in texts
    assert max(texts.values()) < float(root.get("height", "0"))
    assert max(map(len, shown)) < 30
