"""The comparison finds disagreements; each test has a companion that disagrees."""

import ast
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from promo_mypy.program.expressions import InferredExpression, Place
from tests.agreement.comparison import FAILURE, Report
from tests.agreement.dialects import NUMPY
from tests.agreement.execution import Executed, Execution
from tests.agreement.inferred import Error, Inferred
from tests.agreement.programs import Program, Statement
from tests.agreement.writing import write
from tests.needed import imported

PROGRAM = Program(
    "program", "import numpy as np",
    (
        Statement(("a = np.ones(2, np.float32)",), ("a",)),
        Statement(("b = a & a",), refused=True),
        Statement(("c = a * 2.5",), ("c",)),
    ),
)  # fmt: skip
#: Line -> the place where the local is read.
LINES = PROGRAM.source().splitlines()


def report(*errors: Error, **dtypes: tuple[str, ...]) -> Report:
    execution, found = Execution(PROGRAM), Inferred(errors=list(errors))
    for span in execution.locals:
        name = LINES[span.line - 1]
        found.expressions[span] = InferredExpression("", Place(*span), "numpy", "numpy", dtypes[name], weak=False)
    made = Report()
    made.add(PROGRAM, execution, found)
    return made


@pytest.mark.parametrize(
    ("dtypes", "kind"),
    [(("float32",), "exact"), (("float32", "float64"), "several"), ((), "unknown"), (("float64",), "wrong")],
)
def test_dtypes(dtypes: tuple[str, ...], kind: str) -> None:
    made = report(a=("float32",), c=dtypes)
    assert made.locals[kind] == 1 + (kind == "exact")
    assert [each.text for each in made.disagreements] == ["c"] * (kind == "wrong")


def test_errors_about_executed_lines_are_disagreements() -> None:
    line, text = LINES.index("c = a * 2.5") + 1, "unsupported"
    for code, place, disagrees in (
        ("promo-undefined", (line, 5), True),
        ("promo-undefined", (LINES.index("    b = a & a") + 1, 9), False),
        (FAILURE, (1, 1), True),
        ("return-value", (line, 5), False),
    ):
        made = report(Error(*place, code, text), a=("float32",), c=("float32",))
        assert len(made.disagreements) == disagrees, code
    assert made.refusals == {"reported": 0, "not reported": 1}


def test_an_incompatible_assignment_ends_the_comparison() -> None:
    line = LINES.index("c = a * 2.5") + 1
    made = report(Error(line, 1, "assignment", ""), a=("float32",), c=("int8",))
    assert (made.cut, made.locals.total(), made.disagreements) == (1, 1, [])


@settings(max_examples=25, deadline=None, derandomize=True)
@given(st.integers(0, 2**64))
def test_programs_are_reproducible(seed: int) -> None:
    one, other = (write(NUMPY, Random(seed), "program") for _ in range(2))
    assert one == other
    ast.parse(one.source())


def test_weak_values() -> None:
    jax = imported("jax")
    program = Program("program", "import jax.numpy as jnp", (Statement(("a = jnp.asarray(2.5)",), ("a",)),))
    execution = Execution(program)
    (local,) = execution.locals
    assert execution.values[local] == {Executed(str(jax.numpy.asarray(2.5).dtype), weak=True)}
