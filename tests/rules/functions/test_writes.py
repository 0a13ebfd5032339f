"""The rules reject a write if and only if the library raises, or warns that it is going to raise."""

import sys
from collections import Counter

import pytest

from promo_mypy.rules.operands import Form
from tests.needed import needs
from tests.rules.functions.writes import LIBRARIES, NUMBERS, is_refused, outcome

#: Library -> the least numbers of writes that it does silently, with a warning, and not at all.
LEAST = {
    "numpy": (3_000, 400, 400),
    "torch": (1_500, 0, 1_500),
    "jax": (300, 200, 200),
    "dask": (400, 50, 20),
    "array_api_strict": (80, 0, 150),
}
#: Libraries whose arrays of any rank are alike, so that one rank is enough.
ONE_RANK = ("jax", "dask", "array_api_strict")


@pytest.mark.parametrize("name", LIBRARIES)
def test_writes_that_raise_are_rejected(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    needs(name)
    library, wrong, counts = LIBRARIES[name](), [], Counter[str]()
    announced = {warning.__name__ for warning in library.warnings}
    forms = (Form.ARRAY,) if name in ONE_RANK else (Form.ARRAY, Form.ZERO_D)
    for code in library.writes:
        for target in library.dtypes:
            for value in (*library.dtypes, *(() if code in library.of_arrays else NUMBERS)):
                for form in forms[: 1 if value in NUMBERS else 2]:
                    if code in library.of_scalars and form is Form.ARRAY and value not in NUMBERS:
                        continue
                    found = outcome(library, code, target, value, form)
                    counts[found] += 1
                    if is_refused(library, code, target, value, form) != (found[0] == "!" or found in announced):
                        wrong.append(f"{code} {target} <- {value} {form.value}: {found}")
    with capsys.disabled():
        sys.stdout.write(f"\n{name}: {dict(counts)}\n")
    assert wrong == []
    silent, raised = counts["silent"], sum(count for found, count in counts.items() if found[0] == "!")
    warned = counts.total() - silent - raised
    assert all(found >= least for found, least in zip((silent, warned, raised), LEAST[name], strict=True)), counts
