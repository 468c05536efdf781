"""Profiles of models: calls with their sources, work, the memory between them; and the page of a profile."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest

import tvmscript
from tvmscript.backends.vm.random_inputs import random_arguments
from tvmscript.benchmark.limits import Limits
from tvmscript.benchmark.model_page import model_page, rows_of
from tvmscript.benchmark.model_profile import STEPS, ModelProfile, profile_model
from tvmscript.ir.core import IRModule
from tvmscript.ir.relax.function import Function

MODEL = """
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), w: R.Tensor((8, 8), "float32")):
        with R.dataflow():
            y = R.matmul(x, w)
            z = R.matmul(y, w)
            u = R.matmul(z, y, out_dtype="float32")
            v = R.sum(u)
            R.output(v)
        return v
"""
CONDITIONAL = """
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((8,), "float32"), c: R.Tensor((), "bool")):
        if c:
            y = R.exp(x)
        else:
            y = R.sin(x)
        return y
"""


def profile(text: str) -> tuple[ModelProfile, list[str]]:
    module = tvmscript.from_source(text)
    assert isinstance(module, IRModule)
    main = module["main"]
    assert isinstance(main, Function)
    heard: list[str] = []
    return profile_model(module, main, random_arguments(main, 0, {"n": 8}), notify=heard.append), heard


@pytest.fixture(scope="module")
def of_products() -> ModelProfile:
    return profile(MODEL)[0]


def test_calls_in_order_with_their_sources(of_products: ModelProfile) -> None:
    calls = of_products.calls
    assert [(call.name, call.sources) for call in calls] == [
        ("matmul", ()),
        ("matmul", (0,)),
        ("matmul", (0, 1)),
        ("sum", (2,)),
    ]
    assert [call.result for call in calls] == ["float32[8, 8]"] * 3 + ["float32[]"]
    assert calls[0].work.operations == 2 * 8**3
    assert of_products.work.bytes == 3 * 3 * 8 * 8 * 4 + 8 * 8 * 4 + 4
    assert all(call.seconds > 0 for call in calls)
    (matmul, total) = sorted(rows_of(calls), key=lambda row: row.name)
    assert (matmul.count, total.count) == (3, 1)


def test_memory_between_calls(of_products: ModelProfile) -> None:
    lives = [(each.bytes, each.lifetime.first, each.lifetime.last) for each in of_products.temporaries]
    assert sorted(lives, key=lambda life: life[1]) == [(256, 0, 2), (256, 1, 2), (256, 2, 3)]
    assert of_products.planned_bytes == of_products.live_bytes == 768
    assert of_products.reason is None


def test_function_that_is_interpreted() -> None:
    of_branches, heard = profile(CONDITIONAL)
    assert of_branches.reason == "a conditional"
    assert (of_branches.temporaries, of_branches.planned_bytes) == ((), 0)
    assert len(of_branches.calls) == 1
    assert len(heard) == STEPS


class _Tags(HTMLParser):
    """Checks that tags are closed in order, and collects texts and references."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.texts: list[str] = []
        self.references: list[str] = []
        #: what makes the page wider than a narrow window
        self.wide: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.references += [value or "" for name, value in attrs if name in ("src", "href")]
        if tag in ("table", "svg") and "div" not in self.open:
            self.wide.append(tag)
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Such a tag is closed."""

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


@pytest.mark.parametrize("text", [MODEL, CONDITIONAL], ids=["native", "interpreted"])
def test_page(text: str) -> None:
    page = _Tags()
    page.feed(model_page(profile(text)[0], Limits({"float32": 1e11}, 1e10), "a <model>", {"inputs": "x"}))
    assert page.open == []
    assert page.references == []
    assert page.wide == []
    for part in ("a <model>", "Summary", "Kernels", "Roofline", "Graph", "Memory"):
        assert part in page.texts
