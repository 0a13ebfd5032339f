"""Write dtype annotations into the sources of a program, from a profile and from inference: `promo-mypy annotate`.

A profile says what to write (`wishes`), the imports of a file how to write it (`spellings`). The source changes in its
own layout (`edits`), and mypy checks the result before anything is written (`proposals`).
"""
