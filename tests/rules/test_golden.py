"""Compare every measured cell with the rules, one test per table; a failure prints only the cells that differ.

DIFFERENCES lists the deliberate differences, each with its reason. Each must occur, and nothing else may differ.
"""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from fnmatch import fnmatch

import pytest

from promo_mypy.rules.advice import Remedy
from promo_mypy.rules.dtypes import Shaped, parse
from promo_mypy.rules.mixing import mix
from promo_mypy.rules.operands import Form, Operand, Refusal, Result, Verdict
from promo_mypy.rules.promotion import PromotionSystem
from promo_mypy.rules.systems import get_system
from promo_mypy.rules.systems.cupy import UFUNCS, CupySystem
from promo_mypy.rules.systems.jax import JaxSystem
from promo_mypy.rules.systems.numpy import NumpySystem
from promo_mypy.rules.systems.paddle import PaddleSystem
from promo_mypy.rules.systems.tensorflow import TensorFlowSystem
from tests.rules.golden_tables import GoldenFiles, GoldenTable

# Golden file -> system, if their names differ.
SYSTEMS = {"jax-x64": "jax", "array-api-strict": "array-api", "cupy-gpu": "cupy"}

# Number of cells in the raw measurements, so that a lost table is noticed.
CELLS = {
    "numpy": {"promote": 3522, "weak": 2122, "ops": 6615, "inplace": 3075, "literals": 1280, "functions": 345},
    "jax-x64": {"promote": 2352, "weak": 2117, "ops": 6627, "literals": 920, "functions": 345},
    "jax-x32": {"promote": 2352, "weak": 2117, "ops": 6627, "literals": 920, "functions": 345},
    "jax-strict": {"promote": 2352, "weak": 2117},
    "torch": {"promote": 3136, "weak": 4992, "ops": 6615, "ops_array_zero_d": 4050, "inplace": 3300, "literals": 1280},
    "numpy-legacy": {"promote": 3522, "weak": 2122, "ops": 6615, "inplace": 3075, "literals": 1280, "functions": 345},
    "jax-lax": {"lax": 3848},
    "tensorflow": {"promote": 578, "weak": 1316, "ops": 7515, "inplace": 855, "literals": 740},
    "tensorflow-numpy-all": {"promote": 1028, "weak": 2120, "ops": 6615, "inplace": 855, "literals": 740},
    "tensorflow-numpy-safe": {"promote": 1028, "weak": 2120, "ops": 6615, "inplace": 855, "literals": 740},
    "paddle": {"promote": 392, "weak": 836, "ops": 4608, "inplace": 2064, "literals": 620},
    "array-api-strict": {"promote": 507, "weak": 706, "ops": 5135, "inplace": 1989, "literals": 720},
    "cupy": {"promote": 450, "weak": 120, "ops": 11535},
    "dask": {"promote": 450, "weak": 1260, "ops": 6495, "literals": 540},
    "cupy-gpu": {"ops": 1744, "inplace": 762, "weak": 908, "literals": 1180},
}  # fmt: skip


@dataclass(frozen=True)
class Difference:
    """Cells where the rules deliberately differ: `cell` matches "left,right: measured -> ours"."""

    file: str
    table: str
    cell: str
    cells: int
    """The number of such cells."""
    reason: str


