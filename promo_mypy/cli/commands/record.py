"""`promo-mypy record`: run a program, and write the dtypes that its values had to a profile."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from promo_mypy.cli import output
from promo_mypy.rules.profiles import Profile, ProfileError, merged, profile_text, read_profile

EXAMPLES: Final = (
    "promo-mypy record -- python train.py --epochs 1",
    "promo-mypy record --package models -- python -m models.train",
    "promo-mypy record --merge one.json two.json --output promo-profile.json",
)

_RUNNER: Final = "promo_runtime.recording.recorded_program"


def record(
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="-- python FILE ...",
            help="The command to run: python, then a script, or -m and a module; with --merge the profiles.",
            show_default=False,
        ),
    ],
    package: Annotated[
        list[str] | None,
        typer.Option(
            "--package",
            "-p",
            metavar="PACKAGE",
            help="A package to record, once or several times.  [default: those beside the program]",
            show_default=False,
        ),
    ] = None,
    merge: Annotated[bool, typer.Option("--merge", help="Merge profiles of several runs or machines.")] = False,
    file: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", dir_okay=False, help="The profile to write.")
    ] = Path("promo-profile.json"),
) -> None:
    """Run a Python program, and write the dtypes that its values had to a profile, for the option `profile`.

    Parameters, results, attributes and expressions are recorded by place: dtypes, and nothing of the data. The child
    processes of the program count as well. The exit status is that of the program.
    """
    if merge:
        profile = merged(map(_read, words))
        output.emit(profile_text(profile), file)
        output.emit(f"{file}: {profile.summary}")
        return
    with tempfile.TemporaryDirectory(prefix="promo-record-") as folder:
        status = subprocess.run(_command(words), env=_environment(folder, package or []), check=False).returncode
        parts = [json.loads(part.read_text(encoding="utf-8")) for part in sorted(Path(folder).glob("*.json"))]
    _write(parts, file)
    raise typer.Exit(status)


def _command(words: Sequence[str]) -> list[str]:
    """The command that records the program which a command like `python -O train.py` runs."""
    if "python" not in Path(words[0]).name:
        output.fail(f"the command begins with python, not {words[0]}: promo-mypy record -- python train.py")
    place = 1
    while place < len(words) and words[place].startswith("-") and words[place] != "-m":
        place += 2 if words[place] in ("-X", "-W") else 1
    if place == len(words) or (words[place] == "-m" and place + 1 == len(words)):
        output.fail("the command names no script and no module: promo-mypy record -- python train.py")
    python = sys.executable if words[0] == "python" else words[0]
    return [python, *words[1:place], "-m", _RUNNER, *words[place:]]


def _environment(folder: str, packages: Sequence[str]) -> Mapping[str, str]:
    return {**os.environ, "PROMO_RECORD_FOLDER": folder, "PROMO_RECORD_PACKAGES": ",".join(packages)}


def _write(parts: Sequence[Mapping[str, Any]], file: Path) -> None:
    profile = merged(read_profile(part["profile"]) for part in parts).of_arrays
    if not profile.modules:
        output.note("no arrays were seen, and no profile was written: name the packages with --package")
        return
    output.emit(profile_text(profile), file)
    observations = sum(part["observations"] for part in parts)
    seconds = sum(part["seconds"] for part in parts)
    output.emit(f"{file}: {profile.summary}\n{observations} observations took {seconds:.3f} s")


def _read(name: str) -> Profile:
    try:
        return read_profile(Path(name).read_text(encoding="utf-8"))
    except (OSError, ProfileError) as error:
        output.fail(f"{name}: {error.strerror if isinstance(error, OSError) else error}")
