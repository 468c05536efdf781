"""Models of torch with random weights compute what torch computes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tvmscript
from tests.tvmscript.frontend.torch.models import CASES, torch, with_statistics
from tests.tvmscript.frontend.torch.running import assert_equal, flatten, run
from tvmscript import relax
from tvmscript.frontend.torch import from_exported_program

pytestmark = pytest.mark.filterwarnings("ignore")  # torch's own


def _check(model: Any, inputs: tuple[Any, ...]) -> None:
    model = with_statistics(model)
    with torch.no_grad():
        expected = model(*inputs)
        program = torch.export.export(model, inputs)
    module = from_exported_program(program)
    assert_equal(run(module, inputs, pipeline="inference"), [expected], is_sum=True)


@pytest.mark.parametrize("name", CASES)
def test_small_model(name: str) -> None:
    torch.manual_seed(0)
    _check(CASES[name].small(), CASES[name].small_inputs())


#: models in full of which the small ones, and the others in full, have all operators
_ALIKE = ("ResNet-50", "ViT", "BERT", "Whisper encoder")


@pytest.mark.long
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.fuzz) if name in _ALIKE else name for name in CASES]
)
def test_model(name: str) -> None:
    torch.manual_seed(0)
    _check(CASES[name].large(), CASES[name].large_inputs())


@pytest.mark.long
def test_best_classes_of_images() -> None:
    """ResNet-18 names the class that torch names, for 100 images; random weights prefer one class, so that the class
    that stands out most from the mean of torch's results is compared too.
    """
    torch.manual_seed(0)
    case = CASES["ResNet-18"]
    model = with_statistics(case.large())
    images = torch.nn.functional.interpolate(torch.randn(100, 3, 8, 8) * 3, scale_factor=8)
    with torch.no_grad():
        expected = model(images).numpy()
        module = from_exported_program(torch.export.export(model, (images[:25],)))
    main = relax.VirtualMachine(relax.build(module, "llvm", pipeline="inference"), tvmscript.cpu())["main"]
    results = np.concatenate([flatten(main(batch.numpy()))[0].numpy() for batch in images.split(25)])
    mean = expected.mean(0)
    np.testing.assert_array_equal(results.argmax(1), expected.argmax(1))
    np.testing.assert_array_equal((results - mean).argmax(1), (expected - mean).argmax(1))
    assert len(set((expected - mean).argmax(1))) > 10
