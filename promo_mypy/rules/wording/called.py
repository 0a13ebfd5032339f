"""The sentence about a call that passes dtypes to a function whose parameters declare none."""


def called_from(line: str, passed: str, file: str = "") -> str:
    """`line`: the line of the call, in words; `passed`: what it passes; `file`: where the call is, if elsewhere."""
    where = f"{line} of {file}" if file else line
    return f"called from {where} with {passed}"
