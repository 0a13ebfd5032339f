"""Every refusal has a reason and a remedy, and the remedy works: a cast as it says resolves the operation."""

import pickle
import re
from dataclasses import replace
from itertools import product

import pytest

from promo_mypy.rules.advice import Remedy
from promo_mypy.rules.dtypes import ORDINARY, PYTHON_SCALARS, REAL_PARTS, PythonScalar, parse
from promo_mypy.rules.operands import Operand, Refusal
from promo_mypy.rules.operations import BINARY, UNARY
from promo_mypy.rules.promotion import PromotionSystem
from promo_mypy.rules.systems import SYSTEM_NAMES, get_system
from tests.slow_tests import slow_but

EXTRA = ("int4", "float8_e4m3fn", "complex32")
# x or its real part, in any library: x.real, tf.math.real(x); cast by a method or a function: x.to(torch.int8).
X = r"(?:[xy](?:\.real)?|[\w.]+\([xy]\))"
CAST = re.compile(
    rf"cast (the operands|it|the (?:weak )?(\w+) operand) with (?:{X}\.(?:astype|to)\(|[\w.]+\({X}, )\w+\.(\w+)\)"
)
REAL_PART = re.compile(rf"take the real part of the (?:weak )?(\w+) operand with {X}")
SCALAR = re.compile(r"write an? (\w+) in place of the Python (\w+)")
ON_THE_OTHER_SIDE = re.compile(r"write the Python \w+ on the (?:left|right)")
MEANT = " if losing values is meant"
#: Kinds of dtypes; each may hold what the ones before hold.
CATEGORIES = "buifc"
NO_IDEA = "cast the operands to a dtype that supports it"
WITHOUT_CAST = {"write * to multiply by a scalar", "write x // y and x % y"}


def operands_of(system: PromotionSystem) -> list[Operand]:
    arrays = [*ORDINARY, *(parse(name) for name in EXTRA)]
    return [Operand(dtype) for dtype in arrays if system.has(dtype)] + [Operand(s) for s in PYTHON_SCALARS.values()]


# Systems whose answers mostly follow from others, and one operation of each kind for them.
DERIVED = {
    "jax-lax",
    "tensorflow-numpy-safe",
    "numpy-legacy",
    "cupy",
    "dask",
    "option-0",
    "option-1",
    "option-2",
    "option-3",
}
ONE_OF_A_SORT = {"add", "sub", "truediv", "floordiv", "pow", "matmul", "and", "lshift", "lt", "divmod"}


def all_refusals(system: PromotionSystem) -> list[Refusal]:
    operands = operands_of(system)
    binary = ONE_OF_A_SORT if system.name in DERIVED else BINARY
    questions = [(operation, pair) for operation in sorted(binary) for pair in product(operands, repeat=2)]
    questions += [(operation, (operand,)) for operation in sorted(UNARY) for operand in operands]
    arrays = [(op, pair) for op, pair in questions if not all(issubclass(o.dtype, PythonScalar) for o in pair)]
    answers = [system.resolve(operation, *pair) for operation, pair in arrays]
    return [answer for answer in answers if isinstance(answer, Refusal)]


def follow(refusal: Refusal) -> tuple[Operand, ...]:
    """The operands after doing what the remedy says."""
    operands = refusal.operands
    for whom, name, target in CAST.findall(refusal.remedy):
        everyone = whom in ("the operands", "it")
        operands = tuple(
            replace(o, dtype=parse(target))
            if not issubclass(o.dtype, PythonScalar) and (everyone or o.dtype.strong.name == name)
            else o
            for o in operands
        )
    for name in REAL_PART.findall(refusal.remedy):
        operands = tuple(replace(o, dtype=REAL_PARTS[parse(name)]) if o.dtype.name == name else o for o in operands)
    for new, old in SCALAR.findall(refusal.remedy):
        operands = tuple(Operand.of(f"py_{new}") if o.dtype.name == f"py_{old}" else o for o in operands)
    if ON_THE_OTHER_SIDE.search(refusal.remedy):
        operands = operands[::-1]
    assert operands != refusal.operands, refusal
    return operands


@pytest.mark.parametrize("name", slow_but({"numpy", "jax-strict"}, SYSTEM_NAMES))
def test_every_remedy_works(name: str) -> None:
    system = get_system(name)
    refusals = all_refusals(system)
    assert len(refusals) > 500
    assert not [refusal for refusal in refusals if refusal.remedy == NO_IDEA]
    expressions = {f"write {expression}" for expression in system.dialect.instead.values()}
    useless = [
        (r.operation, [o.name for o in r.operands], r.remedy)
        for r in refusals
        if r.remedy not in WITHOUT_CAST | expressions and isinstance(system.resolve(r.operation, *follow(r)), Refusal)
    ]
    assert useless == []
    lossy = [(r.operation, [o.name for o in r.operands], r.remedy) for r in refusals if loses_silently(r)]
    assert lossy == []


def loses_silently(refusal: Refusal) -> bool:
    """Whether a cast of the remedy loses a fraction, an imaginary part or large numbers, and does not say so."""
    if refusal.remedy.endswith(MEANT) or not CAST.search(refusal.remedy) or ON_THE_OTHER_SIDE.search(refusal.remedy):
        return False
    return any(
        CATEGORIES.index(after.dtype.kind) < CATEGORIES.index(before.dtype.kind)
        or after.dtype.minimum > before.dtype.minimum
        or after.dtype.maximum < before.dtype.maximum
        for before, after in zip(refusal.operands, follow(refusal), strict=True)
        if not issubclass(before.dtype, PythonScalar) and not issubclass(after.dtype, PythonScalar)
        if not (REAL_PART.search(refusal.remedy) and before.dtype in REAL_PARTS)
    )


