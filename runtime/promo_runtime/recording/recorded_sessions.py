"""Record the dtypes of packages in one or several processes of a test session, and write them to a profile.

Each worker process sends its profile to the controller, which merges and writes them.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from promo_mypy.rules.profiles import Profile, merged, profile_text, read_profile
from promo_runtime.recording.recorder import Recorder


class Recording:
    """The recording of one session."""

    def __init__(self, packages: Sequence[str], file: Path, where: Callable[[], str]) -> None:
        """`where`: the name of the running test."""
        self.packages = packages
        self.recorder = Recorder(where)
        self._file = file
        self._others: list[Profile] = []
        self._observations, self._seconds = 0, 0.0

    def state(self) -> list[Any]:
        """What was recorded as plain values, for transfer between processes."""
        recorder = self.recorder
        return [profile_text(recorder.profile()), recorder.observations, recorder.seconds]

    def add(self, state: list[Any]) -> None:
        """Add the `state` of another process."""
        text, observations, seconds = state
        self._others.append(read_profile(text))
        self._observations += observations
        self._seconds += seconds

    def written(self) -> str:
        """Write the profile; return a sentence about its content and its cost."""
        profile = merged([*self._others, self.recorder.profile()]).of_arrays
        self._file.write_text(profile_text(profile), encoding="utf-8")
        observations = self._observations + self.recorder.observations
        seconds = self._seconds + self.recorder.seconds
        return f"{self._file.name}: {profile.summary}; {observations} observations took {seconds:.3f} s"
