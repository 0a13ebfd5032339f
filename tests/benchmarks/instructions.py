"""Count the instructions of one run of mypy: as many on a busy machine as on a quiet one. Needs valgrind."""

import re
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from tests.benchmarks.process import CheckFailedError, Cost, measure
from tests.benchmarks.ratios import Ratio

_VALGRIND = "valgrind"


def count(folder: Path, variant: str, cache: Path, arguments: Sequence[str], *, must_pass: bool = True) -> Cost:
    """Like `measure`, but the processor time is in billions of instructions, and the memory is valgrind's.

    It takes some fifty times as long as the run itself.

    Raises:
        CheckFailedError: as for `measure`; or valgrind is missing.
    """
    if shutil.which(_VALGRIND) is None:
        raise CheckFailedError(f"{_VALGRIND} is not installed: it counts the instructions")
    log = folder / "valgrind.txt"
    tool = ["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null", f"--log-file={log}"]
    cost = measure(folder, variant, cache, arguments, must_pass=must_pass, under=[_VALGRIND, *tool])
    counted = re.search(r"I +refs: +([\d,]+)", log.read_text())
    assert counted is not None, log.read_text()
    return replace(cost, cpu=int(counted[1].replace(",", "")) / 1e9)


def table(ratios: Sequence[Ratio]) -> str:
    """The counts in Markdown, in billions."""
    lines = ["| workload | stock | plugin | ratio | limit | least |", "|---|---|---|---|---|---|"]
    for ratio in ratios:
        (stock,), (plugin,) = ratio.stock, ratio.plugin
        least = "" if ratio.least is None else f"{ratio.least:.3f}"
        limit = "" if ratio.workload.limit is None else f"{ratio.workload.limit:.2f}"
        lines.append(
            f"| {ratio.workload.name} | {stock.cpu:.3f} | {plugin.cpu:.3f} | {ratio.time:.3f} | {limit} | {least} |"
        )
    return "\n".join(lines)
