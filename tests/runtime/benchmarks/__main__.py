"""Compare the run-time companion with NumPy and others, and print a report: `python -m tests.runtime.benchmarks`.

With `--write`, the report goes to docs/benchmarks.md and its picture to docs/benchmarks.svg. With `gpu`, the kernels
for CuPy are measured instead.
"""

import os
import platform
import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import promo_runtime as pr
from tests.runtime.benchmarks import gpu
from tests.runtime.benchmarks.chart import svg
from tests.runtime.benchmarks.large import MEMORY, SIZE, Outcome, cases
from tests.runtime.benchmarks.large import measured as measured_large
from tests.runtime.benchmarks.measuring import FUNCTIONS, OPERATORS, SMALL, measured

DOCS = Path(__file__).parents[3] / "docs"


def versions() -> str:
    """The versions of the measured libraries."""
    found = []
    for package in ("numpy", "ml_dtypes", "numba", "torch", "jax"):
        try:
            found.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            continue
    return ", ".join([f"Python {platform.python_version()}", *found])


def processor() -> str:
    """The name and number of cores of the processor."""
    names = [
        line.partition(":")[2].strip()
        for line in (Path("/proc/cpuinfo").read_text().splitlines() if Path("/proc/cpuinfo").exists() else [])
        if line.startswith("model name")
    ]
    return f"{names[0] if names else platform.processor()}, {os.cpu_count()} cores"


def large_table(outcomes: Sequence[Outcome]) -> Iterator[str]:
    """Times, the ratio of ours to each, the goals, and memory."""
    yield "| operation | contender | ms | ours / theirs | wanted | ms of all cores | memory beside the result |"
    yield "|---|---|---|---|---|---|---|"
    for outcome in outcomes:
        for name, seconds in outcome.seconds.items():
            ours = name == "promo_runtime"
            limit = outcome.case.limits.get(name)
            wanted = "" if limit is None else f"at most {limit}: {'missed' if name in outcome.missed() else 'met'}"
            ratio = "" if ours else f"{outcome.ratio(name):.2f}"
            memory = (
                f"{outcome.memory / 2**20:.2f} MiB: {'met' if outcome.memory <= MEMORY else 'missed'}" if ours else ""
            )
            busy = f"{outcome.processor[name] * 1e3:.1f}"
            yield f"| {outcome.case.name} | {name} | {seconds * 1e3:.1f} | {ratio} | {wanted} | {busy} | {memory} |"


def small_table() -> Iterator[str]:
    """Microseconds more than NumPy."""
    yield "| ours | NumPy | us | us of NumPy | over | wanted | us of jax.numpy |"
    yield "|---|---|---|---|---|---|---|"
    for limit, pairs in ((1.0, FUNCTIONS), (1.5, OPERATORS)):
        for row in measured("jax", pairs, SMALL, jax=True):
            verdict = f"at most {limit}: {'met' if row.over <= limit else 'missed'}"
            jax = "" if row.seconds_jax is None else f"{row.seconds_jax * 1e6:.2f}"
            times = f"{row.seconds * 1e6:.2f} | {row.seconds_numpy * 1e6:.2f} | {row.over:+.2f} | {verdict} | {jax}"
            yield f"| `{row.ours}` | `{row.numpy}` | {times} |"


def main() -> None:
    """Measure and print; write the report if asked."""
    if "gpu" in sys.argv:
        try:
            report = "\n".join([*gpu.lines(), ""])
        except pr.BackendError as error:
            sys.exit(str(error))
        print(report)
        if "--write" in sys.argv:
            (DOCS / "benchmarks-gpu.md").write_text(report)
        return
    before = os.getloadavg()[0]
    outcomes = [measured_large(case) for case in cases()]
    title = f"{SIZE // 10**6} million elements under JAX's rules, {datetime.now(UTC):%Y-%m-%d}"
    report = "\n".join(
        [
            "# Benchmarks of the run-time companion",
            "",
            "Written by `python -m tests.runtime.benchmarks --write`: medians, contenders in turn.",
            "",
            f"{datetime.now(UTC):%Y-%m-%d}, {processor()}, {versions()}. Load of the machine: {before:.1f} before, "
            f"{os.getloadavg()[0]:.1f} after.",
            "",
            f"## {SIZE:,} elements",
            "",
            f"Wanted beside the result: at most {MEMORY >> 20} MiB of memory.",
            "",
            "![times](benchmarks.svg)",
            "",
            *large_table(outcomes),
            "",
            f"## {SMALL} elements",
            "",
            "Microseconds over the bare call of NumPy, and those of jax.numpy without `jit`; best of several rounds.",
            "Small letters are plain arrays, capital ones `Array`s: `f` of float32, `i` int32, `b` bfloat16, `m` bool.",
            "",
            *small_table(),
            "",
        ]
    )
    print(report)
    if "--write" in sys.argv:
        (DOCS / "benchmarks.md").write_text(report)
        (DOCS / "benchmarks.svg").write_text(svg(outcomes, title))


if __name__ == "__main__":
    main()
