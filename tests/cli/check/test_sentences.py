"""Nothing reads a sentence back: with every sentence replaced by another one, the casts are the same."""

from dataclasses import replace
from pathlib import Path

import pytest

from promo_mypy.linting.lint import lint
from promo_mypy.linting.request import LintRequest
from promo_mypy.linting.selection import Selection
from promo_mypy.rules import findings
from promo_mypy.rules.findings import Cast, Finding, Span
from promo_mypy.rules.wording import mismatches
from promo_mypy.rules.wording.diagnostics import Diagnostic

PROGRAM = """\
import numpy as np
import torch
from numpy.typing import NDArray

def f(u8: NDArray[np.uint8], i16: NDArray[np.int16], f64: NDArray[np.float64], flags: NDArray[np.bool_]) -> None:
    u8 + 300
    u8 - u8
    u8 += f64
    flags - flags

def h(f64: NDArray[np.float64], f32: NDArray[np.float32]) -> NDArray[np.float32]:
    values: NDArray[np.int8] = f32
    return f64.astype(np.float64) if values.size else f64 * 2

def g(u16: torch.Tensor, i8: torch.Tensor) -> None:
    torch.zeros(3, dtype=torch.float32) @ torch.zeros(3, dtype=torch.float64)
"""


def found(folder: Path, cache: Path, end: str = "") -> tuple[Finding, ...]:
    """The findings in the program; an `end` makes it another one, of which nothing is kept."""
    file = folder / "program.py"
    file.write_text(PROGRAM + end, encoding="utf-8")
    return lint(LintRequest((file,), cache=cache, selection=Selection(("all",)))).findings


def test_other_sentences_leave_every_cast(tmp_path: Path, check_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def casts(report: tuple[Finding, ...]) -> list[tuple[str, Span, Cast | None]]:
        return [(each.code, each.span, each.cast) for each in report]

    before = found(tmp_path, check_cache)
    made = findings.finding

    def other(diagnostic: Diagnostic, _remedy: str, **words: object) -> Finding:
        found = made(diagnostic, "do something; else", **words)  # type: ignore[arg-type]  # as they are passed on
        return replace(found, message="something; is wrong")

    monkeypatch.setattr(findings, "finding", other)
    monkeypatch.setattr(mismatches, "CHANGE", "do something; else")
    for sentence in ("asking", "casting", "losing"):
        monkeypatch.setattr(mismatches, sentence, lambda _cast: "do something; else")
    after = found(tmp_path, check_cache, "\n")
    assert casts(after) == casts(before)
    assert {each.text for each in after} == {"something; is wrong; do something; else"}
    assert sum(each.cast is not None for each in after) >= 3  # of NumPy; one more with PyTorch
    assert len({each.text for each in before}) > 3
