"""If the plugin is more exact than NumPy's stubs, NumPy decides: every reviewed expression is executed."""

from pathlib import Path

import numpy as np
import pytest

from tests.numpy_typing.executed import REFUSED, executed, inferred
from tests.numpy_typing.folders import data
from tests.numpy_typing.verdicts import MORE_EXACT
from tests.reviewed import Entry, load

ALL = [entry for entry in load(MORE_EXACT) if entry.file.startswith("reveal/")]
#: Expressions that a harness for single dtypes cannot run, each with the reason.
NOT_EXECUTED = [entry for entry in ALL if entry.reason.startswith("not executed: ")]
REVEALED = [entry for entry in ALL if entry not in NOT_EXECUTED]


@pytest.mark.filterwarnings("ignore:.*:RuntimeWarning")  # statistics of one value
@pytest.mark.parametrize("entry", REVEALED, ids=lambda entry: entry.source)
def test_numpy_gives_the_dtype_that_the_plugin_infers(entry: Entry) -> None:
    assert executed(data() / entry.file, entry.source) == inferred(entry.error)


def test_only_a_reported_operation_has_no_dtype() -> None:
    reported = {entry.source for entry in REVEALED if entry.error.endswith("[promo-undefined]")}
    unknown = {entry.source for entry in REVEALED if inferred(entry.error) == REFUSED}
    assert unknown <= reported


def test_nearly_all_are_executed() -> None:
    assert len(NOT_EXECUTED) < len(ALL) / 5


def test_execution_finds_a_wrong_dtype_and_a_rejection(tmp_path: Path) -> None:
    file = tmp_path / "a.pyi"
    file.write_text(
        "import numpy as np\nimport numpy.typing as npt\na: npt.NDArray[np.int32]\nb: np.uint64\nc: bool\n", "utf-8"
    )
    assert executed(file, "assert_type(a + b, None)") == "float64"
    assert executed(file, "assert_type(divmod(a, c), None)") == "int32"
    assert executed(file, "assert_type(a << b, None)") == REFUSED


@pytest.mark.parametrize(
    ("found", "dtype"),
    [
        ("float64", "float64"),
        ("complexfloating[_32Bit, _32Bit]", "complex64"),
        ("unsignedinteger[_8Bit]", "uint8"),
        ("ndarray[tuple[Any, ...], dtype[numpy.bool[builtins.bool]]]", "bool"),
        ("tuple[signedinteger[_64Bit], signedinteger[_64Bit]]", "int64"),
        ("floating[_64Bit | _96Bit | _128Bit]", np.dtype(np.longdouble).name),
        ("ndarray[Any, dtype[Any]]", REFUSED),
        ("ndarray[tuple[Any, ...], dtype[Any]]", REFUSED),
    ],
)
def test_types_are_read_from_messages(found: str, dtype: str) -> None:
    assert inferred(f'Expression is of type "{found}", not "floating[Any]"  [assert-type]') == dtype


def test_a_type_of_several_dtypes_is_not_exact() -> None:
    with pytest.raises(ValueError, match="no exact dtype"):
        inferred('Expression is of type "floating[Any]", not "float64"  [assert-type]')
