"""Compare the cost of the plugin with stock mypy for each workload, in runs that take turns."""

import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from zlib import crc32

from tests.benchmarks.process import FLOOR, VARIANTS, Cost, measure
from tests.benchmarks.workloads import Workload


@dataclass(frozen=True, slots=True)
class Ratio:
    """The costs of one workload, by variant, and their ratios.

    Times are processor times: on a busy machine the wall clock also measures other programs.
    """

    workload: Workload
    stock: tuple[Cost, ...]
    plugin: tuple[Cost, ...]
    floor: tuple[Cost, ...] = ()
    """Empty if it was not measured."""

    @property
    def least(self) -> float | None:
        """Like `time`, for a plugin whose hooks do nothing."""
        if not self.floor:
            return None
        return median(floor.cpu / stock.cpu for stock, floor in zip(self.stock, self.floor, strict=True))

    @property
    def time(self) -> float:
        """The median of the ratios of processor time, round by round."""
        return median(plugin.cpu / stock.cpu for stock, plugin in zip(self.stock, self.plugin, strict=True))

    @property
    def wall(self) -> float:
        """The median of the ratios of wall-clock time, round by round."""
        return median(plugin.wall / stock.wall for stock, plugin in zip(self.stock, self.plugin, strict=True))

    @property
    def memory(self) -> float:
        """The ratio of the median peaks of memory."""
        return median(cost.memory for cost in self.plugin) / median(cost.memory for cost in self.stock)


def compare(
    workload: Workload,
    folder: Path,
    *,
    rounds: int | None = None,
    lines: int | None = None,
    floor: bool = False,
    cost_of: Callable[..., Cost] = measure,
) -> Ratio:
    """Measure a workload in `folder`; `rounds` and `lines` replace those of the table.

    The caller owns the folder, and the caches beside it that other workloads can use, too.

    `floor`: whether to measure also a plugin whose hooks do nothing. `cost_of` has the signature of `measure`.

    Every run starts from a copy of the same prepared cache. The variants take turns, and each is first in every other
    round, so that a machine that warms up or slows down affects both.

    Raises:
        CheckFailedError: mypy rejected the program, with either variant.
    """
    folder.mkdir(parents=True, exist_ok=True)
    variants = (*VARIANTS, FLOOR) if floor else VARIANTS
    arguments, prepared = _prepare(workload, folder, workload.lines if lines is None else lines, variants)
    costs: dict[str, list[Cost]] = {variant: [] for variant in variants}
    for number in range(workload.rounds if rounds is None else rounds):
        for variant in variants if number % 2 == 0 else reversed(variants):
            cache = folder / "cache"
            shutil.rmtree(cache, ignore_errors=True)
            if variant in prepared:
                shutil.copytree(prepared[variant], cache)
            must_pass = workload.program is not None and variant != FLOOR
            costs[variant].append(cost_of(folder, variant, cache, arguments, must_pass=must_pass))
    return Ratio(workload, tuple(costs["stock"]), tuple(costs["plugin"]), tuple(costs.get(FLOOR, ())))


def _prepare(
    workload: Workload, folder: Path, lines: int, variants: Sequence[str]
) -> tuple[list[str], dict[str, Path]]:
    """The arguments of the check, and the prepared cache of each variant; empty for runs that start without a cache."""
    arguments = ["-p", workload.package]
    if workload.program is not None:
        (folder / "measured.py").write_text(workload.program(lines), encoding="utf-8")
        arguments = ["measured.py"]
    if workload.warm is None:
        # Byte code and the system's cache of files must be as ready for the first run as for the last.
        for variant in variants:
            (folder / "nothing.py").write_text("", encoding="utf-8")
            measure(folder, variant, folder / f"cache-unused-{variant}", ["nothing.py"])
        return arguments, {}
    (folder / "warm.py").write_text(workload.warm, encoding="utf-8")
    # Workloads of the same libraries share it; their runs do not write to it.
    name = f"prepared-{crc32(workload.warm.encode()):08x}"
    prepared = {variant: folder.parent / f"{name}-{variant}" for variant in variants}
    for variant, cache in prepared.items():
        if not cache.exists():
            measure(folder, variant, cache, ["warm.py"])
    return arguments, prepared
