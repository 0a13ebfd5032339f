"""Operands of several possible dtypes: the result is the exact set of the results of all combinations."""

import itertools
import re
from pathlib import Path

from promo_mypy.rules import categories
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.operands import Form, Operand, Refusal
from promo_mypy.rules.systems import get_system
from tests.mypy_runs import run_mypy
from tests.needed import needs

needs("jax")

OPERATIONS = {"+": "add", "/": "truediv", "&": "and", "<": "lt", "**": "pow"}
CATEGORIES = (
    *("Float", "Complex", "SignedInteger", "UnsignedInteger", "Integer", "Real", "Inexact", "Num", "Shaped"),
    *("float32 | bfloat16", "int8 | uint8", "int32", "bool_ | float16"),
)


def _members(annotation: str) -> frozenset[type[dt.Shaped]]:
    return frozenset().union(*(categories.members(getattr(dt, name)) for name in annotation.split(" | ")))


def _expected(operation: str, left: str, right: str) -> set[str]:
    """The names of all results; Any if they depend on the ranks, which are unknown."""
    system = get_system("jax-x32")
    forms = (Form.ARRAY, Form.ZERO_D) if operation in system.rank_operations else (Form.ARRAY,)
    members, found = list(itertools.product(_members(left), _members(right))), set()
    for form, beside in itertools.product(forms, forms):
        results = (system.resolve(operation, Operand(one, form), Operand(other, beside)) for one, other in members)
        found.add(frozenset(result.__name__ for result in results if not isinstance(result, Refusal)))
    return set(found.pop()) if len(found) == 1 else {"Any"}


def _shown(revealed: str) -> set[str]:
    names = re.fullmatch(r"Array\[(.*)\]", revealed)
    assert names is not None, revealed
    if names[1] == "Any":
        return {"Any"}
    return {member.__name__ for name in names[1].split(" | ") for member in categories.members(getattr(dt, name))}


def test_the_set_is_exact(tmp_path: Path, plugin_cache: Path) -> None:
    cells = [(s, left, right) for s in OPERATIONS for left in CATEGORIES for right in CATEGORIES]
    variables = {category: f"v{number}" for number, category in enumerate(CATEGORIES)}
    qualified = {category: re.sub(r"(\w+)", r"dt.\1", category) for category in CATEGORIES}
    parameters = ", ".join(f'{variables[c]}: "jax.Array[{qualified[c]}]"' for c in CATEGORIES)
    head = f"import jax\nfrom promo_mypy.rules import dtypes as dt\ndef f({parameters}) -> None:\n"
    body = "".join(f"    reveal_type({variables[left]} {s} {variables[right]})\n" for s, left, right in cells)
    (tmp_path / "categories.py").write_text(head + body)
    run = run_mypy(tmp_path, "categories.py", cache=plugin_cache)
    revealed, refused = run.revealed(), {error.line for error in run.errors()}
    wrong = []
    for line, (symbol, left, right) in enumerate(cells, start=head.count("\n") + 1):
        expected = _expected(OPERATIONS[symbol], left, right)
        found = set() if line in refused else _shown(revealed[line])
        if found != expected:
            wrong.append(f"{left} {symbol} {right}: expected {sorted(expected)}, mypy says {revealed.get(line)}")
    assert not wrong, f"{len(wrong)} of {len(cells)} differ:\n" + "\n".join(wrong[:20])
