"""Write dtype annotations into the sources of a program, from a profile and from inference: `promo-mypy annotate`.

`wishes` reads from a profile which annotations to write, and `spellings` how the names of a file express them. `edits`
changes the source and keeps its layout. `proposals` lets mypy check the result before anything is written.
"""
