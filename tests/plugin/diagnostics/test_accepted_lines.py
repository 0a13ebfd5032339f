"""Inside mypy, a comment `# promo: ignore[...]` accepts errors about dtypes: ours, and mypy's own. Others stay."""

from pathlib import Path

from tests.mypy_runs import run_mypy
from tests.needed import needs

PROGRAM = """\
import numpy as np
import numpy.typing as npt

F = npt.NDArray[np.float32]
D = npt.NDArray[np.float64]
def many(arrays: list[F], number: int) -> None: ...
def f(u8: npt.NDArray[np.uint8], x: D, xs: list[D], text: str) -> F:
    u8 + 300  # promo: ignore[promo-overflow] -- wrong on purpose
    u8 + 300  # promo: ignore
    u8 + 300  # promo: ignore[promo-mismatch]
    y: F = x  # promo: ignore[promo-mismatch]
    y = x  # promo: ignore[promo-overflow]
    # promo: ignore[promo-mismatch, promo-overflow]
    many(
        xs,
        len(u8 + 300),
    )
    many(xs, text)  # promo: ignore
    n: int = text  # promo: ignore
    t = "# promo: ignore[promo-mismatch]"; y = x
    y = x  # promo: ignore[promo-mismatch] # type: ignore[assignment]
    return x  # promo: ignore[promo-mismatch]
"""
#: Line -> the codes of its errors.
EXPECTED = [
    (10, "promo-overflow"),
    (12, "assignment"),
    (18, "arg-type"),  # the text
    (19, "assignment"),
    (20, "assignment"),
]


def test_accepted_errors_are_not_reported(tmp_path: Path, plugin_cache: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    run = run_mypy(tmp_path, "program.py", cache=plugin_cache, settings="warn_unused_ignores = true")
    assert [(each.line, each.code) for each in run.errors()] == EXPECTED
    assert [each.text for each in run.errors() if each.line == 18] == [
        'Argument 2 to "many" has incompatible type "str"; expected "int"'
    ]


def test_an_annotation_is_accepted(tmp_path: Path, plugin_cache: Path) -> None:
    needs("jaxtyping")
    text = (
        "import numpy as np\nimport numpy.typing as npt\nfrom jaxtyping import Float32\n"
        'def f(x: Float32[npt.NDArray[np.float64], "n"]) -> None: ...{}\n'
    )
    (tmp_path / "one.py").write_text(text.format(""))
    (tmp_path / "two.py").write_text(text.format("  # promo: ignore[promo-annotation]"))
    run = run_mypy(tmp_path, "one.py", "two.py", cache=plugin_cache)
    assert [(each.file, each.code) for each in run.errors()] == [("one.py", "promo-annotation")]


OVERRIDES = """\
import numpy as np


class Elements:
    def __eq__(self, other: int) -> np.bool:  # type: ignore[override]
        return np.bool(other)
"""


def test_an_error_about_two_places_is_ignored_as_before(tmp_path: Path, plugin_cache: Path) -> None:
    """mypy holds the lines of such an error as an iterator. Whoever reads it takes them away."""
    for name, source in {"ignored": OVERRIDES, "shown": OVERRIDES.replace("  # type: ignore[override]", "")}.items():
        (tmp_path / f"{name}.py").write_text(source)
    errors = run_mypy(tmp_path, "ignored.py", "shown.py", cache=plugin_cache).errors()
    assert [(error.file, error.code) for error in errors if error.severity == "error"] == [("shown.py", "override")] * 2
