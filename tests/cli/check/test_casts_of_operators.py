"""Every operator on every pair of dtypes: a cast that `--fix` inserts runs, and the finding is gone."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from itertools import product
from pathlib import Path
from typing import Any, Final

import pytest

from promo_mypy.linting.lint import lint
from promo_mypy.linting.request import LintRequest
from promo_mypy.linting.selection import Selection
from promo_mypy.rules.findings import Finding
from tests.needed import imported, needs

imported("libcst")

_OPERATORS: Final = ("+", "-", "*", "/", "//", "%", "**", "@", "&", "<<", "<", "+=", "-=", "*=", "/=", "&=", "**=")
_NUMBERS: Final = ("300", "-1", "0.5", "2j", "70000")
_DTYPES: Final = ("bool", "uint8", "int32", "int64", "float16", "float32", "float64", "complex64")


@dataclass(frozen=True)
class Subject:
    """A library under one of its promotion systems.

    Attributes:
        needs: the packages of the program.
        imports: its first lines.
        annotation: an array with `{}` for its dtype.
        array: makes an array of a dtype from the modules of the program.
        casts: the least number of casts, so that a run without findings fails.
        options: the table of promo-mypy.
    """

    needs: tuple[str, ...]
    imports: str
    annotation: str
    array: Callable[[Mapping[str, Any], str], Any]
    casts: int
    options: str = ""


def _of_jax(modules: Mapping[str, Any], dtype: str) -> Any:
    return modules["jnp"].ones(3, dtype)


_JAX: Final = "import jax\nimport jax.numpy as jnp\n"
SUBJECTS: Final = {
    "numpy": Subject((), "import numpy as np\n", 'np.ndarray[tuple[int, ...], np.dtype[np.{}]]',
                     lambda modules, dtype: modules["np"].ones(3, dtype), 25),
    "torch": Subject(("torch",), "import torch\n", "Annotated[torch.Tensor, torch.{}]",
                     lambda modules, dtype: modules["torch"].ones(3, dtype=getattr(modules["torch"], dtype)), 80),
    "jax": Subject(("jax",), _JAX, "Annotated[jax.Array, jnp.{}]", _of_jax, 10),
    "jax-strict": Subject(("jax",), _JAX, "Annotated[jax.Array, jnp.{}]", _of_jax, 100,
                          'jax_numpy_dtype_promotion = "strict"\n'),
}  # fmt: skip


def functions() -> Iterator[tuple[tuple[str, ...], str]]:
    """The dtypes of the parameters `x` and `y` of a function, and its only line."""
    for operator in _OPERATORS:
        for pair in product(_DTYPES, repeat=2):
            yield pair, f"x {operator} y"
        for dtype, number in product(_DTYPES, _NUMBERS):
            yield (dtype,), f"x {operator} {number}"


def written(subject: Subject, cases: list[tuple[tuple[str, ...], str]]) -> str:
    """The program of all functions: the place of a function is its number."""
    lines = [subject.imports, "from typing import Annotated"]
    for number, (dtypes, body) in enumerate(cases):
        names = [subject.annotation.format("bool_" if dtype == "bool" and "torch" not in subject.needs else dtype)
                 for dtype in dtypes]  # fmt: skip
        parameters = ", ".join(f"{name}: {annotation}" for name, annotation in zip("xy", names, strict=False))
        lines.append(f"def f{number}({parameters}) -> None:\n    {body}\n")
    return "\n".join(lines)


def number_at(text: str, line: int) -> int:
    """The number of the function that a line is in."""
    return int(re.findall(r"^def f(\d+)", "\n".join(text.splitlines()[:line]), re.MULTILINE)[-1])


def by_function(found: tuple[Finding, ...], text: str) -> Mapping[tuple[int, str], Finding]:
    return {(number_at(text, each.span.line), each.code): each for each in found}


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", SUBJECTS)
def test_each_cast_runs_and_the_finding_is_gone(
    name: str, tmp_path: Path, check_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from promo_mypy.fixing.mended_files import mended, write

    subject = SUBJECTS[name]
    needs(*subject.needs)
    monkeypatch.chdir(tmp_path)
    Path("pyproject.toml").write_text(f"[tool.promo-mypy]\n{subject.options}")
    file, cases = Path("program.py"), list(functions())
    file.write_text(written(subject, cases))
    request = LintRequest((file,), cache=check_cache, selection=Selection(("all",)), pyproject=Path("pyproject.toml"))
    before = lint(request).findings
    casts = {key for key, each in by_function(before, file.read_text()).items() if each.cast is not None}
    assert len(casts) >= subject.casts
    write(mended(before))
    text = file.read_text()
    left = by_function(lint(request).findings, text)
    assert casts & left.keys() == set()
    modules = {alias: import_module(module) for module, alias in re.findall(r"import (\S+) as (\S+)", subject.imports)}
    modules |= {module: import_module(module) for module in subject.needs}
    namespace: dict[str, Any] = dict(modules)
    exec(compile(text, str(file), "exec"), namespace)
    too_large = {number for number, code in left if code == "promo-overflow"}  # of numbers, which no cast mends
    for number in {number for number, _ in casts} - too_large:
        namespace[f"f{number}"](*(subject.array(modules, dtype) for dtype in cases[number][0]))
