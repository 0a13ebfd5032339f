"""Every function and attribute of the array API standard's registry, executed by array-api-strict for every dtype.

Differences are listed with their reasons; each must occur. The report is printed.
"""

from collections.abc import Iterator
from types import CodeType

import pytest

from promo_mypy.rules.functions import library
from promo_mypy.rules.systems import get_system
from tests.needed import imported
from tests.rules.functions.array_api.calls import CALLS, NOT_CALLED
from tests.rules.functions.measuring import NUMBERS, Laboratory, Report, calls_of, written

xp = imported("array_api_strict")

pytestmark = pytest.mark.filterwarnings("ignore:.*:RuntimeWarning")  # division by zero, logarithms of zero

LIBRARY = library("array_api_strict")
VERSION = "2025.12"

#: A regular expression of "call dtypes: measured -> ours" -> why the rules differ.
DIFFERENCES = {
    r"xp\.(less|less_equal|greater|greater_equal|maximum|minimum)\(u, v\) .*\bpy_complex\b.*: .* -> !": "it orders a "
    "float and a Python complex, which the standard does not",
    r"xp\.(linalg\.)?(matmul|tensordot|vecdot|cross|outer)\(\w, \w.*\) .*: .* -> !": "it multiplies dtypes of "
    "different kinds, which the standard does not promote",
    r"xp\.diff\(x, (pre|ap)pend=y\) .*: .* -> !": "it joins dtypes of different kinds, which the standard does not "
    "promote",
    r"xp\.linalg\.matrix_rank\(m\) (bool|u?int\d+): int64 -> !": "it takes integers; the standard has the rank of "
    "floats only",
    r"xp\.linspace\(0, 1, 3, dtype=d\) (bool|u?int\d+): .* -> !": "it rounds; the standard has floats only",
    r"xp\.asarray\(2\*\*63\) : uint64 -> !": "it widens as NumPy does; the standard leaves what is beyond the default "
    "integer undefined",
    r"xp\.meshgrid\(.*\) bool.*: .* -> !": "it takes bools; the standard has grids of numbers only",
}


def value(variable: str, name: str) -> object:
    if variable == "d":
        return getattr(xp, name)
    if name in NUMBERS:
        return NUMBERS[name]
    return xp.eye(3, dtype=getattr(xp, name)) if variable in "mn" else xp.ones(3, dtype=getattr(xp, name))


def named(result: object) -> str:
    if isinstance(result, tuple | list):
        return "|".join(map(named, result))
    if type(result) in (bool, int, float, complex):
        return f"py_{type(result).__name__}"
    dtype = getattr(result, "dtype", result)
    return str(dtype).rpartition(".")[2]


def measure(code: CodeType, values: dict[str, object]) -> str:
    try:
        return named(eval(code, values))
    except (TypeError, ValueError, OverflowError) as error:
        return f"!{type(error).__name__}"


LABORATORY = Laboratory(
    get_system("array-api"), "array_api_strict.Array", (("xp", "array_api_strict"),), {"xp": xp},
    tuple(dtype.name for dtype in get_system("array-api").dtypes), value, measure, DIFFERENCES,
)  # fmt: skip


@pytest.fixture(scope="module", autouse=True)
def latest_standard() -> Iterator[None]:
    xp.set_array_api_strict_flags(api_version=VERSION)
    yield
    xp.reset_array_api_strict_flags()


@pytest.fixture(scope="module")
def report() -> Report:
    functions = calls_of(LIBRARY.functions, written(CALLS, "xp."), NOT_CALLED, "xp")
    attributes = ((name, (f"m.{name}",)) for name in LIBRARY.attributes)
    return LABORATORY.report("array-api-strict", functions, attributes)


def test_array_api_strict_agrees(report: Report, capsys: pytest.CaptureFixture[str]) -> None:
    report.show(capsys)
    assert report.differences == []
    assert report.rows > 170
    assert report.cells > 12_000


@pytest.mark.parametrize("pattern", DIFFERENCES)
def test_each_difference_occurs(pattern: str, report: Report) -> None:
    assert report.explained[pattern] > 0


def test_the_whole_standard_has_rows() -> None:
    own = ("Device", "ArrayAPIStrictFlags")
    listed = [name for name in xp.__all__ if callable(getattr(xp, name)) and not name.startswith("_")]
    names = {name for name in listed if name not in own and "_array_api_strict_flags" not in name}
    names |= {f"{extension}.{name}" for extension in ("linalg", "fft") for name in getattr(xp, extension).__all__}
    assert names - LIBRARY.functions.keys() == set()
    # Its own lists leave these two out, although it has them.
    assert LIBRARY.functions.keys() - names == {"linalg.eig", "linalg.eigvals"}