DIFFERENCES: tuple[Difference, ...] = (
    Difference(
        "jax-*", r"(ops|literals|lax)/(eq|ne|lt|le|gt|ge)", r".*: bool\* -> bool", 565,
        "JAX keeps the weak flag on a comparison's bool, but a weak bool promotes exactly like a bool",
    ),
    Difference(
        "torch", r".*", r".*\buint(16|32|64)\b.*: !NotImplementedError -> .*", 1098,
        "uint16, uint32 and uint64 lack eager kernels, but torch.compile runs + - // % < << @ ~ and unary - on each of "
        "them and gives these dtypes: they are torch.result_type's",
    ),
    Difference(
        "torch", r"(promote|weak)/.*", r".*\b(u?int[124]|float8_\w+|float4_\w+)\b.*: !NotImplementedError -> .*", 998,
        "the dtypes of a byte or less have hardly any eager kernels: the dtype is torch.result_type's",
    ),
    Difference(
        "torch", r"ops.*/(truediv|pow)", r".*\bfloat16\b.*: !NotImplementedError -> complex32", 7,
        "PyTorch has complex32 division and power for CUDA, where they were executed; the CPU kernels are missing",
    ),
    Difference(
        "torch", r"ops/abs", r",bool: !NotImplementedError -> bool", 1,
        "PyTorch has abs of bool for CUDA, where it was executed; the CPU kernel is missing",
    ),
    Difference(
        "torch", r"weak/tensor_default_bfloat16", r",py_complex: !RuntimeError -> complex64", 1,
        "torch.tensor(1j) does not guess a complex dtype for bfloat16, but arithmetic with 1j gives complex64",
    ),
    Difference(
        "numpy-legacy", r"literals/scalar_add", r"\w+,-9223372036854775809: int64 -> !", 9,
        "the sum is a Python int, which the measurement read back as an int64",
    ),
    Difference(
        "tensorflow-numpy-safe", r"weak/array_numpy_scalar", r".*: \w+ -> !", 72,
        "TensorFlow refuses, and Python asks the NumPy scalar, which computes an array of NumPy's",
    ),
    Difference(
        "paddle", r".*", r".*\b(bfloat16|float16)\b.*: !RuntimeError -> (bfloat16|float16)", 185,
        "Paddle lacks the CPU kernel, not the rule: its source registers these dtypes for CUDA (not run here)",
    ),
    Difference(
        "cupy-gpu", r"weak/(array_numpy|numpy_array)_array_eq", r".*: !TypeError -> bool", 90,
        "beside one without dimensions it compares, and no type tells that of NumPy's arrays",
    ),
    Difference(
        "array-api-strict", r"ops/(lt|le|gt|ge)", r".*\bpy_complex\b.*: bool -> !", 16,
        "the standard orders real numbers only; array-api-strict does not look at a Python complex",
    ),
)  # fmt: skip

Answer = Callable[[PromotionSystem, str, str], Result | bool | None]


def operand(system: PromotionSystem, name: str, form: Form = Form.ARRAY) -> Operand:
    """An operand by its golden name."""
    return Operand.of(in_full(system, name), form)


def in_full(system: PromotionSystem, name: str) -> str:
    """Golden files write i*, f*, c* for a weak dtype of the width that is the system's default."""
    widths = ("int32*", "float32*", "complex64*") if system.name == "jax-x32" else ("int64*", "float64*", "complex128*")
    return dict(zip(("i*", "f*", "c*"), widths, strict=True)).get(name, name)


def told(verdict: Verdict) -> type[Shaped] | None:
    """The dtype, or None for a rejection. Verdicts come without the remedies, which take most of the time."""
    return None if isinstance(verdict, str) else verdict


def operator(operation: str, left: Form = Form.ARRAY, right: Form = Form.ARRAY) -> Answer:
    def ask(system: PromotionSystem, one: str, other: str) -> Result | None:
        operands = (operand(system, one, left),) if one else ()
        return told(system.verdict(operation, (*operands, operand(system, other, right))))

    return ask


def promotion(left: Form = Form.ARRAY, right: Form = Form.ARRAY) -> Answer:
    return operator("promote", left, right)


def jax_promote_types(system: PromotionSystem, one: str, other: str) -> Result | None:
    assert isinstance(system, JaxSystem)
    return system.promote_types(parse(one), parse(other))


def safe_cast(system: PromotionSystem, one: str, other: str) -> bool:
    assert isinstance(system, NumpySystem)
    return system.casts_safely(parse(one), parse(other))


def cast(system: PromotionSystem, one: str, other: str) -> bool:
    return system.can_cast(parse(one), parse(other))


def python_class(system: PromotionSystem, one: str, other: str) -> Result:
    """np.result_type(dtype, int): the class int names a dtype; it is not a weak scalar."""
    named = {"py_bool": "bool", "py_int": "int64", "py_float": "float64", "py_complex": "complex128"}[other]
    return system.promote(Operand.of(one), Operand.of(named))


