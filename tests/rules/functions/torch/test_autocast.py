"""Which functions autocast may touch, compared with PyTorch: its region of the CPU, and its own lists of operations.

If the rules say that autocast does not touch a function, it has the same dtypes in a region as outside, and none of its
operations is in PyTorch's lists, which hold for CUDA. A function for which this cannot be shown counts as touched.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions.torch import autocast, regions
from promo_mypy.rules.operators import OPERATORS
from tests.needed import imported
from tests.rules.functions.expressions import agree, spelled
from tests.rules.functions.measuring import calls_of, written
from tests.rules.functions.torch.calls import CALLS, METHODS, NOT_CALLED
from tests.rules.functions.torch.test_functions import LABORATORY, LIBRARY, measure, value

torch = imported("torch")

pytestmark = pytest.mark.filterwarnings("ignore")  # about functions that PyTorch plans to remove

#: Operations that PyTorch computes only on the CPU.
ONLY_ON_CPU = {"histogram", "numpy"}
DTYPES = {"float32", "bfloat16", "float16", "int64", "bool", "py_float"}


@cache
def listed() -> frozenset[str]:
    """The operations in the lists of PyTorch's own header."""
    header = Path(torch.__file__).parent / "include" / "ATen" / "autocast_mode.h"
    if not header.exists():
        pytest.skip("this PyTorch comes without its headers")
    lists = header.read_text(encoding="utf-8").partition("#define AT_FORALL_LOWER_PRECISION_FP")[2]
    return frozenset(re.findall(r"(?:\b_\(|ADD_NS\()(\w+)", lists)) - {"ADD_NS"}


def run_by(text: str, values: dict[str, Any]) -> set[str]:
    """The operations that a call runs, by name; with or without the suffix for in place."""
    from torch.utils._python_dispatch import TorchDispatchMode

    seen = set()

    class Recorder(TorchDispatchMode):  # type: ignore[no-untyped-call]  # PyTorch leaves it untyped
        def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            seen.add(func.__name__.partition(".")[0].rstrip("_"))
            return func(*args, **(kwargs or {}))

    with Recorder():  # type: ignore[no-untyped-call]  # likewise
        eval(text, values)
    return seen


def on(device: str, made: Any) -> Any:
    """A value of the laboratory, moved to the device if it is a tensor."""
    return made.to(device) if isinstance(made, torch.Tensor) else made


def evidence(name: str, texts: Iterable[str], device: str = "cpu") -> Iterator[str]:
    """Why autocast may touch a function with these calls: empty if it certainly does not."""
    if name.rpartition(".")[2] in listed():
        yield f"{name} is listed"
    ran = False
    for text in texts:
        asked, code = LABORATORY.read(text), compile(text, name, "eval")
        for dtypes in LABORATORY.combinations(asked.variables):
            if not set(dtypes.values()) <= DTYPES:
                continue
            made = {variable: on(device, value(variable, dtype)) for variable, dtype in dtypes.items()}
            values = {**LABORATORY.globals, **made}
            with torch.device(device):
                plain = measure(code, values)
            for low in (torch.bfloat16, torch.float16):
                with torch.device(device), torch.autocast(device, dtype=low):
                    inside = measure(code, values)
                if inside != plain:
                    yield f"{text} {dtypes}: {plain}, and {inside} in the region"
            if not plain.startswith("!"):
                ran = True
                with torch.device(device):
                    found = run_by(text, values) & listed()
                if found:
                    yield f"{text} runs {sorted(found)}"
    if not ran:
        yield f"no call of {name} runs"


@pytest.mark.parametrize("device", ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)])
def test_functions_that_are_not_touched(device: str) -> None:
    if device == "cuda" and not torch.cuda.is_available():
        pytest.skip("PyTorch finds no CUDA device")
    functions = calls_of(LIBRARY.functions, written(CALLS, "torch."), NOT_CALLED, "torch")
    rows = [(name, texts) for name, texts in (*functions, *written(METHODS).items()) if not name.endswith("_")]
    untouched = {name: texts for name, texts in rows if not autocast.touches(name)}
    if device == "cuda":
        untouched = {name: texts for name, texts in untouched.items() if name not in ONLY_ON_CPU}
    assert len(untouched) > 150
    found = {name: next(evidence(name, texts, device), None) for name, texts in untouched.items()}
    assert {name: why for name, why in found.items() if why} == {}


