"""mypy keeps the text of an error as the object that it is, so the finding in it reaches whoever runs mypy."""

from mypy.errorcodes import OPERATOR
from mypy.errors import Errors
from mypy.options import Options

from promo_mypy.plugin.mypy_api.reports.told import Told, finding_of
from promo_mypy.rules.findings import Cast, Span, finding
from promo_mypy.rules.wording.diagnostics import CARRY


def test_the_finding_in_a_text_is_in_mypys_error() -> None:
    made = finding(CARRY, "cast it", cast=Cast(Span(1, 0, 1, 1), dtype="float32"), problem="It changes")
    errors = Errors(Options())
    errors.set_file("a.py", "a", Options())
    errors.report(3, 4, Told.of(made), code=OPERATOR)
    errors.report(5, 4, str(Told.of(made)), code=OPERATOR)
    told, plain = errors.error_info_map["a.py"]
    assert finding_of(told) is made
    assert told.message == plain.message == "It changes; cast it"
    assert finding_of(plain) is None
