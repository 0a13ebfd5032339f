"""`python -m tests.rules.functions.tensorflow.laboratory NAME ...`: TensorFlow's functions of these names, executed for
every admissible dtype and compared with the rules. A line of JSON per function: it may abort between any two.
"""

import json
import sys
import warnings
from dataclasses import asdict
from types import CodeType

import tensorflow as tf

from promo_mypy.rules.functions import library
from promo_mypy.rules.systems import get_system
from tests.rules.functions.measuring import NUMBERS, Laboratory, Report, by_signature, written
from tests.rules.functions.tensorflow.calls import CALLS

DTYPES = (
    "bool", "uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64", "bfloat16", "float16", "float32",
    "float64", "complex64", "complex128",
)  # fmt: skip
SCALARS = {bool: "py_bool", int: "py_int", float: "py_float", complex: "py_complex"}


def value(variable: str, name: str) -> object:
    if variable == "d":
        return tf.as_dtype(name)
    if name in NUMBERS:
        return NUMBERS[name]
    made = tf.ones((1, 1, 1, 1)) if variable == "z" else tf.eye(3) if variable in "mn" else tf.ones(3)
    return tf.cast(made, name)


def named(result: object) -> str:
    if isinstance(result, tuple | list):
        return "|".join(map(named, result))
    return SCALARS.get(type(result)) or str(result.dtype.name)  # type: ignore[attr-defined] # a tensor


def measure(code: CodeType, values: dict[str, object]) -> str:
    try:
        return named(eval(code, values))
    except (TypeError, ValueError, OverflowError, UnboundLocalError, tf.errors.OpError) as error:
        return f"!{type(error).__name__}"


LABORATORY = Laboratory(
    get_system("tensorflow"), "tensorflow.Tensor", (("tf", "tensorflow"),), {"tf": tf}, DTYPES, value, measure, {}
)


def main() -> None:
    """Print one line per name: the fields of `Report`."""
    warnings.simplefilter("ignore")
    calls = written(CALLS, "tf.")
    for name in sys.argv[1:]:
        report = Report("TensorFlow")
        LABORATORY.compare(
            name, calls.get(name) or (by_signature(library("tensorflow").functions[name], "tf"),), report
        )
        sys.stdout.write(json.dumps({"name": name, **asdict(report)}) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