def test_operators_that_are_not_touched() -> None:
    m = torch.ones(3, 3, dtype=torch.bfloat16)
    touched = set()
    for method, operator in OPERATORS.items():
        if operator.kind == "inplace" or not hasattr(m, method):
            continue
        others: Sequence[Any] = () if operator.kind == "unary" else (m,)
        if operator.kind == "reflected" and operator.operation != "matmul":
            others = (2,)
        try:
            found = run_by("m.__getattribute__(method)(*others)", {"m": m, "method": method, "others": others})
        except (TypeError, RuntimeError):
            continue  # bfloat16 does not have it
        if found & listed():
            touched.add(method)
    assert touched == autocast.OPERATORS


CPU = ("bfloat16", "float16", "float32", "float64", "int64", "bool", "py_float")
#: Functions that need more dimensions -> a call.
DEEPER = {
    "bmm": "torch.bmm(a, b)",
    "baddbmm": "torch.baddbmm(a, a, b)",
    "addbmm": "torch.addbmm(a[0], a, b)",
    "nn.functional.scaled_dot_product_attention": "torch.nn.functional.scaled_dot_product_attention(a, b, b)",
    **{
        f"nn.functional.{name}{n}d": f"torch.nn.functional.{name}{n}d(a{more}, b{more})"
        for name, (n, more) in product(
            ("conv", "conv_transpose"), ((1, ""), (2, "[..., None]"), (3, "[..., None, None]"))
        )
    },
}


@pytest.mark.parametrize("low", ["bfloat16", "float16"])
def test_functions_in_a_region_of_the_cpu(low: str) -> None:
    """Every row of `regions.ON_CPU` for every pair of dtypes, results and rejections."""
    functions = [*calls_of(LIBRARY.functions, written(CALLS, "torch."), NOT_CALLED, "torch"), *written(METHODS).items()]
    known = [(name, texts) for name, texts in functions if name in regions.ON_CPU and name not in DEEPER]
    assert {name for name, _ in known} | set(DEEPER) == set(regions.ON_CPU)
    wrong, cells = [], 0
    for name, texts in known:
        for text in texts:
            asked, code = LABORATORY.read(text), compile(text, name, "eval")
            row = regions.in_region(asked.row, dt.parse(low))
            assert row is not None
            for dtypes in LABORATORY.combinations(asked.variables):
                if not set(dtypes.values()) <= set(CPU):
                    continue
                with torch.autocast("cpu", dtype=getattr(torch, low)):
                    values = {variable: value(variable, dtype) for variable, dtype in dtypes.items()}
                    measured = measure(code, {**LABORATORY.globals, **values})
                ours = spelled(replace(asked, row=row).ask(LABORATORY.system, dtypes))
                cells += 1
                unknown = name in _JOINED and "?" in ours
                if not agree(measured, ours) and not unknown and not _is_about_shapes(text, measured):
                    wrong.append(f"{text} {dtypes}: {measured} -> {ours}")
    assert wrong == []
    assert cells > 2000


_JOINED = [name for name, cast in regions.ON_CPU.items() if cast is regions.Cast.JOINED]


def _is_about_shapes(text: str, measured: str) -> bool:
    return ("cross_entropy" in text and measured.startswith("!")) or measured == "!NotImplementedError"


@pytest.mark.parametrize("low", ["bfloat16", "float16"])
@pytest.mark.parametrize("name", DEEPER)
def test_functions_of_more_dimensions(name: str, low: str) -> None:
    assert regions.ON_CPU[name] is regions.Cast.LOWER
    for one, other in product(("bfloat16", "float16", "float32", "float64"), repeat=2):
        a, b = (torch.ones(3, 3, 3, dtype=getattr(torch, dtype)) for dtype in (one, other))
        with torch.autocast("cpu", dtype=getattr(torch, low)):
            measured = measure(compile(DEEPER[name], name, "eval"), {"torch": torch, "a": a, "b": b})
        found = regions.lowered(frozenset({dt.parse(one)}), dt.parse(low)) | regions.lowered(
            frozenset({dt.parse(other)}), dt.parse(low)
        )
        assert measured == next(iter(found)).name if len(found) == 1 else measured.startswith("!"), (one, other)


@pytest.mark.parametrize("name", ["sum", "einsum", "stack", "square", "trace"])
def test_touched_functions_are_found(name: str) -> None:
    """The companion test: a function that autocast touches does not pass as untouched."""
    assert autocast.touches(name)
    assert next(evidence(name, written(CALLS, "torch.").get(name, (f"torch.{name}(x)",))), None)
