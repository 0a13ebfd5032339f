"""Execute the calls and operators of CuPy on a GPU, and record the results.

Usage: python -m tests.rules.functions.cupy.measure OUT.json [--seconds 600] [--workers 15] [--only PATTERN] [--missing]

It needs CuPy, a CUDA device, ml_dtypes and the rules of this project, but not mypy. Every pair of dtypes is a kernel to
compile, which takes a processor: each worker is a process. Cells that are not measured in time are listed. Then the
exit status is 1, and OUT.json, in the form of `golden/cupy-gpu.json`, lacks them. With --missing, only expressions are
executed of which `golden/cupy-gpu.json` lacks a cell, and OUT.json has the others as they are there.
"""

import argparse
import ast
import importlib
import os
import re
import sys
import time
import warnings
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import product
from pathlib import Path
from typing import Any

from tests.rules.functions.cupy.calls import FLOATS, IN_FULL, TABLES, texts
from tests.rules.functions.cupy.gpu_workers import in_time, workers
from tests.rules.functions.cupy.record import Cells, Record, completed, lacks, read, to_json
from tests.rules.functions.expressions import MIXED, PYTHON, VARIABLES
from tests.rules.functions.measuring import DTYPES, NUMBERS, sampled

INTEGERS, FLOATING = DTYPES[1:9], DTYPES[9:14]
WRITTEN = (
    *("-1", "127", "128", "-128", "-129", "255", "256", "300", "32768", "65535", "65536", "2147483647", "2147483648"),
    *("-2147483649", "4294967296", "9223372036854775807", "9223372036854775808", "18446744073709551615"),
    *("18446744073709551616", "-9223372036854775809"),
)
WRITTEN_FLOATS = ("1e6", "1e39", "1e300", "10**400")
SCALARS = {bool: "py_bool", int: "py_int", float: "py_float", complex: "py_complex"}


def variables(text: str) -> tuple[str, ...]:
    """Those of an operator from left to right, those of a call in the order of `expressions`; written numbers last."""
    if text in TABLES.values():
        return tuple(sorted(re.findall(r"\b[a-z]\b", text.replace(".T", "")), key=lambda name: name == "k"))
    names = {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}
    return tuple(variable for variable in f"{VARIABLES}spqak" if variable in names)


def combinations(text: str) -> Iterator[tuple[str, ...]]:
    """The combinations to try: the dtypes of the variables, three along the diagonal of the last two; a dtype argument
    also beside arrays of one dtype.
    """
    of = variables(text)
    if "k" in of:
        yield from (*product(INTEGERS, WRITTEN), *(product(FLOATING, WRITTEN_FLOATS) if text in FLOATS else ()))
        return
    for names in product(*([*DTYPES, *PYTHON] if v in MIXED else DTYPES for v in of[:2])):
        if "d" in of[2:] and names[-1] in PYTHON:
            continue
        if len(names) < 2 or (not set(names) <= set(PYTHON) and (text in IN_FULL or sampled(names))):
            yield (*names, *names[-1:] * (len(of) - 2))
    for one, d in product(DTYPES, repeat=2) if "d" in of[2:] else ():
        if one != d and (text in IN_FULL or sampled((one, d))):
            yield (*[one] * (len(of) - 1), d)