# The messages, one for each kind of refusal.
WORDING = [
    ("torch", "add", "uint32 int32", "uint32 and int32 have no common dtype in PyTorch",
     "cast the uint32 operand with x.to(torch.int64)"),
    ("jax-strict", "mul", "float32 py_complex", "float32 and Python complex have no common dtype in JAX",
     "cast the float32 operand with x.astype(jnp.complex64)"),
    ("jax", "add", "float8_e4m3fn bfloat16", "float8_e4m3fn and bfloat16 have no common dtype in JAX",
     "cast the float8_e4m3fn operand with x.astype(jnp.bfloat16)"),
    ("numpy", "promote", "bfloat16 float16", "bfloat16 and float16 have no common dtype in NumPy",
     "cast the bfloat16 operand with x.astype(np.float32)"),
    ("numpy", "sub", "bool bool", "NumPy does not define - for bool",
     "use ^ for truth values, or cast the bool operand with x.astype(np.int8)"),
    ("torch", "sub", "uint8 py_bool", "PyTorch does not define - for a Python bool",
     "write an int in place of the Python bool"),
    ("numpy", "invert", "float32", "NumPy does not define ~ for float32",
     f"cast it with x.astype(np.int32){MEANT}"),
    ("torch", "lt", "complex64 float32", "PyTorch does not define < for complex64",
     "compare abs(x), or take the real part of the complex64 operand with x.real"),
    ("numpy", "and", "uint64 int64", "NumPy does not define & for float64, which uint64 and int64 promote to",
     f"cast the uint64 operand with x.astype(np.int64){MEANT}"),
    ("torch", "matmul", "float32 float16",
     "the operands of @ must have the same dtype in PyTorch, not float32 and float16",
     "cast the float16 operand with x.to(torch.float32)"),
    ("jax", "matmul", "int8 int64*", "JAX does not narrow weak int64 to the result's int8 for @",
     "cast the int8 operand with x.astype(jnp.int64)"),
    ("numpy", "matmul", "float32 py_float", "@ needs arrays of at least one dimension, not a Python scalar",
     "write * to multiply by a scalar"),
    ("torch", "divmod", "int32 int32", "PyTorch's arrays do not support divmod()", "write x // y and x % y"),
    ("jax", "add", "float128 float32", "JAX has no arrays of dtype float128",
     f"cast the float128 operand with x.astype(jnp.float64){MEANT}"),
    ("jax", "add", "key int32", "PRNG keys do not support arithmetic",
     "draw numbers from the key, for example jax.random.uniform(key, shape)"),
    ("torch", "iadd", "int32 float32", "the result is float32, which PyTorch does not cast to int32 in place",
     f"write x = x + y for float32, or cast the float32 operand with y.to(torch.int32){MEANT}"),
    ("numpy", "iand", "float32 float32", "NumPy does not define & for float32",
     f"write x = x & y and cast the operands with x.astype(np.int32){MEANT}"),
    ("array-api", "mul", "int64 float64", "int64 and float64 have no common dtype in the array API standard",
     "cast the int64 operand with xp.astype(x, xp.float64)"),
    ("array-api", "truediv", "int64 py_int", "the array API standard does not define / for int64",
     "cast the int64 operand with xp.astype(x, xp.float64)"),
    ("numpy", "itruediv", "int64 py_int", "the result is float64, which NumPy does not cast to int64 in place",
     "write x = x / y for float64"),
]  # fmt: skip


@pytest.mark.parametrize(("system", "operation", "operands", "reason", "remedy"), WORDING)
def test_message(system: str, operation: str, operands: str, reason: str, remedy: str) -> None:
    rules = get_system(system)
    asked = [Operand.of(name) for name in operands.split()]
    answer = rules.promote(*asked) if operation == "promote" else rules.resolve(operation, *asked)
    assert isinstance(answer, Refusal)
    assert answer == Refusal(system, operation, tuple(asked), reason, Remedy(remedy))
    assert answer.remedy == remedy


def test_a_remedy_is_computed_when_it_is_read() -> None:
    asked = iter([Remedy("cast it")])
    refusal = Refusal("numpy", "add", (), "reason", lambda: next(asked))
    assert callable(refusal.advice_or_finder)
    assert refusal.remedy == refusal.remedy == "cast it"  # and is found once
    assert pickle.loads(pickle.dumps(refusal)).advice_or_finder == Remedy("cast it")


@pytest.mark.parametrize("name", ["numpy", "torch"])
@pytest.mark.parametrize("operation", ["iadd", "itruediv", "iand"])
def test_remedies_in_place_do_not_cast_the_target(name: str, operation: str) -> None:
    system = get_system(name)
    arrays = [operand for operand in operands_of(system) if not issubclass(operand.dtype, PythonScalar)]
    answers = [system.resolve(operation, *pair) for pair in product(arrays, operands_of(system))]
    refusals = [answer for answer in answers if isinstance(answer, Refusal)]
    assert len(refusals) > 100
    for refusal in refusals:
        plain = operation[1:]
        if match := re.match(r"write x = x \S+ y and (.+)", refusal.remedy):  # only another target helps
            assert not isinstance(
                system.resolve(plain, *follow(replace(refusal, advice_or_finder=Remedy(match[1])))), Refusal
            ), refusal
            continue
        if match := re.match(r"write x = x \S+ y for (\w+)", refusal.remedy):
            assert system.resolve(plain, *refusal.operands) is parse(match[1]), refusal
        assert "x." not in refusal.remedy, refusal
        if CAST.search(refusal.remedy) or SCALAR.search(refusal.remedy) or REAL_PART.search(refusal.remedy):
            changed = (refusal.operands[0], follow(refusal)[1])
            assert not isinstance(system.resolve(operation, *changed), Refusal), refusal
        else:
            assert match, refusal
