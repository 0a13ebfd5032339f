"""Whether a file has an error at a place is read from mypy's own list of errors, as it grows and is replaced."""

from mypy.errorcodes import OPERATOR, RETURN_VALUE
from mypy.errors import Errors
from mypy.options import Options

from promo_mypy.plugin.mypy_api.reports.error_places import ErrorPlaces

HERE = (3, 4, 3, 9)
THERE = (7, 4, 7, 9)


def _report(errors: Errors, place: tuple[int, int, int, int]) -> None:
    line, column, end_line, end_column = place
    errors.report(line, column, "refused", code=OPERATOR, end_line=end_line, end_column=end_column)


def test_an_error_is_found_by_place_and_code_until_mypy_drops_it() -> None:
    errors, places = Errors(Options()), ErrorPlaces()
    errors.set_file("a.py", "a", Options())
    _report(errors, HERE)
    known = errors.error_info_map["a.py"]
    assert places.has(known, HERE, OPERATOR)
    assert not places.has(known, HERE, RETURN_VALUE)
    assert not places.has(known, THERE, OPERATOR)
    _report(errors, THERE)
    assert places.has(known, THERE, OPERATOR)

    errors.set_file("b.py", "b", Options())
    _report(errors, THERE)
    assert not places.has(errors.error_info_map["b.py"], HERE, OPERATOR)
    assert places.has(known, HERE, OPERATOR)

    for error in known:
        error.target = "a.f"
    errors.clear_errors_in_targets("a.py", {"a.f"})
    assert not places.has(errors.error_info_map.get("a.py", []), HERE, OPERATOR)
