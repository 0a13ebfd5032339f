"""Workloads to ratios: the plugin's cost over that of stock mypy, from runs that take turns."""

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
    """The costs of one workload, by variant, and what they come to.

    Times are processor times: on a busy machine the wall clock measures the other programs, too.
    """

    workload: Workload
    stock: tuple[Cost, ...]
    plugin: tuple[Cost, ...]
    floor: tuple[Cost, ...] = ()
    """Empty where it was not asked for."""

    @property
    def least(self) -> float | None:
        """As `time`, of a plugin whose hooks do nothing."""
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

    The folder, and beside it the caches that other workloads can use, too, are left to the caller.

    `floor`: whether to measure a plugin whose hooks do nothing, too. `cost_of` takes what `measure` takes.

    Every run starts from a copy of the same prepared cache. The variants take turns, each being first every other
    round, so that a machine that warms up or slows down does so for both.

    Raises:
        CheckFailedError: mypy did not accept the program, with either variant.
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
    """What to check, and the prepared cache of each variant; none where the runs start with an empty one."""
    arguments = ["-p", workload.package]
    if workload.program is not None:
        (folder / "measured.py").write_text(workload.program(lines), encoding="utf-8")
        arguments = ["measured.py"]
    if workload.warm is None:
        # Byte code and the system's cache of files must be there for the first run as for the last.
        for variant in variants:
            (folder / "nothing.py").write_text("", encoding="utf-8")
            measure(folder, variant, folder / f"cache-unused-{variant}", ["nothing.py"])
        return arguments, {}
    (folder / "warm.py").write_text(workload.warm, encoding="utf-8")
    # Workloads of the same libraries share it; no run of theirs writes to it.
    name = f"prepared-{crc32(workload.warm.encode()):08x}"
    prepared = {variant: folder.parent / f"{name}-{variant}" for variant in variants}
    for variant, cache in prepared.items():
        if not cache.exists():
            measure(folder, variant, cache, ["warm.py"])
    return arguments, prepared