def out_argument(system: PromotionSystem, one: str, other: str) -> Result:
    """add(x, x, out=y): computed as `+`, then cast to the dtype of y."""
    result = system.resolve("add", Operand.of(one), Operand.of(one))
    if isinstance(result, Refusal) or system.can_cast(result, parse(other)):
        return result if isinstance(result, Refusal) else parse(other)
    return Refusal(system.name, "add", (), "", Remedy(""))


def literal(operation: str, form: Form = Form.ARRAY, *, reflected: bool = False) -> Answer:
    def ask(system: PromotionSystem, one: str, other: str) -> Result:
        is_int = re.fullmatch(r"[-0-9*]+", other)
        if not is_int and system.examples and other != "10**400":
            return system.resolve_literal(operation, Operand.of(one, form), float(other), reflected=reflected)
        array, scalar = Operand.of(one, form), Operand.of("py_int" if is_int else "py_float")
        result = system.resolve(operation, *((scalar, array) if reflected else (array, scalar)))
        if isinstance(result, Refusal) or not is_int:
            return result
        value = 10 ** int(other[4:]) if other.startswith("10**") else int(other)
        return system.resolve_literal(operation, array, value, reflected=reflected)

    return ask


def tensor_of(system: PromotionSystem, _one: str, other: str) -> Result:
    """tf.constant(1): the tensor that TensorFlow makes of a Python number."""
    return system.promote(Operand.of(other))


def strong_tensor_of(system: PromotionSystem, _one: str, other: str) -> Result:
    """tf.convert_to_tensor(1): never weak."""
    tensor = system.promote(Operand.of(other))
    return tensor if isinstance(tensor, Refusal) else tensor.strong


def numpy_promotion(_system: PromotionSystem, one: str, other: str) -> Result:
    """TensorFlow's tnp.add and tnp.promote_types in either mode: NumPy's promote_types of the dtypes."""
    return get_system("numpy").promote(Operand.of(one.removesuffix("*")), Operand.of(other.removesuffix("*")))


def tensorflow_function(name: str) -> Answer:
    def ask(system: PromotionSystem, one: str, other: str) -> Result | None:
        assert isinstance(system, TensorFlowSystem)
        return told(system.function(name, Operand.of(one), Operand.of(other)))

    return ask


def paddle_function(api: str) -> Answer:
    def ask(system: PromotionSystem, one: str, other: str) -> Result | None:
        assert isinstance(system, PaddleSystem)
        return told(system.function(api, Operand.of(one), Operand.of(other)))

    return ask


def ufunc(name: str) -> Answer:
    def ask(system: PromotionSystem, one: str, other: str) -> Result | None:
        assert isinstance(system, CupySystem)
        return told(system.function(name, *(Operand.of(each) for each in (one, other) if each)))

    return ask


def beside_numpy_array(_system: PromotionSystem, _one: str, _other: str) -> None:
    """An array of CuPy and one of NumPy: rejected, whatever their dtypes."""
    mixture = mix("add", "cupy", "numpy")
    assert mixture is not None
    assert mixture.refused


