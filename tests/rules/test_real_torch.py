"""The rules agree with the installed PyTorch, executed on the CPU: a sample of operators, dtypes and ranks.

NotImplementedError is a missing CPU kernel, which tells no dtype: such cells are left out and counted.
"""

import operator
import random
from collections.abc import Callable
from typing import Any

import pytest

from promo_mypy.rules.dtypes import ORDINARY, PYTHON_SCALARS
from promo_mypy.rules.operands import Form, Operand
from promo_mypy.rules.operations import IN_PLACE
from promo_mypy.rules.systems import get_system
from promo_mypy.rules.systems.torch import COVERS, OPERATIONS
from tests.needed import imported

torch = imported("torch")

# complex32 is announced as experimental.
pytestmark = pytest.mark.filterwarnings("ignore")

PYTHON = {"py_bool": True, "py_int": 3, "py_float": 3.0, "py_complex": 3j}
UNARY = ("neg", "pos", "abs", "invert")
SPELLED = {"and": operator.and_, "or": operator.or_}
BINARY = {name: SPELLED.get(name) or getattr(operator, name) for name in OPERATIONS if name not in UNARY}
AUGMENTED = {name: getattr(operator, name) for name in IN_PLACE}
NO_KERNEL = "no kernel"


def tensor(name: str, form: Form, shape: tuple[int, ...]) -> object:
    if name in PYTHON:
        return PYTHON[name]
    # Ones, since zeros would divide; dtypes that cannot be filled may hold anything.
    made = torch.empty(() if form is Form.ZERO_D else shape, dtype=getattr(torch, name))
    try:
        return made.fill_(1)
    except (NotImplementedError, RuntimeError):
        return made


def measured(function: Callable[..., Any], *values: object) -> str:
    try:
        return str(function(*values).dtype).removeprefix("torch.")
    except NotImplementedError:
        return NO_KERNEL
    except (TypeError, RuntimeError):
        return "!"


def told(operation: str, *operands: Operand) -> str:
    answer = get_system("torch").verdict(operation, operands)
    return "!" if isinstance(answer, str) else answer.name


@pytest.mark.parametrize("names", [[d.name for d in ORDINARY], list(COVERS)], ids=["ordinary", "all"])
def test_operators(names: list[str]) -> None:
    chance = random.Random(len(names))
    differ, compared = [], 0
    functions = {**BINARY, **AUGMENTED}
    for _ in range(4000):
        operation = chance.choice(list(functions))
        left = chance.choice(names if operation in AUGMENTED else [*names, *PYTHON])
        right = chance.choice(names if left in PYTHON else [*names, *PYTHON])
        # Shapes decide in place and under @: an n-d operand does not fit into a 0-d target.
        flat = operation in AUGMENTED or "matmul" in operation
        forms = (Form.ARRAY, Form.ARRAY) if flat else chance.choices((Form.ARRAY, Form.ZERO_D), k=2)
        result = measured(
            functions[operation], *(tensor(n, f, (2, 2)) for n, f in zip((left, right), forms, strict=True))
        )
        if result == NO_KERNEL:
            continue
        compared += 1
        ours = told(operation, Operand.of(left, forms[0]), Operand.of(right, forms[1]))
        if ours != result:
            differ.append(f"{operation} {left} {right} {[form.value for form in forms]}: {result} -> {ours}")
    assert differ == []
    assert compared > 2000


def test_unary_operators() -> None:
    results = {(op, n): measured(getattr(operator, op), tensor(n, Form.ARRAY, (2,))) for op in UNARY for n in COVERS}
    compared = {question: result for question, result in results.items() if result != NO_KERNEL}
    assert {(op, name): told(op, Operand.of(name)) for op, name in compared} == compared
    assert len(compared) > 60


def test_divmod_does_not_exist() -> None:
    for other in (torch.ones(2), 2):
        with pytest.raises(TypeError):
            divmod(torch.ones(2), other)
    assert told("divmod", Operand.of("float32"), Operand.of("float32")) == "!"


def test_nonsense_is_rejected_even_without_a_kernel() -> None:
    """Operations of no device: the sample above cannot tell them from a kernel that only the CPU lacks."""
    nonsense = {
        "floordiv": ["bool bool", "complex64 float32"],
        "mod": ["bool bool", "float32 complex64"],
        "pow": ["bool bool"],
        "lshift": ["bool bool", "float32 int32", "int32 py_float"],
        "and": ["float32 int32", "complex64 int32"],
        "lt": ["complex64 complex64", "float32 py_complex"],
        "matmul": ["bool bool"],
    }
    for operation, pairs in nonsense.items():
        for left, right in map(str.split, pairs):
            operands = [tensor(name, Form.ARRAY, (2, 2)) for name in (left, right)]
            assert measured(BINARY[operation], *operands) == NO_KERNEL, (operation, left, right)
            assert told(operation, Operand.of(left), Operand.of(right)) == "!", (operation, left, right)


def test_python_scalars_are_those_of_the_rules() -> None:
    assert PYTHON.keys() == PYTHON_SCALARS.keys()
