"""A check that has ended, for the tests of its outputs."""

from promo_mypy.checking.left_out import LeftOut
from promo_mypy.linting.report import Report, Unseen
from promo_mypy.rules.findings import Call, Cast, Finding, Label, Span

#: What the findings are about.
SOURCE = """\
import numpy as np
from numpy.typing import NDArray

def normalize(image: NDArray[np.float32], counts: NDArray[np.uint8]) -> NDArray[np.float32]:
    mean = np.array([0.485, 0.456, 0.406])
    counts + 300
    return (image - mean) / 2.0
"""

MISMATCH = Finding(
    "src/model.py",
    Span(7, 12, 7, 32),
    "promo-mismatch",
    "The returned value is float64 where float32 is declared",
    (
        Label(Span(7, 13, 7, 18), "float32"),
        Label(Span(7, 21, 7, 25), "float64"),
        Label(Span(7, 29, 7, 32), "Python float"),
    ),
    ("`mean` is float64: line 5 sets it to `np.array([0.485, 0.456, 0.406])`",),
    "cast it with (...).astype(np.float32)",
    "return (image - mean) / 2.0",
    Cast(Span(7, 12, 7, 32), "{}.astype(np.float32)"),
)
OVERFLOW = Finding(
    "src/model.py",
    Span(6, 5, 6, 17),
    "promo-overflow",
    "Integer out of range in uint8 + 300 under numpy promotion: 300 is out of range for uint8 (0 to 255)",
    (Label(Span(6, 5, 6, 11), "uint8"), Label(Span(6, 14, 6, 17), "Python int")),
    origin=("called from line 9 with uint8 for `counts`",),
    calls=(Call(Span(9, 1, 9, 25), "called from line 9 with uint8 for `counts`"),),
    remedy="cast the array with x.astype(np.uint16)",
    source="counts + 300",
)

OUTCOME = Report(
    files=("src/100%, a:b.py", "src/model.py"),
    findings=(OVERFLOW, MISMATCH),
    left_out=(LeftOut("src/broken.py", "mypy cannot parse it: invalid syntax, line 1"),),
    unseen=(Unseen("pandas", "not found", 2),),
    python="/usr/bin/python3",
    known=1,
)
CLEAN = Report(files=("a.py",), findings=())
