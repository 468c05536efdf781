"""Classes of errors under TVM's names are caught as TVM's own are."""

from __future__ import annotations

import pytest

from tvmscript import TVMError, error
from tvmscript.tir import ScheduleError

#: class -> the classes that its errors are in TVM 0.17
BASES = {
    error.TVMError: (RuntimeError,),
    error.DiagnosticError: (error.TVMError,),
    error.InternalError: (error.TVMError,),
    error.OpError: (error.TVMError,),
    error.OpNotImplemented: (error.OpError, NotImplementedError),
    error.OpAttributeInvalid: (error.OpError, AttributeError),
    error.OpAttributeRequired: (error.OpError, AttributeError),
    ScheduleError: (error.TVMError,),
}


@pytest.mark.parametrize("kind", BASES)
def test_bases(kind: type[TVMError]) -> None:
    for base in BASES[kind]:
        assert issubclass(kind, base)


def test_raised_by_scripts() -> None:
    with pytest.raises(RuntimeError, match="no such operator"):
        raise error.OpNotImplemented("no such operator")
    assert not issubclass(error.OpError, error.OpNotImplemented)
