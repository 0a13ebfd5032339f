"""Write measurements as a table for people and as a JSON file for later comparisons."""

import json
import os
import platform
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version
from statistics import median
from typing import Any, Final

from tests.benchmarks.daemon import Latency
from tests.benchmarks.ratios import Ratio
from tests.benchmarks.startup import Startup
from tests.benchmarks.workloads import DAEMON_LIMIT, MEMORY_LIMIT, STARTUP_LIMIT

_PACKAGES: Final = ("mypy", "numpy", "jax", "torch", "jaxtyping", "jinja2")
_HEADER: Final = (
    "| workload | rounds | stock (s) | plugin (s) | time ratio | limit | least | wall ratio "
    "| stock (MiB) | memory ratio | limit | |",
    "|---|---|---|---|---|---|---|---|---|---|---|---|",
)


def table(ratios: Sequence[Ratio], latencies: Sequence[Latency], startups: Sequence[Startup] = ()) -> str:
    """The measurements in Markdown: medians, ratios to stock mypy, the limit of each, and whether it holds.

    `least`: the ratio of a plugin with as many calls that does nothing, if it was measured.
    """
    lines = [*_HEADER, *(_row(ratio) for ratio in ratios)]
    if latencies:
        lines += ["", "| daemon, after a one-line edit | edits | stock (s) | plugin (s) | limit (s) | ratio | |"]
        lines += ["|---|---|---|---|---|---|---|"]
    for found in latencies:
        lines.append(
            f"| {found.name}, {found.lines} lines | {len(found.plugin)} | {median(found.stock):.3f} "
            f"| {found.seconds:.3f} | {DAEMON_LIMIT} | {found.ratio:.2f} | {_mark(found.seconds < DAEMON_LIMIT)} |"
        )
    if startups:
        lines += [
            "",
            "| import of the plugin | runs | without features (s) | with (s) | limit (s) | array libraries | |",
        ]
        lines += ["|---|---|---|---|---|---|---|"]
    for start in startups:
        lines.append(
            f"| | {len(start.features)} | {median(start.alone):.3f} | {start.seconds:.3f} | {STARTUP_LIMIT} "
            f"| {', '.join(start.arrays) or 'none'} | {_mark(starts(start))} |"
        )
    return "\n".join(lines)


def starts(start: Startup) -> bool:
    """Whether the import stays within its limit and loads no array library."""
    return start.seconds < STARTUP_LIMIT and not start.arrays


def _row(ratio: Ratio) -> str:
    workload = ratio.workload
    cells = [
        workload.name,
        f"{len(ratio.plugin)}",
        f"{median(cost.cpu for cost in ratio.stock):.2f}",
        f"{median(cost.cpu for cost in ratio.plugin):.2f}",
        f"{ratio.time:.3f}",
        "" if workload.limit is None else f"{workload.limit:.2f}",
        "" if ratio.least is None else f"{ratio.least:.3f}",
        f"{ratio.wall:.3f}",
        f"{median(cost.memory for cost in ratio.stock):.0f}",
        f"{ratio.memory:.3f}",
        f"{MEMORY_LIMIT:.2f}",
        _mark(holds(ratio)),
    ]
    return f"| {' | '.join(cells)} |"


def holds(ratio: Ratio) -> bool:
    """Whether a workload stays within its limits of time and memory."""
    limit = ratio.workload.limit
    return ratio.memory <= MEMORY_LIMIT and (limit is None or ratio.time <= limit)


def document(
    ratios: Sequence[Ratio], latencies: Sequence[Latency], started: str, startups: Sequence[Startup] = ()
) -> dict[str, Any]:
    """All measurements and their environment; `started` is the time in ISO form."""
    return {
        "started": started,
        "machine": {"cores": os.cpu_count(), "system": platform.system(), "python": platform.python_version()},
        "versions": _versions(),
        "workloads": [
            {
                "name": ratio.workload.name,
                "limit": ratio.workload.limit,
                "time": round(ratio.time, 4),
                "least": None if ratio.least is None else round(ratio.least, 4),
                "wall": round(ratio.wall, 4),
                "memory": round(ratio.memory, 4),
                "stock": [asdict(cost) for cost in ratio.stock],
                "plugin": [asdict(cost) for cost in ratio.plugin],
                "floor": [asdict(cost) for cost in ratio.floor],
            }
            for ratio in ratios
        ],
        "daemon": [{**asdict(found), "ratio": round(found.ratio, 4)} for found in latencies],
        "startup": [asdict(start) for start in startups],
        "limits": {"memory": MEMORY_LIMIT, "daemon_seconds": DAEMON_LIMIT, "startup_seconds": STARTUP_LIMIT},
    }


def text(content: Mapping[str, Any]) -> str:
    """A document as JSON text."""
    return json.dumps(content, indent=1) + "\n"


def _versions() -> dict[str, str]:
    found: dict[str, str] = {}
    for package in _PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def _mark(good: bool) -> str:
    return "ok" if good else "TOO MUCH"
