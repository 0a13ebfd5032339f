"""resolve_call: answers, refusals with remedies, unknown dtypes."""

import subprocess
import sys

import pytest

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions import LIBRARY_NAMES, find, library, resolve_call
from promo_mypy.rules.functions.language.arguments import UNKNOWN, Arguments, DtypeArgument, Items, Many, Value
from promo_mypy.rules.functions.language.protocols import Answer, Repeated
from promo_mypy.rules.operands import Form, Operand, Refusal
from promo_mypy.rules.systems import get_system

F32, I8 = Operand.of("float32"), Operand.of("int8")


def ask(system: str, name: str, *positional: object, **keywords: object) -> Answer | Refusal:
    row = find(name)
    assert row is not None, name
    return resolve_call(get_system(system), row, Arguments.of(*positional, **keywords))  # type: ignore[arg-type] # texts


def test_functions_and_methods_share_a_row() -> None:
    assert ask("numpy", "numpy.sum", I8) is ask("numpy", "numpy.ndarray.sum", I8) is dt.int64
    assert find("numpy.sum") is find("numpy.ndarray.sum")


def test_the_configuration_decides_the_defaults() -> None:
    assert ask("jax", "jax.numpy.zeros", Value(2)) is dt.float64
    assert ask("jax-x32", "jax.numpy.zeros", Value(2)) is dt.float32
    assert ask("jax-x32", "jax.numpy.zeros", Value(2), dtype=DtypeArgument.of("float64")) is dt.float32
    row = find("torch.zeros")
    assert row is not None
    assert resolve_call(get_system("torch", torch_default_dtype="float64"), row, Arguments.of(Value(2))) is dt.float64


def test_literals() -> None:
    assert ask("numpy", "numpy.array", Items((Value(1), Value(2.0)))) is dt.float64
    assert ask("numpy", "numpy.array", Items((F32, Value(2.0)))) is dt.float64
    assert ask("jax", "jax.numpy.array", Items((F32, Value(2.0)))) is dt.float32
    assert ask("jax", "jax.numpy.asarray", Value(3)) is dt.weak_int64
    assert ask("torch", "torch.tensor", Items((Value(1),))) is dt.int64
    assert ask("numpy", "numpy.array", Value(2**63)) is dt.uint64
    assert ask("numpy", "numpy.array", Value(2**64)) is None
    assert isinstance(ask("jax", "jax.numpy.array", Value(2**63)), Refusal)


def test_several_results() -> None:
    assert ask("numpy", "numpy.linalg.svd", Operand.of("complex64")) == (dt.complex64, dt.float32, dt.complex64)
    assert ask("numpy", "numpy.linalg.svd", F32, compute_uv=Value(False)) is dt.float32
    assert ask("torch", "torch.max", F32, Value(0)) == (dt.float32, dt.int64)
    assert ask("numpy", "numpy.split", F32, Value(2)) == Repeated(dt.float32)
    assert ask("numpy", "numpy.meshgrid", F32, I8) == (dt.float32, dt.int8)
    assert ask("numpy", "numpy.meshgrid", Many(F32)) == Repeated(dt.float32)


def test_sequences() -> None:
    assert ask("numpy", "numpy.concatenate", Items((F32, I8))) is dt.float32
    assert ask("numpy", "numpy.concatenate", Many(I8)) is dt.int8
    assert ask("jax", "jax.numpy.stack", Items((I8, Operand.of("py_float")))) is dt.weak_float64


def test_rank_matters_to_torch() -> None:
    zero_d = Operand.of("float64", Form.ZERO_D)
    assert ask("torch", "torch.add", F32, zero_d) is dt.float32
    assert ask("torch", "torch.where", Operand.of("bool"), F32, zero_d) is dt.float32


def test_unknown_arguments_give_an_unknown_dtype() -> None:
    assert ask("numpy", "numpy.sin", UNKNOWN) is None
    assert ask("numpy", "numpy.zeros", Value(2), dtype=UNKNOWN) is None
    assert ask("numpy", "numpy.zeros", UNKNOWN) is dt.float64
    assert ask("numpy", "numpy.sin", F32, F32, F32, F32) is None


