"""Run mypy with and without the plugin on NumPy's own typing tests, from the installed wheel.

NumPy ships three folders: `fail`, where every marked line is an error, `pass`, programs that NumPy's test suite runs
too, and `reveal`, which states the types of expressions. Nothing of it is copied into this repository.
"""

import configparser
import importlib.util
import re
import shutil
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from tests.mypy_runs import Message
from tests.on_and_off import check

FOLDERS: Final = ("fail", "pass", "reveal")
_IGNORE = re.compile(r"\s*# type: ignore(?:\[[^\]]*\])?")


@dataclass(frozen=True, slots=True)
class Runs:
    """The errors in one folder without and with the plugin; their files are relative to `root`."""

    root: Path
    off: tuple[Message, ...]
    on: tuple[Message, ...]


def data() -> Path:
    """NumPy's folder of typing tests.

    Raises:
        FileNotFoundError: the installed NumPy has none. Wheels have them; a distribution's package may not.
    """
    spec = importlib.util.find_spec("numpy")
    if spec is None or spec.origin is None:
        raise FileNotFoundError("NumPy is not installed")
    folder = Path(spec.origin).parent / "typing" / "tests" / "data"
    if not all((folder / name).is_dir() for name in FOLDERS):
        raise FileNotFoundError(f"{folder}: this NumPy was installed without its typing tests; the wheel has them")
    return folder


def settings() -> str:
    """NumPy's own settings for these tests, except for the layout of messages."""
    parser = configparser.ConfigParser()
    parser.read(data() / "mypy.ini", encoding="utf-8")
    layout = {"show_absolute_path", "pretty"}
    return "\n".join(f"{key} = {value}" for key, value in parser["mypy"].items() if key not in layout)


def run(folder: str, work: Path) -> Runs:
    """Check one of NumPy's folders without and with the plugin, one run each, in a copy below `work`.

    It is a copy, because mypy would treat the files as parts of the package around them. In `fail` the copy has no
    `# type: ignore` comments: there it only matters that a line has an error, whatever its code.

    Raises:
        FileNotFoundError: the installed NumPy has no typing tests.
        MypyFailedError: mypy crashed.
    """
    root = work / folder
    shutil.copytree(data() / folder, root, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    if folder == "fail":
        for file in root.rglob("*.py*"):
            file.write_text(_IGNORE.sub("", file.read_text(encoding="utf-8")), encoding="utf-8")
    off, on = (
        # Not started in the folder itself: it has a `random.py`, which Python would import in place of its own.
        check(work, [folder], cache=work / f"cache-{variant}", plugin=variant == "on", settings=settings())
        for variant in ("off", "on")
    )
    return Runs(root, _relative(off), _relative(on))


def _relative(messages: tuple[Message, ...]) -> tuple[Message, ...]:
    return tuple(replace(message, file=message.file.partition("/")[2]) for message in messages)
