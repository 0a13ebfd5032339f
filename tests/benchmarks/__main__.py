"""`python -m tests.benchmarks`: the cost of the plugin, as ratios to stock mypy.

Needs numpy, jax, jaxtyping, torch and jinja2, takes some ten minutes, and needs a quiet machine. The table is
printed; with `--save` it is also written to `tests/benchmarks/results/` as Markdown and JSON. `--floor` also measures
a plugin whose hooks do nothing. `--instructions` counts instructions in place of seconds, once for each
workload: they are the same on a busy machine, and take fifty times as long (needs valgrind). `--quick` runs one round
of small NumPy programs and only shows that the harness works: its figures mean nothing.
"""

import argparse
import datetime
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.benchmarks import instructions, programs, report
from tests.benchmarks.daemon import Latency, latency
from tests.benchmarks.process import CheckFailedError
from tests.benchmarks.ratios import Ratio, compare
from tests.benchmarks.startup import Startup, startup
from tests.benchmarks.workloads import DAEMON_LIMIT, WORKLOADS, Workload

RESULTS = Path(__file__).parent / "results"
DAEMON = "daemon"
STARTUP = "startup"
#: A JAX program of 2,300 lines.
_DAEMON_STATEMENTS = 1840
_QUICK_LINES = 40


def main(arguments: Sequence[str] | None = None) -> int:
    """0 if everything stays within its limits, 1 if not, 2 if something could not be measured."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--only", metavar="word", default="", help=f"workloads with that word in their names ({DAEMON}, {STARTUP})"
    )
    parser.add_argument("--rounds", type=int, help="how often each variant is run, instead of the table's numbers")
    parser.add_argument("--quick", action="store_true", help="one round of small NumPy programs: does it run?")
    parser.add_argument("--floor", action="store_true", help="measure a plugin whose hooks do nothing, too")
    parser.add_argument("--instructions", action="store_true", help="count instructions, with valgrind; no daemon")
    parser.add_argument("--save", action="store_true", help=f"write the figures to {RESULTS.name}/")
    options = parser.parse_args(arguments)
    started = datetime.datetime.now(datetime.UTC)
    chosen = [workload for workload in WORKLOADS if options.only in workload.name]
    ratios: list[Ratio] = []
    latencies: list[Latency] = []
    startups: list[Startup] = []
    try:
        with tempfile.TemporaryDirectory(prefix="promo-benchmarks-") as scratch:
            if options.instructions:
                counted = [
                    compare(
                        each, Path(scratch) / str(number), rounds=1, floor=options.floor, cost_of=instructions.count
                    )
                    for number, each in enumerate(chosen)
                ]
                print(instructions.table(counted))
                return 0
            if options.quick:
                ratios, latencies = quick(Path(scratch))
            else:
                for number, workload in enumerate(chosen):
                    ratios.append(
                        _announced(workload, Path(scratch) / str(number), options.rounds, floor=options.floor)
                    )
                if options.only in DAEMON:
                    program = programs.jax_program(_DAEMON_STATEMENTS)
                    latencies.append(latency("jax program", program, Path(scratch) / DAEMON, edits=15))
                if options.only in STARTUP:
                    startups.append(startup(Path(scratch) / STARTUP, rounds=15))
    except CheckFailedError as error:
        print(error, file=sys.stderr)
        return 2
    shown = report.table(ratios, latencies, startups)
    print(shown)
    if options.save:
        _save(shown, report.document(ratios, latencies, started.isoformat(timespec="seconds"), startups), started)
    within = [*map(report.holds, ratios), *map(report.starts, startups)]
    within += [found.seconds < DAEMON_LIMIT for found in latencies]
    return 0 if all(within) or options.quick else 1


def quick(folder: Path) -> tuple[list[Ratio], list[Latency]]:
    """One round of the NumPy workloads, and three edits, on programs of some forty lines."""
    small = [
        workload for workload in WORKLOADS if workload.program in (programs.numpy_arithmetic, programs.numpy_fallback)
    ]
    ratios = [
        compare(workload, folder / str(number), rounds=1, lines=_QUICK_LINES, floor=True)
        for number, workload in enumerate(small)
    ]
    program = programs.numpy_arithmetic(_QUICK_LINES)
    return ratios, [latency("numpy arithmetic", program, folder / DAEMON, edits=3)]


def _announced(workload: Workload, folder: Path, rounds: int | None, *, floor: bool) -> Ratio:
    print(f"{workload.name} ...", file=sys.stderr, flush=True)
    ratio = compare(workload, folder, rounds=rounds, floor=floor)
    print(f"    time {ratio.time:.3f}, memory {ratio.memory:.3f}", file=sys.stderr, flush=True)
    return ratio


def _save(shown: str, content: dict[str, object], started: datetime.datetime) -> None:
    RESULTS.mkdir(exist_ok=True)
    name = started.strftime("%Y-%m-%dT%H%MZ")
    (RESULTS / f"{name}.json").write_text(report.text(content), encoding="utf-8")
    (RESULTS / f"{name}.md").write_text(f"Measured {started:%Y-%m-%d %H:%M} UTC.\n\n{shown}\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
