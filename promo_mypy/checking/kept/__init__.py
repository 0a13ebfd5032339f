"""Finished answers of commands, kept beside mypy's cache, so that an unchanged run gives them without mypy.

An answer is kept under its question: the command with its options, the folder, the interpreter and the variables that
Python, mypy and the search for environments read (`questions`). It is given again while the facts hold that it was
computed from (`facts`):

- **What was read.** mypy asks for every file, folder and absent path through one view of the file system, which
  remembers all answers (`promo_mypy.checking.parsers.Files`). These are the checked files, the libraries, the stubs,
  and every path at which an import was looked for and not found: a new file that would shadow a module breaks a fact.
- **What else decides.** The files with options, present or absent; the folders of the code with the names of modules in
  them; the interpreter with its `pyvenv.cfg` and `.pth` files; the code that was loaded: that of promo-mypy, of mypy
  and of mypy's plugins.

A file is compared by its stamp (times, size and inode), and by its content where the stamp differs: after a `git
checkout`, or with a restored cache, nothing is computed again. A stamp younger than two seconds is never trusted: a
file may be written twice within the resolution of its clock. An absent path is compared by the stamp of its folder,
and by the folder's names where that differs. So a run that uses thousands of library files costs a `stat` for each
file and folder, and no more.

Nothing is kept of a run that fails, or whose files changed while it ran. Files are replaced as a whole: of two
processes the last one wins, and each file belongs to one answer. What cannot be read is computed anew. The files are
JSON: reading them executes nothing.
"""
