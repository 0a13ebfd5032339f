"""Execute the calls of the libraries around, and record the dtypes that they return.

    python -m tests.program.around.measure [NAME ...]    # "programs": compare their comments

Run it in an environment that has the libraries: none of the project's extras installs them.
"""

import json
import sys
import tempfile
import warnings
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from tests.program.around.cases import CASES, Calls
from tests.program.around.programs import PROGRAMS, labels

GOLDEN: Final = Path(__file__).parent / "golden"
#: Name of the calls -> the distribution whose version counts.
DISTRIBUTIONS: Final = {
    "linen": "flax", "nnx": "flax", "haiku": "dm-haiku", "skimage": "scikit-image", "sklearn": "scikit-learn",
    "cv2": "opencv-python-headless",
}  # fmt: skip


def measured(calls: Calls) -> dict[str, dict[str, str | None]]:
    """Call -> dtype of its arrays -> that of its result; None where the library rejects the call."""
    known: dict[str, Any] = {"written": _written}
    exec(calls.imports, known)
    found: dict[str, dict[str, str | None]] = {}
    for call in (*calls.calls, *calls.left_out):
        found[call] = {dtype: _dtype(call, calls.arrays, dtype, dict(known)) for dtype in calls.dtypes}
    return found


def _dtype(call: str, arrays: str, dtype: str, known: dict[str, Any]) -> str | None:
    *before, last = call.replace("DTYPE", dtype).split("; ")
    try:
        exec("\n".join((arrays.replace("DTYPE", dtype), *before)), known)
        result = eval(f"within(lambda: {last})" if "within" in known else last, known)
    except Exception:  # each library rejects a dtype in its own way
        return None
    weak = "weak " if getattr(result, "weak_type", False) else ""
    return weak + str(result.dtype).removeprefix("torch.")


def _written(array: Any) -> str:
    """A file with an image."""
    path = Path(tempfile.mkdtemp()) / "image.tif"
    options = {"driver": "GTiff", "height": 2, "width": 3, "count": 1, "dtype": array.dtype}
    with import_module("rasterio").open(path, "w", **options) as image:
        image.write(array, 1)
    return str(path)


def compare(name: str, text: str) -> None:
    """Execute a program, and compare what `seen` gets with its comments."""
    found: dict[int, str] = {}

    def seen(value: Any) -> Any:
        found[sys._getframe(1).f_lineno] = str(value.dtype)
        return value

    exec(compile(text, name, "exec"), {"seen": seen})
    wanted = labels(text)
    assert set(found) == set(wanted), set(found) ^ set(wanted)
    differing = {line: dtype for line, dtype in found.items() if wanted[line] not in (None, dtype)}
    assert not differing, (name, differing)
    sys.stdout.write(f"{name} {len(found)}\n")


def main() -> None:
    """Measure, and write the record of each library."""
    if sys.argv[1:] == ["programs"]:
        for name, text in PROGRAMS.items():
            compare(name, text)
        return
    for name in sys.argv[1:] or CASES:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            calls = measured(CASES[name])
        distribution = DISTRIBUTIONS.get(name, name)
        record = {"version": f"{distribution} {version(distribution)}", "calls": calls}
        (GOLDEN / f"{name}.json").write_text(json.dumps(record, indent=1) + "\n")
        sys.stdout.write(f"{record['version']} {len(calls)}\n")


if __name__ == "__main__":
    main()
