"""Fields of structured arrays have the dtypes of their execution, and mistakes with them are reported."""

from pathlib import Path
from typing import Final

import pytest

from promo_mypy.plugin import names
from promo_mypy.plugin.messages.printed_marks import without_marks
from promo_mypy.rules.structured import Field, encoded
from tests.mypy_runs import Run
from tests.plugin.calls.cases import copied_and_checked
from tests.plugin.executed_programs import compare, execute

PROGRAM: Final = Path(__file__).parent / "structured.py.txt"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory, plugin_cache: Path) -> Run:
    return copied_and_checked([PROGRAM], tmp_path_factory.mktemp("structured"), plugin_cache)


def test_dtypes_and_mistakes_are_those_of_the_execution(run: Run) -> None:
    compare(PROGRAM, execute([PROGRAM])[PROGRAM], run.messages)


@pytest.mark.parametrize("text", ["a {}", "{} and {}", "list[{}] is no dtype[{}]"])
@pytest.mark.parametrize("name", ["x", "it's", 'a "b"', "[]"])
def test_the_class_is_shown_as_that_of_numpy(text: str, name: str) -> None:
    fields = encoded([Field(name, "float64"), Field("v", encoded([Field(name, "")]), has_shape=True)])
    literal = f"InferredFields[Literal[{fields!r}]]"
    assert without_marks(text.replace("{}", literal)) == text.replace("{}", "void")
    whole = f"{names.VALUE_MARKS}.{literal}"
    assert without_marks(text.replace("{}", whole)) == text.replace("{}", "numpy.void")
    assert without_marks(f"{names.INFERRED_FIELDS}[builtins.str]") == "numpy.void"