# Operator -> CuPy's ufunc.
CUPY = {
    "sub": "subtract", "mul": "multiply", "truediv": "true_divide", "floordiv": "floor_divide", "mod": "remainder",
    "pow": "power", "and": "bitwise_and", "or": "bitwise_or", "xor": "bitwise_xor", "lshift": "left_shift",
    "rshift": "right_shift", "eq": "equal", "ne": "not_equal", "lt": "less", "le": "less_equal", "gt": "greater",
    "ge": "greater_equal", "neg": "negative", "pos": "positive", "abs": "absolute",
}  # fmt: skip
# Operator -> function of jax.lax.
LAX = {
    "add": "add_*", "truediv": "div", "mod": "rem", "and": "bitwise_and", "lshift": "shift_left", "matmul": "dot",
    "abs": "unary_abs", "neg": "unary_neg", "invert": "unary_not",
}  # fmt: skip
A, Z, S = Form.ARRAY, Form.ZERO_D, Form.SCALAR
# (file, table) -> how to ask the rules; the first match wins.
ANSWERS: tuple[tuple[str, str, Answer], ...] = (
    ("tensorflow", "promote/add", promotion()),
    ("*", "promote/add", operator("add")),
    ("*", "promote/operator_add", operator("add")),
    ("tensorflow-numpy-*", "promote/promote_types", numpy_promotion),
    ("tensorflow-numpy-*", "weak/tnp_add_20", numpy_promotion),
    ("tensorflow-numpy-*", "weak/array_python_tf_add", operator("add")),
    ("tensorflow-numpy-*", "weak/python_python_tf_add", operator("add")),
    ("tensorflow", "weak/*_python_tf_add", promotion()),
    ("tensorflow*", "weak/add_20", operator("add")),
    ("tensorflow*", "weak/constant", tensor_of),
    ("tensorflow*", "weak/convert_to_tensor", strong_tensor_of),
    ("tensorflow*", "weak/tnp_asarray", tensor_of),
    ("tensorflow*", "weak/numpy_scalar_array", operator("add", S, A)),
    ("tensorflow*", "weak/array_numpy_scalar", operator("add", A, S)),
    ("tensorflow", "ops/lshift_function", tensorflow_function("bitwise.left_shift")),
    ("tensorflow", "ops/rshift_function", tensorflow_function("bitwise.right_shift")),
    ("tensorflow", "ops/and_function", tensorflow_function("bitwise.bitwise_and")),
    ("tensorflow", "ops/logical_and", tensorflow_function("logical_and")),
    ("paddle", "weak/function_array_python", paddle_function("add")),
    ("paddle", "weak/to_tensor", promotion()),
    ("paddle", "inplace/add_", operator("iadd")),
    ("array-api-strict", "weak/function_array_python", operator("add")),
    ("dask", "weak/function_array_python", operator("add")),
    ("dask", "weak/array_numpy_*", operator("add", A, S)),
    ("numpy*", "promote/can_cast_safe", safe_cast),
    ("numpy*", "weak/result_type_python_class", python_class),
    ("jax-lax", "lax/python_python", operator("add")),
    *(("jax-lax", f"lax/{function}", operator(operation)) for operation, function in LAX.items()),
    *(("jax-lax", f"lax/{name}", operator(name)) for name in ("mul", "pow", "eq", "lt")),
    *(("cupy", f"ops/{name}", ufunc(name)) for name in UFUNCS),
    *(("cupy", f"ops/{name}", operator(operation)) for operation, name in CUPY.items()),
    ("cupy-gpu", "ops/matmul_*", operator("matmul")),
    *(("cupy-gpu", f"weak/{pair}_eq", operator("eq")) for pair in ("array_numpy_array", "numpy_array_array")),
    ("cupy-gpu", "weak/*_numpy_array_*", beside_numpy_array),
    ("cupy-gpu", "weak/numpy_array_array_*", beside_numpy_array),
    *(
        ("cupy-gpu", f"weak/{pattern}_{operation}", operator(operation, *forms))
        for operation in ("add", "mul", "truediv", "eq")
        for pattern, forms in (
            ("array_numpy_scalar", (A, S)),
            ("numpy_scalar_array", (S, A)),
            ("array_zero_d", (A, Z)),
            ("zero_d_array", (Z, A)),
            ("zero_d_zero_d", (Z, Z)),
            ("zero_d_mixed", (Z, A)),
        )
    ),
    ("jax-*", "promote/promote_types", jax_promote_types),
    ("*", "promote/promote_types", promotion()),
    ("*", "promote/result_type", promotion()),
    ("*", "promote/can_cast*", cast),
    ("*", "weak/array_python*", operator("add")),
    ("*", "weak/scalar_python", operator("add", S, S)),
    ("*", "weak/zero_d_python", operator("add", Z, Z)),
    ("*", "weak/array_scalar", operator("add", A, S)),
    ("*", "weak/scalar_array", operator("add", S, A)),
    ("*", "weak/scalar_scalar", operator("add", S, S)),
    ("*", "weak/array_zero_d", operator("add", A, Z)),
    ("*", "weak/zero_d_array", operator("add", Z, A)),
    ("*", "weak/zero_d_zero_d", operator("add", Z, Z)),
    ("*", "weak/result_type_array_zero_d", promotion(A, Z)),
    ("*", "weak/result_type_*", promotion()),
    ("*", "weak/python_python*", operator("add")),
    ("jax-*", "weak/array_numpy_scalar", operator("add", A, S)),
    ("jax-*", "weak/numpy_scalar_array", operator("add", S, A)),
    ("jax-*", "weak/*add_18", operator("add")),
    ("jax-*", "weak/array_numpy_array", operator("add")),
    ("jax-*", "weak/small_weak", operator("add")),
    ("jax-*", "weak/jit_python_argument", operator("add")),
    ("torch", "weak/shape1_array", operator("add")),
    ("torch", "weak/truediv_default_*", operator("truediv")),
    ("*", "weak/asarray", promotion()),
    ("*", "weak/array", promotion()),
    ("torch", "weak/tensor*", promotion()),
    ("*", "inplace/iadd_zero_d", operator("iadd", A, Z)),
    ("*", "inplace/out_argument_add", out_argument),
    ("*", "literals/radd", literal("add", reflected=True)),
    ("*", "literals/float_add", literal("add")),
    ("*", "literals/scalar_add", literal("add", S)),
    ("*", "literals/zero_d_add", literal("add", Z)),
)


