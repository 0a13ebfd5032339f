"""PyTorch's registry agrees with the installed PyTorch, executed on the CPU, and with recorded results of CUDA.

NotImplementedError is a missing kernel: if the rules give a dtype nevertheless, the cell is counted separately.
Differences are listed with their reasons; each must occur. The report is printed.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from types import CodeType

import numpy as np
import pytest

from promo_mypy.rules.functions import library
from promo_mypy.rules.ranks import UNKNOWN_RANK
from promo_mypy.rules.systems import get_system
from tests.needed import imported
from tests.rules.functions.expressions import agree, spelled
from tests.rules.functions.measuring import NUMBERS, Laboratory, Report, calls_of, written
from tests.rules.functions.out_arrays import OutArrays
from tests.rules.functions.torch.calls import CALLS, METHODS, NOT_CALLED, RANKED
from tests.rules.functions.torch.only_on_cuda import recorded

torch = imported("torch")

# About casts from complex to real, and functions that PyTorch plans to remove.
pytestmark = pytest.mark.filterwarnings("ignore")

LIBRARY = library("torch")
DTYPES = (
    "bool", "uint8", "int8", "int16", "int32", "int64", "bfloat16", "float16", "float32", "float64", "complex64",
    "complex128",
)  # fmt: skip

DIFFERENCES = {
    r".*\babs\(x?\) bool: !NotImplementedError -> bool": "the CPU kernel is missing",
    r".*\bindex_reduce_?\(.*'prod'\) bool, .*: !NotImplementedError -> bool": "the CPU kernel of products is missing",
    r"torch\.nanmean\(x, dtype=d\) .*: !.*Error -> .*": "CUDA computes complex numbers",
    r"x\.cum(sum|prod)_\(0, dtype=d\) .*: !RuntimeError -> .*": "PyTorch takes no other dtype than the tensor's own",
    r"x\.view\(1, 3, dtype=d\) .*: !TypeError -> .*": "it takes a shape or a dtype, not both",
    r"torch\.(div|pow)\(u, v\) .*: !NotImplementedError -> complex32": "the CPU kernel is missing",
    r".*\.ldexp_?\((x, )?y\) .*: !NotImplementedError -> .*": "no CPU kernel for powers of two of bool and complex32",
    r"torch\.nn\.functional\.cross_entropy\(m, n(, x)?\) \w+, (uint8|int64)(, \w+)?: !RuntimeError -> .*": "labels "
    "have one dimension less: the rules of dtypes know no shapes",
    r"torch\.nn\.functional\.cross_entropy\(m, x\) \w+, b?float\d+: !RuntimeError -> .*": "likewise, probabilities "
    "have as many dimensions as the input",
    r"torch\.nn\.functional\.multi(label)?_margin_loss\(.*: !NotImplementedError -> b?float16": "the CPU kernel "
    "is missing",
    r"x\.abs_\(\) (bool|complex\d+): !.* -> .*": "no kernel for bool; abs of complex is not "
    "stored in place, though it fits",
    r"torch\.nansum\(x, dtype=d\) complex\d+, (bool|u?int\d+): !RuntimeError -> .*": "CUDA sums complex numbers into "
    "floats, though not into integers: the rule looks at one of the two",
}

#: Functions that take `out` in some of their forms only -> the call.
OUT_CALLS = {
    "sum prod any all nansum mean nanmean logsumexp cumsum cumprod amax argmax": "{}(x, 0)",
    "median nanmedian argsort scalar_tensor": "",
}
#: Likewise for calls with `out=`.
OUT_DIFFERENCES = {
    r".*: !NotImplementedError -> .*": "the CPU kernel is missing",
    r"torch\.fft\..*\bb?float16.*: !RuntimeError -> .*": "the CPU has no transforms of float16",
    r"torch\.mvlgamma\(x \* 3, .*: !RuntimeError -> .*": "the dtype of a product is not read here",
    r"torch\.(ldexp|fft\.ifft)\(.*: !RuntimeError -> .*": "PyTorch computes in two steps, of which one casts",
    r"torch\.(var|std)\(x, out=z\) b?float16, .*: !RuntimeError -> .*": "PyTorch does not widen their results",
    r"torch\.(nansum|nanmean|abs)\(.*\bcomplex.*: !RuntimeError -> .*": "CUDA computes complex numbers",
    r"torch\.linalg\.solve_triangular\(.*: (!RuntimeError -> .*|.* -> !)": "PyTorch compares some dtypes only",
    r"torch\.normal\(x, 1\.0, out=z\) complex\d+, .*: !RuntimeError -> .*": "the rule does not read the mean",
}


def value(variable: str, name: str) -> object:
    if variable == "d":
        return getattr(torch, name)
    if name in NUMBERS:
        return NUMBERS[name]
    return torch.eye(3, dtype=getattr(torch, name)) if variable in "mn" else torch.ones(3, dtype=getattr(torch, name))


def named(result: object) -> str:
    if isinstance(result, tuple | list):
        return "|".join(map(named, result))
    if isinstance(result, torch.dtype | torch.Tensor):
        return str(getattr(result, "dtype", result)).removeprefix("torch.")
    return result.dtype.name if isinstance(result, np.ndarray) else f"py_{type(result).__name__}"


def measure(code: CodeType, values: dict[str, object]) -> str:
    try:
        return named(eval(code, values))
    except (
        TypeError,
        ValueError,
        RuntimeError,
        OverflowError,
        IndexError,
    ) as error:  # NotImplementedError is a RuntimeError
        return f"!{type(error).__name__}"


LABORATORY = Laboratory(
    get_system("torch"), "torch.Tensor", (("torch", "torch"),), {"torch": torch}, DTYPES, value, measure, DIFFERENCES
)


@pytest.fixture(scope="module")
def report() -> Report:
    functions = calls_of(LIBRARY.functions, written(CALLS, "torch."), NOT_CALLED, "torch")
    return LABORATORY.report("PyTorch", functions, written(METHODS).items())


def test_torch_agrees(report: Report, capsys: pytest.CaptureFixture[str]) -> None:
    report.show(capsys)
    on_cuda = recorded()
    differences = [each.split(": ") for each in report.differences]
    assert [cell for cell, each in differences if on_cuda.get(cell) != each.rpartition(" -> ")[2]] == []
    assert report.rows > 400
    assert report.cells > 10_000


@pytest.fixture(scope="module")
def out_report() -> Report:
    functions = calls_of(LIBRARY.functions, written(CALLS, "torch."), NOT_CALLED, "torch")
    # Methods take no tensor for the result.
    calls = {**dict(functions), **written(OUT_CALLS, "torch.")}
    laboratory = replace(LABORATORY, expected=OUT_DIFFERENCES)
    out_arrays = OutArrays(laboratory, lambda shape, name: torch.zeros(shape, dtype=getattr(torch, name)))
    return out_arrays.report("PyTorch, out=", calls.items())


def test_torch_agrees_about_tensors_for_results(out_report: Report, capsys: pytest.CaptureFixture[str]) -> None:
    out_report.show(capsys)
    assert out_report.differences == []
    assert out_report.rows > 150
    assert out_report.cells > 20_000


@pytest.mark.parametrize("pattern", OUT_DIFFERENCES)
def test_each_difference_of_results_occurs(pattern: str, out_report: Report) -> None:
    assert out_report.explained[pattern] > 0


def test_calls_that_only_cuda_computes_are_accepted() -> None:
    wrong = []
    for cell, result in recorded().items():
        text, _, dtypes = cell.rpartition(") ")
        asked = LABORATORY.read(f"{text})")
        ours = spelled(asked.ask(LABORATORY.system, dict(zip(asked.variables, dtypes.split(", "), strict=True))))
        if not agree(result, ours):
            wrong.append(f"{cell}: {result} -> {ours}")
    assert wrong == []
    assert len(recorded()) > 60


#: Functions whose kernels lack some of the wide unsigned integers.
WIDE = {"searchsorted": "torch.searchsorted(x, y)", "bucketize": "torch.bucketize(x, y)", "isin": "torch.isin(x, y)"}


@pytest.mark.parametrize("name", WIDE)
def test_wide_unsigned_integers(name: str) -> None:
    wide = replace(LABORATORY, dtypes=("bool", "uint8", "uint16", "uint32", "uint64", "int8", "float32", "complex64"))
    found = Report("PyTorch")
    wide.compare(name, [WIDE[name]], found)
    assert found.differences == []
    assert found.unknown == 0


#: Shapes by rank; a matrix, and each matrix of a stack, has a determinant other than zero.
SHAPES = {0: (), 1: (3,), 2: (3, 3), 3: (3, 3, 3)}


def ranks_of(text: str) -> Iterator[tuple[dict[str, int], list[int]]]:
    """The ranks of a call's arrays, if PyTorch accepts them, and those of its results."""
    asked, code = LABORATORY.read(text), compile(text, text, "eval")
    variables = [variable for variable in asked.variables if variable != "d"]
    for ranks in product(SHAPES, repeat=len(variables)):
        for dtype in ("float32", "int64", "bool"):
            arrays = {name: torch.eye(3).expand(SHAPES[rank]) if rank > 1 else torch.ones(SHAPES[rank])
                      for name, rank in zip(variables, ranks, strict=True)}  # fmt: skip
            values = {name: array.to(getattr(torch, dtype)).clone() for name, array in arrays.items()}
            try:
                result = eval(code, {"torch": torch, "d": torch.float64, **values})
            except (TypeError, ValueError, RuntimeError, IndexError):
                continue
            results = result if isinstance(result, tuple | list) else [result]
            found = [each.ndim for each in results if isinstance(each, torch.Tensor)]
            yield dict(zip(variables, ranks, strict=True)), found
            break


def test_ranks_agree() -> None:
    functions = calls_of(LIBRARY.functions, written(CALLS, "torch."), NOT_CALLED, "torch")
    ranked = written(RANKED).items()
    wrong, cells, stated = [], 0, set()
    for name, texts in (*functions, *written(METHODS).items(), *ranked):
        for text in texts:
            for ranks, measured in ranks_of(text):
                facts = LABORATORY.read(text).ask_rank(ranks)
                cells += 1
                if facts != UNKNOWN_RANK:
                    stated.add(LABORATORY.read(text).row)
                if any(facts.exact not in (None, rank) or (facts.positive and rank == 0) for rank in measured):
                    wrong.append(f"{name}: {text} {ranks}: {measured}, not {facts}")
    assert wrong == []
    assert cells > 3_000
    assert len(stated) > 350


@pytest.mark.parametrize("pattern", DIFFERENCES)
def test_each_difference_occurs(pattern: str, report: Report) -> None:
    assert report.explained[pattern] > 0
