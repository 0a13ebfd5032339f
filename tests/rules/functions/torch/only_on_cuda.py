"""The calls of PyTorch that its CPU rejects and a CUDA device computes: measured by `python -m
tests.rules.functions.torch.only_on_cuda OUT.json` on a machine with both.

The rules answer for both: an error about a call that works on a GPU would be a false positive.
"""

import json
import sys
import warnings
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from types import CodeType

#: Sizes of the matrices. In half precision CUDA transforms only signals of a power of two, and back from one more than
#: half of it.
SIZES = ((3, 3), (4, 4), (4, 3))
FILE = Path(__file__).parents[1] / "golden" / "torch-cuda.json"


def recorded() -> dict[str, str]:
    """Call and dtypes, as the reports write them -> the dtype that CUDA gives."""
    calls = json.loads(FILE.read_text(encoding="utf-8"))["calls"]
    return {f"{text} {dtypes}": result for text, cells in calls.items() for dtypes, result in cells.items()}


def measured() -> Iterator[tuple[str, str, str]]:
    """Text, dtypes, result."""
    import torch

    from tests.rules.functions.measuring import NUMBERS, calls_of, with_dtype, written
    from tests.rules.functions.torch import test_functions as real
    from tests.rules.functions.torch.calls import CALLS, METHODS, NOT_CALLED

    def measure(code: CodeType, dtypes: dict[str, str], size: tuple[int, int], device: str) -> str:
        with torch.device(device):
            values = {name: value(name, dtype, size) for name, dtype in dtypes.items()}
            return real.measure(code, {"torch": torch, **values})

    def value(variable: str, dtype: str, size: tuple[int, int]) -> object:
        if variable == "d" or dtype in NUMBERS:
            return real.value(variable, dtype)
        made = torch.eye(*size) if variable in "mn" else torch.ones(size[1])
        return made.to(getattr(torch, dtype))  # not every dtype can be filled

    laboratory = replace(real.LABORATORY, dtypes=(*real.DTYPES, "complex32"))
    functions = calls_of(real.LIBRARY.functions, written(CALLS, "torch."), NOT_CALLED, "torch")
    for name, texts in (*functions, *written(METHODS).items()):
        every = tuple(texts)
        for text in with_dtype(laboratory.read(every[0]).row, every) if every else ():
            code = compile(text, name, "eval")
            for dtypes in laboratory.combinations(laboratory.read(text).variables):
                if not measure(code, dtypes, SIZES[0], "cpu").startswith("!"):
                    continue
                results = (measure(code, dtypes, size, "cuda") for size in SIZES)
                found = next((each for each in results if not each.startswith("!")), None)
                if found is not None:
                    yield text, ", ".join(dtypes.values()), found


def main() -> None:
    """Measure and write."""
    import torch

    warnings.simplefilter("ignore")
    calls: dict[str, dict[str, str]] = {}
    for text, dtypes, result in measured():
        calls.setdefault(text, {})[dtypes] = result
    head = {
        "library": "torch",
        "version": torch.__version__,
        "device": torch.cuda.get_device_name(),
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
    }
    Path(sys.argv[1]).write_text(json.dumps({**head, "calls": calls}, indent=1) + "\n", encoding="utf-8")
    sys.stdout.write(f"{sum(map(len, calls.values()))} cells of {len(calls)} calls\n")


if __name__ == "__main__":
    main()