def test_a_rule_that_rejects_does_not_contribute_a_dtype() -> None:
    u8, c64 = Operand.of("uint8"), Operand.of("complex64")
    assert ask("torch", "torch.nn.functional.hardtanh", u8, UNKNOWN, Value(6)) is dt.uint8
    assert ask("torch", "torch.nn.functional.hardtanh", u8, Value(0), Value(6)) is dt.uint8
    assert isinstance(ask("torch", "torch.nn.functional.hardtanh", u8), Refusal)
    assert ask("torch", "torch.div", c64, c64, rounding_mode=UNKNOWN) is dt.complex64


def test_a_refusal_says_what_to_write() -> None:
    answer = ask("torch", "torch.mean", Operand.of("int64"))
    assert isinstance(answer, Refusal)
    assert (answer.system, answer.operation, answer.operands) == ("torch", "mean", (Operand.of("int64"),))
    assert answer.reason == "PyTorch does not define mean for int64"
    assert answer.remedy == "cast the array with x.to(torch.float64)"
    unequal = ask("torch", "torch.dot", F32, Operand.of("float64"))
    assert isinstance(unequal, Refusal)
    assert unequal.reason == "the arguments of PyTorch's dot must have the same dtype, not float32 and float64"
    assert unequal.remedy == "cast the arrays with x.to(torch.float64)"


def test_the_numpy_mode_of_tensorflow_is_unknown_without_a_measurement() -> None:
    assert ask("tensorflow", "tensorflow.constant", Value(1)) is dt.int32
    assert ask("tensorflow-numpy-all", "tensorflow.constant", Value(1)) is None
    assert ask("tensorflow-numpy-all", "tensorflow.concat", Items((F32, I8)), Value(0)) is None
    assert ask("tensorflow-numpy-all", "tensorflow.concat", Items((F32, F32)), Value(0)) is dt.float32


def test_out_keeps_its_dtype() -> None:
    assert ask("numpy", "numpy.add", F32, F32, out=Operand.of("float16")) is dt.float16
    assert isinstance(ask("numpy", "numpy.add", F32, F32, out=I8), Refusal)
    assert isinstance(ask("torch", "torch.Tensor.add_", I8, F32), Refusal)


def test_other_lattices_have_their_own_joins() -> None:
    assert ask("option-0", "jax.numpy.add", I8, Operand.of("uint8")) is get_system("option-0").resolve(
        "add", I8, Operand.of("uint8")
    )


def test_einops_keeps_what_it_rearranges() -> None:
    assert ask("torch", "einops.rearrange", F32, Value("b c -> c b")) is dt.float32
    assert ask("jax", "einops.reduce", I8, Value("b -> "), Value("max"), b=Value(3)) is dt.int8
    assert ask("numpy", "einops.reduce", I8, Value("b -> "), Value("sum")) is None
    assert ask("numpy", "opt_einsum.contract", Value("i,i->"), F32, I8) is dt.float32


@pytest.mark.parametrize("name", LIBRARY_NAMES)
def test_names_are_those_of_rows(name: str) -> None:
    found = library(name)
    assert all(row.library == name and row.name == key for key, row in found.functions.items())
    assert [other for other in found.aliases.values() if other not in found.functions] == []
    assert [other for other in found.shared_methods.values() if found.function(other) is None] == []


#: The least number of rows of functions, methods and attributes, so that a lost table is noticed.
ROWS = {
    "numpy": 627,
    "jax": 636,
    "torch": 553,
    "einops": 6,
    "opt_einsum": 1,
    "array_api_strict": 177,
    "cupy": 169,
    "dask": 391,
    "paddle": 223,
    "tensorflow": 231,
}


def test_no_table_was_lost() -> None:
    for name in LIBRARY_NAMES:
        found = library(name)
        assert len(found.functions) + len(found.methods) + len(found.attributes) >= ROWS[name], name


def test_libraries_are_read_when_they_are_asked_for() -> None:
    program = (
        "import sys, promo_mypy.rules.functions as f\n"
        "def read(): return sorted(m for m in sys.modules if m.startswith(f.__name__ + '.'))\n"
        "print(read())\n"
        "f.find('numpy.sum')\n"
        "print('promo_mypy.rules.functions.numpy.library' in read(), any('jax' in m or 'torch' in m for m in read()))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["[]", "True False"]