def answer_of(file: str, table: str) -> Answer:
    for file_pattern, table_pattern, answer in ANSWERS:
        if fnmatch(file, file_pattern) and fnmatch(table, table_pattern):
            return answer
    section, operation = table.split("/")
    forms = {"ops": (A, A), "ops_array_zero_d": (A, Z), "inplace": (A, A), "functions": (A, A)}
    return literal(operation) if section == "literals" else operator(operation, *forms[section])


def system_of(golden: GoldenTable) -> PromotionSystem:
    default = golden.name.partition("_default_")[2]
    return get_system(SYSTEMS.get(golden.file, golden.file), torch_default_dtype=default or "float32")


def spelled(answer: Result | bool | None) -> str:
    if answer is None or isinstance(answer, Refusal):
        return "!"
    return str(answer) if isinstance(answer, bool) else answer.name


def differing(golden: GoldenTable) -> list[str]:
    """The cells where rules and measurement differ, as "left,right: measured -> ours"."""
    system, answer = system_of(golden), answer_of(golden.file, golden.name)
    found = []
    for (one, other), measured in golden.cells.items():
        ours = spelled(answer(system, one, other))
        parts = {in_full(system, part) for part in measured.split("|")}
        if parts != {ours} and not (measured.startswith("!") and ours == "!"):
            found.append(f"{one},{other}: {measured} -> {ours}")
    return found


_KEPT: dict[tuple[str, str], list[str]] = {}


def differing_once(golden: GoldenTable) -> list[str]:
    """The result of `differing`, computed once per table."""
    which = golden.file, golden.name
    if which not in _KEPT:
        _KEPT[which] = differing(golden)
    return _KEPT[which]


def explained(golden: GoldenTable, cell: str) -> list[Difference]:
    return [
        row
        for row in DIFFERENCES
        if fnmatch(golden.file, row.file) and re.fullmatch(row.table, golden.name) and re.fullmatch(row.cell, cell)
    ]


def test_rules_reproduce_the_table(golden: GoldenTable) -> None:
    assert len(golden.cells) == golden.measured
    assert [cell for cell in differing_once(golden) if not explained(golden, cell)] == []


def test_no_table_was_lost(golden_files: GoldenFiles) -> None:
    counted = {file: Counter[str]() for file in golden_files}
    for file, tables in golden_files.items():
        for name, table in tables.items():
            counted[file][name.partition("/")[0]] += len(table.cells)
    assert counted == CELLS


@pytest.mark.parametrize("row", DIFFERENCES, ids=lambda row: row.reason)
def test_each_difference_occurs(row: Difference, golden_files: GoldenFiles) -> None:
    tables = [table for file in golden_files.values() for table in file.values() if fnmatch(table.file, row.file)]
    assert sum(row in explained(table, cell) for table in tables for cell in differing_once(table)) == row.cells


def test_a_wrong_answer_is_found(golden_files: GoldenFiles, monkeypatch: pytest.MonkeyPatch) -> None:
    table = golden_files["numpy"]["promote/result_type"]
    monkeypatch.setitem(table.cells, ("int8", "uint8"), "float16")
    assert differing(table) == ["int8,uint8: float16 -> int16"]
