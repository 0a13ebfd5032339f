"""Follow a page: write its files, run its commands, and put what they print into it.

The first line of a block of Python, TOML or YAML names its file, as a comment. Blocks that begin with a function or a
class replace those of the same name in a file that is there. A block of `bash` has one command in each line. The block
of `text` that follows is what they print; without one, they succeed.
"""

import ast
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.docs.pages import BLOCK
from tests.module_runs import ROOT, run_module
from tests.mypy_runs import environment

#: The pages that can be followed.
FOLDERS = ("docs/tutorials", "docs/how-to")
WALKTHROUGHS: tuple[Path, ...] = tuple(file for folder in FOLDERS for file in sorted((ROOT / folder).glob("*.md")))

_NAME = re.compile(r"\A# ([\w./-]+\.(?:py|toml|yml|yaml))\n")


@dataclass(frozen=True)
class Place:
    """Where a page is followed, with the caches of the commands that run mypy."""

    folder: Path
    mypy_cache: Path
    check_cache: Path


def libraries(text: str) -> list[str]:
    """The optional libraries that the programs of a page import."""
    imported = set(re.findall(r"^(?:import|from) (\w+)", text, re.MULTILINE))
    return sorted(imported & {"jax", "jaxtyping", "torch"})


def followed(text: str, place: Place) -> str:
    """The page with what its commands print today. Raises RuntimeError if a command without output fails."""
    found = list(BLOCK.finditer(text))
    parts, end = [], 0
    for index, block in enumerate(found):
        language, content = block.groups()
        following = found[index + 1] if index + 1 < len(found) else None
        if language == "bash":
            is_shown = following is not None and following[1] == "text"
            printed = "".join(_printed(line, place, is_shown) for line in content.splitlines())
            if following is not None and is_shown:
                parts += [text[end : following.start(2)], printed]
                end = following.end(2)
        elif language != "text":
            _write(content, place.folder)
    return "".join([*parts, text[end:]])


def _write(content: str, folder: Path) -> None:
    name = _NAME.match(content)
    if name is None:
        raise ValueError(f"no file is named in the first line of this block:\n{content}")
    file, body = folder / name[1], content[name.end() :].lstrip("\n")
    file.parent.mkdir(parents=True, exist_ok=True)
    if file.exists() and body.startswith(("def ", "class ", "@")):
        body = _with_definitions(file.read_text(encoding="utf-8"), body)
    file.write_text(body, encoding="utf-8")


def _with_definitions(source: str, changes: str) -> str:
    """A source with other functions and classes in place of those of the same name."""
    for name, new in _definitions(changes).items():
        old = _definitions(source)[name]
        source = source.replace(old, new)
    return source


def _definitions(source: str) -> Mapping[str, str]:
    lines = source.splitlines(keepends=True)
    found = {}
    for node in ast.parse(source).body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            begin = min([node.lineno, *(each.lineno for each in node.decorator_list)])
            found[node.name] = "".join(lines[begin - 1 : node.end_lineno])
    return found


def _printed(line: str, place: Place, is_shown: bool) -> str:
    """What a command prints."""
    done = run_line(line, place)
    if done.returncode and (not is_shown or not done.stdout):
        raise RuntimeError(f"{line}: {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def run_line(line: str, place: Place) -> "subprocess.CompletedProcess[str]":
    """Run a command of a page. Raises ValueError for a program that pages do not use."""
    variables = environment() | {"COLUMNS": "80", "NO_COLOR": "1", "MYPY_CACHE_DIR": str(place.mypy_cache)}
    variables |= {"JAX_PLATFORMS": "cpu", "PYTHONWARNINGS": "ignore", "GIT_CONFIG_GLOBAL": os.devnull}
    program, *arguments = shlex.split(line)
    if program == "promo-mypy":
        cache = ["--cache-dir", str(place.check_cache)] if arguments[0] == "check" else []
        return run_module("promo_mypy.cli", *arguments, *cache, folder=place.folder, variables=variables)
    if program == "mypy":
        return run_module("mypy", *arguments, folder=place.folder, variables=variables)
    command = {"python": [sys.executable], "pytest": [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]}
    if program not in (*command, "git"):
        raise ValueError(f"{program} is not among the programs of the pages")
    return subprocess.run(
        [*command.get(program, [program]), *arguments],
        cwd=place.folder,
        env=variables,
        capture_output=True,
        text=True,
        check=False,
    )
