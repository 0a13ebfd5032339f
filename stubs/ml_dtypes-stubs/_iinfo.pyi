from typing import Any

import numpy as np

class iinfo:
    kind: str
    bits: int
    min: int
    max: int
    dtype: np.dtype[Any]
    def __init__(self, int_type: type[int | np.generic] | np.dtype[Any] | np.generic | str) -> None: ...
