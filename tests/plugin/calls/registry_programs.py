"""Programs that call every function and method of the registry, and the answers of the rules for each call.

The calls are those that `tests/rules/functions` executes in the real library for all dtypes. Here each is written for
a few combinations, and mypy must infer what the rules say.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from types import ModuleType

from promo_mypy.rules import jaxtyping_names
from promo_mypy.rules.functions import library
from promo_mypy.rules.functions.language.protocols import Answer, Part, Repeated
from promo_mypy.rules.systems import get_system
from tests.rules.functions.array_api import calls as calls_array_api
from tests.rules.functions.dask import calls as calls_dask
from tests.rules.functions.expressions import PYTHON, Expression, expression
from tests.rules.functions.jax import calls as calls_jax
from tests.rules.functions.measuring import calls_of, written
from tests.rules.functions.numpy import calls as calls_numpy
from tests.rules.functions.torch import calls as calls_torch

#: Every kind and the widths that promote differently; the combinations start at another place for every call.
DTYPES = ("float32", "int32", "complex64", "bool", "float64", "uint8", "bfloat16", "int64", "float16", "uint32")
COMBINATIONS = 4


@dataclass(frozen=True)
class Surroundings:
    """How programs of a library are written."""

    library: str
    system: str
    array_class: str
    namespaces: tuple[tuple[str, str], ...]
    prefix: str
    header: str
    array: str
    """The annotation of an array; {} is the dtype as in `dtype_names`."""
    dtype: str
    """A dtype as an argument."""
    spellings: Mapping[str, str]
    """Dtypes that the library spells differently."""


NUMPY = Surroundings(
    "numpy", "numpy", "numpy.ndarray", (("np", "numpy"),), "np.",
    "import ml_dtypes\nimport numpy as np\nimport numpy.typing as npt\n",
    "npt.NDArray[{}]", "{}",
    {name: f"np.{name}" for name in DTYPES} | {"bool": "np.bool", "bfloat16": "ml_dtypes.bfloat16"},
)  # fmt: skip
JAX = Surroundings(
    "jax", "jax", "jax.Array", (("jnp", "jax.numpy"), ("jax", "jax")), "jax.",
    "import jax\nimport jax.numpy as jnp\nimport jax.scipy.linalg, jax.scipy.signal, jax.scipy.special, jax.image\n"
    "from promo_mypy.rules import dtypes as dt\nkey = jax.random.key(0)\n",
    '"jax.Array[dt.{}]"', "jnp.{}",
    {"bool": "bool_"},
)  # fmt: skip
TORCH = Surroundings(
    "torch", "torch", "torch.Tensor", (("torch", "torch"),), "torch.",
    "import torch\nimport jaxtyping as jt\n",
    'jt.{}[torch.Tensor, "n n"]', "torch.{}",
    {},
)  # fmt: skip
DASK = Surroundings(
    "dask", "dask", "dask.array.Array", (("da", "dask.array"), ("dask", "dask")), "dask.",
    "import dask\nimport dask.array as da\nimport ml_dtypes\nimport numpy as np\n"
    "from promo_mypy.rules import dtypes as dt\n",
    '"da.Array[dt.{}]"', "{}",
    {"bool": "bool_"},
)  # fmt: skip
ARRAY_API = Surroundings(
    "array_api_strict", "array-api", "array_api_strict.Array", (("xp", "array_api_strict"),), "xp.",
    "import array_api_strict as xp\nfrom promo_mypy.rules import dtypes as dt\n",
    '"xp._array_object.Array[dt.{}]"', "xp.{}",
    {"bool": "bool_"},
)  # fmt: skip
_JAXTYPING = {dtype.name: name for name, dtype in jaxtyping_names.NAMES.items()}
_CALLS: Mapping[str, ModuleType] = {
    "numpy": calls_numpy,
    "jax": calls_jax,
    "torch": calls_torch,
    "dask": calls_dask,
    "array_api_strict": calls_array_api,
}
_NUMBERS = {name: name.removeprefix("py_") for name in PYTHON}


@dataclass(frozen=True)
class Cell:
    """One call with dtypes for its variables, and the answer of the rules; a text for a rejection."""

    text: str
    dtypes: Mapping[str, str]
    answer: Answer | str

    def __str__(self) -> str:
        return f"{self.text} {', '.join(self.dtypes.values())}"


def texts_of(surroundings: Surroundings) -> Iterator[str]:
    """The calls of a library's functions and methods."""
    module, rows = _CALLS[surroundings.library], library(surroundings.library)
    calls: Mapping[str, Iterable[str]] = (
        module.CALLS if module is calls_dask else written(module.CALLS, surroundings.prefix)
    )
    under = "array." if module is calls_dask else ""
    prefix = surroundings.prefix.rstrip(".")
    for _, texts in calls_of(rows.functions, calls, module.NOT_CALLED, prefix, under):
        yield from texts
    for texts in written(getattr(module, "METHODS", {})).values():
        yield from texts