class Device:
    """CuPy, and the values of an expression's variables on its GPU. Raises ImportError without CuPy."""

    def __init__(self) -> None:
        self.cp, self.np, self.ml_dtypes = map(importlib.import_module, ("cupy", "numpy", "ml_dtypes"))

    def described(self) -> tuple[str, str]:
        """The versions of CuPy, and the name of the device."""
        return str(self.cp.__version__), self.cp.cuda.runtime.getDeviceProperties(0)["name"].decode()

    def measure(self, text: str, names: tuple[str, ...]) -> str:
        """Measure one cell."""
        given = {v: self.value(v, name) for v, name in zip(variables(text), names, strict=True)}
        values = {**given, "cp": self.cp, "np": self.np}
        try:
            if isinstance(ast.parse(text).body[0], ast.AugAssign):
                exec(text, values)
                return self.named(values["x"])
            return self.named(eval(text, values))
        except Exception as error:  # any exception of a library is a result
            return f"!{type(error).__name__}"

    def value(self, variable: str, name: str) -> Any:
        """The value of a variable of that dtype, or that Python number."""
        if variable == "k":
            return ast.literal_eval(name) if "**" not in name else 10 ** int(name.partition("**")[2])
        if name in NUMBERS:
            return NUMBERS[name]
        dtype = self.np.dtype(getattr(self.ml_dtypes, name, name))
        if variable == "d":
            return dtype
        if variable == "s":
            return dtype.type(1)
        shape = () if variable in "pq" else (3,)
        host = self.np.eye(3).astype(dtype) if variable in "mn" else self.np.ones(shape, dtype)
        if variable == "a":
            return host
        if name != "bfloat16":
            return self.cp.asarray(host)
        # Through its bits: CuPy does not copy it to a device.
        return self.cp.asarray(host.reshape(-1).view("u2")).view(dtype).reshape(host.shape)

    def named(self, result: Any) -> str:
        """The dtype of a result, or of each result in a tuple."""
        if isinstance(result, tuple | list):
            return "|".join(map(self.named, result))
        if isinstance(result, self.np.dtype):
            return str(result.name)
        if isinstance(result, type) and issubclass(result, self.np.generic):
            return str(self.np.dtype(result).name)
        return SCALARS.get(type(result)) or ("None" if result is None else str(result.dtype.name))


#: The device of a worker, which is one process.
_DEVICE: list[Device] = []


def _worker() -> None:
    warnings.simplefilter("ignore")
    _DEVICE.append(Device())


def _described() -> tuple[str, str]:
    return _DEVICE[0].described()


def measured(text: str) -> tuple[str, Cells]:
    """Measure every cell of one expression, in a worker."""
    return text, {names: _DEVICE[0].measure(text, names) for names in combinations(text)}


def main() -> None:
    """Measure, write, and print what is missing."""
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("out", type=Path)
    options.add_argument("--seconds", type=float, default=600)
    options.add_argument("--workers", type=int, default=max(1, (os.cpu_count() or 2) - 1))
    options.add_argument("--only", default="", help="a regular expression of the expressions")
    options.add_argument("--missing", action="store_true", help="what the record lacks; OUT.json holds both")
    given = options.parse_args()
    end = time.monotonic() + given.seconds
    # Calls of one variable first: they compile the fewest kernels.
    todo = sorted((text for text in texts() if re.search(given.only, text)), key=lambda text: len(variables(text)))
    if given.missing:
        todo = [text for text in todo if lacks(text, combinations(text))]
    found: dict[str, Cells] = {}
    with workers(given.workers, _worker) as pool:
        version, device = pool.apply(_described)
        if given.missing and version != read().version:
            options.error(f"the record is of CuPy {read().version}, not {version}: measure everything")
        found.update(in_time(pool, measured, todo, end))
    record = Record(version, device, datetime.now(UTC).date().isoformat(), found)
    given.out.write_text(completed(record) if given.missing else to_json(record), encoding="utf-8")
    missed = [text for text in todo if text not in found]
    count = sum(map(len, found.values()))
    sys.stdout.write(f"{device}, CuPy {version}: {len(found)} expressions, {count} cells; missed {len(missed)}\n")
    sys.stdout.write("".join(f"  {text}\n" for text in missed))
    raised = Counter(result for cells in found.values() for result in cells.values() if result.startswith("!"))
    sys.stdout.write(f"exceptions: {', '.join(f'{name[1:]} {times}' for name, times in raised.most_common())}\n")
    sys.exit(bool(missed))


if __name__ == "__main__":
    main()
