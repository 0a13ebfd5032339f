"""`python -m tests.benchmarks.editor`: the time from an edit to its findings in an editor, in real JSON-RPC.

Needs jax, jaxtyping and pygls, takes two minutes, and needs a quiet machine. The medians are printed. The exit status
is 1 if the limit does not hold.
"""

import asyncio
import re
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Final

from tests.benchmarks import programs
from tests.lsp.editor import Editor, project, session

#: Seconds in which the findings should follow an edit in one function, with the pause before the check.
EDITOR_LIMIT: Final = 0.3
#: Seconds after which the server has checked the rest of the file.
_REST: Final = 2.0
#: A JAX program of 2,300 lines.
_STATEMENTS: Final = 1840
_RIGHT, _WRONG = "jnp.float32)\n", "jnp.bfloat16)\n"


@dataclass(frozen=True, slots=True)
class Answers:
    """Seconds of wall-clock time from an edit to its findings.

    Attributes:
        name: the name of the program.
        lines: its length.
        body: of edits in the body of a function.
        signature: of edits of the declared dtype of a result.
        file: of other edits, after which mypy checks the whole file: of the name of a function.
    """

    name: str
    lines: int
    body: tuple[float, ...]
    signature: tuple[float, ...]
    file: tuple[float, ...]

    @property
    def seconds(self) -> float:
        """The larger median of edits in one function."""
        return max(median(self.body), median(self.signature))


def answers(name: str, program: str, folder: Path, cache: Path, *, edits: int, rest: float = _REST) -> Answers:
    """Make a mistake in the middle of a program repeatedly, and mend it.

    Args:
        name: the name of the program.
        program: its text, in which each function ends with a cast to float32.
        folder: where to measure.
        cache: the cache of the server.
        edits: how many edits of each kind to measure, after two that are not; half of them mend the mistake.
        rest: the seconds between two edits.
    """
    home = project(folder / "work", cache, measured=program)
    functions = re.split(r"(?=^def )", program, flags=re.MULTILINE)
    right = functions[len(functions) // 2].rstrip() + "\n"
    took: dict[str, list[float]] = {"body": [], "signature": [], "file": []}

    async def scenario() -> None:
        async with session(home, cwd=folder) as editor:
            uri = editor.open(home / "measured.py")
            await editor.codes(uri)
            shown = right
            for number in range(1 + edits // 2):
                for kind, seconds in took.items():
                    for wanted in (_spoiled(right, kind, number), right):
                        await asyncio.sleep(rest)
                        once = await _edit(editor, uri, shown, wanted, spoiled=wanted != right)
                        shown = wanted
                        if number:
                            seconds.append(once)

    asyncio.run(scenario())
    return Answers(name, len(program.splitlines()), **{kind: tuple(seconds) for kind, seconds in took.items()})


def table(found: Answers) -> str:
    """The medians in Markdown, and whether the limit holds."""
    mark = "ok" if found.seconds < EDITOR_LIMIT else "TOO MUCH"
    return "\n".join(
        (
            "| language server, after an edit | edits | of a body (s) | of a signature (s) | limit (s) | other (s) | |",
            "|---|---|---|---|---|---|---|",
            f"| {found.name}, {found.lines} lines | {len(found.body)} | {median(found.body):.3f} "
            f"| {median(found.signature):.3f} | {EDITOR_LIMIT} | {median(found.file):.3f} | {mark} |",
        )
    )


def _spoiled(function: str, kind: str, number: int) -> str:
    """The function with a mistake, made by an edit of this kind."""
    if kind == "signature":
        return function.replace("-> Float32", "-> BFloat16")
    spoiled = function.removesuffix(_RIGHT) + _WRONG
    return re.sub(r"^def \w+", f"def g{number}", spoiled) if kind == "file" else spoiled


async def _edit(editor: Editor, uri: str, old: str, new: str, *, spoiled: bool) -> float:
    started = time.perf_counter()
    editor.change(uri, old, new)
    await editor.codes(uri, *(["promo-mismatch"] if spoiled else []))
    return time.perf_counter() - started


def main() -> int:
    """Measure, and print the table."""
    with tempfile.TemporaryDirectory(prefix="promo-benchmarks-") as scratch:
        folder = Path(scratch)
        found = answers("jax program", programs.jax_program(_STATEMENTS), folder, folder / "cache", edits=12)
    sys.stdout.write(table(found) + "\n")
    return 0 if found.seconds < EDITOR_LIMIT else 1


if __name__ == "__main__":
    sys.exit(main())