def cells_of(surroundings: Surroundings) -> Iterator[Cell]:
    """Some combinations of dtypes for every call, different ones for each."""
    system = get_system(surroundings.system)
    for number, text in enumerate(dict.fromkeys(texts_of(surroundings))):
        asked = expression(text, surroundings.array_class, surroundings.namespaces)
        for dtypes in islice(_combinations(asked, number), COMBINATIONS):
            yield Cell(text, dtypes, asked.ask(system, dtypes))


def _combinations(asked: Expression, start: int) -> Iterator[dict[str, str]]:
    if not asked.variables:
        yield {}
        return
    for step in range(len(DTYPES)):
        # Equal dtypes first: many functions accept nothing else.
        places = (start + step + place * (step % 3) for place in range(len(asked.variables)))
        names = [DTYPES[place % len(DTYPES)] for place in places]
        mixed = [place for place, variable in enumerate(asked.variables) if variable in "uvw"]
        if step == 1 and len(mixed) > 1:
            names[mixed[-1]] = PYTHON[start % len(PYTHON)]
        yield dict(zip(asked.variables, names, strict=True))


def parts_of(answer: Answer | str) -> list[tuple[str, Part]]:
    """Suffix of the expression -> the answer for that part of the result."""
    if isinstance(answer, str):
        return [("", None)]
    if isinstance(answer, tuple):
        return [(f"[{place}]{'[0]' * isinstance(p, Repeated)}", _single(p)) for place, p in enumerate(answer)]
    return [("[0]", answer.of)] if isinstance(answer, Repeated) else [("", answer)]


def program(surroundings: Surroundings, cells: list[Cell]) -> tuple[str, dict[int, tuple[Cell, Part]]]:
    """The source, and for each of its lines that is a call, the cell and the answer for the part in that line."""
    lines, asked = surroundings.header.splitlines(), {}
    for number, cell in enumerate(cells):
        parameters = ", ".join(
            f"{variable}: {_annotation(surroundings, name)}"
            for variable, name in cell.dtypes.items()
            if variable != "d"
        )
        lines.append(f"def f{number}({parameters}) -> None:")
        text = cell.text
        if "d" in cell.dtypes:
            text = re.sub(r"\bd\b", _dtype(surroundings, cell.dtypes["d"]), text)
        for suffix, part in parts_of(cell.answer) or [("", None)]:
            lines.append(f"    ({text}){suffix}")
            asked[len(lines)] = (cell, part)
    return "\n".join(lines) + "\n", asked


def _single(part: Part) -> Part:
    return part.of if isinstance(part, Repeated) else part


def _annotation(surroundings: Surroundings, name: str) -> str:
    if surroundings is TORCH and name not in _NUMBERS:
        return surroundings.array.format(_JAXTYPING[name])
    return _NUMBERS.get(name) or surroundings.array.format(surroundings.spellings.get(name, name))


def _dtype(surroundings: Surroundings, name: str) -> str:
    if surroundings is DASK:
        return NUMPY.spellings[name]
    return surroundings.dtype.format(surroundings.spellings.get(name, name))
