"""The sentence about a call that passes dtypes to a function whose parameters declare none."""


def called_from(line: str, dtypes: str) -> str:
    """`line`: the line of the call, in words; `dtypes`: what it passes."""
    return f"called from {line} with {dtypes}"
