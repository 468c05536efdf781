"""The option `--passes`: passes by name, and the passes of graph pipelines."""

from __future__ import annotations

from collections.abc import Sequence

from tvmscript.cli.errors import InvalidOption
from tvmscript.ir.core import IRError
from tvmscript.ir.relax.transform.pipeline import get_pipeline, pipeline_names
from tvmscript.ir.transform.base import Pass
from tvmscript.ir.transform.pass_text import ParsedPass, read_passes
from tvmscript.ir.transform.registry import get_pass
from tvmscript.ir.transform.sequential import Sequential


def passes_of(text: str) -> tuple[Pass, ...]:
    """Return the passes of `--passes`; the name of a graph pipeline stands for its passes. Raises `InvalidOption`."""
    try:
        return tuple([step for spelled in read_passes(text) for step in _steps(spelled)])
    except IRError as error:
        raise InvalidOption(option="--passes", reason=error.text, hint=error.hint) from error


def _steps(spelled: ParsedPass) -> Sequence[Pass]:
    if spelled.name in pipeline_names():
        pipeline = get_pipeline(spelled.name, **spelled.options)
        if isinstance(pipeline, Sequential):
            return pipeline.passes
    return [get_pass(spelled.name, *spelled.arguments, **spelled.options)]
