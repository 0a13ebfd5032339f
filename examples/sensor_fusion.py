"""Merge the readings of several sensors. The code works for every dtype: the dtypes of the call decide the result."""

from typing import Annotated, Any, TypeVar

import numpy as np
import numpy.typing as npt

from promo_runtime import Promote

A = TypeVar("A", bound=np.generic)
B = TypeVar("B", bound=np.generic)


def combined(x: npt.NDArray[A], y: npt.NDArray[B]) -> npt.NDArray[Promote[A, B]]:
    """The sum of two readings."""
    return x + y


def calibrated(reading: npt.NDArray[A], gain: npt.NDArray[np.float32]) -> npt.NDArray[Promote[A, np.float32]]:
    """A reading times a gain, in single precision unless the reading needs more."""
    return reading * gain


def stacked(x: npt.NDArray[Any], y: npt.NDArray[Any]) -> Annotated[npt.NDArray[Any], Promote["x", "y"]]:
    """Both readings, one row each."""
    rows: npt.NDArray[Any] = np.stack([x, y])
    return rows


def fused(
    pressure: npt.NDArray[np.uint16], temperature: npt.NDArray[np.int16], drift: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:
    """All three readings as one signal."""
    raw = combined(pressure, temperature)  # no 16-bit dtype holds both
    gain = np.full(3, 0.5, dtype=np.float32)
    small = calibrated(temperature, gain)
    large = calibrated(raw, gain)  # int32 needs more than single precision
    rows = stacked(small, drift)
    total: npt.NDArray[np.float64] = rows[0] + rows[1] + large
    return combined(total, small)


def main() -> None:
    """One second of three sensors."""
    pressure = np.array([1000, 40000, 65535], dtype=np.uint16)
    temperature = np.array([-20, 0, 25], dtype=np.int16)
    drift = np.array([0.25, 0.5, 0.75])
    signal = fused(pressure, temperature, drift)
    print(combined(pressure, temperature).dtype, signal.dtype, signal.tolist())


if __name__ == "__main__":
    main()
