"""Models of torch with random weights compute what torch computes."""

from __future__ import annotations

from typing import Any

import pytest

from tests.tvmscript.frontend.torch.models import CASES, torch, with_statistics
from tests.tvmscript.frontend.torch.running import assert_equal, run
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


@pytest.mark.long
@pytest.mark.parametrize("name", CASES)
def test_model(name: str) -> None:
    torch.manual_seed(0)
    _check(CASES[name].large(), CASES[name].large_inputs())
