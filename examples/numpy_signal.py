"""Demodulate a radio signal: int16 samples, complex64 baseband, a bit stream. No step is float64."""

import numpy as np
import numpy.typing as npt

Samples = npt.NDArray[np.int16]
Baseband = npt.NDArray[np.complex64]
Bits = npt.NDArray[np.bool_]

FULL_SCALE = 32768


def oscillator(count: int, frequency: float) -> Baseband:
    """A complex wave of `count` samples, turning by `frequency` radians each."""
    phase = np.arange(count, dtype=np.float32) * -frequency
    wave: Baseband = np.exp(phase.astype(np.complex64) * 1j)
    return wave


def mix_down(samples: Samples, wave: Baseband) -> Baseband:
    """Shift the signal to zero frequency; int16 times complex64 stays complex64."""
    return samples * wave / FULL_SCALE


def smooth(signal: Baseband, passes: int) -> Baseband:
    """A moving average over neighbours, in place."""
    out = signal.copy()
    for _ in range(passes):
        out[1:-1] += (out[:-2] + out[2:]) * 0.5
        out *= 0.5
    return out


def bits(signal: Baseband, threshold: npt.NDArray[np.float32]) -> Bits:
    """True if the power is above the threshold."""
    power = signal.real**2 + signal.imag**2
    above: Bits = power > threshold**2
    return above & ~(power > 4)


def main() -> None:
    """A burst of signal in the middle of silence."""
    count, frequency = 64, 0.7
    carrier = np.cos(np.arange(count) * frequency) * 20000
    carrier[:16] = carrier[48:] = 0
    samples = carrier.astype(np.int16)
    baseband = smooth(mix_down(samples, oscillator(count, frequency)), passes=6)
    received = bits(baseband, np.full(count, 0.1, dtype=np.float32))
    print(baseband.dtype, "".join("#" if bit else "." for bit in received))


if __name__ == "__main__":
    main()
